/** What the questionnaire and the contact form say, from the site's data. Browsers get the page's language, and nothing else. */
import type { Language } from '../../domain/languages.ts'
import { confirmedAgesOf } from '../../site-folder/ages.ts'
import type { SiteData } from '../../site-folder/types.ts'

export type PanelCopy = ReturnType<typeof panelCopyOf>
export type PanelTexts = ReturnType<typeof panelTextsOf>
export type ContactFormCopy = ReturnType<typeof contactFormCopyOf>

export function panelCopyOf({ words, organization }: SiteData, language: Language) {
  // Two texts are in the HTML, because they're shown when the script is missing.
  const { stillLoading, scriptMissing, ...copy } = words[language].questionnaire
  return { ...copy, phone: organization.phone }
}

/** In the page, where the plain form has the questions, too. */
export function panelTextsOf({ words, questions }: SiteData, language: Language) {
  const {
    applicationError: { heading, text, callLead },
    questions: said,
  } = words[language]
  return {
    questions: questions.map(({ id, required }) => ({ id, text: said[id] ?? '', required })),
    failure: { heading, text, callLead },
  }
}

export function contactFormCopyOf(site: SiteData, language: Language) {
  const { consent, contactForm, contactMessages, toasts, submissionFailedHelp, offlineHelp } = site.words[language]
  return {
    ...contactForm,
    submit: consent.button,
    messages: contactMessages,
    toasts,
    submissionFailedHelp,
    offlineHelp,
    advertiser: consent.seller,
    phone: site.organization.phone,
    ages: confirmedAgesOf(site),
  }
}
