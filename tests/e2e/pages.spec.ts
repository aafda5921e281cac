/** Each page as a visitor finds it. Its text is checked in tests/specification/. */
import type { Page } from '@playwright/test'
import { advertorial } from '../../content/advertorial.ts'
import { notFound } from '../../content/errors.ts'
import { landing } from '../../content/landing.ts'
import { organization } from '../../content/organization.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { testimonials } from '../../content/testimonials.ts'
import { thankYou } from '../../content/thank-you.ts'
import { editedFiles } from '../specification/delivered-content.ts'
import { brokenWords, expect, NOT_FOUND, test } from './visitor.ts'

const [firstItem, secondItem] = landing.faq.items.map(({ question }) => question) as [string, string]

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
  await page.getByText(firstItem).click()
  await expect(open).toHaveCount(1)
  await page.getByText(secondItem).click()
  await expect(open).toHaveCount(1)
  await expect(open).toContainText(secondItem)
  await page.getByText(secondItem).click()
  await expect(open).toHaveCount(0)
}

test('landing: the specified order of sections, stars, calls to action, FAQ, print', async ({ visitor, page }) => {
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

test('landing: the headline, the first question, and both buttons fit on the first screen', async ({
  visitor,
  page,
}) => {
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

test('advertorial: the label is visible at once, the date is today’s, and the button leads to the questions', async ({
  visitor,
  page,
}) => {
  await page.clock.install({ time: new Date('2027-03-04T18:00:00Z') })
  await visitor.open('/advertorial')
  await expect(page.getByText(advertorial.sponsoredLabel, { exact: true })).toBeInViewport()
  await expect(page.getByText(advertorial.byline)).toContainText('March 4, 2027')
  await expect(page.getByRole('img', { name: advertorial.illustration.alt })).toBeVisible()
  await page.getByRole('button', { name: advertorial.earlyCta }).click()
  await expect(visitor.panel).toBeFocused()
  await expect(visitor.button(questionnaire.yes)).toBeInViewport()
})

test('thank-you: phone numbers stay on one line, and the page prints on one sheet', async ({ visitor, page }) => {
  await visitor.open('/thank-you')
  for (let width = 320; width <= 480; width += 8) {
    await page.setViewportSize({ width, height: 844 })
    expect(await brokenWords(page.locator('body'), new RegExp(organization.phone)), `${width} px`).toEqual([])
  }
  await expectPrintable(page)
  // 12 points, like a letter.
  await expect(page.getByText(thankYou.keep.items[0]?.title ?? '')).toHaveCSS('font-size', '16px')
  await expect(page.getByRole('heading', { name: thankYou.nextHeading })).toBeVisible()
  await expect(page.locator('main img').first()).toBeHidden()
  const pdf = await page.pdf({ format: 'Letter' })
  // With hours or longer text, it may need a second sheet.
  const atMost = editedFiles().length === 0 ? 1 : 2
  expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length).toBeLessThanOrEqual(atMost)
})

test('decline: prints without buttons', async ({ visitor, page }) => {
  await visitor.open('/decline')
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

test('pages tell search engines what they are, and which to leave out', async ({ request, site }) => {
  const get = async (path: string) => (await request.get(site.url + path)).text()
  const titles = new Set<string | undefined>()
  for (const [path, isIndexed] of [
    ['/', true],
    ['/advertorial', true],
    ['/thank-you', false],
    ['/decline', false],
  ] as const) {
    const html = await get(path)
    titles.add(/<title>(.+?)<\/title>/.exec(html)?.[1])
    expect(html).toMatch(/<meta name="description" content="[^"]{40,}"/)
    expect(html.includes('content="noindex"'), path).toBe(!isIndexed)
    // Without SITE_URL there is no address to publish.
    expect(html).not.toMatch(/rel="canonical"|property="og:url"/)
    const [, data] = /<script type="application\/ld\+json">(.*?)<\/script>/.exec(html) ?? []
    expect(data && JSON.parse(data)['@type']).toBe(path === '/' || path === '/advertorial' ? 'Organization' : undefined)
  }
  expect(titles.size).toBe(4)
  expect((await request.get(`${site.url}/sitemap.xml`)).status()).toBe(404)
  expect(await get('/robots.txt')).not.toContain('Sitemap')
  const { icons } = JSON.parse(await get('/site.webmanifest'))
  for (const { src } of icons) expect((await request.get(site.url + src)).ok(), src).toBe(true)
})
