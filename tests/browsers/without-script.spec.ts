/** Path: / without JavaScript → the plain form → the form again with its errors → /thank-you. */

import { languageOfPath, pathInLanguage } from '../../domain/languages.ts'
import { allQuestions } from '../support/answers.ts'
import { inEachLanguage } from '../support/content.ts'
import { expect, field, ruth, SUBMIT, test, wordsAt } from './visitor.ts'

test.use({ scripting: false })

// tests/e2e/without-script.spec.ts has `/` and /decline.
for (const path of ['/advertorial', ...inEachLanguage('/').filter(path => path !== '/')]) {
  const { contactMessages, plainForm } = wordsAt(path)
  const language = languageOfPath(path)
  const title = `${path}: a visitor corrects the errors, submits the form, and gets the thank-you page`

  // Only the words differ in another language.
  test(title, { tag: path === '/advertorial' ? [] : '@once' }, async ({ visitor, site }) => {
    await visitor.open(`${path}?utm_source=ad`)
    for (const { number, requiredAnswer } of allQuestions)
      await visitor.press(`input[name="question-${number}"][value="${requiredAnswer ? 'yes' : 'no'}"]`)
    await visitor.fillIn({ ...ruth, email: 'ruth@', phone: '' })
    await visitor.press(SUBMIT)
    await visitor.arrivesAt('/api/leads')
    await visitor.sees(plainForm.problem.heading)
    expect(await visitor.message('email')).toContain(contactMessages.emailInvalid)
    expect(await visitor.message('phone')).toContain(contactMessages.phoneRequired)
    for (const name of ['firstName', 'lastName'] as const) expect(await visitor.value(field(name))).toBe(ruth[name])
    await visitor.fillIn({ email: 'example.org', phone: '+1 555-234-5678' })
    expect(await visitor.value(field('email'))).toBe(ruth.email)
    expect(await visitor.value(field('phone'))).toBe('+1 555-234-5678')
    await visitor.press(SUBMIT)
    await visitor.arrivesAt(pathInLanguage(language, '/thank-you'))
    expect(site.storedLeads()).toMatchObject([
      { state: 'accepted', ...ruth, page: path, language, campaign: '{"utm_source":"ad"}' },
    ])
  })
}
