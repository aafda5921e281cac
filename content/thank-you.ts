/** The confirmation page: relief first, then what happens next. */
import { figures } from './figures.ts'
import { organization } from './organization.ts'

export const thankYou = {
  title: `You're Pre-Qualified | ${organization.name}`,
  description: 'Your details have reached us. A disability advocate will call you.',
  badge: 'Pre-Qualified',
  headline: `You're Pre-Qualified to Receive Up to ${figures.maximumBenefit.shown} in SSDI Benefits`,
  lead: 'Your details have reached us. You have done your part for today; a disability advocate will call you.',
  number: {
    before: 'Our number is ',
    shown: organization.phone.shown,
    after: ': save it, so that you recognize the call.',
  },
  callLabel: `Call ${organization.phone.shown}`,
  callHint: 'Would you rather not wait? Call us now. It is free.',
  nextHeading: 'What Happens Next?',
  steps: [
    {
      title: 'Initial Consultation',
      text: 'An advocate calls you, listens, and answers your questions. You decide whether to go on.',
    },
    {
      title: 'Document Collection',
      text: 'Together we list your doctors, your treatments and your jobs, and we help request the records.',
    },
    {
      title: 'Application Filing',
      text: 'We prepare your application with you, file it, and keep you informed until there is a decision.',
    },
  ],
  keep: {
    heading: 'Good to know',
    items: [
      {
        title: 'Who will call',
        text: `A disability advocate from ${organization.name}.`,
      },
      {
        title: 'What to have at hand',
        text: 'If you can: the names of your doctors and of your last employers. If you cannot find them now, that is fine.',
      },
      {
        title: 'If you change your mind',
        text: 'Tell us on the phone, or reply STOP to a text message. That is all it takes.',
      },
    ],
  },
  reminder: 'No Fees Unless You Win',
  reminderText: 'You pay nothing today and nothing upfront.',
  notADecision:
    'Pre-qualified means that your answers fit our check. It is not a decision: only the Social Security Administration decides on a claim and its amount.',
} as const
