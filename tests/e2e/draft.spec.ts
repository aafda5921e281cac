/** Path: some answers, some fields → reload, wait, leave or start over → what is kept goes on in its place, or is gone. */

import type { Page } from '@playwright/test'
import { contactForm } from '../../content/panel/contact-form.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { asked } from '../support/answers.ts'
import { expect, homes, margaret, SUBMIT, test, type Visitor } from './visitor.ts'

const stored = (page: Page) => page.evaluate(() => Object.values(sessionStorage).join())
const keys = (page: Page) => page.evaluate(() => Object.keys(sessionStorage))

/** Layout shifts of the page that is loaded next, and whatever takes focus there. */
async function watchShifts(page: Page) {
  await page.addInitScript(() => {
    const seen: string[] = []
    Object.assign(window, { seen })
    new PerformanceObserver(list => {
      for (const entry of list.getEntries() as (PerformanceEntry & {
        value: number
        sources: { node: Node | null }[]
      })[]) {
        const moved = entry.sources.map(({ node }) => node?.textContent?.slice(0, 40)).join(' | ')
        seen.push(`shift of ${entry.value} at ${entry.startTime}: ${moved}`)
      }
    }).observe({ type: 'layout-shift', buffered: true })
    addEventListener('focusin', ({ target }) => seen.push(`focus on ${(target as Element).outerHTML.slice(0, 60)}`))
  })
  return () => page.evaluate(() => (window as unknown as { seen: string[] }).seen)
}

async function answerUpTo(visitor: Visitor, count: number) {
  await visitor.ready()
  for (const { number, requiredAnswer } of asked.slice(0, count)) {
    await expect(visitor.question(number)).toBeVisible()
    await visitor.answer(requiredAnswer)
    await visitor.page.clock.runFor(500)
  }
}

for (const width of [360, 1280]) {
  for (const { name, path } of homes) {
    test.describe(`${name} at ${width} px`, () => {
      test.use({ viewport: { width, height: width < 768 ? 844 : 800 } })
      test('a draft goes on at any stage without a shift and without taking focus', async ({ visitor, page }) => {
        test.slow()
        const seen = await watchShifts(page)
        const goesOn = async (stage: string) => {
          await page.reload()
          await page.waitForFunction(() => window.earlyAnswer === null)
          await visitor.frames()
          expect(await seen(), stage).toEqual([])
        }
        await visitor.open(path)
        await visitor.ready()
        for (const { number, requiredAnswer } of asked) {
          await visitor.answer(requiredAnswer)
          if (number === asked.length) break
          await expect(visitor.question(number + 1)).toBeVisible()
          await goesOn(`question ${number + 1}`)
          await expect(visitor.question(number + 1)).toBeVisible()
        }
        await expect(visitor.submitButton).toBeVisible()
        await visitor.field('firstName').fill(margaret.firstName)
        await page.reload()
        await expect(visitor.submitButton).toBeVisible()
        await visitor.frames()
        expect(await seen(), 'the contact form').toEqual([])
      })
    })
  }
}

test('a phone that was turned goes on with the contact form without a shift, too', async ({ visitor, page }) => {
  const seen = await watchShifts(page)
  await page.setViewportSize({ width: 390, height: 844 })
  await visitor.open('/')
  await answerUpTo(visitor, asked.length)
  await expect(visitor.submitButton).toBeVisible()
  await page.setViewportSize({ width: 844, height: 390 })
  await expect.poll(() => stored(page)).toContain('"width":844')
  await page.reload()
  await expect(visitor.submitButton).toBeVisible()
  await visitor.frames()
  expect(await seen()).toEqual([])
})

test('a window that changes after everything was forgotten writes nothing down', async ({ visitor, page }) => {
  await visitor.open('/')
  await answerUpTo(visitor, asked.length)
  await expect(visitor.submitButton).toBeVisible()
  await page.evaluate(() => sessionStorage.clear())
  const width = await page.evaluate(() => innerWidth)
  await page.setViewportSize({ width: width - 40, height: 700 })
  await page.waitForFunction(before => innerWidth === before - 40, width)
  await page.evaluate(() => new Promise(requestAnimationFrame))
  expect(await keys(page)).toEqual([])
})

