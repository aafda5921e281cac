/** From the first click to /thank-you or /decline, in every browser. tests/e2e/ has what can't differ by engine. */

import { languageOfPath, pathInLanguage } from '../../domain/languages.ts'
import { consentAsPresented } from '../../domain/leads/as-presented.ts'
import { fill } from '../../domain/text/fill.ts'
import { versionOf } from '../../server/store/facts/leads/hashes.ts'
import { languages, words } from '../../site-folder/site.ts'
import { allQuestions, yearOfBirth } from '../support/answers.ts'
import { answerButton, eventually, expect, field, ruth, SUBMIT, test, type Visitor, wordsAt } from './visitor.ts'

const { consent, contactForm, questionnaire, thankYou } = words.en

const pressed = (visitor: Visitor) =>
  visitor.evaluate(() => [...document.querySelectorAll<HTMLElement>('[data-pressed]')].map(each => each.textContent))

/** What the visitor answered to the question on the screen. */
const earlierAnswers = (visitor: Visitor) =>
  visitor.evaluate(() => Array.from(document.querySelectorAll('[aria-pressed=true]'), button => button.textContent))

test('an eligible visitor submits the form, starting before the script has loaded, going back, and reloading before the end', async ({
  visitor,
  site,
}) => {
  const release = site.holdScripts()
  await visitor.open('/?utm_source=ad&utm_campaign=spring&name=ruth')
  await visitor.press(answerButton(true))
  await eventually(() => pressed(visitor)).toEqual([questionnaire.yes])
  release()
  await visitor.seesQuestion(2)
  await eventually(() => visitor.evaluate(() => document.activeElement?.textContent)).toContain(
    fill(questionnaire.place, { number: 2, total: allQuestions.length }),
  )
  expect(await pressed(visitor)).toEqual([])
  await visitor.answerAll({ from: 2 })
  await visitor.sees(contactForm.lead)
  await visitor.fillIn()

  for (const { number, requiredAnswer } of allQuestions.toReversed()) {
    await visitor.goBackOnPage()
    await visitor.seesQuestion(number)
    await eventually(() => earlierAnswers(visitor), `the answer to question ${number}`).toEqual([
      requiredAnswer ? questionnaire.yes : questionnaire.no,
    ])
  }
  await visitor.answerAll()
  await visitor.sees(contactForm.lead)
  // A hidden form keeps even the date of birth, which drafts don't.
  expect(await visitor.value('[name=dateOfBirth-year]')).toBe(`${yearOfBirth}`)
  await visitor.reload()
  await visitor.sees(contactForm.lead)
  for (const name of ['firstName', 'lastName', 'email', 'phone'] as const)
    await eventually(() => visitor.value(field(name))).toBe(ruth[name])
  expect(await visitor.value('[name=dateOfBirth-year]')).toBe('')
  // Typed in short form, the date is stored in full.
  await visitor.enterDate(`${yearOfBirth % 100}-3-15`)
  await visitor.press(SUBMIT)
  await visitor.arrivesAt('/thank-you')
  await visitor.sees(thankYou.headline)
  expect(site.storedLeads()).toMatchObject([
    {
      state: 'accepted',
      ...ruth,
      page: '/',
      language: 'en',
      campaign: '{"utm_source":"ad","utm_campaign":"spring"}',
      consent_version: versionOf(consentAsPresented(consent, 'en', consent)),
      client_address: '127.0.0.1',
      user_agent: await visitor.evaluate(() => navigator.userAgent),
    },
  ])

  await visitor.goBack()
  await visitor.arrivesAt('/')
  await visitor.sees(questionnaire.sent.heading)
})

test('the Back link corrects an answer, even after a reload; a wrong one leads to /decline, and going back starts over', async ({
  visitor,
  site,
}) => {
  await visitor.open('/')
  await visitor.press(answerButton(true))
  await visitor.seesQuestion(2)
  await visitor.press(answerButton(false))
  await visitor.seesQuestion(3)
  await visitor.press('[data-back]')
  await visitor.seesQuestion(2)
  await visitor.reload()
  await visitor.seesQuestion(2)
  await eventually(() => earlierAnswers(visitor)).toEqual([questionnaire.no])
  await visitor.answerAll({ from: 2 })
  await visitor.sees(contactForm.lead)
  await visitor.press('[data-back]')
  await visitor.seesQuestion(6)
  await visitor.press(answerButton(false))
  await visitor.sees(questionnaire.loading)
  await visitor.arrivesAt('/decline')
  await visitor.sees(words.en.decline.heading)
  expect(site.storedLeads()).toEqual([])
  await visitor.goBack()
  await visitor.seesQuestion(1)
  await eventually(() => earlierAnswers(visitor)).toEqual([])
  expect(await visitor.evaluate(() => Object.values(sessionStorage).join())).not.toContain('stage')
})

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
  test(`switching to ${language} and back keeps the answers, the form, and the campaign`, { tag: '@once' }, async ({
    visitor,
  }) => {
    await visitor.open('/?utm_source=ad')
    for (const { number, requiredAnswer } of allQuestions.slice(0, 2)) {
      await visitor.seesQuestion(number)
      await visitor.press(answerButton(requiredAnswer))
    }
    await visitor.seesQuestion(3)
    await visitor.press(`a[hreflang=${language}]`)
    visitor.words = words[language]
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
