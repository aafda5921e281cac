/** The contact form's copy: labels, messages, toasts, and the consent that the visitor signs. */

import { createConsent } from '../consent.ts'
import { legalLink } from '../links.ts'
import { organization } from '../organization.ts'
import type { ContactFormWords, ContactMessages, ToastsCopy } from '../types.ts'
import { figures } from './figures.ts'
import { links } from './shared.ts'

export const contactForm = {
  heading: "You're Almost Done – You May Qualify for SSDI Benefits!",
  lead: 'We think that we can help you apply!',
  fields: {
    firstName: { label: 'First name' },
    lastName: { label: 'Last name' },
    dateOfBirth: {
      label: 'Date of birth',
      parts: { month: 'Month', day: 'Day', year: 'Year' },
    },
    email: { label: 'Email', why: 'In case we miss you by phone.' },
    phone: { label: 'Phone number', why: 'An advocate will call you at this number.', placeholder: '(555) 555-5555' },
  },
  optional: (label: string) => `${label} (optional)`,
  didYouMean: (domain: string) => `Did you mean ${domain}?`,
  noEmail: `No email? Call ${organization.phone}.`,
  noSocialSecurityNumber: 'No Social Security number needed.',
  submit: 'Yes, Please Call Me!',
  submitting: 'Processing...',
  /** Announced to screen readers while the button says “Processing...”. */
  sending: 'Sending your information. One moment, please.',
  back: 'Back',
  clear: 'Clear my information',
  allRequired: 'Please fill in all fields.',
  errorTitlePrefix: 'Error: ',
} as const satisfies ContactFormWords

export const contactMessages = {
  firstNameRequired: 'First name is required',
  lastNameRequired: 'Last name is required',
  dateOfBirthRequired: 'Date of birth is required',
  ageOutOfBounds: 'You must be at least 18 years old',
  dateImpossible: 'Please check the date',
  /** These are asked once. If the visitor sends the same value again, it counts. */
  ageContradictory: `You told us that your age is ${figures.questionAges}. Please check the date. If it's right, press the button again.`,
  nameDoubtful: "Please check the name. If it's right, press the button again.",
  emailDoubtful: "Please check the part after the @. If it's right, press the button again.",
  phoneDoubtful: "Please check the number. If it's right, press the button again.",
  emailRequired: 'Email is required',
  emailInvalid: 'Email is invalid',
  phoneRequired: 'Phone number is required',
  phoneInvalid: 'Please enter a valid 10-digit phone number',
  phoneForeign: 'We can only call numbers in the United States. Please enter a 10-digit US phone number.',
  nameTooLong: 'Please use at most 100 characters',
  emailTooLong: 'Please use at most 254 characters',
} as const satisfies ContactMessages

export const toasts = {
  incomplete: { title: 'Please complete all fields', text: 'All fields are required to continue.' },
  submissionFailed: {
    title: 'Submission Error',
    text: 'There was a problem submitting your information. Please try again.',
  },
  dismiss: 'Dismiss',
  regionLabel: 'Notifications',
} as const satisfies ToastsCopy

/** Stays next to the button after a failed submission, even after the toast closes. */
export const submissionFailedHelp = `What you typed is still here. If it happens again, call us at ${organization.phone}.`

/** Shown instead if the visitor's device is offline. */
export const offlineHelp = `You seem to be offline. Don't worry, what you typed is still here. When you're back online, press the button again.`

/** The text that the visitor signs. Any change creates a new version, whose hash is stored with every lead. */
export const consent = createConsent({
  notice: 'By pressing the button, I agree to get marketing calls, texts, and emails. The details are below it.',
  noticeLink: 'The details are below it.',
  button: contactForm.submit,
  paragraphs: [
    `By pressing “${contactForm.submit}”, which counts as my electronic signature, I give ${organization.name} my express written consent to send me marketing about disability benefits. ${organization.name} may email me at the address I gave. It may also call and text me (SMS) at the phone number I gave, even if my number is on a Do Not Call list. I agree that these calls and texts may be made with an automated system, and that the calls may use an artificial (including AI) or prerecorded voice.`,
    `My consent is not required to obtain any good or service: I can call ${organization.phone} instead.`,
    'Message frequency varies. Message and data rates may apply. I can opt out at any time by replying STOP to a text, by saying so on a call, or at /stop on this website. I can reply HELP for help.',
  ],
  privacyPolicy: legalLink('en', links, 'privacy'),
  stopPage: '/stop',
  privacyNotice: policy => `The ${policy} explains how my information is used.`,
})
