/** Adds an optional contact field with a few edits, and follows it from the visitor's form to the webhook and the desk. */
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Browser, chromium } from '@playwright/test'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { contactForm } from '../../content/en/contact-form.ts'
import { questionnaire } from '../../content/en/questionnaire.ts'
import { connectStore } from '../../server/store/open-store.ts'
import { allQuestions } from '../support/answers.ts'
import { journeyLaunchOptions } from '../support/chromium.ts'
import { type CopiedProject, copyProject } from '../support/copied-project.ts'
import { beginSession } from '../support/desk-server.ts'
import { PROGRAM_ENV, spawnDesk, spawnServer } from '../support/processes.ts'
import { MisbehavingWebhook } from '../support/webhook.ts'

let project: CopiedProject
let browser: Browser
const cleanUp: (() => unknown)[] = []

beforeAll(async () => {
  project = copyProject('contact-field')
  browser = await chromium.launch(journeyLaunchOptions())
  cleanUp.push(() => browser.close())
})

afterAll(async () => {
  for (const step of cleanUp.toReversed()) await step()
})

const build = (...args: readonly string[]) =>
  promisify(execFile)(process.execPath, [join(project.folder, 'build/main.ts'), ...args], { env: PROGRAM_ENV })

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
  await Promise.all([build('site', '--types-checked', '--fast-compression'), build('desk')])
  const webhook = new MisbehavingWebhook()
  await webhook.up()
  cleanUp.push(() => webhook.down())
  const env = { DATA_DIR: join(project.folder, 'data'), LEAD_WEBHOOK_URL: webhook.url }

  const page = await browser.newPage()
  // Generous, because two builds and two servers keep the machine busy.
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
