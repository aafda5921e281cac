/** Footer → each legal page of the filled-in example: what an operator publishes is read by everybody, and nothing is cut off. */
import { legalPages } from '../../content/legal.ts'
import { buildFilledIn, FILLED_IN } from '../support/filled-in.ts'
import { startSite } from '../support/site-server.ts'
import { expectNoViolations } from './axe.ts'
import { test as base, expect } from './visitor.ts'

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
  site: async ({}, use) => {
    await buildFilledIn()
    const site = await startSite({ built: `${FILLED_IN}/built` })
    await use(site)
    await site.close()
  },
})

// A build takes some seconds, on a busy machine more.
test.setTimeout(180_000)
test.use({ viewport: { width: 320, height: 640 }, bypassCSP: true })

test('every link of the footer leads to a page that axe finds nothing in, and that fits a narrow phone', async ({
  page,
  site,
  visitor,
}) => {
  await page.goto(site.url)
  const hrefs = await page.locator('footer nav a').evaluateAll(links => links.map(link => link.getAttribute('href')))
  expect(hrefs).toEqual(Object.values(legalPages).map(({ path }) => path))
  for (const href of hrefs) {
    const response = await page.goto(site.url + href)
    expect(response?.status(), `${href}`).toBe(200)
    // The address in the sitemap is the one that search engines are told here.
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(`https://www.harborlight.test${href}`)
    await visitor.unfold()
    await expectNoViolations(page)
    expect(await page.evaluate(() => document.documentElement.scrollWidth), `${href}`).toBeLessThanOrEqual(320)
  }
  const sitemap = await (await page.request.get(`${site.url}/sitemap.xml`)).text()
  for (const href of ['/', '/advertorial', ...hrefs]) {
    expect(sitemap).toContain(`https://www.harborlight.test${href}</loc>`)
  }
  expect(sitemap).not.toMatch(/thank-you|decline/)
  expect(await (await page.request.get(`${site.url}/robots.txt`)).text()).toContain('/sitemap.xml')
  await page.goto(site.url)
  const preview = await page.locator('meta[property="og:image"]').getAttribute('content')
  expect(preview).toMatch(/^https:\/\/www\.harborlight\.test\//)
  const image = await page.request.get(site.url + new URL(preview ?? '').pathname)
  expect(image.headers()['content-type']).toBe('image/png')
})
