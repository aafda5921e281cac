/** Drafts: what a reload restores, and when drafts are deleted. */

import type { Page } from '@playwright/test'
import { delays } from '../../domain/visits/delays.ts'
import { words } from '../../site-folder/site.ts'
import { allQuestions, yearOfBirth } from '../support/answers.ts'
import { expect, margaret, test, type Visitor } from './visitor.ts'

const { contactForm, questionnaire } = words.en

const keys = (page: Page) => page.evaluate(() => Object.keys(sessionStorage))

const reload = async ({ page }: Visitor) => {
  await page.reload()
  await page.waitForFunction(() => window.earlyAnswer === null)
}

const shiftsIn = (seen: readonly string[]) => seen.filter(each => each.startsWith('shift'))

// The second page uses the same script, so one reload is enough. Its wrong answer leads to the loading view.
for (const { path, width, wrongly, reloadsAfter } of [
  { path: '/', width: 360, wrongly: 0, reloadsAfter: [1, 2, 3, 4, 5, 6] },
  { path: '/advertorial', width: 1280, wrongly: 1, reloadsAfter: [3] },
]) {
  test.describe(`${path} at ${width} px`, () => {
    test.use({ viewport: { width, height: 800 } })
    test('nothing shifts between questions or when a reload resumes a draft, and a reload doesn’t move focus', async ({
      visitor,
      page,
    }) => {
      const seen = await visitor.watchShifts()
      await visitor.start(path)
      for (const { number, requiredAnswer } of allQuestions) {
        expect(shiftsIn(await seen())).toEqual([])
        // Click from a script: browsers ignore layout shifts right after a real click.
        const answer = requiredAnswer === (number !== wrongly) ? 'yes' : 'no'
        await page.locator(`[data-answer=${answer}]`).dispatchEvent('click')
        await page.clock.runFor(delays.answerLock)
        const isLast = number === allQuestions.length
        const last = wrongly ? visitor.panel.getByText(questionnaire.loading) : visitor.submitButton
        const next = isLast ? last : visitor.question(number + 1)
        await expect(next).toBeVisible()
        if (!reloadsAfter.includes(number)) continue
        if (isLast) await visitor.field('firstName').fill(margaret.firstName)
        const moved = shiftsIn(await seen())
        // On a phone, the hero makes room for the contact form.
        if (!isLast) expect(moved).toEqual([])
        await reload(visitor)
        await expect(next).toBeVisible()
        expect(await seen(), `after question ${number}`).toEqual([])
      }
      if (wrongly) expect(shiftsIn(await seen())).toEqual([])
    })
  })
}

test('a draft is not overwritten by a click before the script has loaded', async ({ visitor, page }) => {
  await visitor.start()
  await visitor.answerAll({ to: 3 })
  const before = await visitor.draftAnswers()
  // Hold scripts back in the browser, which would otherwise use its cache.
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/*.js', async route => {
    await released
    await route.continue()
  })
  await page.reload({ waitUntil: 'domcontentloaded' })
  await expect(visitor.button(questionnaire.yes)).toBeHidden()
  await page.locator('[data-answer=no]').dispatchEvent('click')
  release()
  await expect(visitor.question(4)).toBeVisible()
  await page.clock.runFor(1000)
  await expect(visitor.question(4)).toBeVisible()
  expect(await visitor.draftAnswers()).toEqual(before)
})

test('a draft is deleted after 30 minutes or when the questions change', async ({ visitor, page }) => {
  const startsOver = async () => {
    await page.reload()
    await visitor.ready()
    await expect(visitor.question(1)).toBeVisible()
    expect(await keys(page)).toEqual([])
  }
  await visitor.start()
  await visitor.answerAll({ to: 2 })
  await page.clock.fastForward('29:00')
  await reload(visitor)
  await expect(visitor.question(3)).toBeVisible()
  // Resuming a draft doesn't extend the 30 minutes.
  await page.clock.fastForward('01:01')
  await startsOver()

  // Even if the page stays open.
  await visitor.answerAll({ to: 2 })
  expect(await keys(page)).toHaveLength(1)
  await page.clock.fastForward('30:01')
  expect(await keys(page)).toEqual([])

  await startsOver()
  // What was before is over: Back doesn't go through its questions.
  await expect.poll(() => page.evaluate(() => history.state.depth)).toBe(0)
  await visitor.answerAll({ to: 2 })
  await page.evaluate(() => {
    for (const [key, value] of Object.entries(sessionStorage)) {
      sessionStorage.setItem(key, JSON.stringify({ ...JSON.parse(value), version: 'of last week' }))
    }
  })
  await startsOver()
})

test('a draft omits the date of birth, and is deleted by “Clear my information”, by “Start over”, even just before /decline, and by /decline itself', async ({
  visitor,
  page,
}) => {
  await visitor.reachContact()
  await visitor.fillIn()
  expect(await visitor.draft()).toContain(margaret.email)
  expect(await visitor.draft()).not.toMatch(new RegExp(`\\b${yearOfBirth}\\b`))
  const title = await page.title()
  await visitor.field('email').fill('')
  await visitor.submit()
  await expect(page).not.toHaveTitle(title)
  await visitor.button(contactForm.clear).click()
  await expect(visitor.question(1)).toBeFocused()
  await expect(page).toHaveTitle(title)
  expect(await keys(page)).toEqual([])

  await visitor.answerAll({ to: 1 })
  await visitor.button(questionnaire.startOver).click()
  await expect(visitor.question(1)).toBeFocused()
  expect(await keys(page)).toEqual([])

  await visitor.answerAll({ wrongly: [1] })
  await visitor.button(questionnaire.wrongAnswer).click()
  await expect(visitor.question(6)).toBeFocused()
  await visitor.button(questionnaire.startOver).click()
  await expect(visitor.question(1)).toBeFocused()
  await page.clock.runFor(5000)
  await expect(visitor.question(1)).toBeVisible()
  expect(await keys(page)).toEqual([])

  await visitor.answerAll({ wrongly: [2] })
  await visitor.waitForRedirect('/decline')
  expect(Object.keys(JSON.parse(await visitor.draft())).toSorted()).toEqual(['declined', 'expires', 'version'])
  await page.reload()
  await expect(page.locator('details[open]')).toHaveCount(1)
  await page.clock.fastForward('30:01')
  await expect(page.locator('details[open]')).toHaveCount(0)
  expect(await keys(page)).toEqual([])
})
