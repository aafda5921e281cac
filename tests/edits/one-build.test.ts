/**
 * Edits to one copy of the project, with one build: an optional contact field, followed from the visitor's form to the webhook
 * and the desk; and `null`, which hides a claim, badge, quote, or section in one language, so that the page still makes sense.
 */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { chromium } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contactForm } from '../../content/en/contact-form.ts'
import { questionnaire } from '../../content/en/questionnaire.ts'
import { es } from '../../content/es/words.ts'
import type { LandingCopy } from '../../content/types.ts'
import { attribute, type BuiltPage, type Element, elements, parsePage, textOf } from '../../launch/page.ts'
import { connectStore } from '../../server/store/open-store.ts'
import { mayDiffer } from '../specification/delivered-content.ts'
import { specified } from '../specification/specified.ts'
import { allQuestions } from '../support/answers.ts'
import { journeyLaunchOptions } from '../support/chromium.ts'
import { copyProject } from '../support/copied-project.ts'
import { beginSession } from '../support/desk-server.ts'
import { PROGRAM_ENV, spawnDesk, spawnServer } from '../support/processes.ts'
import { MisbehavingWebhook } from '../support/webhook.ts'

const project = copyProject('edits')
const landing: LandingCopy = es.landing
const cleanUp: (() => unknown)[] = []

const build = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [join(project.folder, 'build/main.ts'), ...args], { env: PROGRAM_ENV })

beforeAll(async () => {
  addField()
  // These edits need the texts as delivered.
  if (!mayDiffer()) removeParts()
  await Promise.all([build('site', '--fast-compression'), build('desk')])
})

afterAll(async () => {
  for (const step of cleanUp.toReversed()) await step()
})

function addField(): void {
  project.edit(
    'domain/contact-fields.ts',
    '} as const satisfies',
    "  bestTime: { kind: 'text', maxLength: 100, tooLong: 'nameTooLong', autoComplete: 'off', inDraft: true },\n} as const satisfies",
  )
  project.edit(
    'domain/contact-fields.ts',
    "  phone: 'Phone',\n",
    "  phone: 'Phone',\n  bestTime: 'Best time to call',\n",
  )
  project.edit(
    'content/en/contact-form.ts',
    '  },\n  optional:',
    "    bestTime: { label: 'Best time to call' },\n  },\n  optional:",
  )
  project.edit(
    'content/es/contact-form.ts',
    '  },\n  optional:',
    "    bestTime: { label: 'Mejor hora para llamar' },\n  },\n  optional:",
  )
}

/** Removes a part from the file: `name: …,` becomes `name: null,`. */
function remove(file: string, name: string, part: RegExp): void {
  project.edit(file, part, `${name} null,`)
}

function removeParts(): void {
  for (const claim of ['confidential', 'hipaaProtected', 'rated'])
    remove('content/en/claims.ts', `${claim}:`, new RegExp(`${claim}: .*,`))
  remove('content/en/landing.ts', '', /\{ icon: 'quick'.*\},/)
  remove('content/en/landing.ts', '', /\{\s*question: 'How long does a decision take\?'.*?\n {2}\},/s)
  remove('content/en/landing.ts', 'urgency:', /urgency: \{.*?\n {2}\},/s)
  remove('content/en/advertorial.ts', 'timing:', /timing: \{.*?\n {2}\},/s)
  remove('content/en/advertorial.ts', 'average:', /average: .*,/)
  remove('content/en/thank-you.ts', 'reminder:', /reminder: .*,/)
  project.edit(
    'content/testimonials.ts',
    /(testimonials: readonly Testimonial\[\] =) \[.*?\n\]/s,
    'testimonials: readonly Testimonial[] = []',
  )
  project.edit(
    'content/testimonials.ts',
    /advertorialQuote: Testimonial \| null = \{.*?\n\}/s,
    'advertorialQuote: Testimonial | null = null',
  )
}

async function started<Process extends ReturnType<typeof spawnServer> | ReturnType<typeof spawnDesk>>(
  process: Process,
) {
  cleanUp.push(async () => {
    process.child.kill('SIGTERM')
    await process.exit
  })
  return process.url
}

