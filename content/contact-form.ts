/** Words of the contact form: labels, messages, toasts and the consent that the visitor signs. */
import { organization } from './organization.ts'

export const contactForm = {
  heading: "You're Almost Done – You May Qualify for SSDI Benefits!",
  lead: 'We think that we can help you apply!',
  fields: {
    firstName: { label: 'First name' },
    lastName: { label: 'Last name' },
    dateOfBirth: { label: 'Date of birth' },
    email: { label: 'Email' },
    phone: { label: 'Phone number', placeholder: '(555) 555-5555' },
  },
  submit: 'Yes, Please Call Me!',
  submitting: 'Processing...',
  allRequired: 'Please fill in all five fields.',
  errorTitlePrefix: 'Error: ',
} as const

export const contactMessages = {
  firstNameRequired: 'First name is required',
  lastNameRequired: 'Last name is required',
  dateOfBirthRequired: 'Date of birth is required',
  ageOutOfBounds: 'You must be at least 18 years old',
  emailRequired: 'Email is required',
  emailInvalid: 'Email is invalid',
  phoneRequired: 'Phone number is required',
  phoneInvalid: 'Please enter a valid 10-digit phone number',
  tooLong: (limit: number) => `Please use at most ${limit} characters`,
} as const

export const toasts = {
  incomplete: { title: 'Please complete all fields', text: 'All fields are required to continue.' },
  submissionFailed: {
    title: 'Submission Error',
    text: 'There was a problem submitting your information. Please try again.',
  },
  dismiss: 'Dismiss',
  regionLabel: 'Notifications',
} as const

/** Stays beside the button after a failed submission, when the toast is gone. */
export const submissionFailedHelp = `What you typed is still here. If it fails again, call us at ${organization.phone.shown}.`

const consentParagraphs = [
  `By pressing “${contactForm.submit}”, I sign this form electronically and give ${organization.name} my express written consent to contact me by email at the address above and, at the phone number above, with marketing calls and text messages (SMS) about disability benefits, including calls and messages that use automated technology, prerecorded messages or AI voice, even if my number is on a Do Not Call list.`,
  `My consent is not required to obtain any good or service: I can call ${organization.phone.shown} instead.`,
  'Message frequency varies. Message and data rates may apply. I can reply STOP at any time to opt out, or HELP for help.',
] as const

/** What the visitor signs. Changing a letter makes a new version: its hash travels with every lead. */
export const consent = {
  button: contactForm.submit,
  text: consentParagraphs.join(' '),
  paragraphs: consentParagraphs,
} as const
