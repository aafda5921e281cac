/** The questions: from a press before the script has loaded to the contact form or /decline, and drafts on the way. */
import type { Page } from '@playwright/test'
import { applicationError } from '../../content/errors.ts'
import { organization } from '../../content/organization.ts'
import { contactForm } from '../../content/panel/contact-form.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { delays } from '../../domain/delays.ts'
import { asked } from '../support/answers.ts'
import { expect, FAILED_REQUEST, margaret, test, type Visitor } from './visitor.ts'

const CALL = `${organization.callLabel} ${organization.phone}`
const draft = (page: Page) => page.evaluate(() => sessionStorage.getItem('questionnaire-draft') ?? '')
const draftAnswers = async (page: Page) => JSON.parse((await draft(page)) || '{}').answers
const keys = (page: Page) => page.evaluate(() => Object.keys(sessionStorage))

/** Records every frame without focus from now on. */
async function watchFocus(page: Page) {
  await page.evaluate(() => {
    const lost: string[] = []
    Object.assign(window, { lost })
    const look = () => {
      if (document.activeElement === document.body) lost.push(document.querySelector('#question')?.textContent ?? '?')
      requestAnimationFrame(look)
    }
    look()
  })
  return () => page.evaluate(() => (window as unknown as { lost: string[] }).lost)
}

