/** What the contact form says, by the language of the page. Sent with the contact form's own script. */

import { organization } from '../organization.ts'
import { consent, contactForm, contactMessages, offlineHelp, submissionFailedHelp, toasts } from './contact-form.ts'
import { questionnaire } from './questionnaire.ts'

export const contactWords = {
  en: {
    ...contactForm,
    messages: contactMessages,
    toasts,
    consent,
    submissionFailedHelp,
    offlineHelp,
    reassurance: questionnaire.reassurance,
    advertiser: organization.name,
    phone: organization.phone,
  },
} as const
