/** Going back among the questions. tests/browsers/journeys.spec.ts covers every browser. */

import { delays } from '../../domain/visits/delays.ts'
import { words } from '../../site-folder/site.ts'
import { callsToAction } from '../support/content.ts'
import { expect, test } from './visitor.ts'

const { contactForm, decline, questionnaire } = words.en

test('Back announces the question, hides the form and its errors, and shows them again on Forward', async ({
  visitor,
  page,
}) => {
  await visitor.reachContact()
  const title = await page.title()
  await visitor.field('firstName').fill('Margaret')
  await visitor.submit()
  await expect(page).toHaveTitle(contactForm.errorTitlePrefix + title)
  await page.goBack()
  await expect(visitor.question(6)).toBeFocused()
  await expect(visitor.submitButton).toBeHidden()
  await expect(page).toHaveTitle(title)
  await expect(visitor.button(questionnaire.yes)).toHaveAttribute('aria-pressed', 'true')
  await page.goForward()
  await expect(visitor.panel.getByRole('heading', { name: contactForm.heading })).toBeFocused()
  await expect(visitor.field('firstName')).toHaveValue('Margaret')
  await expect(page).toHaveTitle(contactForm.errorTitlePrefix + title)

  await test.step('Back during the four seconds before /decline cancels the redirect', async () => {
    await page.goBack()
    await visitor.answerAll({ from: 6, wrongly: [6] })
    await expect(visitor.panel.getByText(questionnaire.loading)).toBeVisible()
    await page.goBack()
    await expect(visitor.question(6)).toBeFocused()
    await page.clock.runFor(2 * delays.declineRedirect)
    await expect(visitor.question(6)).toBeVisible()
    await visitor.answerAll({ from: 6 })
    await expect(visitor.submitButton).toBeVisible()
  })
})

test('after starting over, Back leaves the site, and so does Back after /decline, which links back with the campaign', async ({
  visitor,
  page,
  site,
}) => {
  await page.goto(`${site.url}/thank-you`)
  await visitor.start('/?utm_source=news')
  await visitor.answerAll({ to: 4 })
  await visitor.button(questionnaire.startOver).click()
  await expect(visitor.question(1)).toBeFocused()
  await expect.poll(() => page.evaluate(() => history.state.depth)).toBe(0)
  await visitor.answerAll({ wrongly: [2] })
  await visitor.waitForRedirect('/decline')
  await page.goBack()
  await expect(visitor.question(1)).toBeVisible()
  await page.goBack()
  await expect(page).toHaveURL(/thank-you$/)
  for (const _ of [1, 2]) await page.goForward()
  await page.getByRole('link', { name: decline.next.again }).click()
  await expect(page).toHaveURL(/\/\?utm_source=news$/)
})

test('the Back link goes back question by question, after links to the form and in a draft resumed on another page', async ({
  visitor,
  page,
  site,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await visitor.start()
  await visitor.answerAll({ to: 3 })
  for (const name of callsToAction.slice(0, 2)) await page.getByRole('button', { name }).first().click()
  await visitor.button(questionnaire.back).click()
  await expect(visitor.question(3)).toBeFocused()
  await visitor.answerAll({ from: 3, to: 3 })
  await page.goto(`${site.url}/advertorial`)
  await visitor.ready()
  await expect(visitor.question(4)).toBeVisible()
  for (const number of [3, 2, 1]) {
    await visitor.button(questionnaire.back).click()
    await expect(visitor.question(number)).toBeFocused()
  }
})
