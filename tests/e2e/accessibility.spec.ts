/** axe on every page and every state of the panel, on a phone and on a desktop. */
import { contactForm, toasts } from '../../content/panel/contact-form.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { delays } from '../../domain/delays.ts'
import { expectNoViolations } from './axe.ts'
import { expect, FAILED_REQUEST, homes, NOT_FOUND, test, type Visitor } from './visitor.ts'

const sizes = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
]

async function expectAccessible(visitor: Visitor) {
  await visitor.unfold()
  await expectNoViolations(visitor.page)
}

type State = [name: string, reach: (visitor: Visitor, path: string) => Promise<unknown>]

const states: State[] = [
  ['first question', (visitor, path) => visitor.open(path)],
  [
    'locked',
    async (visitor, path) => {
      // Without its script the panel stays as the press left it.
      visitor.site.holdScripts()
      await visitor.open(path)
      await visitor.answer(true)
      await expect(visitor.button(questionnaire.yes)).toBeDisabled()
    },
  ],
  [
    'loading',
    async (visitor, path) => {
      await visitor.page.clock.install()
      // The redirect does not come, so the loading view stays. (With time at a standstill axe would not come to an end.)
      await visitor.page.addInitScript(redirectDelay => {
        const { setTimeout } = window
        window.setTimeout = ((...args: Parameters<typeof setTimeout>) =>
          args[1] === redirectDelay ? 0 : setTimeout(...args)) as typeof setTimeout
      }, delays.declineRedirect)
      await visitor.open(path)
      await visitor.ready()
      await visitor.answerAll([1])
      await expect(visitor.panel.getByText(questionnaire.loading)).toBeVisible()
    },
  ],
  ['contact form', (visitor, path) => visitor.reachContact(path)],
  [
    'contact form with errors',
    async (visitor, path) => {
      await visitor.reachContact(path)
      await visitor.submit()
      await expect(visitor.toast(toasts.incomplete.title)).toBeVisible()
    },
  ],
  [
    'processing',
    async (visitor, path) => {
      await visitor.reachContact(path)
      await visitor.fillIn()
      visitor.site.receiver.answer = 'wait'
      await visitor.submit()
      await expect(visitor.submitButton).toHaveText(contactForm.submitting)
    },
  ],
  [
    'submission error',
    async (visitor, path) => {
      await visitor.reachContact(path)
      await visitor.fillIn()
      visitor.site.receiver.answer = 503
      await visitor.submit()
      await expect(visitor.toast(toasts.submissionFailed.title)).toBeVisible()
    },
  ],
]

for (const viewport of sizes) {
  test.describe(`axe finds no violation at ${viewport.width} px`, () => {
    // Colours are judged at rest: halfway through an animation they are nobody's choice.
    test.use({ viewport, bypassCSP: true, contextOptions: { reducedMotion: 'reduce' } })

    for (const { name, path } of homes) {
      for (const [state, reach] of states) {
        test(`${name}: ${state}`, async ({ visitor, watched }) => {
          if (state === 'submission error') watched.allow({ console: FAILED_REQUEST })
          await reach(visitor, path)
          await expectAccessible(visitor)
        })
      }
    }

    for (const path of ['/thank-you', '/decline', '/no/such/page']) {
      test(`${path}`, async ({ visitor, watched }) => {
        await visitor.open(path)
        if (path === '/no/such/page') watched.allow({ console: NOT_FOUND })
        await expectAccessible(visitor)
      })
    }

    test('an open FAQ item', async ({ visitor, page }) => {
      await visitor.open('/')
      await page.locator('summary').nth(1).click()
      await expectAccessible(visitor)
    })
  })
}
