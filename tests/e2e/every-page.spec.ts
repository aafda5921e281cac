/** Every page and every state of the panel: links, target sizes, large text, and axe. */
import type { Page } from '@playwright/test'
import { legalPages } from '../../content/legal.ts'
import { advertorialFooterLinks, footerLinks } from '../../content/links.ts'
import { organization } from '../../content/organization.ts'
import { contactForm, toasts } from '../../content/panel/contact-form.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { header } from '../../content/shared.ts'
import { delays } from '../../domain/delays.ts'
import { telHref } from '../../domain/phone.ts'
import { asked } from '../support/answers.ts'
import { FILLED_IN } from '../support/filled-in.ts'
import { startSite } from '../support/site-server.ts'
import { expectNoViolations } from './axe.ts'
import { brokenWords, expect, FAILED_REQUEST, NOT_FOUND, test, testAt, type Visitor } from './visitor.ts'

// bypassCSP allows extra styles, such as a visitor's own; reduced motion keeps axe from judging colors during an animation.
test.use({ bypassCSP: true, contextOptions: { reducedMotion: 'reduce' } })

const PHONE = telHref(organization.phone)
const LARGE = 'html{font-size:200%}'
const SPACED =
  '*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important}p{margin-bottom:2em!important}'
const tightConditions = [
  { name: '320 px wide', viewport: { width: 320, height: 640 }, css: '' },
  { name: '200% text on a phone', viewport: { width: 390, height: 844 }, css: LARGE },
  { name: '200% text on a desktop', viewport: { width: 1280, height: 800 }, css: LARGE },
  { name: '200% text at 320 px', viewport: { width: 320, height: 640 }, css: LARGE },
  { name: 'text spacing of WCAG 1.4.12', viewport: { width: 360, height: 740 }, css: SPACED },
]

async function inTightConditions({ page }: Visitor, check: (condition: string) => Promise<void>) {
  for (const { name, viewport, css } of tightConditions) {
    await page.setViewportSize(viewport)
    const style = await page.addStyleTag({ content: `*{content-visibility:visible!important}${css}` })
    await check(name)
    await style.evaluate(element => (element as Element).remove())
  }
}

async function expectNothingCutOff(page: Page, about: string) {
  const problems = await page.evaluate(() => {
    const width = document.documentElement.clientWidth
    const found =
      document.documentElement.scrollWidth > width ? [`page is ${document.documentElement.scrollWidth} wide`] : []
    for (const element of document.querySelectorAll('h1,h2,h3,p,a,button,input,label,summary,li,dt,dd,span')) {
      const box = element.getBoundingClientRect()
      if (box.width === 0 || element.closest('.sr-only, [class*="sr-only"]')) continue
      if (box.right > width + 1 || box.left < -1) found.push(`outside: ${element.textContent?.slice(0, 40)}`)
      const { overflowX } = getComputedStyle(element)
      if (overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1 && element.tagName !== 'INPUT') {
        found.push(`cut off: ${element.textContent?.slice(0, 40)}`)
      }
    }
    return found
  })
  expect(problems, about).toEqual([])
}

/** On a phone and on a desktop, as the accessibility statement says. */
async function expectAccessible({ page }: Visitor, state: string, part?: string) {
  for (const viewport of [
    { width: 360, height: 740 },
    { width: 1280, height: 800 },
  ]) {
    await test.step(`${state} at ${viewport.width} px`, async () => {
      await page.setViewportSize(viewport)
      await expectNoViolations(page, part)
    })
  }
}

for (const path of ['/', '/advertorial', '/thank-you', '/decline', '/no/such/page']) {
  test(`${path}: header, footer, targets, pictures, tight conditions, and accessibility`, async ({
    visitor,
    page,
    watched,
  }) => {
    watched.allow({ console: NOT_FOUND })
    await visitor.open(path)
    const call = page.getByRole('banner').getByRole('link', {
      name: `${organization.callLabel} ${organization.phone}`,
    })
    await expect(page.getByRole('banner').getByRole('link', { name: header.homeLabel })).toHaveAttribute('href', '/')
    await expect(call).toHaveAttribute('href', PHONE)
    // On small screens, the label is for screen readers only.
    const labelWidth = async () => (await call.getByText(organization.callLabel).boundingBox())?.width
    expect(await labelWidth()).toBeLessThanOrEqual(1)
    const links = path === '/advertorial' ? advertorialFooterLinks : footerLinks
    const shown = page.getByRole('contentinfo').locator('nav a')
    await expect(shown).toHaveText(links.map(({ text }) => text))
    const hrefs = await shown.evaluateAll(all => all.map(link => link.getAttribute('href')))
    expect(hrefs).toEqual(links.map(({ href }) => href))

    await visitor.unfold()
    const small = await page.evaluate(() =>
      [...document.querySelectorAll('a[href],button,summary,input:not([type=hidden])')]
        .filter(element => !element.closest('.sr-only') && !element.matches('.sr-only') && element.checkVisibility())
        .map(element => [element.textContent, element.getBoundingClientRect().height] as const)
        .filter(([, height]) => height < 48),
    )
    expect(small, 'targets lower than 48 px').toEqual([])
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

    if (path === '/') await page.locator('summary').nth(1).click()
    await expectAccessible(visitor, path)
    expect(await labelWidth()).toBeGreaterThan(40)
    await inTightConditions(visitor, async condition => {
      await expectNothingCutOff(page, condition)
      if (path === '/' || path === '/thank-you')
        expect(await brokenWords(page.getByRole('heading', { level: 1 }), /[^\s-]+/), condition).toEqual([])
    })
  })
}

