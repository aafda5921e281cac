/**
 * Invitation → passkey → sign out and in again → find a lead on hold → approve → contact record → erase → removed while
 * signed in. Uses the `leads` command and Chromium's virtual authenticator.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { leads } from '../support/leads-command.ts'
import { capture, expect, test } from './desk-fixture.ts'

test('a day at the desk', async ({ page, context, desk }) => {
  const { store, url, dataDir, now } = desk
  const id = await capture(desk, 'Zebulon', { holdReason: 'a link in the name' })
  // The server does this every second.
  await store.indexLeads({ limit: 10 })
  const command = (...args: readonly string[]) => leads(args, { dataDir, env: { DESK_URL: url }, now: now() })
  const session = await context.newCDPSession(page)
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

  await page.goto((await command('invite', 'Ana Ruiz', '--role', 'editor')).out.trim())
  await expect(page.getByRole('heading', { name: 'Welcome, Ana Ruiz' })).toBeVisible()
  expect(page.url()).not.toContain('#')
  // A challenge expires after five minutes; the invitation doesn't.
  const database = new DatabaseSync(join(dataDir, 'leads.sqlite'))
  database.exec('DELETE FROM desk_challenges')
  database.close()
  await page.getByRole('button', { name: 'Create passkey and sign in' }).click()
  const menu = page.getByRole('button', { name: /^Menu/ })
  await menu.click()
  await page.getByRole('link', { name: /Ana Ruiz/ }).click()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('button', { name: 'Sign in with passkey' }).click()

  await menu.click()
  await page.getByRole('link', { name: 'Leads', exact: true }).click()
  await page.getByRole('searchbox').fill('zebul')
  await page.getByRole('link', { name: 'Zebulon Lovelace' }).click()
  await expect(page.getByRole('heading', { name: 'Zebulon Lovelace' })).toBeVisible()
  expect(decodeURIComponent(page.url()).toLowerCase()).not.toContain('zebul')
  await page.getByRole('button', { name: 'Approve', exact: true }).click()
  await page.getByRole('button', { name: 'Approve and send' }).click()
  await expect.poll(async () => (await store.find(id))?.delivery?.state).toBe('pending')

  const [record] = await Promise.all([
    context.waitForEvent('page'),
    page.getByRole('link', { name: 'Print record' }).click(),
  ])
  await expect(record.getByRole('heading', { name: 'Contact record' })).toBeVisible()
  await record.emulateMedia({ media: 'print' })
  await expect(record.getByText('I agree to be called.')).toBeVisible()
  await record.close()

  await page.getByRole('button', { name: 'More' }).click()
  await page.getByRole('button', { name: 'Erase…' }).click()
  await page.getByLabel('Type Lovelace to erase').fill('Lovelace')
  await page.getByRole('button', { name: 'Erase permanently' }).click()
  await expect(page.getByRole('heading', { name: 'Zebulon Lovelace' })).toBeHidden()
  const lead = await store.find(id)
  expect(lead).toMatchObject({ state: 'erased', firstName: null })
  const byAna = lead?.history.filter(({ detail }) => JSON.parse(detail).by === 'Ana Ruiz').map(({ event }) => event)
  expect(byAna).toEqual(expect.arrayContaining(['looked', 'released', 'erased']))
  expect(readFileSync(join(dataDir, 'erasures.txt'), 'utf8')).toContain(id)

  expect((await command('remove', 'Ana Ruiz')).code).toBe(0)
  // The page polls, so no reload is needed.
  await expect(page.getByText('Your session has ended.')).toBeVisible()
  await page.getByRole('button', { name: 'Sign in with passkey' }).click()
  await expect(page.getByText('Sign-in failed')).toBeVisible()
})
