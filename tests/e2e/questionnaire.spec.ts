/** The questions, from a click before the script has loaded to the contact form or /decline. */

import { delays } from '../../domain/visits/delays.ts'
import { words } from '../../site-folder/site.ts'
import { allQuestions } from '../support/answers.ts'
import { expect, FAILED_REQUEST, startingWith, test } from './visitor.ts'

const { questionnaire } = words.en

const CALL = questionnaire.scriptMissing.call

test.describe('before the script has loaded', () => {
  test('a click counts and shows immediately, and “still loading” appears after four seconds', async ({
    visitor,
    page,
    site,
  }) => {
    const release = site.holdScripts()
    await page.clock.install()
    await visitor.open('/')
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    const [yes, no] = [visitor.button(questionnaire.yes), visitor.button(questionnaire.no)]
    await yes.focus()
    await page.keyboard.press('Enter')
    await expect(yes).toHaveAttribute('data-pressed')
    await expect(yes).toHaveCSS('background-color', 'rgb(19, 74, 51)')
    await expect(yes.locator('svg')).toBeVisible()
    await expect(no.locator('svg')).toBeHidden()
    await expect(no).not.toHaveAttribute('data-pressed')
    for (const button of [yes, no]) await expect(button).toBeDisabled()
    const status = visitor.panel.getByRole('status')
    await page.clock.runFor(3900)
    await expect(status).toHaveText('')
    await page.clock.runFor(200)
    await expect(status).toHaveText(questionnaire.stillLoading)
    await expect(status).toBeInViewport()
    release()
    await page.waitForFunction(() => window.earlyAnswer === null)
    await page.clock.runFor(600)
    await expect(visitor.question(2)).toBeFocused()
    await expect(yes).toBeEnabled()
    await expect(yes).not.toHaveAttribute('data-pressed')
    await expect(visitor.panel.getByText(questionnaire.stillLoading)).toBeHidden()
    expect(await visitor.draftAnswers()).toEqual([true])
  })

  test('only the first click counts, and it starts the lock', async ({ visitor, page, site }) => {
    await page.clock.install()
    const release = site.holdScripts()
    await visitor.open('/')
    await visitor.stopTime()
    await page.evaluate(() => {
      for (const answer of ['no', 'yes']) document.querySelector<HTMLElement>(`[data-answer=${answer}]`)?.click()
    })
    await page.clock.runFor(400)
    release()
    await visitor.ready()
    await page.clock.runFor(90)
    await expect(visitor.question(1)).toBeVisible()
    await expect(visitor.button(questionnaire.yes)).toBeDisabled()
    await page.clock.runFor(20)
    await expect(visitor.question(2)).toBeVisible()
    await page.clock.runFor(2 * delays.answerLock)
    await expect(visitor.question(2)).toBeVisible()
    expect(await visitor.draftAnswers()).toEqual([false])
  })

  test.describe('by touch', () => {
    test.use({ hasTouch: true })
    test('React is fetched with the page but starts only when the finger lifts, so the tap is visible', async ({
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
})

test.describe('when scripts fail', () => {
  test.beforeEach(({ watched }) => watched.allow(FAILED_REQUEST))

  test('without the first script, the plain form appears with the phone number', async ({ visitor, page, site }) => {
    site.failScripts(/browser/)
    await visitor.open('/')
    await visitor.button(questionnaire.yes).press('Enter')
    await expect(visitor.panel.getByRole('alert')).toContainText(questionnaire.scriptMissing.heading)
    await expect(visitor.panel.getByRole('radio')).toHaveCount(2 * allQuestions.length)
    await expect(visitor.panel.getByRole('radio', { checked: true })).toHaveCount(1)
    await expect(visitor.panel.getByRole('link', { name: CALL })).toBeVisible()
    await expect(visitor.panel.locator('[data-answer]').first()).toBeHidden()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('qualification-form')
  })
})

test('a wrong answer leads to /decline only 4000 ms after the last question, and once; restored from the back/forward cache, the page starts over', async ({
  visitor,
  page,
}) => {
  // A 204 response keeps the finished page open, as if the browser had cached it.
  let redirects = 0
  await page.route('**/decline', route => {
    redirects++
    return route.fulfill({ status: 204 })
  })
  await visitor.start()
  await visitor.stopTime()
  for (const { number, requiredAnswer } of allQuestions) {
    await expect(visitor.question(number)).toBeVisible()
    await expect(visitor.button(questionnaire.yes)).toBeEnabled()
    await visitor.answer(number === 1 ? !requiredAnswer : requiredAnswer)
    await expect(visitor.button(questionnaire.yes)).toBeDisabled()
    await expect(visitor.button(questionnaire.no)).toBeDisabled()
    await page.clock.runFor(490)
    await expect(visitor.question(number), 'still locked at 490 ms').toBeVisible()
    await page.clock.runFor(20)
  }
  const loading = visitor.panel.getByText(questionnaire.loading)
  await expect(loading).toBeVisible()
  await expect(loading).toBeFocused()
  await page.clock.runFor(3980)
  expect(redirects).toBe(0)
  await page.clock.runFor(30)
  await expect.poll(() => redirects).toBe(1)
  await expect(loading).toBeVisible()
  await page.clock.runFor(delays.declineRedirect)
  await page.clock.resume()
  const loaded = page.waitForEvent('domcontentloaded')
  // As /decline does.
  await page.evaluate(() => sessionStorage.clear())
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await loaded
  await visitor.ready()
  await expect(visitor.question(1)).toBeVisible()
  await expect(loading).toBeHidden()
  expect(redirects, 'no timer is left that would redirect again').toBe(1)
})

test('/decline opens the blocks that apply, and no request or log line tells them apart', async ({
  visitor,
  page,
  site,
}) => {
  const seen: Set<string>[] = []
  page.on('request', request => seen.at(-1)?.add(`${request.method()} ${request.url()} ${request.postData() ?? ''}`))
  await page.clock.install()
  for (const wrongly of [[2, 5], [6]]) {
    seen.push(new Set())
    site.logged.length = 0
    await visitor.open('/es/')
    await visitor.ready()
    await visitor.answerAll({ wrongly })
    await visitor.waitForRedirect('/es/decline')
    const titles = Object.values(visitor.words.decline.reasons).map(reason => startingWith(reason?.title ?? ''))
    await expect(page.locator('details[open]')).toHaveText(wrongly.map(number => titles[number - 1] ?? ''))
    await expect(page.locator('details').filter({ visible: true })).toHaveCount(wrongly.length)
    for (const line of site.logged) seen.at(-1)?.add(line)
  }
  // Pictures and fonts are cached the second time.
  const [first, second] = seen.map(lines => [...lines].filter(line => !line.includes('/assets/')).toSorted())
  expect(first).toContainEqual(expect.stringContaining('/es/decline'))
  expect(first).toEqual(second)
  // Only this tab knows.
  const other = await page.context().newPage()
  await other.goto(page.url())
  await expect(other.locator('details').filter({ visible: true })).toHaveCount(allQuestions.length)
  await expect(other.locator('details[open]')).toHaveCount(0)
})

test('leaving the page reports which question was reached, but no answers', async ({ visitor, page }) => {
  const reports: string[] = []
  page.on('request', request => {
    if (request.url().includes('/api/progress')) {
      reports.push(`${request.method()} ${new URL(request.url()).search} ${request.postData() ?? ''}`.trim())
    }
  })
  const hide = () =>
    page.evaluate(() => {
      Object.defineProperty(document, 'visibilityState', { value: 'hidden', configurable: true })
      document.dispatchEvent(new Event('visibilitychange'))
    })
  await visitor.start('/?utm_source=news')
  await visitor.answerAll({ to: 2 })
  expect(reports).toEqual([])
  await hide()
  await expect.poll(() => reports).toEqual(['POST ?from=0&to=3'])
  await hide()
  await visitor.answerAll({ from: 3, to: 3 })
  await hide()
  await expect.poll(() => reports).toEqual(['POST ?from=0&to=3', 'POST ?from=3&to=4'])
})
