/** Every page and every state of the panel, in each language. */
import type { Browser, Page } from '@playwright/test'
import { type Language, pathInLanguage } from '../../domain/languages.ts'
import { fill } from '../../domain/text/fill.ts'
import { legalPageNames } from '../../site-folder/schema/texts.ts'
import { languages, words } from '../../site-folder/site.ts'
import { allQuestions } from '../../tests/support/answers.ts'
import { buildFilledIn, FILLED_IN } from '../../tests/support/filled-in.ts'
import { type SiteServer, startSite } from '../../tests/support/site-server.ts'

const sizes = {
  phone320: [320, 640],
  phone360: [360, 740],
  phone390: [390, 844],
  tablet768: [768, 1024],
  desktop1280: [1280, 800],
  desktop1920: [1920, 1080],
} as const

type Shot = readonly [name: string, path: string, prepare: (page: Page) => Promise<unknown>, fullPage: boolean]
const noop = async () => {}
function shotsIn(language: Language): readonly Shot[] {
  const { consent, contactForm, questionnaire, submissionFailedHelp, thankYou } = words[language]

  async function answerAll(page: Page, wrong = false) {
    for (const [index, { requiredAnswer }] of allQuestions.entries()) {
      const answer = wrong && index === 0 ? !requiredAnswer : requiredAnswer
      await page.getByRole('heading', { name: place(index + 1) }).waitFor()
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
    await page.getByLabel(contactForm.fields.phone.label).pressSequentially('2125550187')
  }

  const yes = (page: Page) => page.getByRole('button', { name: questionnaire.yes, exact: true })
  const place = (number: number) => fill(questionnaire.place, { number, total: allQuestions.length })
  const shots: readonly Shot[] = [
    ['landing', '/', noop, false],
    ['landing-full', '/', noop, true],
    ['landing-locked', '/', page => yes(page).click(), false],
    [
      'landing-question-2',
      '/',
      async page => {
        await yes(page).click()
        await page.getByRole('heading', { name: place(2) }).waitFor()
        await page.waitForTimeout(300)
      },
      false,
    ],
    [
      'landing-contact',
      '/',
      async page => {
        await answerAll(page)
        await fillIn(page)
      },
      true,
    ],
    [
      'landing-contact-errors',
      '/',
      async page => {
        await answerAll(page)
        await page.getByLabel(contactForm.fields.email.label).fill('margaret@')
        await page.getByRole('button', { name: consent.button }).click()
        await page.waitForTimeout(400)
      },
      false,
    ],
    [
      'landing-submission-error',
      '/',
      async page => {
        await answerAll(page)
        await fillIn(page)
        await page.evaluate(() => {
          window.fetch = async () => new Response(null, { status: 503 })
        })
        await page.getByRole('button', { name: consent.button }).click()
        await page.getByText(submissionFailedHelp).waitFor()
        await page.waitForTimeout(400)
      },
      false,
    ],
    [
      'landing-loading',
      '/',
      async page => {
        await answerAll(page, true)
        await page.getByText(questionnaire.loading).waitFor()
      },
      false,
    ],
    [
      'landing-faq',
      '/',
      async page => {
        await page.locator('summary').nth(1).click()
        await page.locator('summary').nth(1).scrollIntoViewIfNeeded()
      },
      false,
    ],
    ['advertorial', '/advertorial', noop, false],
    ['advertorial-full', '/advertorial', noop, true],
    ['thank-you', '/thank-you', noop, true],
    [
      'thank-you-sent',
      '/',
      async page => {
        await answerAll(page)
        await fillIn(page)
        await page.getByRole('button', { name: consent.button }).click()
        await page.getByRole('heading', { name: thankYou.sayMore.timeHeading }).waitFor()
      },
      true,
    ],
    ['decline', '/decline', noop, true],
    [
      'decline-answered',
      '/',
      async page => {
        await answerAll(page, true)
        await page.waitForURL('**/decline')
      },
      true,
    ],
    ['stop', '/stop', noop, true],
    ['not-found', '/no/such/page', noop, false],
  ]
  return inLanguage(language, shots)
}

const inLanguage = (language: Language, shots: readonly Shot[]) =>
  shots.map(([name, path, ...how]): Shot => {
    return [language === 'en' ? name : `${language}-${name}`, pathInLanguage(language, path), ...how]
  })

const legalShotsIn = (language: Language) =>
  inLanguage(
    language,
    legalPageNames.map(name => [`legal-${name}`, `/${name}`, noop, true]),
  )

/** Scrolls through the page so lazy content loads before a full-page screenshot, then back to the top. */
async function loadLazyContent(page: Page) {
  const bottom = await page.evaluate(() => document.documentElement.scrollHeight)
  for (let y = 0; y < bottom; y += 600) await page.evaluate(top => scrollTo(0, top), y)
  await page.waitForLoadState('networkidle')
  await page.evaluate(() => scrollTo(0, 0))
}

interface Take {
  readonly browser: Browser
  readonly url: () => string | Promise<string>
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
  })
  if (variant === '-text-200') {
    await context.addInitScript(() =>
      addEventListener('DOMContentLoaded', () => document.documentElement.style.setProperty('font-size', '200%')),
    )
  }
  const page = await context.newPage()
  // On a slow machine, the first page keeps its fallback fonts; the second gets the web fonts from the cache.
  await page.goto(`${await url()}/thank-you`, { waitUntil: 'networkidle' })
  await page.goto((await url()) + path)
  await prepare(page)
  if (fullPage) await loadLazyContent(page)
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: file, fullPage })
  await context.close()
}

async function takeAll(taking: Take, shots: readonly Shot[]) {
  for (const shot of shots) {
    for (const size of Object.keys(sizes) as (keyof typeof sizes)[]) await take(taking, size, shot)
    for (const variant of ['-forced-colors', '-text-200', '-without-script']) {
      if (variant === '-without-script' && shot[2] !== noop) continue
      await take(taking, 'phone390', shot, variant)
    }
  }
}

export async function takeSite(browser: Browser, fileFor: Take['fileFor']): Promise<void> {
  const server = await startSite({ ownStore: true })
  await takeAll({ browser, url: () => server.url, fileFor }, languages.flatMap(shotsIn))
  await server.close()
  // The original legal pages are drafts, which aren't published.
  let example: SiteServer | undefined
  const url = async () => {
    if (example === undefined) {
      await buildFilledIn()
      example = await startSite({ built: `${FILLED_IN}/built` })
    }
    return example.url
  }
  await takeAll({ browser, url, fileFor }, languages.flatMap(legalShotsIn))
  await example?.close()
}
