/** The advertorial: one column, read from top to bottom, with the questionnaire at the end. */

import { organization } from '../organization.ts'
import { pictures } from '../pictures.ts'
import type { AdvertorialCopy } from '../types.ts'
import { figures } from './figures.ts'
import { questionCount } from './questions.ts'

export const advertorial = {
  title: `${figures.audienceAge} or Older and Unable to Work? You May Qualify for SSDI | ${organization.name}`,
  description: `Sponsored content. If you're ${figures.audienceAge} or older and can't work because of a disability, you may qualify for SSDI. Take the free ${figures.checkDuration} eligibility check.`,

  sponsoredLabel: 'Sponsored content',
  sponsoredBy: `Advertisement by ${organization.name}, a private organization`,
  headline: `${figures.audienceAge} or Older and Unable to Work? You May Qualify for Disability Benefits You've Already Paid For`,
  byline: `By ${organization.name} Staff`,
  date: '{month} {day}, {year}',
  months: 'January February March April May June July August September October November December',
  lead: `Most people think of Social Security as a retirement program. Far fewer know that it also covers them if they become too sick or too badly hurt to work. That insurance is called SSDI, Social Security Disability Insurance, and some of its rules get easier to meet at ${figures.audienceAge}.`,
  illustration: {
    alt: pictures.seniors.alt.en,
    caption: 'A few papers, a cup of coffee, and someone to talk it over with: many claims start at the kitchen table.',
  },
  earlyCta: 'Check Your SSDI Eligibility Now',
  contentsHeading: 'In this article',

  average: { figure: figures.averageBenefit, label: 'a month is the average SSDI benefit' },

  callout: {
    heading: 'Before you read on',
    text: `SSDI can pay up to ${figures.maximumBenefit}; the average is ${figures.averageBenefit} a month. It doesn't start on its own: you have to apply. A free ${figures.checkDuration} check shows whether we may be able to help you do that.`,
  },

  ageAdvantage: {
    heading: 'Why Your Age Is An Advantage',
    paragraphs: [
      `Social Security doesn't treat a 35-year-old and a 58-year-old alike. Starting at ${figures.audienceAge}, its rules recognize how hard it is to learn a new line of work after decades in the old one. If you can no longer do the kind of work you used to do, you may qualify even when a younger person with the same condition wouldn't.`,
      'Your long work history helps, too. Each time Social Security tax came out of your paycheck, part of it went toward disability insurance. SSDI is the insurance you were paying for.',
    ],
  },

  provides: {
    heading: 'What SSDI Provides:',
    items: [
      {
        title: 'Monthly payments',
        text: `Up to ${figures.maximumBenefit}, depending on what you earned while you worked.`,
      },
      {
        title: 'Medicare',
        text: `Health coverage after ${figures.medicareWait} of SSDI, even if you're not 65 yet.`,
      },
      {
        title: 'Retirement protection',
        text: "Your years on SSDI generally won't lower your retirement benefit later.",
      },
      {
        title: 'Back pay',
        text: `Money for months you were already entitled to before your claim was approved, going back up to ${figures.retroactiveLimit} before you applied.`,
      },
      {
        title: 'Dependents support',
        text: 'Your spouse or children may be able to get benefits on your record.',
      },
    ],
  },

  timing: {
    heading: "Don't Wait – Timing Is Critical",
    paragraphs: [
      `This insurance doesn't last forever. Your coverage runs out a few years after you stop working: for people who worked steadily, ${figures.insuredAfterWork}. A disability that begins after that isn't covered. And back pay goes back no more than ${figures.retroactiveLimit} before you apply, so each month you wait can be a month you're never paid for.`,
      `It also pays to apply carefully: ${figures.initialDenialsAdvertorial} of initial applications are denied. A complete application gives you the best chance, and it helps to have someone by your side who has seen the forms before.`,
    ],
  },

  checkNow: {
    heading: 'Check Your Eligibility Now',
    text: `${questionCount.first} yes/no questions, ${figures.checkTakes}, no cost. If it looks like you may qualify and you ask us to call, a disability advocate from ${organization.name} will talk it over with you. There are no fees unless your claim is won.`,
  },

  sampleNote: 'Sample quote, to show the layout. Not a real customer.',
  boxTitle: 'Check If You Qualify for SSDI Benefits',
  footerNote: 'Benefit amounts vary with work history and current regulations.',
} as const satisfies AdvertorialCopy
