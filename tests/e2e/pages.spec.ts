/** Each page as visitors see it. The text is checked in tests/specification/. */

import type { Page } from '@playwright/test'
import { telHref } from '../../domain/contact/phone.ts'
import { STOP_PATH } from '../../domain/do-not-call/stop.ts'
import { pathInLanguage } from '../../domain/languages.ts'
import { data } from '../../site-folder/data.ts'
import { footerLinksIn } from '../../site-folder/legal.ts'
import { legalPages, organization, publishedOn, words } from '../../site-folder/site.ts'
import {
  advertorial,
  callsToAction,
  faqQuestions,
  inEachLanguage,
  landing,
  testimonials,
  thankYou,
} from '../support/content.ts'
import { FILLED_IN } from '../support/filled-in.ts'
import {
  brokenWords,
  expectAccessible,
  expectAllInAccessibilityTree,
  expectNothingCutOff,
  expectNoViolations,
  inTightConditions,
} from './page-checks.ts'
import { expect, NOT_FOUND, test } from './visitor.ts'

const { notFound, questionnaire } = words.en

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

async function expectOneOpenAnswer(page: Page, [firstItem, secondItem]: readonly string[]) {
  if (firstItem === undefined || secondItem === undefined) return
  const open = page.locator('details[open]')
  await page.getByText(firstItem).click()
  await expect(open).toHaveCount(1)
  await page.getByText(secondItem).click()
  await expect(open).toHaveCount(1)
  await expect(open).toContainText(secondItem)
  await page.getByText(secondItem).click()
  await expect(open).toHaveCount(0)
}

test.describe('every page', () => {
  // bypassCSP allows extra styles, such as a visitor's own; reduced motion keeps axe from checking colors mid-animation.
  test.use({ bypassCSP: true, contextOptions: { reducedMotion: 'reduce' } })

  for (const path of inEachLanguage('/', '/advertorial', '/thank-you', '/decline', '/stop', '/no/such/page')) {
    const language = path.startsWith('/es/') ? 'es' : 'en'
    const { header, footer, links: linkWords } = words[language]
    const isHome = path === pathInLanguage(language, '/')
    test(`${path}: header, footer, targets, pictures, tight conditions, and accessibility`, async ({
      visitor,
      page,
      watched,
    }) => {
      watched.allow(NOT_FOUND)
      await visitor.open(path)
      await expectAllInAccessibilityTree(page)
      const banner = page.getByRole('banner')
      const call = banner.getByRole('link', { name: `${header.callLabel} ${organization.phone}` })
      await expect(banner.getByRole('link', { name: header.homeLabel })).toHaveAttribute(
        'href',
        pathInLanguage(language, '/'),
      )
      await expect(call).toHaveAttribute('href', telHref(organization.phone))
      // On small screens, the label is for screen readers only.
      const labelWidth = async () => (await call.getByText(header.callLabel).boundingBox())?.width
      expect(await labelWidth()).toBeLessThanOrEqual(1)
      const links = footerLinksIn(
        language,
        linkWords,
        data,
        path.endsWith('/advertorial') ? linkWords.termsOfService : linkWords.terms,
      )
      const shown = page.getByRole('contentinfo').locator('nav a')
      await expect(shown).toHaveText(links.map(({ text }) => text))
      const hrefs = await shown.evaluateAll(all => all.map(link => link.getAttribute('href')))
      expect(hrefs).toEqual(links.map(({ href }) => href))

      const small = await page.evaluate(() =>
        [...document.querySelectorAll('a[href],button,summary,input:not([type=hidden])')]
          .filter(element => !element.closest('.sr-only') && element.checkVisibility())
          .map(element => [element.textContent, element.getBoundingClientRect().height] as const)
          .filter(([, height]) => height < 48),
      )
      expect(small, 'targets less than 48 px tall').toEqual([])
      const cropped = await page.locator('main img').evaluateAll(images =>
        images
          .filter(image => {
            const { width, height } = image.getBoundingClientRect()
            const ratio = Number(image.getAttribute('width')) / Number(image.getAttribute('height'))
            return getComputedStyle(image).objectFit !== 'fill' || !(Math.abs((ratio * height) / width - 1) <= 0.01)
          })
          .map(image => image.outerHTML),
      )
      expect(cropped, 'pictures that are cropped or shift the page when they load').toEqual([])

      const badges = page.getByRole('list', { name: footer.badgesLabel }).locator('li:has(span)')
      const isBeside = await badges.evaluateAll(all =>
        all.map(badge => {
          const [icon, text] = Array.from(badge.children, each => each.getBoundingClientRect())
          return icon !== undefined && text !== undefined && icon.right < text.left && icon.top < text.bottom
        }),
      )
      expect(isBeside, 'badges with their text beside the icon').not.toContain(false)

      const [answer] = isHome ? await page.locator('summary').all() : []
      await answer?.click()
      await expectAccessible(page, path)
      expect(await labelWidth()).toBeGreaterThan(40)
      await inTightConditions(page, async condition => {
        await expectNothingCutOff(page, condition)
        if (condition === '200% text on a phone')
          expect((await banner.boundingBox())?.height, condition).toBeLessThan(180)
        if (isHome || path.endsWith('/thank-you'))
          expect(await brokenWords(page.getByRole('heading', { level: 1 }), /[^\s-]+/), condition).toEqual([])
      })
    })
  }
})

