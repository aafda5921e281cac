/** The advertorial: one column, read from top to bottom, with the questionnaire at its end. */
import { figures } from './figures.ts'
import { organization } from './organization.ts'

export const advertorial = {
  title: `Over ${figures.audienceAge.shown} and Unable to Work? What SSDI May Owe You | ${organization.name}`,
  description: `Sponsored content. Americans aged ${figures.audienceAge.shown} and over who cannot work because of a disability may qualify for SSDI. Take the free ${figures.checkDuration.shown} eligibility check.`,

  sponsoredLabel: 'Sponsored content',
  sponsoredBy: `Advertisement by ${organization.name}, a private organization`,
  headline: `${figures.audienceAge.shown} or Older and Unable to Work? You May Be Owed Disability Benefits You Already Paid For`,
  byline: 'By SSDI Advocate Staff',
  lead: `Most people know Social Security as retirement. Far fewer know that it also insures them against becoming too ill or too injured to work. That insurance is called SSDI, Social Security Disability Insurance, and for people aged ${figures.audienceAge.shown} and over its rules become noticeably kinder.`,
  illustrationAlt: 'Two older people at ease at a table with papers and a cup of tea',
  earlyCta: 'Check Your SSDI Eligibility Now',

  callout: {
    heading: 'Before you read on',
    text: `SSDI can pay up to ${figures.maximumBenefit.shown}; the average is ${figures.averageBenefit.shown} a month. It is not paid automatically: if you do not apply, you do not receive it. A free ${figures.checkDuration.shown} check shows whether we may be able to help you apply.`,
  },

  ageAdvantage: {
    heading: 'Why Your Age Is An Advantage',
    paragraphs: [
      `Social Security does not treat a 35-year-old and a 58-year-old alike. From ${figures.audienceAge.shown} on, its rules recognize that it is hard to learn a new line of work after decades in the old one. If you can no longer do the kind of work you did, you may qualify even though a younger person with the same condition would not.`,
      'Your long work history helps, too. Every paycheck from which Social Security taxes were taken was a premium. SSDI is the insurance that those premiums bought.',
    ],
  },

  provides: {
    heading: 'What SSDI Provides:',
    items: [
      {
        title: 'Monthly payments',
        text: `Up to ${figures.maximumBenefit.shown}, depending on what you earned while you worked.`,
      },
      { title: 'Medicare', text: `Health coverage after ${figures.medicareWait.shown}, whatever your age.` },
      {
        title: 'Retirement protection',
        text: 'Years on SSDI do not pull down your later retirement benefit.',
      },
      { title: 'Back pay', text: 'Money for months that you were already entitled to while your claim was decided.' },
      {
        title: 'Dependents support',
        text: 'A spouse or a child may be able to receive benefits on your record.',
      },
    ],
  },

  timing: {
    heading: "Don't Wait – Timing Is Critical",
    paragraphs: [
      `The insurance does not last forever. Once you stop working, your coverage runs out after some years, and back pay reaches back only so far. Every month of waiting can be a month that is never paid.`,
      `It also pays to apply well: ${figures.initialDenialsAdvertorial.shown} of initial applications are denied. A complete application is the best start. That is why it helps to have somebody at your side who has seen the forms before.`,
    ],
  },

  checkNow: {
    heading: 'Check Your Eligibility Now',
    text: `Six yes/no questions, ${figures.checkTakes.shown}, no cost. If it looks like you may qualify, a disability advocate from ${organization.name} calls you to talk it through. There are no fees unless your claim is won.`,
  },

  sample: '(sample text)',
  boxTitle: 'Check If You Qualify for SSDI Benefits',
  footerNote: 'Benefit amounts vary with work history and current regulations.',
} as const
