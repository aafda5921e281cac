/** Every page as a visitor finds it: its words, its order, its links, and what it tells search engines. */
import { advertorial } from '../../content/advertorial.ts'
import { decline } from '../../content/decline.ts'
import { notFound } from '../../content/errors.ts'
import { landing } from '../../content/landing.ts'
import { advertorialFooterLinks, footerLinks } from '../../content/links.ts'
import { organization } from '../../content/organization.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { header } from '../../content/shared.ts'
import { testimonials } from '../../content/testimonials.ts'
import { thankYou } from '../../content/thank-you.ts'
import { delays } from '../../domain/delays.ts'
import { telHref } from '../../domain/phone.ts'
import { editedFiles } from '../specification/delivered-content.ts'
import { expect, NOT_FOUND, test } from './visitor.ts'

const PHONE = telHref(organization.phone)
const CALL = `${organization.callLabel} ${organization.phone}`
const [first, second] = landing.faq.items.map(({ question }) => question) as [string, string]

test('landing: the sections come in the order of the specification', async ({ visitor, page }) => {
  await visitor.open('/')
  const order = [
    'header',
    '#qualification-form',
    '#social-proof',
    '#who-qualifies',
    '#how-it-works',
    '#pain-points',
    '#urgency',
    '#faq',
    '#legal-disclaimer',
    'footer',
  ]
  const tops = await page.evaluate(
    selectors =>
      selectors.map(
        selector => (document.querySelector(selector)?.getBoundingClientRect().top ?? Number.NaN) + scrollY,
      ),
    order,
  )
  for (const [index, top] of tops.entries()) {
    // A section that is not there has no place: its NaN is greater than nothing.
    expect(top, order[index]).toBeGreaterThan(tops[index - 1] ?? -1)
  }
})

test('landing: every testimonial has its stars', async ({ visitor, page }) => {
  await visitor.open('/')
  const socialProof = page.getByRole('region', { name: landing.socialProof.heading })
  await expect(socialProof.getByRole('img', { name: landing.socialProof.starsLabel })).toHaveCount(testimonials.length)
})

test('landing: the three calls to action lead to the form', async ({ visitor, page }) => {
  await visitor.open('/')
  for (const name of [landing.painPoints.cta, landing.howItWorks.cta, landing.urgency.cta]) {
    await page.getByRole('button', { name }).first().click()
    await expect(visitor.panel).toBeFocused()
    await expect(visitor.button(questionnaire.yes)).toBeInViewport()
  }
})

test('landing: one FAQ item is open at a time, and it can be closed', async ({ visitor, page }) => {
  await visitor.open('/')
  const open = page.locator('details[open]')
  await page.getByText(first).click()
  await expect(open).toHaveCount(1)
  await page.getByText(second).click()
  await expect(open).toHaveCount(1)
  await expect(open).toContainText(second)
  await page.getByText(second).click()
  await expect(open).toHaveCount(0)
})

test('landing: one FAQ item is open at a time also where the browser does not see to it', async ({ visitor, page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(HTMLDetailsElement.prototype, 'name')
    addEventListener('DOMContentLoaded', () => {
      for (const details of document.querySelectorAll('details')) details.removeAttribute('name')
    })
  })
  await visitor.open('/')
  const open = page.locator('details[open]')
  await page.getByText(first).click()
  await page.getByText(second).click()
  await expect(open).toHaveCount(1)
  await expect(open).toContainText(second)
  await page.getByText(second).click()
  await expect(open).toHaveCount(0)
})

test('advertorial: label, byline, today’s date and all its parts, in order', async ({ visitor, page }) => {
  await page.clock.install({ time: new Date('2027-03-04T18:00:00Z') })
  await visitor.open('/advertorial')
  await expect(page.getByText(advertorial.sponsoredLabel, { exact: true })).toBeInViewport()
  await expect(page.getByText(advertorial.byline)).toContainText('March 4, 2027')
  await expect(page.getByRole('img', { name: advertorial.illustration.alt })).toBeVisible()
  const { callout, ageAdvantage, provides, timing, checkNow, boxTitle } = advertorial
  const headed = [callout, ageAdvantage, provides, timing, checkNow]
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([...headed.map(part => part.heading), boxTitle])
  for (const text of [...provides.items.map(({ title }) => title), advertorial.footerNote]) {
    await expect(page.locator('body')).toContainText(text)
  }
  await page.getByRole('button', { name: advertorial.earlyCta }).click()
  await expect(visitor.panel).toBeFocused()
  await expect(visitor.button(questionnaire.yes)).toBeInViewport()
})

