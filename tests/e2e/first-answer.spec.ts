/** Path: / or /advertorial → Yes or No is pressed before the script has arrived → React takes it over. */

import type { Page } from '@playwright/test'
import { applicationError } from '../../content/errors.ts'
import { organization } from '../../content/organization.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { delays } from '../../domain/delays.ts'
import { expect, FAILED_REQUEST, REAL_TIME, test } from './visitor.ts'

/** What has counted so far. */
const draftAnswers = (page: Page) =>
  page.evaluate(() => JSON.parse(sessionStorage.getItem('questionnaire-draft') ?? '{}').answers)

test('a press before the script shows at once as pressed and locked, and counts', async ({ visitor, page, site }) => {
  const release = site.holdScripts()
  await visitor.open('/')
  await visitor.button(questionnaire.yes).click()
  await expect(visitor.button(questionnaire.yes)).toHaveAttribute('data-pressed')
  await expect(visitor.button(questionnaire.yes)).toHaveCSS('background-color', 'rgb(19, 74, 51)')
  await expect(visitor.button(questionnaire.yes).locator('svg')).toBeVisible()
  await expect(visitor.button(questionnaire.no).locator('svg')).toBeHidden()
  await expect(visitor.button(questionnaire.yes)).toBeDisabled()
  await expect(visitor.button(questionnaire.no)).toBeDisabled()
  await expect(visitor.button(questionnaire.no)).not.toHaveAttribute('data-pressed')
  release()
  await expect(visitor.question(2)).toBeVisible()
  await expect(visitor.question(2)).toBeFocused()
  await expect(visitor.button(questionnaire.yes)).toBeEnabled()
  await expect(visitor.button(questionnaire.yes)).not.toHaveAttribute('data-pressed')
  expect(await draftAnswers(page)).toEqual([true])
})

test('a No before the script counts as No, all the way to the decline page', async ({ visitor, page, site }) => {
  await page.clock.install()
  const release = site.holdScripts()
  await visitor.open('/')
  await visitor.button(questionnaire.no).click()
  await expect(visitor.button(questionnaire.no)).toHaveAttribute('data-pressed')
  release()
  await expect(visitor.question(2)).toBeVisible()
  for (const [index, yes] of [true, false, true, false, true].entries()) {
    await expect(visitor.question(index + 2)).toBeVisible()
    await visitor.answer(yes)
    await page.clock.runFor(delays.answerLock)
  }
  await visitor.leftFor('/decline')
})

test('the lock counts from the press, not from the script’s arrival', async ({ visitor, page, site }) => {
  await page.clock.install()
  const release = site.holdScripts()
  await visitor.open('/')
  await visitor.stopTime()
  await visitor.button(questionnaire.yes).click()
  await page.clock.runFor(400)
  release()
  await visitor.ready()
  await page.clock.runFor(90)
  await expect(visitor.question(1)).toBeVisible()
  await expect(visitor.button(questionnaire.yes)).toBeDisabled()
  await page.clock.runFor(20)
  await expect(visitor.question(2)).toBeVisible()
})

test('only the first press before the script counts', async ({ visitor, page, site }) => {
  const release = site.holdScripts()
  await page.clock.install()
  await visitor.open('/')
  await page.evaluate(() => {
    for (const button of document.querySelectorAll<HTMLButtonElement>('[data-answer]')) button.click()
  })
  release()
  await expect(visitor.question(2)).toBeVisible()
  await page.clock.runFor(2 * delays.answerLock)
  await expect(visitor.question(2)).toBeVisible()
  expect(await draftAnswers(page)).toEqual([true])
})

test('it answers to the keyboard before the script, too', async ({ visitor, site }) => {
  const release = site.holdScripts()
  await visitor.open('/')
  await visitor.button(questionnaire.yes).press('Space')
  await expect(visitor.button(questionnaire.yes)).toHaveAttribute('data-pressed')
  release()
  await expect(visitor.question(2)).toBeFocused()
})

