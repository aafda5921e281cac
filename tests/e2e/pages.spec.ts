/** Each page as a visitor finds it: words, order, motion, fonts, print, and the keyboard. */
import type { Page } from '@playwright/test'
import sharp from 'sharp'
import { advertorial } from '../../content/advertorial.ts'
import { decline } from '../../content/decline.ts'
import { notFound } from '../../content/errors.ts'
import { landing } from '../../content/landing.ts'
import { organization } from '../../content/organization.ts'
import { contactForm } from '../../content/panel/contact-form.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { header } from '../../content/shared.ts'
import { testimonials } from '../../content/testimonials.ts'
import { thankYou } from '../../content/thank-you.ts'
import { delays } from '../../domain/delays.ts'
import { telHref } from '../../domain/phone.ts'
import { editedFiles } from '../specification/delivered-content.ts'
import { asked } from '../support/answers.ts'
import { expect, margaret, NOT_FOUND, test } from './visitor.ts'

const PHONE = telHref(organization.phone)
const [first, second] = landing.faq.items.map(({ question }) => question) as [string, string]

async function expectPrintable(page: Page) {
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
}

async function expectOneOpenAnswer(page: Page) {
  const open = page.locator('details[open]')
  await page.getByText(first).click()
  await expect(open).toHaveCount(1)
  await page.getByText(second).click()
  await expect(open).toHaveCount(1)
  await expect(open).toContainText(second)
  await page.getByText(second).click()
  await expect(open).toHaveCount(0)
}

test('landing: sections in the specified order, stars, calls to action, FAQ, print', async ({ visitor, page }) => {
  await visitor.open('/')
  const order = [
    ...['header', '#qualification-form', '#social-proof', '#who-qualifies', '#how-it-works'],
    ...['#pain-points', '#urgency', '#faq', '#legal-disclaimer', 'footer'],
  ]
  const tops = await page.evaluate(
    selectors =>
      selectors.map(
        selector => (document.querySelector(selector)?.getBoundingClientRect().top ?? Number.NaN) + scrollY,
      ),
    order,
  )
  // A missing section is NaN, which is greater than nothing.
  for (const [index, top] of tops.entries()) expect(top, order[index]).toBeGreaterThan(tops[index - 1] ?? -1)
  const socialProof = page.getByRole('region', { name: landing.socialProof.heading })
  await expect(socialProof.getByRole('img', { name: landing.socialProof.starsLabel })).toHaveCount(testimonials.length)
  for (const name of [landing.painPoints.cta, landing.howItWorks.cta, landing.urgency.cta]) {
    await page.getByRole('button', { name }).first().click()
    await expect(visitor.panel).toBeFocused()
    await expect(visitor.button(questionnaire.yes)).toBeInViewport()
  }
  await expectOneOpenAnswer(page)
  await expectPrintable(page)
})

test('landing: one FAQ item is open at a time in browsers without exclusive <details>', async ({ visitor, page }) => {
  await page.addInitScript(() => {
    Reflect.deleteProperty(HTMLDetailsElement.prototype, 'name')
    addEventListener('DOMContentLoaded', () => {
      for (const details of document.querySelectorAll('details')) details.removeAttribute('name')
    })
  })
  await visitor.open('/')
  await expectOneOpenAnswer(page)
})

test('landing: headline, first question and both buttons fit on the first screen', async ({ visitor, page }) => {
  await visitor.open('/')
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport)
    await expect(page.getByRole('heading', { level: 1 })).toBeInViewport({ ratio: 1 })
    await expect(visitor.question(1)).toBeInViewport({ ratio: 1 })
    for (const name of [questionnaire.yes, questionnaire.no]) {
      await expect(visitor.button(name)).toBeInViewport({ ratio: 1 })
    }
    const [yes, no] = await page.locator('[data-answer]').evaluateAll(buttons =>
      buttons.map(button => {
        const { y, width, height } = button.getBoundingClientRect()
        return { y, width, height }
      }),
    )
    expect(yes?.height).toBeGreaterThanOrEqual(60)
    expect(yes).toEqual(no)
  }
  await page.setViewportSize({ width: 1920, height: 1080 })
  await expect(page.getByRole('heading', { name: landing.socialProof.heading })).toBeInViewport({ ratio: 1 })
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

