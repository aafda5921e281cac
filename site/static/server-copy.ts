/** The words and rules that the server, the desk, and the terminal need. The build writes them to the manifest. */
import { callWords } from '../../content/calls.ts'
import { type InEachLanguage, type Language, languages } from '../../content/languages.ts'
import { shownQuestionnaire } from '../../content/panel-copy.ts'
import { askedIn, confirmedAges } from '../../content/questions.ts'
import { words } from '../../content/words.ts'
import { consentAsPresented, questionnaireAsPresented } from '../../domain/as-presented.ts'
import { callLanguages } from '../../domain/calling/list.ts'

export const createServerCopy = (formPages: readonly string[]) => ({
  languages: inEach(languages, copyIn),
  calls: inEach(callLanguages, callCopyIn),
  formPages,
  ages: confirmedAges,
})

const inEach = <Copy>(all: readonly Language[], copyOf: (language: Language) => Copy) =>
  Object.fromEntries(all.map(language => [language, copyOf(language)])) as InEachLanguage<Copy>

function copyIn(language: Language) {
  const { consent, contactForm, contactMessages, plainForm, stopContact } = words[language]
  return {
    consent: consentAsPresented(consent, language, words.en.consent),
    questionnaire: questionnaireAsPresented(shownQuestionnaire[language], language, shownQuestionnaire.en),
    questions: askedIn(words[language].questions),
    contactMessages,
    didYouMean: contactForm.didYouMean('{}'),
    unanswered: plainForm.unanswered,
    nothingToStop: stopContact.missing,
  }
}

function callCopyIn(language: Language) {
  const { questions, yes, no } = shownQuestionnaire[language]
  return { words: callWords[language], questionnaire: { questions, yes, no } }
}
