/** What the contact form says, by the language of the page. Sent with the contact form's own script. */

import { organization } from '../organization.ts'
import { consent, contactForm, contactMessages, offlineHelp, submissionFailedHelp, toasts } from './contact-form.ts'

// The whole text is for the record: the form shows its paragraphs.
const { text: _, ...signed } = consent

export const contactWords = {
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
