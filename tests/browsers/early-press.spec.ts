/** Path: / → Yes is pressed before the script has loaded → it shows as pressed → React takes over. */
import { contactForm } from '../../content/panel/contact-form.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { asked } from '../support/answers.ts'
import { answerButton, eventually, expect, test, type Visitor } from './visitor.ts'

const pressed = (visitor: Visitor) =>
  visitor.look(() => [...document.querySelectorAll<HTMLElement>('[data-pressed]')].map(button => button.textContent))

for (const path of ['/', '/advertorial']) {
  test(`${path}: a press before the script shows at once and counts once`, async ({ visitor, site }) => {
    const release = site.holdScripts()
    await visitor.open(path)
    await visitor.press(answerButton(true))
    await eventually(() => pressed(visitor)).toEqual([questionnaire.yes])
    release()
    await visitor.seesQuestion(2)
    await eventually(() => visitor.look(() => document.activeElement?.textContent)).toContain(
      questionnaire.place(2, asked.length),
    )
    expect(await pressed(visitor)).toEqual([])
    await visitor.answerAll({ from: 2 })
    await visitor.sees(contactForm.lead)
  })
}