test.describe('before the script has loaded', () => {
  test('a press shows at once, is “still loading” after four seconds, and counts', async ({ visitor, page, site }) => {
    const release = site.holdScripts()
    await page.clock.install()
    await visitor.open('/')
    await page.clock.pauseAt(new Date(Date.now() + 60_000))
    const [yes, no] = [visitor.button(questionnaire.yes), visitor.button(questionnaire.no)]
    await yes.focus()
    const lost = await watchFocus(page)
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
    expect(await lost()).toEqual([])
    release()
    await page.waitForFunction(() => window.earlyAnswer === null)
    await page.clock.runFor(600)
    await expect(visitor.question(2)).toBeFocused()
    await expect(yes).toBeEnabled()
    await expect(yes).not.toHaveAttribute('data-pressed')
    await expect(visitor.panel.getByText(questionnaire.stillLoading)).toBeHidden()
    expect(await draftAnswers(page)).toEqual([true])
  })

  test('only the first press counts, and the lock runs from that press', async ({ visitor, page, site }) => {
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
    expect(await draftAnswers(page)).toEqual([false])
  })

  test('React is fetched with the page, but starts only when the visitor turns to the panel', async ({
    visitor,
    page,
  }) => {
    for (const turn of ['mouseover', 'focusin']) {
      const fetched = page.waitForResponse(/browser.*\.js/)
      await visitor.open('/')
      await fetched
      await page.waitForLoadState('networkidle')
      expect(await page.evaluate(() => window.earlyAnswer)).toBeUndefined()
      await visitor.button(questionnaire.yes).dispatchEvent(turn)
      await page.waitForFunction(() => window.earlyAnswer === null)
    }
  })

  test.describe('by touch', () => {
    test.use({ hasTouch: true })
    test('React waits until the finger is lifted, so that the press shows', async ({ visitor, page }) => {
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
  test.beforeEach(({ watched }) => watched.allow({ console: FAILED_REQUEST }))

  test('without the first script, the plain form appears with the number to call', async ({ visitor, page, site }) => {
    site.failScripts(/browser/)
    await visitor.open('/')
    await visitor.button(questionnaire.yes).press('Enter')
    await expect(visitor.panel.getByRole('alert')).toContainText(questionnaire.scriptMissing.heading)
    await expect(visitor.panel.getByRole('radio')).toHaveCount(2 * asked.length)
    await expect(visitor.panel.getByRole('link', { name: CALL })).toBeVisible()
    await expect(visitor.panel.locator('[data-answer]').first()).toBeHidden()
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('qualification-form')
  })

  test('scripts that fail at first are fetched again at a fresh URL, without a reload', async ({
    visitor,
    page,
    site,
  }) => {
    await page.clock.install()
    const failed = site.failScripts(/contact-form|^\/assets\/browser/)
    await visitor.open('/')
    await page.evaluate(() => Object.assign(window, { samePage: true }))
    await visitor.ready()
    await visitor.answerAll()
    await expect(visitor.panel.getByText(questionnaire.preparingForm)).toBeVisible()
    await expect
      .poll(async () => {
        await page.clock.runFor(500)
        return failed.filter(path => path.includes('contact-form')).length
      })
      .toBeGreaterThanOrEqual(2)
    site.failScripts(null)
    await expect
      .poll(async () => {
        await page.clock.runFor(500)
        return visitor.field('firstName').isVisible()
      })
      .toBe(true)
    expect(await page.evaluate(() => 'samePage' in window)).toBe(true)
  })

  test('a contact form that never loads causes one reload, then the number to call', async ({
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
    watched.allow({ console: /^TypeError: Failed to fetch dynamically imported module: / })
  })
})

test('a wrong answer is revealed only after the last question, 4000 ms later', async ({ visitor, page }) => {
  await visitor.start()
  await visitor.stopTime()
  for (const { number, requiredAnswer } of asked) {
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
  await expect(loading).toBeVisible()
  await page.clock.runFor(30)
  await page.waitForURL('**/decline')
})

test('leaving the page reports which question was reached, and no answers', async ({ visitor, page }) => {
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

test('going back to a finished page that the browser froze starts over', async ({ visitor, page }) => {
  // A redirect that leads nowhere leaves the finished page as the browser would freeze it.
  const redirected = page.waitForRequest('**/decline')
  await page.route('**/decline', route => route.fulfill({ status: 204 }))
  await visitor.start()
  await visitor.answerAll({ wrongly: [1] })
  await page.clock.runFor(delays.declineRedirect)
  await redirected
  await expect(visitor.panel.getByText(questionnaire.loading)).toBeVisible()
  const loaded = page.waitForEvent('domcontentloaded')
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await loaded
  await visitor.ready()
  await expect(visitor.question(1)).toBeVisible()
  await expect(visitor.panel.getByText(questionnaire.loading)).toBeHidden()
})

test.describe('a draft', () => {
  const resumed = async ({ page }: Visitor) => {
    await page.reload()
    await page.waitForFunction(() => window.earlyAnswer === null)
  }

  for (const [path, width] of [
    ['/', 360],
    ['/advertorial', 1280],
  ] as const) {
    test.describe(`of ${path} at ${width} px`, () => {
      test.use({ viewport: { width, height: width < 768 ? 844 : 800 } })
      test('resumes at any question without a layout shift and without taking focus', async ({ visitor }) => {
        const seen = await visitor.watchShifts()
        await visitor.start(path)
        for (const { number, requiredAnswer } of asked) {
          await visitor.answer(requiredAnswer)
          await visitor.page.clock.runFor(delays.answerLock)
          const next = number < asked.length ? visitor.question(number + 1) : visitor.submitButton
          await expect(next).toBeVisible()
          if (number === asked.length) await visitor.field('firstName').fill(margaret.firstName)
          await resumed(visitor)
          await expect(next).toBeVisible()
          expect(await seen(), `after question ${number}`).toEqual([])
        }
      })
    })
  }

  test('resumes without a shift on a phone that was turned, and stays gone once forgotten', async ({
    visitor,
    page,
  }) => {
    const seen = await visitor.watchShifts()
    await visitor.reachContact()
    await page.setViewportSize({ width: 844, height: 390 })
    await expect.poll(() => draft(page)).toContain('"width":844')
    await page.reload()
    await expect(visitor.submitButton).toBeVisible()
    expect(await seen()).toEqual([])

    await page.evaluate(() => sessionStorage.clear())
    await page.setViewportSize({ width: 800, height: 390 })
    await page.waitForFunction(() => innerWidth === 800)
    await visitor.frames()
    expect(await keys(page)).toEqual([])
  })

  test('is not overwritten by a press before the script has loaded', async ({ visitor, page }) => {
    await visitor.start()
    await visitor.answerAll({ to: 3 })
    const before = await draftAnswers(page)
    // Held back in the browser, which would take the script from its cache.
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
    expect(await draftAnswers(page)).toEqual(before)
  })

  test('is gone after 30 minutes, or when the questions have changed', async ({ visitor, page }) => {
    const startsOver = async () => {
      await page.reload()
      await visitor.ready()
      await expect(visitor.question(1)).toBeVisible()
      expect(await keys(page)).toEqual([])
    }
    await visitor.start()
    await visitor.answerAll({ to: 2 })
    await page.clock.fastForward('29:00')
    await resumed(visitor)
    await expect(visitor.question(3)).toBeVisible()
    // Resuming does not extend it.
    await page.clock.fastForward('01:01')
    await startsOver()

    // Also in a page that stays open.
    await visitor.answerAll({ to: 2 })
    expect(await keys(page)).toHaveLength(1)
    await page.clock.runFor('30:01')
    expect(await keys(page)).toEqual([])

    await startsOver()
    await visitor.answerAll({ to: 2 })
    await page.evaluate(() => {
      for (const [key, value] of Object.entries(sessionStorage)) {
        sessionStorage.setItem(key, JSON.stringify({ ...JSON.parse(value), version: 'of last week' }))
      }
    })
    await startsOver()
  })

  test('never has the date of birth, and is gone after “Clear my details”', async ({ visitor, page }) => {
    await visitor.reachContact()
    await visitor.fillIn()
    expect(await draft(page)).toContain(margaret.email)
    expect(await draft(page)).not.toContain('1966')
    await visitor.button(contactForm.clear).click()
    await expect(visitor.question(1)).toBeFocused()
    expect(await keys(page)).toEqual([])
    await page.reload()
    await visitor.ready()
    await expect(visitor.question(1)).toBeVisible()
  })

  test('is gone after “Start over”, also on the way to /decline, and after /decline', async ({ visitor, page }) => {
    await visitor.start()
    await visitor.answerAll({ to: 1 })
    await visitor.button(questionnaire.startOver).click()
    await expect(visitor.question(1)).toBeFocused()
    expect(await keys(page)).toEqual([])

    await visitor.answerAll({ wrongly: [1] })
    await visitor.button(questionnaire.startOver).click()
    await expect(visitor.question(1)).toBeFocused()
    await page.clock.runFor(5000)
    await expect(visitor.question(1)).toBeVisible()
    expect(await keys(page)).toEqual([])

    await visitor.answerAll({ wrongly: [2] })
    await visitor.leftFor('/decline')
    expect(await keys(page)).toEqual([])
  })
})
