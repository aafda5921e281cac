/** The versions that leads are stored with. A text that no one meant to change must keep its own. */
import { expect, test } from 'vitest'
import { spokenConsentAsPresented } from '../../domain/as-presented.ts'
import { versionOf } from '../../server/store/leads/presented.ts'
import { createServerCopy } from './server-copy.ts'

test('the delivered consents and questionnaires keep their versions', () => {
  const { languages, calls } = createServerCopy([])
  const shown = (['en', 'es'] as const).map(language => {
    const { consent, questionnaire } = languages[language]
    const { spokenConsent } = calls[language].words
    const spoken = spokenConsentAsPresented(spokenConsent, language, calls.en.words.spokenConsent)
    return [consent, questionnaire, spoken].map(text => versionOf(text).slice(0, 16))
  })
  expect(shown).toEqual([
    ['7848ca3532c0d48c', '3569b3555ee70b05', '083f2e3d8c4c682b'],
    ['6eda3802d5779c7c', '15c411f765dfaf75', '62d2324b0e36ff5a'],
  ])
})
