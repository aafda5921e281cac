/** The questionnaire with a keyboard, a screen reader, large text, reduced motion, and forced colors. Runs axe in every state. */

import { fill } from '../../domain/text/fill.ts'
import { delays } from '../../domain/visits/delays.ts'
import { words } from '../../site-folder/site.ts'
import { allQuestions, yearOfBirth } from '../support/answers.ts'
import { callsToAction, inEachLanguage, landing, questionnaire } from '../support/content.ts'
import { expectAccessible, expectNothingCutOff, inTightConditions, tightestConditions, zoomed } from './page-checks.ts'
import { expect, FAILED_REQUEST, margaret, test } from './visitor.ts'

const { contactForm, toasts, header } = words.en

test('by keyboard alone, from the address bar to the thank-you page', async ({ visitor, page, site }) => {
  await visitor.start()
  const press = async (key: string, times = 1) => {
    for (let time = 0; time < times; time++) await page.keyboard.press(key)
  }
  await test.step('the first Tab stop skips the header', async () => {
    await press('Tab')
    const skipLink = page.getByRole('link', { name: header.skipLink })
    await expect(skipLink).toBeFocused()
    await expect(skipLink).toBeInViewport()
    await press('Enter')
    await expect(page.locator('#main')).toBeFocused()
  })
  for (let stop = 0; stop < 30; stop++) {
    await press('Tab')
    if (await visitor.button(questionnaire.yes).evaluate(button => button === document.activeElement)) break
  }
  await expect(visitor.button(questionnaire.yes)).toBeFocused()
  for (const { number, requiredAnswer } of allQuestions) {
    // After each answer, focus is on the new question; Yes is one Tab away, and No is two.
    if (number > 1) {
      await expect(visitor.question(number)).toBeFocused()
      await press('Tab')
    }
    if (!requiredAnswer) await press('Tab')
    await press(number % 2 ? 'Enter' : 'Space')
    await page.clock.runFor(delays.answerLock)
  }
  await expect(visitor.panel.getByRole('heading', { name: contactForm.heading })).toBeFocused()
  for (const text of [margaret.firstName, 'Smith', '04', '12', `${yearOfBirth}`, margaret.email, '5552345678']) {
    await press('Tab')
    await page.keyboard.type(text)
  }
  // The link to the consent comes before the button.
  await press('Tab')
  await press('Tab')
  await expect(visitor.submitButton).toBeFocused()
  await press('Enter')
  await expect.poll(() => site.webhook.deliveries[0]?.query).toEqual({ ...margaret, lastName: 'Smith' })
  await visitor.waitForRedirect('/thank-you')
})

test('on the landing page, focus is never under the sticky header, and calls to action respond to Enter and Space', async ({
  visitor,
  page,
}) => {
  // Smooth scrolling would only slow the test down.
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await visitor.open('/')
  await visitor.ready()
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let stop = 0; stop < 24; stop++) {
      await page.keyboard.press(key)
      const hidden = () =>
        page.evaluate(() => {
          const focused = document.activeElement
          const header = document.querySelector('header')?.getBoundingClientRect()
          if (!focused || focused === document.body || focused.closest('header') || !header) return null
          const box = focused.getBoundingClientRect()
          if (box.bottom < 0 || getComputedStyle(focused).position === 'fixed') return null
          return box.top < header.bottom ? `${focused.textContent} at ${box.top}` : null
        })
      await expect.poll(hidden).toBeNull()
    }
  }
  const [name = ''] = callsToAction
  for (const key of name === '' ? [] : ['Enter', 'Space']) {
    await page.getByRole('button', { name }).first().focus()
    await page.keyboard.press(key)
    await expect(visitor.panel).toBeFocused()
    await expect(visitor.question(1)).toBeInViewport()
  }
})

test('a screen reader announces the progress and the question once; the question slides in within 200 ms', async ({
  visitor,
  page,
}) => {
  await visitor.start()
  const title = JSON.stringify(landing.hero.panelTitle)
  const question = `"${fill(questionnaire.place, { number: 1, total: allQuestions.length })} ${allQuestions[0]?.text}"`
  await expect(visitor.panel).toMatchAriaSnapshot(`
    - region ${title}:
      - heading ${title} [level=2]
      - 'progressbar "${fill(questionnaire.progressLabel, { step: 1, total: allQuestions.length + 1 })}"'
      - 'heading ${question} [level=3]'
      - 'group ${question}':
        - button ${JSON.stringify(questionnaire.yes)}
        - button ${JSON.stringify(questionnaire.no)}
${questionnaire.reassurance === null ? '' : `      - paragraph: ${questionnaire.reassurance}`}
      - status
  `)
  await visitor.answerAll({ to: 1 })
  await expect(visitor.question(2)).toBeFocused()
  const alsoAnnouncedBy = await page.evaluate(() => {
    const names: string[] = []
    for (let at = document.activeElement?.parentElement; at; at = at.parentElement) {
      const label = document.getElementById(at.getAttribute('aria-labelledby') ?? '')
      if (label?.textContent?.includes('Question 2')) names.push(at.outerHTML.slice(0, 80))
      if (at.matches('[aria-live],[role=status],[role=alert]')) names.push('a live region')
    }
    return names
  })
  expect(alsoAnnouncedBy).toEqual([])
  await expect(
    visitor.panel
      .getByRole('group', { name: fill(questionnaire.place, { number: 2, total: allQuestions.length }) })
      .getByRole('button'),
  ).toHaveCount(2)

  const scrolling = () => page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)
  await expect(visitor.question(2)).toHaveCSS('animation-duration', '0.2s')
  expect(await scrolling()).toBe('smooth')
  // The next Yes button appears under the pointer and must not look selected.
  const [yes, no] = [visitor.button(questionnaire.yes), visitor.button(questionnaire.no)]
  await expect.poll(() => yes.evaluate(button => button.matches(':hover'))).toBe(true)
  await expect(no).toHaveCSS('background-color', await yes.evaluate(button => getComputedStyle(button).backgroundColor))
  await expect(yes.locator('svg')).toBeHidden()

  await test.step('nothing moves with reduced motion', async () => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await visitor.answerAll({ from: 2, to: 2 })
    expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
    expect(await scrolling()).toBe('auto')
  })
})