test('React is fetched with the page, but started only when the visitor turns to the panel', async ({
  visitor,
  page,
}) => {
  const fetched = page.waitForResponse(/browser.*\.js/)
  await visitor.open('/')
  await fetched
  await page.waitForLoadState('networkidle')
  expect(await page.evaluate(() => window.earlyAnswer)).toBeUndefined()
  await visitor.ready()
})

for (const turn of ['mouseover', 'focusin'] as const) {
  test(`${turn} in the panel starts React`, async ({ visitor, page }) => {
    await visitor.open('/')
    await visitor.button(questionnaire.yes).dispatchEvent(turn)
    await page.waitForFunction(() => window.earlyAnswer === null)
  })
}

test.describe('by touch', () => {
  test.use({ hasTouch: true })
  test('React waits for the finger’s lift, since the press could not show while it starts', async ({
    visitor,
    page,
  }) => {
    const fetched = page.waitForResponse(/browser.*\.js/)
    await visitor.open('/')
    await fetched
    const yes = await visitor.button('Yes').boundingBox()
    const session = await page.context().newCDPSession(page)
    const touchPoints = [{ x: (yes?.x ?? 0) + 20, y: (yes?.y ?? 0) + 20 }]
    await session.send('Input.dispatchTouchEvent', { type: 'touchStart', touchPoints })
    await visitor.frames()
    expect(await page.evaluate(() => window.earlyAnswer)).toBeUndefined()
    await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] })
    await expect(visitor.question(2)).toBeVisible()
  })
})

test('a script that never arrives is told, with the number to call', async ({ visitor, site, watched }) => {
  site.failScripts(/browser/)
  await visitor.open('/')
  await visitor.button(questionnaire.yes).click()
  await expect(visitor.panel.getByText(questionnaire.scriptMissing.heading)).toBeVisible({ timeout: 10_000 })
  await expect(
    visitor.panel.getByRole('link', { name: `${organization.callLabel} ${organization.phone}` }),
  ).toBeVisible()
  watched.allow({ console: FAILED_REQUEST })
})

test('a contact form whose script fails twice appears without a reload, after the first script failed, too', async ({
  visitor,
  page,
  site,
  watched,
}) => {
  watched.allow({ console: FAILED_REQUEST })
  const asked: string[] = []
  page.on('requestfailed', request => asked.push(new URL(request.url()).pathname))
  site.failScripts(/contact-form|^\/assets\/browser/)
  await visitor.open('/')
  await page.evaluate(() => Object.assign(window, { samePage: true }))
  await visitor.ready()
  await visitor.answerAll([], REAL_TIME)
  await expect(visitor.panel.getByText(questionnaire.preparingForm)).toBeVisible()
  await expect.poll(() => asked.filter(path => path.includes('contact-form')).length).toBeGreaterThanOrEqual(2)
  site.failScripts(null)
  await expect(visitor.field('firstName')).toBeVisible()
  expect(await page.evaluate(() => 'samePage' in window)).toBe(true)
})

test('a contact form that never arrives is asked for again after a reload, then the number to call is shown', async ({
  visitor,
  page,
  site,
  watched,
}) => {
  site.failScripts(/contact-form/)
  await visitor.start()
  await visitor.answerAll()
  const reloaded = page.waitForEvent('domcontentloaded')
  for (let wait = 0; wait < 25; wait++) await page.clock.runFor(1000)
  await reloaded
  await expect(visitor.panel.getByText(questionnaire.preparingForm)).toBeVisible()
  for (let wait = 0; wait < 25; wait++) await page.clock.runFor(1000)
  await expect(visitor.panel.getByText(applicationError.heading)).toBeVisible()
  await expect(visitor.panel.getByRole('link', { name: organization.phone }).first()).toBeVisible()
  watched.allow({ console: FAILED_REQUEST })
  // What React was given up for is reported once.
  watched.allow({ console: /^TypeError: Failed to fetch dynamically imported module: / })
})
