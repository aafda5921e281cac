/** How a page loads: its own files only, fonts after the first paint, and nothing moves. */
import type { Page } from '@playwright/test'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { delays } from '../../domain/delays.ts'
import { asked } from '../support/answers.ts'
import { expect, test } from './visitor.ts'

test('the landing page loads its own files, and no pictures far below the first screen', async ({ page, site }) => {
  const requested = new Set<string>()
  page.on('request', request => {
    const { pathname } = new URL(request.url())
    requested.add(pathname.replace(/(-\d+)?-[\w-]{8}\.(svg|webp)$/, '').replace(/-[\w-]{8}\./, '.'))
  })
  await page.goto(site.url)
  const needed = [
    '/',
    '/assets/atkinson-hyperlegible-next.woff2',
    '/assets/browser.js',
    '/assets/fraunces.woff2',
    '/assets/public-sans-zero.woff2',
    '/assets/typefaces.js',
  ]
  await expect.poll(() => needed.filter(path => !requested.has(path))).toEqual([])
  // How early the browser loads these depends on its speed.
  const optional = ['/assets/advocate', '/assets/icon', '/assets/papers', '/assets/seniors']
  expect([...requested].filter(path => !needed.includes(path) && !optional.includes(path))).toEqual([])
})

/** The fonts that render an element's text. */
async function fontsOf(page: Page, selector: string): Promise<string> {
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const { root } = await session.send('DOM.getDocument')
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector })
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
  await session.detach()
  return fonts
    .map(({ familyName, isCustomFont }) => (isCustomFont ? familyName : 'fallback'))
    .sort()
    .join()
}

test('nothing waits for fonts, nothing moves when they arrive, and the next page has them at once', async ({
  visitor,
  page,
}) => {
  const seen = await visitor.watchShifts()
  const fetched: string[] = []
  page.on('request', request => fetched.push(request.url()))
  const { promise: released, resolve: release } = Promise.withResolvers<void>()
  await page.route('**/*.woff2', async route => {
    await released
    await route.continue()
  })
  await visitor.open('/')
  await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
  expect(await fontsOf(page, 'h1')).toBe('fallback')
  release()
  await expect.poll(() => fontsOf(page, 'h1')).toBe('Fraunces')
  await expect.poll(() => fetched.filter(url => url.endsWith('.woff2')).length).toBe(3)
  expect(await seen()).toEqual([])

  // Accented letters use the same typeface, fetched only now.
  await page.evaluate(() => document.querySelector('h1')?.append(' Añejo, Renée, Ørsted'))
  await expect.poll(() => fetched.filter(url => url.endsWith('.woff2')).length).toBe(4)
  await expect.poll(() => fontsOf(page, 'h1')).toBe('Fraunces')

  fetched.length = 0
  await page.evaluate(() => location.assign('/thank-you'))
  await page.waitForURL('**/thank-you')
  await expect(page.locator('style[media]')).toHaveAttribute('media', 'all')
  await expect.poll(() => fontsOf(page, 'h1')).toBe('Fraunces')
  await expect.poll(() => fontsOf(page, 'main p')).toBe('Atkinson Hyperlegible Next')
  // From the page's own style, not from the script that loads them on a first visit.
  expect(fetched.filter(url => url.includes('typefaces'))).toEqual([])
})

for (const [path, width] of [
  ['/', 360],
  ['/advertorial', 1280],
] as const) {
  test.describe(`${path} at ${width} px`, () => {
    test.use({ viewport: { width, height: 800 } })
    test('nothing shifts from the load to the last question and the loading view', async ({ visitor, page }) => {
      const seen = await visitor.watchShifts()
      await visitor.start(path)
      for (const { number, requiredAnswer } of asked) {
        await expect(visitor.question(number)).toBeVisible()
        expect((await seen()).filter(each => each.startsWith('shift'))).toEqual([])
        // Clicks by script, because browsers ignore shifts right after a real click. One wrong answer leads to the loading view.
        const answer = requiredAnswer === number > 1 ? 'yes' : 'no'
        await page.locator(`[data-answer=${answer}]`).dispatchEvent('click')
        await page.clock.runFor(delays.answerLock)
      }
      await expect(visitor.panel.getByText(questionnaire.loading)).toBeVisible()
      expect((await seen()).filter(each => each.startsWith('shift'))).toEqual([])
    })
  })
}
