/** The versions that leads are stored with. A text that no one meant to change must keep its own. */
import { expect, test } from 'vitest'
import { spokenConsentAsPresented } from '../../domain/leads/as-presented.ts'
import { versionOf } from '../../server/store/facts/leads/hashes.ts'
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
    ['4abffba0e17074b5', '3569b3555ee70b05', '083f2e3d8c4c682b'],
    ['3a34b9b390b0a835', '15c411f765dfaf75', '9a75f99a63b5acae'],
  ])
})
