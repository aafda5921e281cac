/** Every page as a visitor finds it: its words, its order, its links, and what it tells search engines. */
import { delays } from '../../domain/delays.ts'
import { expect, NOT_FOUND, test } from './visitor.ts'

const PHONE = 'tel:+18332432965'

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

test('landing: the copy that the specification names', async ({ visitor, page }) => {
  await visitor.open('/')
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Up to $4,018/Month')
  const main = page.locator('body')
  for (const text of [
    'Only 23 Spots Remaining This Month',
    'Free Evaluation',
    'Expert Matching',
    'Application Support',
    'Medical bills',
    'A confusing process',
    'The physical and emotional toll',
    'at least 12 months, or to result in death',
    '5 of the last 10 years',
    'under full retirement age',
    'about 70% of initial applications are denied',
    '25% of your back benefits, up to a maximum of $7,200',
    'no upfront fees',
    'contingency basis',
    'Initial decisions typically take 3-5 months',
    'not a law firm',
    'HIPAA-protected',
    '833-243-2965',
    'not affiliated with, endorsed by or part of the Social Security Administration or any government agency',
    'It is not legal advice',
    'No Fees Unless You Win',
    '100% Secure & HIPAA Compliant',
    'Rated by Thousands',
    '100% confidential',
    'No fees unless your claim is won',
  ]) {
    await expect(main, text).toContainText(text)
  }
  const socialProof = page.getByRole('region', { name: "People we've helped" })
  await expect(socialProof.getByRole('img', { name: '5 out of 5 stars' })).toHaveCount(3)
})

test('landing: the three calls to action lead to the form', async ({ visitor, page }) => {
  await visitor.open('/')
  for (const name of ['File My Claim Now', 'Get Started Now', 'Secure Your Spot Now']) {
    await page.getByRole('button', { name }).first().click()
    await expect(visitor.panel).toBeFocused()
    await expect(visitor.button('Yes')).toBeInViewport()
  }
})

test('landing: one FAQ item is open at a time, and it can be closed', async ({ visitor, page }) => {
  await visitor.open('/')
  const open = page.locator('details[open]')
  await page.getByText('What does your help cost?').click()
  await expect(open).toHaveCount(1)
  await page.getByText('How long does a decision take?').click()
  await expect(open).toHaveCount(1)
  await expect(open).toContainText('3-5 months')
  await page.getByText('How long does a decision take?').click()
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
  await page.getByText('What does your help cost?').click()
  await page.getByText('How long does a decision take?').click()
  await expect(open).toHaveCount(1)
  await expect(open).toContainText('How long does a decision take?')
  await page.getByText('How long does a decision take?').click()
  await expect(open).toHaveCount(0)
})

test('advertorial: label, byline, today’s date and all its parts, in order', async ({ visitor, page }) => {
  await page.clock.install({ time: new Date('2027-03-04T18:00:00Z') })
  await visitor.open('/advertorial')
  await expect(page.getByText('Sponsored content', { exact: true })).toBeInViewport()
  await expect(page.getByText('By SSDI Advocate Staff')).toContainText('March 4, 2027')
  await expect(page.getByRole('img', { name: 'Two older people' })).toBeVisible()
  await expect(page.getByRole('heading', { level: 2 })).toHaveText([
    'Before you read on',
    'Why Your Age Is An Advantage',
    'What SSDI Provides:',
    "Don't Wait – Timing Is Critical",
    'Check Your Eligibility Now',
    'Check If You Qualify for SSDI Benefits',
  ])
  for (const text of [
    'Monthly payments',
    'Medicare',
    'after 24 months',
    'Retirement protection',
    'Back pay',
    'Dependents support',
    '$1,483',
    'over 65% of initial applications are denied',
    '2-minute',
    'Benefit amounts vary with work history and current regulations',
  ]) {
    await expect(page.locator('body')).toContainText(text)
  }
  await page.getByRole('button', { name: 'Check Your SSDI Eligibility Now' }).click()
  await expect(visitor.panel).toBeFocused()
  await expect(visitor.button('Yes')).toBeInViewport()
})

test('thank-you: badge, headline, call button, three steps and the reminder', async ({ visitor, page }) => {
  await visitor.open('/thank-you')
  await expect(page.getByText('Pre-Qualified', { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: 'Call 833-243-2965' })).toHaveAttribute('href', PHONE)
  await expect(page.getByRole('heading', { name: 'What Happens Next?' })).toBeVisible()
  await expect(page.locator('ol h3')).toHaveText(['Initial Consultation', 'Document Collection', 'Application Filing'])
  await expect(page.locator('main').getByText('No Fees Unless You Win')).toBeVisible()
})

test('thank-you prints on one page, at full size', async ({ visitor, page }) => {
  await visitor.open('/thank-you')
  await page.emulateMedia({ media: 'print' })
  // Twelve points, as a letter has.
  await expect(page.getByText('Who will call')).toHaveCSS('font-size', '16px')
  await expect(page.getByRole('heading', { name: 'What Happens Next?' })).toBeVisible()
  await expect(page.locator('main img').first()).toBeHidden()
  const pdf = await page.pdf({ format: 'Letter' })
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)).toHaveLength(1)
})

