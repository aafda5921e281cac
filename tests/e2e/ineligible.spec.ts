/** Path: / or /advertorial → at least one other answer → loading → /decline. */
import { decline } from '../../content/decline.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { asked } from '../support/answers.ts'
import { expect, homes, test } from './visitor.ts'

for (const { name, path } of homes) {
  test(`an ineligible visitor of the ${name} page is sent on to other programs`, async ({ visitor, page, site }) => {
    await visitor.start(path)
    await visitor.answerAll([6])
    await expect(visitor.panel.getByText(questionnaire.loading)).toBeVisible()
    await visitor.leftFor('/decline')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(decline.heading)
    expect(site.receiver.leads).toHaveLength(0)
  })
}

for (const { number } of asked) {
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

test('going back from the decline page starts the questionnaire afresh', async ({ visitor, page }) => {
  await visitor.start()
  await visitor.answerAll([1])
  await visitor.leftFor('/decline')
  await page.goBack()
  await expect(visitor.question(1)).toBeVisible()
  await expect(visitor.button(questionnaire.yes)).toBeEnabled()
})
