/** The contact form's copy, by language. Bundled with the contact form's script, which gets only the page's language. */
import { en } from './en/words.ts'
import { es } from './es/words.ts'
import type { AnyText, InEachLanguage } from './languages.ts'
import { organization } from './organization.ts'
import { confirmedAges } from './questions.ts'

export type ContactFormCopy = ReturnType<typeof copyOf>

type Shown = Pick<typeof en, 'contactForm' | 'contactMessages' | 'toasts' | 'submissionFailedHelp' | 'offlineHelp'>

function copyOf({ contactForm, contactMessages, toasts, ...help }: AnyText<Shown>) {
  return {
    ...contactForm,
    messages: contactMessages,
    toasts,
    submissionFailedHelp: help.submissionFailedHelp,
    offlineHelp: help.offlineHelp,
    advertiser: organization.name,
    phone: organization.phone,
    ages: confirmedAges,
  }
}

export const contactFormCopy: InEachLanguage<ContactFormCopy> = { en: copyOf(en), es: copyOf(es) }
