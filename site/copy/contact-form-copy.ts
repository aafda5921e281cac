/** The contact form's copy, by language. The build puts only the page's language into its script. */
import { data } from '../../site-folder/data.ts'
import type { InEachLanguage } from '../../site-folder/types.ts'
import { type ContactFormCopy, contactFormCopyOf } from './copy-of.ts'

export const contactFormCopy: InEachLanguage<ContactFormCopy> = {
  en: contactFormCopyOf(data, 'en'),
  es: contactFormCopyOf(data, 'es'),
}
