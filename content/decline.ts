/** The page for those we cannot help with SSDI: kind, never a rejection. */
import { figures } from './figures.ts'
import { officialLinks as links } from './links.ts'
import { organization } from './organization.ts'

export const decline = {
  title: `Medicaid and Other Health Programs | ${organization.name}`,
  description: 'Programs other than SSDI that may help you: Medicaid, Medicare and Supplemental Security Income.',
  heading: 'You May Still Qualify for Medicaid or Other Health Programs',
  lead: 'From your answers, SSDI with our help does not look like the right fit at the moment. That is no judgment on you or your health, and it is not a decision on SSDI: only the Social Security Administration makes that. These programs help many people in the same place.',
  programsHeading: 'Three programs worth a look',
  programs: [
    {
      icon: 'medicaid',
      title: 'Medicaid',
      text: 'Free or low-cost health coverage for people with a low income. You can apply at any time of the year.',
      link: { text: 'Check Medicaid Eligibility', href: links.medicaid },
    },
    {
      icon: 'medicare',
      title: 'Medicare',
      text: 'Federal health insurance from age 65, and earlier for people who receive SSDI or have certain conditions.',
      link: { text: 'Read about Medicare', href: links.medicare },
    },
    {
      icon: 'income',
      title: 'Supplemental Security Income',
      text: 'A monthly payment for people with a disability, or aged 65 and over, who have little income and few savings. Past work is not required.',
      link: { text: 'Read about SSI', href: links.supplementalSecurityIncome },
    },
  ],
  external: '(official government website)',
  next: {
    heading: 'What you can do next',
    items: [
      'Start with Medicaid: it takes a few minutes to see whether you may be covered.',
      'You can still apply for SSDI yourself, free of charge, at ssa.gov.',
      `Things change. If you stop working, your health gets worse or you turn ${figures.audienceAge.shown}, come back and check again.`,
      'Pressed a wrong answer? You can take the check again.',
    ],
    again: 'Take the check again',
  },
  call: {
    heading: 'Would you like to talk it over?',
    text: 'Call us. Somebody will listen and tell you honestly what we can and cannot do.',
    label: `Call ${organization.phone.shown}`,
  },
} as const