test('landing: what fits on the first screen, section order, stars, calls to action, FAQ, and print', async ({
  visitor,
  page,
}) => {
  await visitor.open('/')
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 1280, height: 800 },
  ]) {
    await page.setViewportSize(viewport)
    const answers = [questionnaire.yes, questionnaire.no].map(name => visitor.button(name))
    for (const part of [page.getByRole('heading', { level: 1 }), visitor.question(1), ...answers])
      await expect(part).toBeInViewport({ ratio: 1 })
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
  if (testimonials.length > 0) await expect(page.locator('#social-proof')).toBeInViewport({ ratio: 1 })
  await page.setViewportSize({ width: 390, height: 844 })

  const sections = {
    header: true,
    '#qualification-form': true,
    '#social-proof': testimonials.length > 0,
    '#who-qualifies': landing.whoQualifies,
    '#how-it-works': landing.howItWorks,
    '#pain-points': landing.painPoints,
    '#urgency': landing.urgency,
    '#faq': landing.faq,
    '#legal-disclaimer': true,
    footer: true,
  }
  const order = Object.entries(sections).flatMap(([selector, isShown]) => (isShown ? selector : []))
  const tops = await page.evaluate(
    selectors =>
      selectors.map(
        selector => (document.querySelector(selector)?.getBoundingClientRect().top ?? Number.NaN) + scrollY,
      ),
    order,
  )
  // A missing section's position is NaN, so this comparison fails.
  for (const [index, top] of tops.entries()) expect(top, order[index]).toBeGreaterThan(tops[index - 1] ?? -1)
  const { heading = '', sampleHeading = '', starsLabel = null } = landing.socialProof ?? {}
  const areSamples = testimonials.every(({ sample }) => sample)
  const stars = page
    .getByRole('region', { name: areSamples ? sampleHeading : heading })
    .getByRole('img', { name: starsLabel ?? '' })
  if (starsLabel !== null) await expect(stars).toHaveCount(testimonials.length)
  for (const name of callsToAction) {
    await page.getByRole('button', { name }).first().click()
    await expect(visitor.panel).toBeFocused()
    await expect(visitor.button(questionnaire.yes)).toBeInViewport()
  }
  await expectOneOpenAnswer(page, faqQuestions)
  await expectPrintable(page)
})

if (faqQuestions.length > 1)
  test('landing: one FAQ item is open at a time in browsers without exclusive <details>', async ({ visitor, page }) => {
    await page.addInitScript(() => {
      Reflect.deleteProperty(HTMLDetailsElement.prototype, 'name')
      addEventListener('DOMContentLoaded', () => {
        for (const details of document.querySelectorAll('details')) details.removeAttribute('name')
      })
    })
    await visitor.open('/')
    await expectOneOpenAnswer(page, faqQuestions)
  })

test('advertorial: the label shows without scrolling, the date is today’s unless it’s fixed, and the button leads to the questions', async ({
  visitor,
  page,
}) => {
  await page.clock.install({ time: new Date('2027-03-04T18:00:00Z') })
  await visitor.open('/advertorial')
  await expect(page.getByText(advertorial.sponsoredLabel, { exact: true })).toBeInViewport()
  const date = page.getByText(advertorial.byline).locator('time')
  if (publishedOn === null) await expect(date).toHaveText('March 4, 2027')
  else await expect(date).toHaveAttribute('datetime', publishedOn)
  if (advertorial.illustration)
    await expect(page.getByRole('img', { name: organization.pictures.seniors.alt.en })).toBeVisible()
  await page.getByRole('button', { name: advertorial.earlyCta }).click()
  await expect(visitor.panel).toBeFocused()
  await expect(visitor.button(questionnaire.yes)).toBeInViewport()
})

