/** axe on every page and every state of the panel, on a phone and on a desktop. */
import { AxeBuilder } from '@axe-core/playwright'
import { delays } from '../../domain/delays.ts'
import { expect, homes, test, type Visitor } from './visitor.ts'

const sizes = [
  { width: 360, height: 740 },
  { width: 1280, height: 800 },
]

async function expectNoViolations(visitor: Visitor, state: string) {
  const { page } = visitor
  await visitor.unfold()
  const { violations } = await new AxeBuilder({ page })
    .withTags(['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa', 'best-practice'])
    .analyze()
  const found = violations.map(({ id, nodes }) => `${id}: ${nodes.map(node => node.target).join(', ')}`)
  expect(found, state).toEqual([])
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
      await expect(visitor.button('Yes')).toBeDisabled()
    },
  ],
  [
    'loading',
    async (visitor, path) => {
      // The redirect does not come, so the loading view stays.
      await visitor.page.addInitScript(redirectDelay => {
        const { setTimeout } = window
        window.setTimeout = ((...args: Parameters<typeof setTimeout>) =>
          args[1] === redirectDelay ? 0 : setTimeout(...args)) as typeof setTimeout
      }, delays.declineRedirect)
      await visitor.open(path)
      await visitor.ready()
      await visitor.answerAll([1])
      await expect(visitor.panel.getByText('Matching you')).toBeVisible()
    },
  ],
  ['contact form', (visitor, path) => visitor.reachContact(path)],
  [
    'contact form with errors',
    async (visitor, path) => {
      await visitor.reachContact(path)
      await visitor.submit()
      await expect(visitor.toast('Please complete all fields')).toBeVisible()
    },
  ],
  [
    'processing',
    async (visitor, path) => {
      await visitor.reachContact(path)
      await visitor.fillIn()
      visitor.site.receiver.answer = 'wait'
      await visitor.submit()
      await expect(visitor.submitButton).toHaveText('Processing...')
    },
  ],
  [
    'submission error',
    async (visitor, path) => {
      await visitor.reachContact(path)
      await visitor.fillIn()
      visitor.site.receiver.answer = 503
      await visitor.submit()
      await expect(visitor.toast('Submission Error')).toBeVisible()
    },
  ],
]

for (const viewport of sizes) {
  test.describe(`${viewport.width} px wide`, () => {
    // Colours are judged at rest: halfway through an animation they are nobody's choice.
    test.use({ viewport, bypassCSP: true, contextOptions: { reducedMotion: 'reduce' } })

    for (const { name, path } of homes) {
      for (const [state, reach] of states) {
        test(`${name}: ${state}`, async ({ visitor, watched }) => {
          await reach(visitor, path)
          await expectNoViolations(visitor, state)
          watched.consoleMessages.length = 0
        })
      }
    }

    for (const path of ['/thank-you', '/decline', '/no/such/page']) {
      test(`${path}`, async ({ visitor, watched }) => {
        await visitor.open(path)
        await expectNoViolations(visitor, path)
        watched.consoleMessages.length = 0
      })
    }

    test('an open FAQ item', async ({ visitor, page }) => {
      await visitor.open('/')
      await page.getByText('What does your help cost?').click()
      await expectNoViolations(visitor, 'faq')
    })
  })
}
