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

/** Judged at both sizes in turn: the layout follows the window, so that no state has to be reached twice. */
async function expectAccessible({ page }: Visitor, state: string) {
  for (const viewport of sizes) {
    await test.step(`${state} at ${viewport.width} px`, async () => {
      await page.setViewportSize(viewport)
      await expectNoViolations(page)
    })
  }
}

test.describe('axe finds no violation', () => {
  // Colours are judged at rest: halfway through an animation they are nobody's choice.
  test.use({ bypassCSP: true, contextOptions: { reducedMotion: 'reduce' } })

  for (const { name, path } of homes) {
    test(`${name}: from the first question to a lead that was not taken`, async ({ visitor, watched }) => {
      await visitor.start(path)
      await visitor.unfold()
      await expectAccessible(visitor, 'first question')
      await visitor.answerAll()
      await expect(visitor.submitButton).toBeVisible()
      await expectAccessible(visitor, 'contact form')
      await visitor.submit()
      await expect(visitor.toast(toasts.incomplete.title)).toBeVisible()
      await expectAccessible(visitor, 'contact form with errors')
      await visitor.fillIn()
      visitor.site.receiver.answer = 'wait'
      await visitor.submit()
      await expect(visitor.submitButton).toHaveText(contactForm.submitting)
      await expectAccessible(visitor, 'processing')
      watched.allow({ console: FAILED_REQUEST })
      visitor.site.receiver.release(503)
      await expect(visitor.toast(toasts.submissionFailed.title)).toBeVisible()
      await expectAccessible(visitor, 'submission error')
    })

    test(`${name}: before the script is there, and locked`, async ({ visitor }) => {
      // Without its script the panel stays as the press left it.
      visitor.site.holdScripts()
      await visitor.open(path)
      await visitor.unfold()
      await expectAccessible(visitor, 'before the script')
      await visitor.answer(true)
      await expect(visitor.button(questionnaire.yes)).toBeDisabled()
      await expectAccessible(visitor, 'locked')
    })

    test(`${name}: loading`, async ({ visitor }) => {
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
      await visitor.unfold()
      await expectAccessible(visitor, 'loading')
    })
  }

  for (const path of ['/thank-you', '/decline', '/no/such/page']) {
    test(path, async ({ visitor, watched }) => {
      await visitor.open(path)
      if (path === '/no/such/page') watched.allow({ console: NOT_FOUND })
      await visitor.unfold()
      await expectAccessible(visitor, path)
    })
  }

  test('an open FAQ item', async ({ visitor, page }) => {
    await visitor.open('/')
    await page.locator('summary').nth(1).click()
    await visitor.unfold()
    await expectAccessible(visitor, 'an open FAQ item')
  })
})