test('with forced colors, a pressed answer has an outline, and stars are as dark as text', async ({
  visitor,
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await visitor.start()
  await visitor.stopTime()
  await visitor.answer(true)
  await expect(visitor.button(questionnaire.yes)).toHaveCSS('outline-style', 'solid')
  await expect(visitor.button(questionnaire.no)).toHaveCSS('outline-style', 'none')
  const fills = await page.locator('svg[role=img]').evaluateAll(all => all.map(stars => getComputedStyle(stars).fill))
  expect(new Set(fills)).toEqual(new Set(['rgb(0, 0, 0)']))
})

test.describe('the panel', () => {
  // bypassCSP allows extra styles, such as a visitor's own; reduced motion keeps axe from checking colors mid-animation.
  test.use({ bypassCSP: true, contextOptions: { reducedMotion: 'reduce' } })
  const PANEL = '#qualification-form'
  const large = { viewport: { width: 360, height: 740 }, css: 'html{font-size:200%}' }

  for (const path of inEachLanguage('/')) {
    const { questionnaire } = words[path === '/' ? 'en' : 'es']

    test(`${path}: works on small screens and with large text`, async ({ visitor, page, site }) => {
      await visitor.start(path)
      for (const { number, requiredAnswer } of allQuestions) {
        await expect(visitor.question(number)).toBeVisible()
        // pages.spec.ts has the first question, in all conditions.
        const check = (condition: string) => expectNothingCutOff(page, `question ${number}: ${condition}`)
        if (number > 1) await inTightConditions(page, check, tightestConditions)
        const { viewport, css } = number === 3 ? zoomed : large
        await page.setViewportSize(viewport)
        const style = await page.addStyleTag({ content: css })
        const expectInView = async (shown: number) => {
          await expect(visitor.question(shown)).toBeInViewport({ ratio: 1 })
          for (const answer of [questionnaire.yes, questionnaire.no])
            await expect(visitor.button(answer)).toBeInViewport({ ratio: 1 })
        }
        if (number === 1) {
          await page.locator(PANEL).evaluate(panel => panel.scrollIntoView())
          await expectInView(1)
        }
        await visitor.answer(requiredAnswer)
        await page.clock.runFor(delays.answerLock)
        if (number < allQuestions.length) await expectInView(number + 1)
        await style.evaluate(element => (element as Element).remove())
      }
      await visitor.stopTime()
      await inTightConditions(page, async condition => {
        await visitor.submit()
        await expect(visitor.field('firstName')).toBeFocused()
        await expectNothingCutOff(page, `contact form: ${condition}`)
        const covered = ':focus, label:has(+ :focus), header a[href^=tel]'
        await expect.poll(() => visitor.coveredByToast(covered), condition).toEqual([])
        await visitor.field('lastName').focus()
        await expect.poll(() => visitor.coveredByToast(':focus'), condition).toEqual([])
        await page.clock.runFor(delays.toast)
      })
      await visitor.fillIn()
      await visitor.submit()
      await expect.poll(() => site.webhook.deliveries.length).toBe(1)
    })
  }

  // The language changes only the text. pages.spec.ts checks every page in both.
  test('is accessible in every state', async ({ visitor, page, site, watched }) => {
    watched.allow(FAILED_REQUEST)
    await page.clock.install()
    const release = site.holdScripts()
    await visitor.open('/')
    await visitor.answer(true)
    await expect(visitor.button(questionnaire.yes)).toBeDisabled()
    await expectAccessible(page, 'locked, before the script', PANEL)
    release()
    await visitor.answerAll({ from: 2 })
    await expect(visitor.submitButton).toBeVisible()
    await expectAccessible(page, 'contact form', PANEL)
    await visitor.submit()
    await expect(visitor.toast(toasts.incomplete.title)).toBeVisible()
    await expectAccessible(page, 'contact form with errors', PANEL)
    await visitor.fillIn()
    const respond = site.webhook.hold()
    await visitor.submit()
    await expect(visitor.submitButton).toHaveText(contactForm.submitting)
    await expectAccessible(page, 'sending', PANEL)
    respond(503)
    await expect(visitor.toast(toasts.submissionFailed.title)).toBeVisible()
    await expectAccessible(page, 'submission error', PANEL)

    // A 204 response keeps the loading view open.
    await page.route('**/decline', route => route.fulfill({ status: 204 }))
    await visitor.button(contactForm.clear).click()
    await visitor.answerAll({ wrongly: [1] })
    await expect(visitor.panel.getByText(questionnaire.loading)).toBeVisible()
    await expectAccessible(page, 'loading', PANEL)
  })
})
