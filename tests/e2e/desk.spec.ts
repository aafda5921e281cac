/**
 * Invitation → passkey → sign out and in again → find a lead on hold → approve → resend → consent record → erase →
 * dismissed while signed in. With the real server, desk, store, webhook, and commands, and Chromium's virtual authenticator.
 */
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, type Page, test } from '@playwright/test'
import { connectStore } from '../../server/store/open-store.ts'
import type { Store } from '../../server/store/store.ts'
import { ERASURE_KEY, submissionOf } from '../support/lead-store.ts'
import { leads } from '../support/leads-command.ts'
import { type DeskProcess, type ServerProcess, spawnDesk, spawnServer } from '../support/processes.ts'
import { MisbehavingWebhook } from '../support/webhook.ts'

const project = join(import.meta.dirname, '../..')

let folder: string
let server: ServerProcess
let desk: DeskProcess
let store: Store
let env: Record<string, string>
const webhook = new MisbehavingWebhook()

test.beforeAll(async () => {
  execFileSync(process.execPath, [join(project, 'build/main.ts'), 'desk', '--if-stale'])
  folder = mkdtempSync(join(tmpdir(), 'desk-'))
  await webhook.up()
  env = { DATA_DIR: join(folder, 'data'), ERASURE_KEY, LEAD_WEBHOOK_URL: webhook.url }
  env['ERASURE_LIST'] = join(folder, 'erasures.txt')
  server = spawnServer(env)
  await server.url
  desk = spawnDesk(env)
  env = { ...env, DESK_URL: await desk.url }
  store = await connectStore({ dataDir: join(folder, 'data'), databaseUrl: null }, { access: 'write' })
})

test.afterAll(async () => {
  await store?.close()
  for (const each of [desk, server]) {
    each?.child.kill('SIGTERM')
    await each?.exit
  }
  await webhook.down()
  rmSync(folder, { recursive: true, force: true })
})

const command = (...words: readonly string[]) =>
  leads(words, { dataDir: join(folder, 'data'), env: { DESK_URL: env['DESK_URL'] ?? '' }, now: Date.now() })

async function addAuthenticator(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('WebAuthn.enable')
  await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
}

/** The server polls the outbox only every few seconds for deliveries added by other processes. */
const slowPoll = { timeout: 40_000 }

test('a day at the desk', async ({ page, context }) => {
  test.setTimeout(150_000)
  const consent = await store.saveConsentText(JSON.stringify({ text: 'I agree to be called.', button: 'Call me' }))
  const { id } = await store.capture({ ...submissionOf('Zebulon', consent), holdReason: 'a link in the name' })
  await addAuthenticator(page)

  const invited = await command('invite', 'Maria Lopez', '--role', 'editor')
  await page.goto(invited.out.trim())
  await expect(page.getByRole('heading', { name: 'Welcome, Maria Lopez' })).toBeVisible()
  expect(page.url()).not.toContain('#')
  await page.getByRole('button', { name: 'Create passkey and sign in' }).click()
  await expect(page.getByRole('navigation', { name: 'Desk' })).toBeVisible()

  await page.getByRole('link', { name: /Maria Lopez/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with passkey' }).click()
  await expect(page.getByRole('navigation', { name: 'Desk' })).toBeVisible()

  await page.getByRole('link', { name: 'Leads', exact: true }).click()
  await page.getByRole('searchbox').fill('zebul')
  await page.getByRole('link', { name: 'Zebulon Lovelace' }).click()
  await expect(page.getByRole('heading', { name: 'Zebulon Lovelace' })).toBeVisible()
  expect(decodeURIComponent(page.url()).toLowerCase()).not.toContain('zebul')

  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByRole('button', { name: 'Approve and send' }).click()
  await expect.poll(() => webhook.deliveries.length, slowPoll).toBe(1)
  await expect.poll(async () => (await store.find(id))?.delivery?.state, slowPoll).toBe('delivered')

  await page.reload()
  await page.getByRole('button', { name: 'Resend' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Resend' }).click()
  await expect.poll(() => webhook.deliveries.length, slowPoll).toBe(2)
  await expect.poll(async () => (await store.find(id))?.deliveryAttempts.length, slowPoll).toBe(2)

  const [record] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Print consent record' }).click(),
  ])
  await expect(record.getByRole('heading', { name: 'Consent record' })).toBeVisible()
  await record.emulateMedia({ media: 'print' })
  await expect(record.getByText('I agree to be called.')).toBeVisible()
  const saved = await context.request.get(record.url())
  writeFileSync(join(folder, 'record.html'), await saved.text())
  expect(await command('verify', join(folder, 'record.html'))).toMatchObject({ code: 0 })
  await record.close()

  await page.getByRole('button', { name: 'Erase…' }).click()
  await page.getByLabel('Type Lovelace to erase').fill('Lovelace')
  await page.getByRole('button', { name: 'Erase permanently' }).click()
  await expect(page.getByRole('heading', { name: 'Zebulon Lovelace' })).toBeHidden()
  const lead = await store.find(id)
  expect(lead).toMatchObject({ state: 'erased', firstName: null })
  const byMaria = lead?.history
    .filter(({ detail }) => JSON.parse(detail).by === 'Maria Lopez')
    .map(({ event }) => event)
  expect(byMaria).toEqual(expect.arrayContaining(['looked', 'released', 'erased']))
  expect(readFileSync(join(folder, 'erasures.txt'), 'utf8')).toContain(id)

  expect((await command('dismiss', 'Maria Lopez')).code).toBe(0)
  // Updates by itself, because the page polls.
  await expect(page.getByRole('button', { name: 'Sign in with passkey' })).toBeVisible()
  await expect(page.getByText('Your session has ended.')).toBeVisible()
  await page.getByRole('button', { name: 'Sign in with passkey' }).click()
  await expect(page.getByText('Sign-in failed')).toBeVisible()
  for (const trace of ['Zebulon', 'Lovelace', '210-0199', '5552100199', 'Maria', id])
    expect(desk.said()).not.toContain(trace)
})
