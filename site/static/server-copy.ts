/** The words and rules that the server, the desk, and the terminal need. The build writes them to the manifest. */

import { callLanguages } from '../../domain/calling/list.ts'
import { ENGLISH, type Language } from '../../domain/languages.ts'
import { consentAsPresented, questionnaireAsPresented } from '../../domain/leads/as-presented.ts'
import { fill } from '../../domain/text/fill.ts'
import { ORIGINAL } from '../../domain/visits/variants.ts'
import { shownQuestionnaire } from '../../site/copy/panel-texts.ts'
import { confirmedAgesOf } from '../../site-folder/ages.ts'
import { data } from '../../site-folder/data.ts'
import { askedIn, callWords, formOff, headlineVariants, languages, words } from '../../site-folder/site.ts'
import type { CallbackCopy, InEachLanguage, LetterTexts } from '../../site-folder/types.ts'
import { closesAt, closingTime } from './callback-promise.ts'

const englishConsent = formOff.includes(ENGLISH) ? undefined : words.en.consent

export const createServerCopy = (formPages: readonly string[]) => ({
  languages: inEach(languages, copyIn),
  calls: inEach(callLanguages, callCopyIn),
  formPages,
  headlines: {
    [ORIGINAL]: words.en.landing.hero.headline,
    ...Object.fromEntries(headlineVariants.map(({ name, en, es }) => [name, (en ?? es)?.headline ?? ''])),
  },
  ages: confirmedAgesOf(data),
  closed: data.organization.closed ?? [],
})

const inEach = <Copy>(all: readonly Language[], copyOf: (language: Language) => Copy) =>
  Object.fromEntries(all.map(language => [language, copyOf(language)])) as InEachLanguage<Copy>

function copyIn(language: Language) {
  const { consent, contactForm, contactMessages, letter, plainForm, stopContact, thankYou } = words[language]
  return {
    consent: formOff.includes(language) ? '' : consentAsPresented(consent, language, englishConsent),
    isReviewedWithEnglish: data.reviewedTogether.includes(`consent.${language}`),
    questionnaire: questionnaireAsPresented(shownQuestionnaire[language], language, shownQuestionnaire.en),
    questions: askedIn(words[language].questions),
    contactMessages,
    didYouMean: fill(contactForm.didYouMean, { domain: '{}' }),
    unanswered: plainForm.unanswered,
    nothingToStop: stopContact.missing,
    letter: letterCopyIn(language, letter, thankYou.callback),
  }
}

function letterCopyIn(language: Language, words: LetterTexts, { later, zones }: CallbackCopy) {
  const { number, numberIfCallsComeFromIt, ...rest } = words
  const { phone, callsComeFromPhone, callbacks, closed = [] } = data.organization
  const office = callbacks?.[language] ?? null
  return {
    words: { ...rest, number: callsComeFromPhone ? numberIfCallsComeFromIt : number },
    phone,
    callback: office && {
      ...office,
      closed,
      text: fill(later, { byTime: closingTime(language, closesAt(office), zones[office.timeZone]) }),
    },
  }
}

function callCopyIn(language: Language) {
  const { questions, yes, no } = shownQuestionnaire[language]
  const { expired, ...said } = callWords[language]
  return {
    words: said,
    figures: Object.fromEntries(
      Object.entries(words[language].figures).map(([name, text]) => {
        const { until = null } = data.figures[name] ?? {}
        return [name, { text, until, expired: expired[name] ?? null }]
      }),
    ),
    isReviewedWithEnglish: data.reviewedTogether.includes(`consent.spoken.${language}`),
    questionnaire: { questions, yes, no },
  }
}