test('thank-you: badge, headline, call button, three steps and the reminder', async ({ visitor, page }) => {
  await visitor.open('/thank-you')
  await expect(page.getByText(thankYou.badge, { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: thankYou.callLabel })).toHaveAttribute('href', PHONE)
  await expect(page.getByRole('heading', { name: thankYou.nextHeading })).toBeVisible()
  await expect(page.locator('ol h3')).toHaveText(thankYou.steps.map(({ title }) => title))
  await expect(page.locator('main').getByText(thankYou.reminder)).toBeVisible()
})

test('thank-you prints on one page, at full size', async ({ visitor, page }) => {
  await visitor.open('/thank-you')
  await page.emulateMedia({ media: 'print' })
  // Twelve points, as a letter has.
  await expect(page.getByText(thankYou.keep.items[0]?.title ?? '')).toHaveCSS('font-size', '16px')
  await expect(page.getByRole('heading', { name: thankYou.nextHeading })).toBeVisible()
  await expect(page.locator('main img').first()).toBeHidden()
  const pdf = await page.pdf({ format: 'Letter' })
  // With hours filled in, or longer words, it may take a second one.
  const atMost = editedFiles().length === 0 ? 1 : 2
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(atMost)
})

for (const path of ['/', '/thank-you', '/decline']) {
  test(`${path} prints dark words on white, and nothing to press`, async ({ visitor, page }) => {
    await visitor.open(path)
    await page.emulateMedia({ media: 'print' })
    await expect(page.getByRole('button')).toHaveCount(0)
    const pale = await page
      .locator('main a, header a')
      .filter({ visible: true })
      .evaluateAll(links =>
        links
          .filter(link => {
            const { color, backgroundColor } = getComputedStyle(link)
            return color === 'rgb(255, 255, 255)' || backgroundColor === 'rgb(30, 107, 75)'
          })
          .map(link => link.textContent),
      )
    expect(pale).toEqual([])
  })
}

test('decline: the alternatives, and where the Medicaid button leads', async ({ visitor, page }) => {
  await visitor.open('/decline')
  await expect(page.locator('main li h3')).toHaveText(decline.programs.map(({ title }) => title))
  await expect(page.getByRole('link', { name: decline.programs[0].link.text })).toHaveAttribute(
    'href',
    decline.programs[0].link.href,
  )
  await expect(page.locator('main').getByRole('link', { name: decline.call.label })).toHaveAttribute('href', PHONE)
})

test('an unknown path is a 404 with the way home, and the path in the console without its query', async ({
  visitor,
  page,
  watched,
}) => {
  const response = await page.goto(`${visitor.site.url}/no/such/page?email=x@example.org`)
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: notFound.heading })).toBeVisible()
  await expect(page.getByText(notFound.text)).toBeVisible()
  expect(watched.consoleMessages.filter(text => text.startsWith(notFound.consoleNote))).toEqual([
    `${notFound.consoleNote} /no/such/page`,
  ])
  watched.allow({ console: NOT_FOUND })
  await page.getByRole('link', { name: notFound.home }).click()
  await expect(visitor.question(1)).toBeVisible()
})

test('every page has the header, the footer and its links, which lead where they say or nowhere', async ({
  visitor,
  page,
  watched,
}) => {
  for (const path of ['/', '/advertorial', '/thank-you', '/decline', '/no/such/page']) {
    await visitor.open(path)
    await expect(page.getByRole('banner').getByRole('link', { name: header.homeLabel })).toHaveAttribute('href', '/')
    await expect(page.getByRole('banner').getByRole('link', { name: CALL })).toHaveAttribute('href', PHONE)
    const links = path === '/advertorial' ? advertorialFooterLinks : footerLinks
    const shown = page.getByRole('contentinfo').locator('nav a')
    await expect(shown).toHaveText(links.map(({ text }) => text))
    const hrefs = await shown.evaluateAll(all => all.map(link => link.getAttribute('href')))
    expect(hrefs).toEqual(links.map(({ href }) => href))
  }
  watched.allow({ console: NOT_FOUND })
})