test('thank-you: badge, call button, steps, reminder; prints on one page', async ({ visitor, page }) => {
  await visitor.open('/thank-you')
  await expect(page.getByText(thankYou.badge, { exact: true })).toBeVisible()
  await expect(page.getByRole('link', { name: thankYou.callLabel })).toHaveAttribute('href', PHONE)
  await expect(page.getByRole('heading', { name: thankYou.nextHeading })).toBeVisible()
  await expect(page.locator('ol h3')).toHaveText(thankYou.steps.map(({ title }) => title))
  await expect(page.locator('main').getByText(thankYou.reminder)).toBeVisible()
  for (let width = 320; width <= 480; width += 8) {
    await page.setViewportSize({ width, height: 844 })
    const broken = await page.evaluate(number => {
      const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
      const found: string[] = []
      for (let node = texts.nextNode(); node; node = texts.nextNode()) {
        const at = node.textContent?.indexOf(number) ?? -1
        const range = new Range()
        if (at < 0) continue
        range.setStart(node, at)
        range.setEnd(node, at + number.length)
        if (range.getClientRects().length > 1) found.push(node.parentElement?.outerHTML ?? '')
      }
      return found
    }, organization.phone)
    expect(broken, `a phone number on two lines at ${width} px`).toEqual([])
  }
  await expectPrintable(page)
  // 12 points, like a letter.
  await expect(page.getByText(thankYou.keep.items[0]?.title ?? '')).toHaveCSS('font-size', '16px')
  await expect(page.getByRole('heading', { name: thankYou.nextHeading })).toBeVisible()
  await expect(page.locator('main img').first()).toBeHidden()
  const pdf = await page.pdf({ format: 'Letter' })
  // With hours filled in, or longer words, it may take a second page.
  const atMost = editedFiles().length === 0 ? 1 : 2
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(atMost)
})

test('decline: the alternatives, where the Medicaid button leads, print', async ({ visitor, page }) => {
  await visitor.open('/decline')
  await expect(page.locator('main li h3')).toHaveText(decline.programs.map(({ title }) => title))
  const { text, href } = decline.programs[0].link
  await expect(page.getByRole('link', { name: text })).toHaveAttribute('href', href)
  await expect(page.locator('main').getByRole('link', { name: decline.call.label })).toHaveAttribute('href', PHONE)
  await expectPrintable(page)
})

test('an unknown path is a 404 with a link home, and the console names it without its query', async ({
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

test('pages tell search engines what they are, and which to leave out', async ({ visitor, page }) => {
  const titles = new Set<string>()
  for (const [path, indexed] of [
    ['/advertorial', true],
    ['/thank-you', false],
    ['/decline', false],
    ['/', true],
  ] as const) {
    await visitor.open(path)
    titles.add(await page.title())
    expect((await page.locator('meta[name=description]').getAttribute('content'))?.length).toBeGreaterThan(40)
    expect(await page.locator('meta[name=robots][content=noindex]').count()).toBe(indexed ? 0 : 1)
    // Without SITE_URL there is no address to publish.
    expect(await page.locator('link[rel=canonical], meta[property="og:url"]').count()).toBe(0)
  }
  expect(titles.size).toBe(4)
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
  const kindOf = (path: string) => path.replace(/(-\d+)?-[\w-]{8}\.(svg|webp)$/, '').replace(/-[\w-]{8}\./, '.')
  // The papers load lazily: the browser decides how far below the screen.
  const kinds = () => [...new Set(requested.map(kindOf))].filter(kind => kind !== '/assets/papers').toSorted()
  await expect
    .poll(kinds)
    .toEqual([
      '/',
      '/assets/advocate',
      '/assets/atkinson-hyperlegible-next.woff2',
      '/assets/browser.js',
      '/assets/fraunces.woff2',
      '/assets/icon',
      '/assets/public-sans-zero.woff2',
      '/assets/seniors',
      '/assets/typefaces.js',
    ])
})

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

  // Accented letters come in the same face, fetched only now.
  await page.evaluate(() => document.querySelector('h1')?.append(' Añejo, Renée, Ørsted'))
  await expect.poll(() => fetched.filter(url => url.endsWith('.woff2')).length).toBe(4)
  await expect.poll(() => fontsOf(page, 'h1')).toBe('Fraunces')

  fetched.length = 0
  await page.evaluate(() => location.assign('/thank-you'))
  await page.waitForURL('**/thank-you')
  await expect(page.locator('style[media]')).toHaveAttribute('media', 'all')
  await expect.poll(() => fontsOf(page, 'h1')).toBe('Fraunces')
  await expect.poll(() => fontsOf(page, 'main p')).toBe('Atkinson Hyperlegible Next')
  // By the page's own style, not by the script that brings them on a first visit.
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
        // By script, since shifts right after a person's press are not counted. One wrong answer leads to the loading view.
        const answer = requiredAnswer === number > 1 ? 'yes' : 'no'
        await page.locator(`[data-answer=${answer}]`).dispatchEvent('click')
        await page.clock.runFor(delays.answerLock)
      }
      await expect(visitor.panel.getByText(questionnaire.loading)).toBeVisible()
      expect((await seen()).filter(each => each.startsWith('shift'))).toEqual([])
    })
  })
}

