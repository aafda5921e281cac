/** Path: / → a wrong answer → loading → /decline, each after its delay. */
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { asked } from '../support/answers.ts'
import { expect, test } from './visitor.ts'

for (const number of [1, asked.length]) {
  test(`a wrong answer to question ${number} is revealed only after the last question, 4000 ms later`, async ({
    visitor,
    page,
  }) => {
    await visitor.start()
    await visitor.stopTime()
    for (const question of asked) {
      await expect(visitor.question(question.number)).toBeVisible()
      await expect(visitor.button(questionnaire.yes)).toBeEnabled()
      await visitor.answer(question.number === number ? !question.requiredAnswer : question.requiredAnswer)
      await expect(visitor.button(questionnaire.yes)).toBeDisabled()
      await expect(visitor.button(questionnaire.no)).toBeDisabled()
      await page.clock.runFor(490)
      await expect(visitor.question(question.number), 'still locked at 490 ms').toBeVisible()
      await page.clock.runFor(20)
    }
    const loading = visitor.panel.getByText(questionnaire.loading)
    await expect(loading).toBeVisible()
    await expect(loading).toBeFocused()
    await page.clock.runFor(3980)
    await expect(loading).toBeVisible()
    await page.clock.runFor(30)
    await page.waitForURL('**/decline')
  })
}
