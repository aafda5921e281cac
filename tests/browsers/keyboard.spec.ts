/** Path: / → the questions answered by keyboard, while the contact form's script fails twice → the contact form. */
import { contactForm } from '../../content/panel/contact-form.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { asked } from '../support/answers.ts'
import { answerButton, eventually, expect, test, type Visitor } from './visitor.ts'

/** Notes every frame in which nothing has the focus. Also proves that the page was not reloaded. */
interface Watching {
  lostFocus?: string[]
}

const watchFocus = (visitor: Visitor) =>
  visitor.look(() => {
    const lostFocus: string[] = []
    ;(window as Watching).lostFocus = lostFocus
    const look = () => {
      if (document.activeElement === document.body)
        lostFocus.push(document.querySelector('#question')?.textContent ?? 'after the last question')
      requestAnimationFrame(look)
    }
    look()
  })

async function answerByKeyboard(visitor: Visitor) {
  for (const { number, requiredAnswer } of asked) {
    await visitor.seesQuestion(number)
    const button = answerButton(requiredAnswer)
    await eventually(() =>
      visitor.look(selector => document.querySelector(selector)?.matches(':enabled'), button),
    ).toBe(true)
    await visitor.look(selector => document.querySelector<HTMLElement>(selector)?.focus(), button)
    if (number === 1) await watchFocus(visitor)
    await visitor.pressKeys('Enter')
  }
}

test('focus is never lost from the first answer to the contact form', async ({ visitor }) => {
  await visitor.open('/')
  await answerByKeyboard(visitor)
  await visitor.sees(contactForm.lead)
  expect(await visitor.look(() => (window as Watching).lostFocus)).toEqual([])
  expect(await visitor.look(() => document.activeElement?.textContent)).toContain(contactForm.heading)
})

test('a contact form whose script fails twice still appears, without a reload', async ({ visitor, site }) => {
  const failed = site.failScripts(/contact-form/)
  await visitor.open('/')
  await answerByKeyboard(visitor)
  await visitor.sees(questionnaire.preparingForm)
  await eventually(async () => failed.length).toBeGreaterThanOrEqual(2)
  site.failScripts(null)
  await visitor.sees(contactForm.lead)
  expect(await visitor.look(() => (window as Watching).lostFocus)).toEqual([])
})
