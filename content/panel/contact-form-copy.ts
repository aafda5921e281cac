/** The contact form's copy, by language. Bundled with the contact form's script. */

import { organization } from '../organization.ts'
import { consent, contactForm, contactMessages, offlineHelp, submissionFailedHelp, toasts } from './contact-form.ts'

// The full text is only for the consent record; the form shows the paragraphs.
const { text: _, ...signed } = consent

export const contactFormCopy = {
  en: {
    ...contactForm,
    messages: contactMessages,
    toasts,
    consent: signed,
    submissionFailedHelp,
    offlineHelp,
    advertiser: organization.name,
    phone: organization.phone,
  },
} as const
