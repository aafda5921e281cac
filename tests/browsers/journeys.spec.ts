/** From the first click to /thank-you or /decline, in every browser. */

import { languages } from '../../content/languages.ts'
import { words } from '../../content/words.ts'
import { consentAsPresented } from '../../domain/as-presented.ts'
import { languageOfPath, pathInLanguage } from '../../domain/languages.ts'
import { versionOf } from '../../server/store/leads/presented.ts'
import { allQuestions } from '../support/answers.ts'
import { inEachLanguage } from '../support/content.ts'
import {
  answerButton,
  eventually,
  expect,
  field,
  onceUnless,
  ruth,
  SUBMIT,
  test,
  type Visitor,
  wordsAt,
} from './visitor.ts'

const { contactForm } = words.en

const pressed = (visitor: Visitor) =>
  visitor.evaluate(() => [...document.querySelectorAll<HTMLElement>('[data-pressed]')].map(each => each.textContent))

// tests/e2e/contact.spec.ts has /advertorial, and contact-form.spec.ts has /es/.
for (const path of ['/', ...inEachLanguage('/advertorial').filter(path => path !== '/advertorial')]) {
  const { consent, contactForm, questionnaire, thankYou } = wordsAt(path)
  const language = languageOfPath(path)
  const title = `${path}: an eligible visitor submits the form, starting before the script has loaded and reloading before the end`

  test(title, onceUnless(path === '/'), async ({ visitor, site }) => {
    const release = site.holdScripts()
    await visitor.open(`${path}?utm_source=ad&utm_campaign=spring&name=ruth`)
    await visitor.press(answerButton(true))
    await eventually(() => pressed(visitor)).toEqual([questionnaire.yes])
    release()
    await visitor.seesQuestion(2)
    await eventually(() => visitor.evaluate(() => document.activeElement?.textContent)).toContain(
      questionnaire.place(2, allQuestions.length),
    )
    expect(await pressed(visitor)).toEqual([])
    await visitor.answerAll({ from: 2 })
    await visitor.sees(contactForm.lead)
    await visitor.fillIn()
    await visitor.reload()
    await visitor.sees(contactForm.lead)
    for (const name of ['firstName', 'lastName', 'email', 'phone'] as const)
      await eventually(() => visitor.value(field(name))).toBe(ruth[name])
    // Drafts don't include the date of birth. Typed in short form, it's stored in full.
    await visitor.enterDate('65-3-15')
    await visitor.press(SUBMIT)
    await visitor.arrivesAt(pathInLanguage(language, '/thank-you'))
    await visitor.sees(thankYou.headline)
    expect(site.storedLeads()).toMatchObject([
      {
        state: 'accepted',
        ...ruth,
        page: path,
        language,
        campaign: '{"utm_source":"ad","utm_campaign":"spring"}',
        consent_version: versionOf(consentAsPresented(consent, language, words.en.consent)),
        client_address: '127.0.0.1',
        user_agent: await visitor.evaluate(() => navigator.userAgent),
      },
    ])
  })
}

/** Records every frame in which nothing has focus. Also proves that the page wasn't reloaded. */
interface FocusWatch {
  lostFocus?: string[]
}

const watchFocus = (visitor: Visitor) =>
  visitor.evaluate(() => {
    const lostFocus: string[] = []
    ;(window as FocusWatch).lostFocus = lostFocus
    const record = () => {
      if (document.activeElement === document.body)
        lostFocus.push(document.querySelector('#question')?.textContent ?? 'after the last question')
      requestAnimationFrame(record)
    }
    record()
  })

test('keyboard focus is never lost, even if the script fails twice', { tag: '@each-version' }, async ({
  visitor,
  site,
}) => {
  const failed = site.failScripts(/^\/assets\/browser/)
  await visitor.open('/')
  for (const { number, requiredAnswer } of allQuestions) {
    await visitor.seesQuestion(number)
    const button = answerButton(requiredAnswer)
    await eventually(() =>
      visitor.evaluate(selector => document.querySelector(selector)?.matches(':enabled'), button),
    ).toBe(true)
    await visitor.evaluate(selector => document.querySelector<HTMLElement>(selector)?.focus(), button)
    if (number === 1) await watchFocus(visitor)
    await visitor.pressKeys('Enter')
    if (number > 1) continue
    await eventually(async () => failed.length).toBeGreaterThanOrEqual(2)
    site.failScripts(null)
  }
  await visitor.sees(contactForm.lead)
  await eventually(() => visitor.evaluate(() => document.activeElement?.textContent)).toContain(contactForm.heading)
  expect(await visitor.evaluate(() => (window as FocusWatch).lostFocus)).toEqual([])
})

for (const language of languages.filter(language => language !== 'en')) {
  const home = pathInLanguage(language, '/')
  test(`switching to ${language} and back keeps the answers, the form, and the campaign`, async ({ visitor }) => {
    await visitor.open('/?utm_source=ad')
    for (const { number, requiredAnswer } of allQuestions.slice(0, 2)) {
      await visitor.seesQuestion(number)
      await visitor.press(answerButton(requiredAnswer))
    }
    await visitor.seesQuestion(3)
    await visitor.press(`a[hreflang=${language}]`)
    visitor.words = wordsAt(home)
    await visitor.seesQuestion(3)
    expect(await visitor.evaluate(() => location.pathname + location.search)).toBe(`${home}?utm_source=ad`)
    expect(await visitor.evaluate(() => document.documentElement.lang)).toBe(language)

    // Someone who went back stays at that question.
    await visitor.press('[data-back]')
    await visitor.seesQuestion(2)
    for (const path of ['/', home]) {
      await visitor.press(`a[hreflang=${languageOfPath(path)}]`)
      visitor.words = wordsAt(path)
      await visitor.seesQuestion(2)
    }

    await visitor.answerAll({ from: 2 })
    await visitor.sees(visitor.words.contactForm.lead)
    await visitor.fillIn({ firstName: ruth.firstName, phone: ruth.phone })
    await visitor.press('a[hreflang=en]')
    visitor.words = wordsAt('/')
    await visitor.sees(visitor.words.contactForm.lead)
    for (const name of ['firstName', 'phone'] as const)
      await eventually(() => visitor.value(field(name))).toBe(ruth[name])
    expect(await visitor.evaluate(() => location.pathname + location.search)).toBe('/?utm_source=ad')
  })
}
