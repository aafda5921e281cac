/** The confirmation page: reassurance first, then what happens next. */

import { organization } from '../organization.ts'
import type { ThankYouCopy } from '../types.ts'
import { figures } from './figures.ts'
import { relay } from './shared.ts'

const hours = organization.hours?.en ?? null

const duringHours = hours === null ? '' : ` during our hours (${hours})`

export const thankYou = {
  title: `You're Pre-Qualified | ${organization.name}`,
  description: 'What happens after you send us your information.',
  badge: 'Pre-Qualified',
  headline: `You're Pre-Qualified to Receive Up to ${figures.maximumBenefit} in SSDI Benefits`,
  lead: `If you've sent us your information, you've done your part for today, and a disability advocate will call you${duringHours}.`,
  sentLead: `We have your information. You've done your part for today. A disability advocate will call you${duringHours}.`,
  /** By when we'll call, if `callbacks` in content/organization.ts is filled in. */
  callback: {
    today: (time: string) => `We'll call you today before ${time}.`,
    tomorrow: (time: string) => `We'll call you tomorrow before ${time}.`,
    later: (day: string, time: string) => `We'll call you on ${day} before ${time}.`,
    /** 6:00 PM Eastern */
    time: (clock: string, zone: string) => `${clock} ${zone}`,
    zones: {
      Eastern: 'Eastern',
      Central: 'Central',
      Mountain: 'Mountain',
      Arizona: 'Arizona time',
      Pacific: 'Pacific',
      Alaska: 'Alaska time',
      Hawaii: 'Hawaii time',
      Atlantic: 'Atlantic',
    },
  },
  number: {
    before: 'Our number is ',
    shown: organization.phone,
    after: organization.callsComeFromPhone
      ? ". We'll call you from it, so save it and you'll know it's us."
      : '. Keep it handy. Our call may come from a different number.',
  },
  saveNumber: 'Save our number to your contacts',
  callLabel: `Call ${organization.phone}`,
  relay,
  callHint: "Don't want to wait, or typed a wrong number? Call us now. It's toll-free.",
  nextHeading: 'What Happens Next?',
  steps: [
    {
      title: 'Initial Consultation',
      text: 'An advocate calls you, listens, and answers your questions. You decide whether to move forward.',
    },
    {
      title: 'Document Collection',
      text: 'Together we list your doctors, your treatments, and your jobs, and we help you request the records.',
    },
    {
      title: 'Application Filing',
      text: "We prepare your application with you, file it, and keep you posted until there's a decision.",
    },
  ],
  keep: {
    heading: 'Good to know',
    items: [
      {
        title: 'Who will call',
        text: `A disability advocate from ${organization.name}. If you're not sure it's us, hang up and call ${organization.phone}.`,
      },
      hours === null
        ? null
        : {
            title: 'When we call',
            text: `${hours.replace(/\.$/, '')}. If you miss our call, call us back during those hours.`,
          },
      {
        title: 'What to have on hand',
        text: "If you can: the names of your doctors and your last employers. If you don't have them right now, that's fine.",
      },
      {
        title: 'If you change your mind',
        text: "Tell us on the phone, or reply STOP to a text message. That's all it takes.",
        link: { text: 'Or ask us here to stop.', href: '/stop' },
      },
    ],
  },
  reminder: 'No Fees Unless You Win',
  reminderText: 'You pay nothing today and nothing upfront.',
  /** In the tab that sent the form, for half an hour. */
  sayMore: {
    heading: 'Is your phone number right?',
    wrong: 'Wrong number?',
    willCall: (phone: string) => `We'll call ${phone}.`,
    label: 'Your phone number',
    consent: 'What I agree to',
    corrected: (phone: string) => `Thank you. We'll call ${phone}.`,
    refused: `We can't change that here. Please call us at ${organization.phone}.`,
    failed: `That didn't work. Please try again, or call us at ${organization.phone}.`,
    timeHeading: 'When is a good time?',
    timeHint: "Choose a time, and we'll try to call you then. This is the time where you are.",
    saved: (time: string) => `Thank you. We'll try to call you then: ${time}`,
  },
  notADecision:
    "Pre-qualified means your answers meet our basic criteria. It's not a decision: only the Social Security Administration decides whether a claim is approved and how much it pays.",
} as const satisfies ThankYouCopy
