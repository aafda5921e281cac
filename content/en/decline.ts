/** The page for visitors we can't help with SSDI: kind, never a rejection. */

import { officialLinks as links, socialSecurityPhone } from '../links.ts'
import { organization } from '../organization.ts'
import type { DeclineCopy } from '../types.ts'
import { figures } from './figures.ts'
import { relay } from './shared.ts'

const nextItems = [
  'Start with Medicaid. You can check online whether you may be covered.',
  [
    "If you don't already get SSDI, you can still apply for it yourself, free of charge, at ",
    { text: 'ssa.gov', href: links.socialSecurityDisability.en },
    ' or by phone at ',
    socialSecurityPhone,
    '.',
  ],
  `Things change. If you stop working, your health gets worse, or you turn ${figures.audienceAge}, come back and check again.`,
  'Tapped the wrong answer? You can answer the questions again.',
] as const

/**
 * By question, for people whose answer to it was the other one. General information about Social Security's rules: never say that
 * someone qualifies.
 */
const aboutSsdi = { text: 'Read about SSDI at ssa.gov', href: links.socialSecurityDisability.en }
const reasons = {
  outOfWorkDueToCondition: {
    title: "If you're working, or stopped for another reason",
    text: "SSDI is for people whose health keeps them from working. That doesn't mean no work at all: Social Security looks at how much you earn in a month. If your health makes you cut back or stop later, you can apply then.",
    link: aboutSsdi,
  },
  outOfWorkForAYear: {
    title: "If you've been out of work for less than a year",
    text: `You don't have to wait a year to apply. Social Security asks for a condition that has lasted or can be expected to last at least ${figures.impairmentDuration}, or that can be expected to result in death. If yours may last that long, you can apply now on your own, free of charge.`,
    link: { text: 'Apply at ssa.gov', href: links.socialSecurityDisability.en },
  },
  receivesSsdi: {
    title: 'If you already get SSDI',
    text: `You don't need to apply again. With an online account at Social Security, you can see your payments and change your address. If a letter says that your benefits will stop, you can appeal. The letter says how much time you have. For your benefits to go on during the appeal, you may have to ask within ${figures.continuationDays}.`,
    link: { text: 'Your Social Security account', href: links.socialSecurityAccount.en },
  },
  workedFiveOfTenYears: {
    title: `If you haven't worked ${figures.workHistory}`,
    text: 'How much work you need depends on how old you were when your condition began. People who were young then may need less. Some people can get benefits on the record of a parent, or of a husband or wife who has died. SSI, above, needs no work history.',
    link: aboutSsdi,
  },
  hasAttorney: {
    title: 'If you already have an attorney',
    text: 'Your attorney knows your case, so please ask them first. You have the right to change your representative. To do that, you write to Social Security. Your first attorney may still be owed a fee.',
    link: { text: 'Read about representatives at ssa.gov', href: links.representation.en },
  },
  ageInBounds: {
    title: `If you're not ${figures.questionAges} years old`,
    text: `We only help people ages ${figures.audienceAgeRange}, but SSDI is for other ages, too. Adults can apply until they reach full retirement age, now ${figures.fullRetirementAge}. After that, there are retirement benefits.`,
    link: aboutSsdi,
  },
} as const

export const decline = {
  title: `Medicaid and Other Health Programs | ${organization.name}`,
  description: 'Programs other than SSDI that may help you: Medicaid, Medicare, and Supplemental Security Income.',
  heading: 'You May Still Qualify for Medicaid or Other Health Programs',
  lead: "Based on your answers, applying for SSDI with our help doesn't look like the right fit right now. That's not a judgment about you or your health, and it's not a decision about SSDI: only the Social Security Administration can make that one. The programs below may help you.",
  reasonsHeading: 'Why not now, and what you can do',
  reasons,
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
      text: "A monthly payment for people who have a disability or are 65 or older and whose income and savings are limited. You don't need a work history. It isn't offered in Puerto Rico, Guam, American Samoa, or the U.S. Virgin Islands.",
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