test('decline: the alternatives, and where the Medicaid button leads', async ({ visitor, page }) => {
  await visitor.open('/decline')
  await expect(page.locator('main li h3')).toHaveText(['Medicaid', 'Medicare', 'Supplemental Security Income'])
  await expect(page.getByRole('link', { name: 'Check Medicaid Eligibility' })).toHaveAttribute(
    'href',
    /^https:\/\/www\.healthcare\.gov\/medicaid-chip\//,
  )
  await expect(page.locator('main').getByRole('link', { name: 'Call 833-243-2965' })).toHaveAttribute('href', PHONE)
})

test('an unknown path is a 404 with the way home, and the path in the console without its query', async ({
  visitor,
  page,
  watched,
}) => {
  const response = await page.goto(`${visitor.site.url}/no/such/page?email=x@example.org`)
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: '404' })).toBeVisible()
  await expect(page.getByText('Oops! Page not found')).toBeVisible()
  expect(watched.consoleMessages.filter(text => text.startsWith('Page not found:'))).toEqual([
    'Page not found: /no/such/page',
  ])
  watched.allow({ console: NOT_FOUND })
  await page.getByRole('link', { name: 'Return to Home' }).click()
  await expect(visitor.question(1)).toBeVisible()
})

test('every page has the header, the footer and its five links without a destination', async ({
  visitor,
  page,
  watched,
}) => {
  for (const path of ['/', '/advertorial', '/thank-you', '/decline', '/no/such/page']) {
    await visitor.open(path)
    await expect(page.getByRole('banner').getByRole('link', { name: 'SSDI Advocate, home' })).toHaveAttribute(
      'href',
      '/',
    )
    await expect(page.getByRole('banner').getByRole('link', { name: 'Call Now 833-243-2965' })).toHaveAttribute(
      'href',
      PHONE,
    )
    await expect(page.getByRole('contentinfo').locator('nav a')).toHaveText([
      'Privacy Policy',
      path === '/advertorial' ? 'Terms of Service' : 'Terms of Use',
      'HIPAA Notice',
      'Contact Us',
      'Help',
    ])
    expect(await page.locator('footer nav a[href]').count()).toBe(0)
  }
  watched.allow({ console: NOT_FOUND })
})

test('the Call Now label is hidden on small screens, the number is not', async ({ visitor, page }) => {
  await visitor.open('/')
  const call = page.getByRole('banner').getByRole('link', { name: 'Call Now 833-243-2965' })
  expect((await call.getByText('Call Now').boundingBox())?.width).toBeLessThanOrEqual(1)
  await page.setViewportSize({ width: 1280, height: 800 })
  expect((await call.getByText('Call Now').boundingBox())?.width).toBeGreaterThan(40)
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
    if (indexed)
      expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(`http://127.0.0.1:3000${path}`)
    const preview = await page.locator('meta[property="og:image"]').getAttribute('content')
    const image = await page.request.get(visitor.site.url + new URL(preview ?? '').pathname)
    expect(image.headers()['content-type']).toBe('image/png')
  }
  expect(titles.size).toBe(4)
  await visitor.open('/')
  const data = (await page.locator('script[type="application/ld+json"]').allTextContents()).map(text =>
    JSON.parse(text),
  )
  expect(data.map(item => item['@type'])).toEqual(['Organization'])
  const sitemap = await (await page.request.get(`${visitor.site.url}/sitemap.xml`)).text()
  expect(sitemap.match(/<loc>/g)).toHaveLength(2)
  expect(await (await page.request.get(`${visitor.site.url}/robots.txt`)).text()).toContain('/sitemap.xml')
  const manifest = await (await page.request.get(`${visitor.site.url}/site.webmanifest`)).json()
  for (const { src } of manifest.icons) expect((await page.request.get(visitor.site.url + src)).ok()).toBe(true)
})

test('on load, the landing page asks for its own files and nothing else', async ({ page, site }) => {
  const requested: string[] = []
  page.on('request', request => requested.push(new URL(request.url()).pathname))
  await page.goto(site.url, { waitUntil: 'networkidle' })
  // The mark in the header and the icon in the tab are one file.
  const kinds = [...new Set(requested.map(path => path.replace(/-[\w-]{8}\./, '.')))].toSorted()
  // Of the pictures, only those near the first screen, and after it is painted.
  expect(kinds).toEqual([
    '/',
    '/assets/advocate.svg',
    '/assets/atkinson-hyperlegible-next.woff2',
    '/assets/browser.js',
    '/assets/fraunces.woff2',
    '/assets/icon.svg',
    '/assets/papers.svg',
    '/assets/public-sans-zero.woff2',
    '/assets/seniors.svg',
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
  await expect(visitor.panel.getByText('Matching you')).toBeVisible()
  const loaded = page.waitForEvent('domcontentloaded')
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true })))
  await loaded
  await visitor.ready()
  await expect(visitor.question(1)).toBeVisible()
  await expect(visitor.panel.getByText('Matching you')).toBeHidden()
})

test.describe('without JavaScript', () => {
  test.use({ javaScriptEnabled: false })
  test('the FAQ opens and the calls to action lead to the form', async ({ visitor, page }) => {
    await visitor.open('/')
    await page.getByText('What does your help cost?').click()
    await expect(page.locator('details[open]')).toHaveCount(1)
    await page.getByRole('button', { name: 'Get Started Now' }).click()
    await expect(visitor.panel).toBeInViewport()
  })
})