test('thank-you and decline print without buttons, thank-you fits on one sheet, and phone numbers never wrap', async ({
  visitor,
  page,
}) => {
  await visitor.open('/decline')
  await expectPrintable(page)
  await page.emulateMedia({ media: 'screen' })
  await visitor.open('/thank-you')
  for (let width = 320; width <= 480; width += 8) {
    await page.setViewportSize({ width, height: 844 })
    expect(await brokenWords(page.locator('body'), new RegExp(organization.phone)), `${width} px`).toEqual([])
  }
  await expectPrintable(page)
  // 12 points, like a letter.
  const kept = thankYou.keep.items.find(item => item !== null)
  if (kept) await expect(page.getByText(kept.title)).toHaveCSS('font-size', '16px')
  await expect(page.getByRole('heading', { name: thankYou.nextHeading })).toBeVisible()
  await expect(page.locator('main img').first()).toBeHidden()
  for (const path of inEachLanguage('/thank-you')) {
    await visitor.open(path)
    const pdf = await page.pdf({ format: 'Letter' })
    expect(pdf.toString('latin1').match(/\/Type\s*\/Page\b/g)?.length, path).toBe(1)
  }
})

test('an unknown path gets a 404 page that fills a tall screen and links home; the console shows the path without its query', async ({
  visitor,
  page,
  watched,
}) => {
  watched.allow(NOT_FOUND)
  await page.setViewportSize({ width: 1920, height: 1200 })
  const response = await page.goto(`${visitor.site.url}/no/such/page?utm_source=tv`)
  expect(response?.status()).toBe(404)
  await expect(page.getByRole('heading', { name: notFound.heading })).toBeVisible()
  expect(watched.seen.filter(text => text.startsWith(notFound.consoleNote))).toEqual([
    `${notFound.consoleNote} /no/such/page`,
  ])
  const below = await page.locator('footer').evaluate(footer => innerHeight - footer.getBoundingClientRect().bottom)
  expect(below, 'space below the footer').toBeLessThanOrEqual(0)
  await page.getByRole('link', { name: notFound.home }).click()
  await expect(page).toHaveURL(`${visitor.site.url}/?utm_source=tv`)
  await expect(visitor.question(1)).toBeVisible()
})

test.describe('an operator’s own site', () => {
  test.use({ built: `${FILLED_IN}/built`, bypassCSP: true, viewport: { width: 320, height: 640 } })
  test('has its host on paper, and legal pages that fit on a narrow phone', async ({ page, site }) => {
    const publicUrl = (path: string | null) => `https://www.harborlight.test${path}`
    await page.goto(site.url)
    const hrefs = await page.locator('footer nav a').evaluateAll(links => links.map(link => link.getAttribute('href')))
    expect(hrefs).toEqual(Object.values(legalPages.en).map(({ path }) => path))
    const preview = (await page.locator('meta[property="og:image"]').getAttribute('content')) ?? ''
    expect(preview).toBe(publicUrl(new URL(preview).pathname))
    const image = await page.request.get(site.url + new URL(preview).pathname)
    expect(image.headers()['content-type']).toBe('image/png')
    for (const href of hrefs) {
      const response = await page.goto(site.url + href)
      expect(response?.status(), `${href}`).toBe(200)
      expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(publicUrl(href))
      await expectNoViolations(page)
      expect(await page.evaluate(() => document.documentElement.scrollWidth), `${href}`).toBeLessThanOrEqual(320)
      for (const width of [344, 368, 392, 416, 320]) {
        await page.setViewportSize({ width, height: 640 })
        expect(await brokenWords(page.locator('main'), /833-555-0142/), `${href} at ${width} px`).toEqual([])
      }
    }
    await page.emulateMedia({ media: 'print' })
    await page.goto(`${site.url}/thank-you`)
    const printed = page.locator(`dd a[href="${STOP_PATH}"]`)
    expect(await printed.evaluate(link => getComputedStyle(link, '::after').content)).toContain('www.harborlight.test')
  })
})