test('a question slides in within 200 ms, and nothing moves with reduced motion', async ({ visitor, page }) => {
  const scrolling = () => page.evaluate(() => getComputedStyle(document.documentElement).scrollBehavior)
  await visitor.start()
  await visitor.answerAll({ to: 1 })
  await expect(visitor.question(2)).toHaveCSS('animation-duration', '0.2s')
  expect(await scrolling()).toBe('smooth')
  // The pointer rests where the next Yes appears, which must not look chosen.
  const [yes, no] = [visitor.button(questionnaire.yes), visitor.button(questionnaire.no)]
  expect(await yes.evaluate(button => button.matches(':hover'))).toBe(true)
  await expect(no).toHaveCSS('background-color', await yes.evaluate(button => getComputedStyle(button).backgroundColor))
  await expect(yes.locator('svg')).toBeHidden()

  await page.emulateMedia({ reducedMotion: 'reduce' })
  await visitor.answerAll({ from: 2, to: 2 })
  expect(await page.evaluate(() => document.getAnimations().length)).toBe(0)
  expect(await scrolling()).toBe('auto')
})

test('with forced colors, a pressed answer has an outline and the progress bar is visible', async ({
  visitor,
  page,
}) => {
  await page.emulateMedia({ forcedColors: 'active' })
  await visitor.start()
  await visitor.stopTime()
  await visitor.answer(true)
  await expect(visitor.button(questionnaire.yes)).toHaveCSS('outline-style', 'solid')
  await expect(visitor.button(questionnaire.no)).toHaveCSS('outline-style', 'none')
  const { data, info } = await sharp(await visitor.panel.locator('progress').screenshot())
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  // Along its middle: the seventh that is done, and the rest.
  const colorAt = (share: number) => {
    const at = 3 * (Math.floor(info.height / 2) * info.width + Math.floor(info.width * share))
    return [...data.subarray(at, at + 3)].join()
  }
  expect(colorAt(0.1)).not.toBe(colorAt(0.5))
  expect(colorAt(0.5)).toBe(colorAt(0.9))
})

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
  for (const { number, requiredAnswer } of asked) {
    // After each answer the new question has focus; Yes is one stop further, No two.
    if (number > 1) {
      await expect(visitor.question(number)).toBeFocused()
      await press('Tab')
    }
    if (!requiredAnswer) await press('Tab')
    await press(number % 2 ? 'Enter' : 'Space')
    await page.clock.runFor(delays.answerLock)
  }
  await expect(visitor.panel.getByRole('heading', { name: contactForm.heading })).toBeFocused()
  for (const text of [margaret.firstName, 'Smith', '04', '12', '1966', margaret.email, '5552345678']) {
    await press('Tab')
    await page.keyboard.type(text)
  }
  await press('Tab')
  await expect(visitor.submitButton).toBeFocused()
  await press('Enter')
  await expect.poll(() => site.receiver.leads[0]?.query).toEqual({ ...margaret, lastName: 'Smith' })
  await visitor.leftFor('/thank-you')
})

test('on the landing page, focus is never under the sticky header, and calls to action answer to both keys', async ({
  visitor,
  page,
}) => {
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
      // Once smooth scrolling has ended.
      await expect.poll(hidden).toBeNull()
    }
  }
  for (const key of ['Enter', 'Space']) {
    await page.getByRole('button', { name: landing.howItWorks.cta }).focus()
    await visitor.scrolled()
    await page.keyboard.press(key)
    await expect(visitor.panel).toBeFocused()
    await expect(visitor.question(1)).toBeInViewport()
  }
})

test('a screen reader hears where it is and what is asked, once', async ({ visitor, page }) => {
  await visitor.start()
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
    visitor.panel.getByRole('group', { name: questionnaire.place(2, asked.length) }).getByRole('button'),
  ).toHaveCount(2)
})
