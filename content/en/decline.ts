/** The page for visitors we can't help with SSDI: kind, never a rejection. */

import { officialLinks as links } from '../links.ts'
import { organization } from '../organization.ts'
import type { DeclineCopy } from '../types.ts'
import { figures } from './figures.ts'
import { relay } from './shared.ts'

const nextItems = [
  'Start with Medicaid. You can check online whether you may be covered.',
  [
    'You can still apply for SSDI yourself, free of charge, at ',
    { text: 'ssa.gov', href: links.socialSecurityDisability.en },
    '.',
  ],
  `Things change. If you stop working, your health gets worse, or you turn ${figures.audienceAge}, come back and check again.`,
  'Tapped the wrong answer? You can answer the questions again.',
] as const

export const decline = {
  title: `Medicaid and Other Health Programs | ${organization.name}`,
  description: 'Programs other than SSDI that may help you: Medicaid, Medicare, and Supplemental Security Income.',
  heading: 'You May Still Qualify for Medicaid or Other Health Programs',
  lead: "Based on your answers, applying for SSDI with our help doesn't look like the right fit right now. That's not a judgment about you or your health, and it's not a decision about SSDI: only the Social Security Administration can make that one. These programs help many people in your situation.",
  programsHeading: 'Three programs worth a look',
  programs: [
    {
      icon: 'medicaid',
      title: 'Medicaid',
      text: 'Free or low-cost health coverage for people with low incomes. You can apply any time of the year.',
      link: { text: 'Check Medicaid Eligibility', href: links.medicaid.en },
    },
    {
      icon: 'medicare',
      title: 'Medicare',
      text: 'Federal health insurance for people 65 and older, and for some younger people who get SSDI or have certain conditions.',
      link: { text: 'Read about Medicare', href: links.medicare.en },
    },
    {
      icon: 'income',
      title: 'Supplemental Security Income',
      text: "A monthly payment for people who have a disability or are 65 or older and whose income and savings are limited. You don't need a work history. It isn't offered in Puerto Rico.",
      link: { text: 'Read about SSI', href: links.supplementalSecurityIncome.en },
    },
  ],
  external: '(official government website)',
  next: {
    heading: 'What you can do next',
    items: nextItems,
    again: 'Answer the questions again',
  },
  call: {
    heading: 'Want to talk it over?',
    text: "Call us. Someone will listen and tell you honestly what we can and can't do.",
    label: `Call ${organization.phone}`,
    relay,
    hours: organization.hours?.en ?? null,
  },
} as const satisfies DeclineCopy
