/** Path: the whole visit with the keyboard alone; and what a screen reader is told on the way. */
import { landing } from '../../content/landing.ts'
import { contactForm } from '../../content/panel/contact-form.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { header } from '../../content/shared.ts'
import { asked } from '../support/answers.ts'
import { expect, margaret, test } from './visitor.ts'

test('from the address bar to the thank-you page without a pointer', async ({ visitor, page, site }) => {
  await page.clock.install()
  await visitor.open('/')
  await visitor.ready()
  const press = async (key: string, times = 1) => {
    for (let time = 0; time < times; time++) await page.keyboard.press(key)
  }
  // To the questionnaire by tabbing, however many stops there are before it.
  for (let stop = 0; stop < 30; stop++) {
    await press('Tab')
    if (await visitor.button(questionnaire.yes).evaluate(button => button === document.activeElement)) break
  }
  await expect(visitor.button(questionnaire.yes)).toBeFocused()
  for (const { number, requiredAnswer } of asked) {
    // After each answer focus is on the new question; Yes is one stop further, No two.
    if (number > 1) {
      await expect(visitor.question(number)).toBeFocused()
      await press('Tab')
    }
    if (!requiredAnswer) await press('Tab')
    await press(number % 2 ? 'Enter' : 'Space')
    await page.clock.runFor(500)
  }
  const heading = visitor.panel.getByRole('heading', { name: contactForm.heading })
  await expect(heading).toBeFocused()
  await press('Tab')
  await page.keyboard.type(margaret.firstName)
  await press('Tab')
  await page.keyboard.type('Smith')
  await press('Tab')
  for (const part of ['04', '12', '1966']) {
    await page.keyboard.type(part)
    await press('Tab')
  }
  await page.keyboard.type(margaret.email)
  await press('Tab')
  await page.keyboard.type('5552345678')
  await press('Tab')
  await expect(visitor.submitButton).toBeFocused()
  await press('Enter')
  await expect.poll(() => site.receiver.leads[0]?.query).toEqual({ ...margaret, lastName: 'Smith' })
  await page.clock.runFor(2000)
  await page.waitForURL('**/thank-you')
})

test('tabbing through the landing page, focus is never under the sticky header', async ({ visitor, page }) => {
  await visitor.open('/')
  await visitor.ready()
  for (const key of ['Tab', 'Shift+Tab']) {
    for (let stop = 0; stop < 24; stop++) {
      await page.keyboard.press(key)
      // Once the smooth scrolling to it has come to rest.
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
})

test('the skip link is the first stop and leads past the header', async ({ visitor, page }) => {
  await visitor.open('/')
  await page.keyboard.press('Tab')
  await expect(page.getByRole('link', { name: header.skipLink })).toBeFocused()
  await expect(page.getByRole('link', { name: header.skipLink })).toBeInViewport()
  await page.keyboard.press('Enter')
  await expect(page.locator('#main')).toBeFocused()
})

test('a call to action answers to Enter and to the space key, and moves focus to the form', async ({
  visitor,
  page,
}) => {
  for (const key of ['Enter', 'Space']) {
    await visitor.open('/')
    await page.getByRole('button', { name: landing.howItWorks.cta }).focus()
    // Focus has scrolled there, smoothly; a person presses once the page has come to rest.
    await visitor.scrolled()
    await page.keyboard.press(key)
    await expect(visitor.panel).toBeFocused()
    await expect(visitor.question(1)).toBeInViewport()
  }
})

test('a screen reader hears where it is, what is asked, and what to press', async ({ visitor }) => {
  await visitor.open('/')
  await visitor.ready()
  const title = JSON.stringify(landing.hero.panelTitle)
  const question = `"${questionnaire.place(1, asked.length)} ${asked[0]?.text}"`
  await expect(visitor.panel).toMatchAriaSnapshot(`
    - region ${title}:
      - heading ${title} [level=2]
      - 'progressbar "${questionnaire.progressLabel(1, asked.length + 1)}"'
      - 'heading ${question} [level=3]'
      - 'group ${question}':
        - button ${JSON.stringify(questionnaire.yes)}
        - button ${JSON.stringify(questionnaire.no)}
      - paragraph: ${questionnaire.reassurance}
      - status
  `)
})