test('the questionnaire can be finished in tight conditions', async ({ visitor, page, site }) => {
  await visitor.start()
  for (const { number, requiredAnswer } of asked) {
    await expect(visitor.question(number)).toBeVisible()
    await inTightConditions(visitor, condition => expectNothingCutOff(page, `question ${number}: ${condition}`))
    await page.setViewportSize({ width: 320, height: 640 })
    await visitor.answer(requiredAnswer)
    await page.clock.runFor(delays.answerLock)
    if (number < asked.length) await expect(visitor.question(number + 1)).toBeInViewport()
  }
  await inTightConditions(visitor, async condition => {
    await visitor.submit()
    await expect(visitor.field('firstName')).toBeFocused()
    await expectNothingCutOff(page, `contact form: ${condition}`)
    // The toast never covers the focused field.
    const isCovered = () =>
      page.evaluate(() => {
        const toast = document.querySelector('[aria-live] > [role=group]')?.getBoundingClientRect()
        const field = document.activeElement?.getBoundingClientRect()
        if (!toast || !field) return false
        return field.top < toast.bottom && field.bottom > toast.top && field.left < toast.right
      })
    await expect.poll(isCovered, condition).toBe(false)
    await visitor.field('lastName').focus()
    await expect.poll(isCovered, condition).toBe(false)
    await page.clock.runFor(delays.toast)
  })
  await visitor.fillIn()
  await visitor.submit()
  await expect.poll(() => site.receiver.leads.length).toBe(1)
})

test('the panel is accessible in every state', async ({ visitor, site, watched }) => {
  watched.allow({ console: FAILED_REQUEST })
  await visitor.page.clock.install()
  const release = site.holdScripts()
  await visitor.open('/')
  await visitor.unfold()
  await visitor.answer(true)
  await expect(visitor.button(questionnaire.yes)).toBeDisabled()
  await expectAccessible(visitor, 'locked, before the script', '#qualification-form')
  release()
  await visitor.answerAll({ from: 2 })
  await expect(visitor.submitButton).toBeVisible()
  await expectAccessible(visitor, 'contact form', '#qualification-form')
  await visitor.submit()
  await expect(visitor.toast(toasts.incomplete.title)).toBeVisible()
  await expectAccessible(visitor, 'contact form with errors', '#qualification-form')
  await visitor.fillIn()
  site.receiver.response = 'wait'
  await visitor.submit()
  await expect(visitor.submitButton).toHaveText(contactForm.submitting)
  await expectAccessible(visitor, 'sending', '#qualification-form')
  site.receiver.release(503)
  await expect(visitor.toast(toasts.submissionFailed.title)).toBeVisible()
  await expectAccessible(visitor, 'submission error', '#qualification-form')
})

test('the loading view is accessible', async ({ visitor }) => {
  await visitor.page.clock.install()
  // Without the redirect, the view stays. (axe would never finish with a stopped clock.)
  await visitor.page.addInitScript(redirectDelay => {
    const { setTimeout } = window
    window.setTimeout = ((...args: Parameters<typeof setTimeout>) =>
      args[1] === redirectDelay ? 0 : setTimeout(...args)) as typeof setTimeout
  }, delays.declineRedirect)
  await visitor.open('/advertorial')
  await visitor.ready()
  await visitor.answerAll({ wrongly: [1] })
  await expect(visitor.panel.getByText(questionnaire.loading)).toBeVisible()
  await visitor.unfold()
  await expectAccessible(visitor, 'loading', '#eligibility-form')
})

const testFilledIn = testAt(() => startSite({ built: `${FILLED_IN}/built` }))

testFilledIn.describe('an operator’s own site', () => {
  testFilledIn.use({ viewport: { width: 320, height: 640 } })
  testFilledIn(
    'legal pages fit a narrow phone, are accessible, and are in the sitemap',
    async ({ page, site, visitor }) => {
      await page.goto(site.url)
      const hrefs = await page
        .locator('footer nav a')
        .evaluateAll(links => links.map(link => link.getAttribute('href')))
      expect(hrefs).toEqual(Object.values(legalPages).map(({ path }) => path))
      const preview = await page.locator('meta[property="og:image"]').getAttribute('content')
      expect(preview).toMatch(/^https:\/\/www\.harborlight\.test\//)
      const image = await page.request.get(site.url + new URL(preview ?? '').pathname)
      expect(image.headers()['content-type']).toBe('image/png')
      for (const href of hrefs) {
        const response = await page.goto(site.url + href)
        expect(response?.status(), `${href}`).toBe(200)
        expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(
          `https://www.harborlight.test${href}`,
        )
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
    },
  )
})
