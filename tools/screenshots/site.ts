/** Every page and every state of the panel, in each language. */
import { fill } from '../../domain/fill.ts'
import { type Language, pathInLanguage } from '../../domain/languages.ts'
import { languages, words } from '../../site-folder/site.ts'
import type { Browser, Page } from '@playwright/test'
import { allQuestions } from '../../tests/support/answers.ts'
import { startSite } from '../../tests/support/site-server.ts'

const sizes = {
  phone320: [320, 640],
  phone360: [360, 740],
  phone390: [390, 844],
  tablet768: [768, 1024],
  desktop1280: [1280, 800],
  desktop1920: [1920, 1080],
} as const

type Shot = [name: string, path: string, prepare: (page: Page) => Promise<unknown>, fullPage: boolean]
const noop = async () => {}
function shotsIn(language: Language): Shot[] {
  const { contactForm, questionnaire, submissionFailedHelp } = words[language]
  const named = (name: string) => (language === 'en' ? name : `${language}-${name}`)

  async function answerAll(page: Page, wrong = false) {
    for (const [index, { requiredAnswer }] of allQuestions.entries()) {
      const answer = wrong && index === 0 ? !requiredAnswer : requiredAnswer
      await page.getByRole('heading', { name: fill(questionnaire.place, { number: index + 1, total: allQuestions.length }) }).waitFor()
      await page
        .locator('[data-questionnaire]')
        .getByRole('button', { name: answer ? questionnaire.yes : questionnaire.no, exact: true })
        .click()
    }
  }

  async function fillIn(page: Page) {
    await page.getByLabel(contactForm.fields.firstName.label).fill('Margaret')
    await page.getByLabel(contactForm.fields.lastName.label).fill('O’Sullivan-Núñez')
    const { month, day, year } = contactForm.fields.dateOfBirth.parts ?? { month: '', day: '', year: '' }
    await page.getByLabel(month, { exact: true }).fill('4')
    await page.getByLabel(day, { exact: true }).fill('12')
    await page.getByLabel(year, { exact: true }).fill('1966')
    await page.getByLabel(contactForm.fields.email.label).fill('margaret@example.org')
    await page.getByLabel(contactForm.fields.phone.label).pressSequentially('5552345678')
  }

  return [
    [named('landing'), pathInLanguage(language, '/'), noop, false],
    [named('landing-full'), pathInLanguage(language, '/'), noop, true],
    [
      named('landing-locked'),
      pathInLanguage(language, '/'),
      page => page.getByRole('button', { name: questionnaire.yes, exact: true }).click(),
      false,
    ],
    [
      named('landing-question-2'),
      pathInLanguage(language, '/'),
      async page => {
        await page.getByRole('button', { name: questionnaire.yes, exact: true }).click()
        await page.getByRole('heading', { name: fill(questionnaire.place, { number: 2, total: allQuestions.length }) }).waitFor()
        await page.waitForTimeout(300)
      },
      false,
    ],
    [
      named('landing-contact'),
      pathInLanguage(language, '/'),
      async page => {
        await answerAll(page)
        await fillIn(page)
      },
      true,
    ],
    [
      named('landing-contact-errors'),
      pathInLanguage(language, '/'),
      async page => {
        await answerAll(page)
        await page.getByLabel(contactForm.fields.email.label).fill('margaret@')
        await page.getByRole('button', { name: contactForm.submit }).click()
        await page.waitForTimeout(400)
      },
      false,
    ],
    [
      named('landing-submission-error'),
      pathInLanguage(language, '/'),
      async page => {
        await answerAll(page)
        await fillIn(page)
        await page.getByRole('button', { name: contactForm.submit }).click()
        await page.getByText(submissionFailedHelp).waitFor()
        await page.waitForTimeout(400)
      },
      false,
    ],
    [
      named('landing-loading'),
      pathInLanguage(language, '/'),
      async page => {
        await answerAll(page, true)
        await page.getByText(questionnaire.loading).waitFor()
      },
      false,
    ],
    [
      named('landing-faq'),
      pathInLanguage(language, '/'),
      async page => {
        await page.locator('summary').nth(1).click()
        await page.locator('summary').nth(1).scrollIntoViewIfNeeded()
      },
      false,
    ],
    [named('advertorial'), pathInLanguage(language, '/advertorial'), noop, false],
    [named('advertorial-full'), pathInLanguage(language, '/advertorial'), noop, true],
    [named('thank-you'), pathInLanguage(language, '/thank-you'), noop, true],
    [named('decline'), pathInLanguage(language, '/decline'), noop, true],
    [named('stop'), pathInLanguage(language, '/stop'), noop, true],
    [named('not-found'), pathInLanguage(language, '/no/such/page'), noop, false],
  ]
}

/** Doesn't use `page.addStyleTag`, which waits for an event that never fires on a page without scripts. */
async function addStyle(page: Page, css: string) {
  await page.evaluate(text => {
    const style = document.createElement('style')
    style.textContent = text
    document.head.append(style)
  }, css)
}

/** Scrolls through the page so lazy content loads before a full-page screenshot, then back to the top. */
async function loadLazyContent(page: Page) {
  const bottom = await page.evaluate(() => document.documentElement.scrollHeight)
  for (let y = 0; y < bottom; y += 600) await page.evaluate(top => scrollTo(0, top), y)
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => scrollTo(0, 0))
}

interface Take {
  readonly browser: Browser
  readonly url: string
  readonly fileFor: (name: string) => string | null
}

async function take(
  { browser, url, fileFor }: Take,
  size: keyof typeof sizes,
  [name, path, prepare, fullPage]: Shot,
  variant = '',
) {
  const file = fileFor(`${name}-${size}${variant}`)
  if (file === null) return
  const [width, height] = sizes[size]
  const context = await browser.newContext({
    viewport: { width, height },
    deviceScaleFactor: 1,
    forcedColors: variant === '-forced-colors' ? 'active' : 'none',
    reducedMotion: 'reduce',
    javaScriptEnabled: variant !== '-without-script',
    // The extra styles below simulate user styles, which CSP doesn't apply to.
    bypassCSP: true,
  })
  const page = await context.newPage()
  // On a slow machine, the first page keeps its fallback fonts; the second gets the web fonts from the cache.
  await page.goto(`${url}/thank-you`, { waitUntil: 'networkidle' })
  await page.goto(url + path)
  if (variant === '-text-200') await addStyle(page, 'html{font-size:200%}')
  await prepare(page)
  if (fullPage) await loadLazyContent(page)
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: file, fullPage })
  await context.close()
}

export async function takeSite(browser: Browser, fileFor: Take['fileFor']): Promise<void> {
  const server = await startSite()
  // Only the screenshot of the submission error sends a lead.
  server.webhook.behave = () => ({ status: 503 })
  const taking = { browser, url: server.url, fileFor }
  for (const shot of languages.flatMap(shotsIn)) {
    for (const size of Object.keys(sizes) as (keyof typeof sizes)[]) await take(taking, size, shot)
    for (const variant of ['-forced-colors', '-text-200', '-without-script']) {
      if (variant === '-without-script' && shot[2] !== noop) continue
      await take(taking, 'phone390', shot, variant)
    }
  }
  await server.close()
}