test('the Call Now label is hidden on small screens, the number is not', async ({ visitor, page }) => {
  await visitor.open('/')
  const call = page.getByRole('banner').getByRole('link', { name: CALL })
  expect((await call.getByText(organization.callLabel).boundingBox())?.width).toBeLessThanOrEqual(1)
  await page.setViewportSize({ width: 1280, height: 800 })
  expect((await call.getByText(organization.callLabel).boundingBox())?.width).toBeGreaterThan(40)
})

test('pages tell search engines what they are, and which to leave out', async ({ visitor, page }) => {
  const titles = new Set<string>()
  for (const [path, indexed] of [
    ['/', true],
    ['/advertorial', true],
    ['/thank-you', false],
    ['/decline', false],
  ] as const) {
    await visitor.open(path)
    titles.add(await page.title())
    expect((await page.locator('meta[name=description]').getAttribute('content'))?.length).toBeGreaterThan(40)
    expect(await page.locator('meta[name=robots][content=noindex]').count()).toBe(indexed ? 0 : 1)
    // Without SITE_URL no address is known that others could use.
    expect(await page.locator('link[rel=canonical], meta[property="og:url"]').count()).toBe(0)
  }
  expect(titles.size).toBe(4)
  await visitor.open('/')
  const data = (await page.locator('script[type="application/ld+json"]').allTextContents()).map(text =>
    JSON.parse(text),
  )
  expect(data.map(item => item['@type'])).toEqual(['Organization'])
  expect((await page.request.get(`${visitor.site.url}/sitemap.xml`)).status()).toBe(404)
  expect(await (await page.request.get(`${visitor.site.url}/robots.txt`)).text()).not.toContain('Sitemap')
  const manifest = await (await page.request.get(`${visitor.site.url}/site.webmanifest`)).json()
  for (const { src } of manifest.icons) expect((await page.request.get(visitor.site.url + src)).ok()).toBe(true)
})

test('on load, the landing page asks for its own files and nothing else', async ({ page, site }) => {
  const requested: string[] = []
  page.on('request', request => requested.push(new URL(request.url()).pathname))
  await page.goto(site.url, { waitUntil: 'networkidle' })
  // The mark in the header and the icon in the tab are one file.
  const kinds = [
    ...new Set(requested.map(path => path.replace(/(-\d+)?-[\w-]{8}\.(svg|webp)$/, '').replace(/-[\w-]{8}\./, '.'))),
  ].toSorted()
  // Of the pictures, only those near the first screen, and after it is painted.
  expect(kinds).toEqual([
    '/',
    '/assets/advocate',
    '/assets/atkinson-hyperlegible-next.woff2',
    '/assets/browser.js',
    '/assets/fraunces.woff2',
    '/assets/icon',
    '/assets/papers',
    '/assets/public-sans-zero.woff2',
    '/assets/seniors',
    '/assets/typefaces.js',
  ])
})

test('going back to a frozen page that was finished starts afresh', async ({ visitor, page }) => {
  // A redirect that leads nowhere leaves the finished page as a browser would have frozen it.
  const redirected = page.waitForRequest('**/decline')
  await page.route('**/decline', route => route.fulfill({ status: 204 }))
  await visitor.start()
  await visitor.answerAll([1])
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

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('the FAQ opens and the calls to action lead to the form', async ({ visitor, page }) => {
    await visitor.open('/')
    await page.getByText(first).click()
    await expect(page.locator('details[open]')).toHaveCount(1)
    await page.getByRole('button', { name: landing.howItWorks.cta }).click()
    await expect(visitor.panel).toBeInViewport()
  })
})

test('the phone number is never broken over two lines on /thank-you, at any width', async ({ visitor, page }) => {
  await visitor.open('/thank-you')
  for (let width = 320; width <= 480; width += 8) {
    await page.setViewportSize({ width, height: 844 })
    const broken = await page.evaluate(number => {
      const found: string[] = []
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      while (texts.nextNode()) {
        const node = texts.currentNode
        const at = node.textContent?.indexOf(number) ?? -1
        if (at < 0) continue
        const range = new Range()
        range.setStart(node, at)
        range.setEnd(node, at + number.length)
        if (range.getClientRects().length > 1) found.push(node.parentElement?.outerHTML ?? '')
      }
      return found
    }, organization.phone)
    expect(broken, `${width} px`).toEqual([])
  }
})
