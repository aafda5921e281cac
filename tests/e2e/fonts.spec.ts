/** The typefaces: words are painted without waiting for them, nothing moves when they arrive, every Latin letter is in them. */
import type { Page } from '@playwright/test'
import { expect, test } from './visitor.ts'

/** The fonts that an element's text is really set in. */
async function fontsOf(page: Page, selector: string): Promise<string> {
  const session = await page.context().newCDPSession(page)
  await session.send('DOM.enable')
  await session.send('CSS.enable')
  const { root } = await session.send('DOM.getDocument')
  const { nodeId } = await session.send('DOM.querySelector', { nodeId: root.nodeId, selector })
  const { fonts } = await session.send('CSS.getPlatformFontsForNode', { nodeId })
  await session.detach()
  return fonts
    .map(({ familyName, isCustomFont }) => (isCustomFont ? familyName : 'a stand-in'))
    .sort()
    .join()
}

/** Both have been fetched and tried on. A page that would move in one of them may have gone back to its stand-in. */
const typefacesAreHere = (page: Page) =>
  page.waitForFunction(
    () =>
      performance.getEntriesByType('resource').filter(({ name }) => /woff2$/.test(name)).length >= 3 &&
      [...document.fonts].some(({ family, status }) => family === 'Fraunces' && status === 'loaded'),
  )

for (const path of ['/', '/advertorial']) {
  for (const width of [390, 1280]) {
    test.describe(`${path} at ${width} px`, () => {
      test.use({ viewport: { width, height: 844 } })
      test('is painted before its fonts, and nothing moves when they arrive', async ({ visitor, page }) => {
        await page.addInitScript(() => {
          const shifts: number[] = []
          Object.assign(window, { shifts })
          new PerformanceObserver(list => {
            for (const entry of list.getEntries()) shifts.push((entry as PerformanceEntry & { value: number }).value)
          }).observe({ type: 'layout-shift', buffered: true })
        })
        const { promise: released, resolve: release } = Promise.withResolvers<void>()
        await page.route('**/*.woff2', async route => {
          await released
          await route.continue()
        })
        await visitor.open(path)
        await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length > 0)
        expect(await fontsOf(page, 'h1')).toBe('a stand-in')
        release()
        await typefacesAreHere(page)
        await visitor.frames()
        expect(await page.evaluate(() => (window as unknown as { shifts: number[] }).shifts)).toEqual([])
        expect(await fontsOf(page, 'h1')).toBe('Fraunces')
      })
    })
  }
}

test('the typefaces show on the first visit to a phone’s landing page', async ({ visitor, page }) => {
  await visitor.open('/')
  await expect.poll(() => fontsOf(page, 'h1')).toBe('Fraunces')
  await expect.poll(() => fontsOf(page, 'main p')).toBe('Atkinson Hyperlegible Next')
})

test('a second page is painted in the typefaces, without a stand-in first', async ({ visitor, page }) => {
  await visitor.open('/')
  await typefacesAreHere(page)
  const fetched: string[] = []
  page.on('request', request => fetched.push(request.url()))
  await page.evaluate(() => location.assign('/thank-you'))
  await page.waitForURL('**/thank-you')
  await expect(page.locator('style[media]')).toHaveAttribute('media', 'all')
  await expect.poll(() => fontsOf(page, 'h1')).toBe('Fraunces')
  await expect.poll(() => fontsOf(page, 'main p')).toBe('Atkinson Hyperlegible Next')
  // By the page's own style, which needs no script to bring them.
  expect(fetched.filter(url => url.includes('typefaces'))).toEqual([])
})

test('accented letters are set in the same faces, fetched only where they occur', async ({ visitor, page }) => {
  const fetched: string[] = []
  page.on('request', request => {
    const name = /([a-z-]+)-[\w-]{8}\.woff2$/.exec(request.url())?.[1]
    if (name) fetched.push(name)
  })
  await visitor.open('/')
  await expect.poll(() => fontsOf(page, 'h1')).toBe('Fraunces')
  expect(fetched.toSorted()).toEqual(['atkinson-hyperlegible-next', 'fraunces', 'public-sans-zero'])
  await page.evaluate(() => {
    for (const selector of ['h1', 'main p']) document.querySelector(selector)?.append(' Añejo, Renée, Ørsted')
  })
  await expect.poll(() => fetched.length).toBe(5)
  await expect.poll(() => fontsOf(page, 'h1')).toBe('Fraunces')
  await expect.poll(() => fontsOf(page, 'main p')).toBe('Atkinson Hyperlegible Next')
})