test('a visitor’s best time to call reaches the webhook and the desk', async () => {
  const webhook = new MisbehavingWebhook()
  await webhook.up()
  cleanUp.push(() => webhook.down())
  const env = { DATA_DIR: join(project.folder, 'data'), LEAD_WEBHOOK_URL: webhook.url }

  const browser = await chromium.launch(journeyLaunchOptions())
  cleanUp.push(() => browser.close())
  const page = await browser.newPage()
  // Generous, for a busy machine.
  page.setDefaultTimeout(120_000)
  await page.goto(await started(spawnServer(env, { folder: project.folder })))
  for (const { number, requiredAnswer } of allQuestions) {
    await page.getByRole('heading', { name: questionnaire.place(number, allQuestions.length) }).waitFor()
    await page.getByRole('button', { name: requiredAnswer ? questionnaire.yes : questionnaire.no, exact: true }).click()
  }
  const { fields } = contactForm
  for (const [label, value] of [
    [fields.firstName.label, 'Margaret'],
    [fields.lastName.label, 'Hamilton'],
    [fields.dateOfBirth.parts.month, '8'],
    [fields.dateOfBirth.parts.day, '17'],
    [fields.dateOfBirth.parts.year, '1966'],
    [fields.email.label, 'margaret@example.org'],
    [fields.phone.label, '5552345678'],
    [contactForm.optional('Best time to call'), 'After 5 PM'],
  ] as const) {
    await page.getByLabel(label, { exact: true }).fill(value)
  }
  await page.getByRole('button', { name: contactForm.submit }).click()
  await page.waitForURL('**/thank-you')
  await expect.poll(() => webhook.deliveries.map(({ query }) => query['bestTime'])).toEqual(['After 5 PM'])

  const desk = await started(spawnDesk(env, project.folder))
  const store = await connectStore({ dataDir: env.DATA_DIR, databaseUrl: null }, { access: 'write' })
  cleanUp.push(() => store.close())
  const context = await browser.newContext()
  await context.addCookies([{ name: 'desk', value: await beginSession(store, 'Maria', 'viewer'), url: desk }])
  const deskPage = await context.newPage()
  deskPage.setDefaultTimeout(120_000)
  await deskPage.goto(`${desk}/leads`)
  await deskPage.getByRole('link', { name: 'Margaret Hamilton' }).click()
  await deskPage.getByText('Best time to call').waitFor()
  await deskPage.getByText('After 5 PM').waitFor()
})

const page = (file: string): BuiltPage => parsePage(project.read(`built/${file}`), { path: null, file })

/** Everything a visitor reads or hears: text, labels, and what search engines show. */
function wordsOf(root: Element): string {
  const unseen = elements(root).flatMap(element =>
    element.tagName === 'title'
      ? textOf(element)
      : ['aria-label', 'alt', 'content'].map(name => attribute(element, name)),
  )
  return [textOf(root), ...unseen].filter(Boolean).join(' · ')
}

const wordsIn = (file: string) => wordsOf(page(file).root)

specified('a removed part is gone in its language only', () => {
  const removed: Readonly<Record<string, readonly string[]>> = {
    index: [
      '100% confidential',
      'Free and confidential',
      'HIPAA-protected',
      'Rated by Thousands',
      '2-minute eligibility check',
      'How long does a decision take?',
      'Spots Remaining',
      'Secure Your Spot Now',
      'Sample quotes',
    ],
    advertorial: ['Timing Is Critical', 'is the average SSDI benefit', 'Carol', 'Sample quote'],
    'thank-you': ['You pay nothing today'],
  }
  for (const [file, texts] of Object.entries(removed)) {
    for (const text of texts) expect(wordsIn(`${file}.html`)).not.toContain(text)
  }
  const spanish = wordsIn('es/index.html')
  for (const text of [es.claims.confidential, es.claims.rated, landing.urgency?.heading])
    expect(spanish).toContain(text)
})

specified('sentences that made a removed claim read well without it', () => {
  expect(wordsIn('index.html')).toContain('kept confidential? Your information goes to SSDI Advocate, to the advocate')
  // Other badges stay.
  expect(wordsIn('index.html')).toContain('No Fees Unless You Win 100% Secure & HIPAA Compliant Questions?')
})

specified('nothing is left without content: no empty lists, headings, or labels', () => {
  for (const file of ['index', 'advertorial', 'thank-you', 'decline', 'es/index', 'es/advertorial'].map(
    name => `${name}.html`,
  )) {
    const { root } = page(file)
    expect(wordsOf(root), file).not.toMatch(/\b(?:null|undefined)\b/)
    for (const list of elements(root).filter(({ tagName }) => /^(?:ul|ol|dl)$/.test(tagName)))
      expect(attribute(list, 'data-slot') ?? textOf(list), file).not.toBe('')
    const ids = new Set(elements(root).map(element => attribute(element, 'id')))
    for (const section of elements(root, 'section')) {
      const heading = elements(section).find(({ tagName }) => /^h\d$/.test(tagName))
      if (heading) expect(textOf(section).length, file).toBeGreaterThan(textOf(heading).length)
    }
    for (const link of elements(root, 'a')) {
      const href = attribute(link, 'href')
      if (href?.startsWith('#')) expect(ids, `${file}: ${href}`).toContain(href.slice(1))
    }
  }
})