test('an early press never takes the place of a draft', async ({ visitor, page }) => {
  await page.clock.install()
  await visitor.open('/')
  await answerUpTo(visitor, 3)
  await expect(visitor.question(4)).toBeVisible()
  const before = JSON.parse(await stored(page)).answers
  // Held back in the browser: from its cache the script would be there at once.
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/*.js', async route => {
    await released
    await route.continue()
  })
  await page.reload({ waitUntil: 'domcontentloaded' })
  // Not to be seen, since it is not the question to go on with; pressed all the same.
  await expect(visitor.button(questionnaire.yes)).toBeHidden()
  await page.locator('[data-answer=no]').dispatchEvent('click')
  release()
  await expect(visitor.question(4)).toBeVisible()
  await page.clock.runFor(1000)
  await expect(visitor.question(4)).toBeVisible()
  expect(JSON.parse(await stored(page)).answers).toEqual(before)
})

test('the date of birth is never kept', async ({ visitor, page }) => {
  await visitor.reachContact()
  await visitor.fillIn()
  expect(await stored(page)).toContain(margaret.email)
  expect(await stored(page)).not.toContain('1966')
})

test('a draft of 29 minutes goes on; one of 30 minutes is gone', async ({ visitor, page }) => {
  await page.clock.install()
  await visitor.open('/')
  await answerUpTo(visitor, 2)
  await expect(visitor.question(3)).toBeVisible()
  await page.clock.fastForward('29:00')
  await page.reload()
  await expect(visitor.question(3)).toBeVisible()
  // Resuming does not make it younger.
  await page.clock.fastForward('01:01')
  await page.reload()
  await visitor.ready()
  await expect(visitor.question(1)).toBeVisible()
  expect(await keys(page)).toEqual([])
})

test('in a page that stays open the draft is removed after 30 minutes, too', async ({ visitor, page }) => {
  await page.clock.install()
  await visitor.open('/')
  await answerUpTo(visitor, 2)
  expect(await keys(page)).toHaveLength(1)
  await page.clock.runFor('30:01')
  expect(await keys(page)).toEqual([])
})

test('a draft for other questions is not gone on with', async ({ visitor, page }) => {
  await page.clock.install()
  await visitor.open('/')
  await answerUpTo(visitor, 2)
  await page.evaluate(() => {
    for (const [key, value] of Object.entries(sessionStorage)) {
      sessionStorage.setItem(key, JSON.stringify({ ...JSON.parse(value), version: 'of last week' }))
    }
  })
  await page.reload()
  await visitor.ready()
  await expect(visitor.question(1)).toBeVisible()
  expect(await keys(page)).toEqual([])
})

test('the contact form has Clear my details, which forgets everything', async ({ visitor, page }) => {
  await visitor.reachContact()
  await visitor.fillIn()
  await visitor.button(contactForm.clear).click()
  await expect(visitor.question(1)).toBeFocused()
  expect(await keys(page)).toEqual([])
  await page.reload()
  await visitor.ready()
  await expect(visitor.question(1)).toBeVisible()
})

test('who is about to be declined can start over', async ({ visitor, page }) => {
  await page.clock.install()
  await visitor.open('/')
  await visitor.ready()
  for (const { number, requiredAnswer } of asked) {
    await expect(visitor.question(number)).toBeVisible()
    await visitor.answer(number === 1 ? !requiredAnswer : requiredAnswer)
    await page.clock.runFor(500)
  }
  await visitor.button(questionnaire.startOver).click()
  await expect(visitor.question(1)).toBeFocused()
  await page.clock.runFor(5000)
  await expect(visitor.question(1)).toBeVisible()
  expect(await keys(page)).toEqual([])
})

test('nothing is left behind after /decline', async ({ visitor, page }) => {
  await visitor.open('/')
  await visitor.ready()
  await visitor.answerAll([2])
  await page.waitForURL('**/decline')
  expect(await keys(page)).toEqual([])
})

test('nothing is left behind after a lead was sent, even if something is typed while waiting', async ({
  visitor,
  page,
}) => {
  await visitor.reachContact()
  await visitor.fillIn()
  await visitor.stopTime()
  await visitor.button(SUBMIT).click()
  await visitor.leadHandled()
  await visitor.field('firstName').fill('Somebody else')
  expect(await keys(page)).toEqual([])
})
