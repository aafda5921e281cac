import { afterEach, beforeEach, expect, test } from 'vitest'
import { connectStore } from '../server/store/open-store.ts'
import { hashToken } from '../server/store/operations/desk/accounts.ts'
import type { Store } from '../server/store/store.ts'
import { accept } from '../tests/support/desk-accounts.ts'
import { leads, NOW } from '../tests/support/leads-command.ts'
import { storePerTest } from '../tests/support/store-engines.ts'

const store = storePerTest()
let opened: Store
beforeEach(async () => {
  opened = await connectStore({ dataDir: store.dataDir, databaseUrl: null }, { access: 'write', now: () => NOW })
})
afterEach(() => opened.close())

const tokenIn = (link: string) => hashToken(link.trim().split('#')[1]) ?? ''

async function register(name: string, role = 'viewer'): Promise<string> {
  const { out } = await leads(['invite', name, '--role', role], store)
  await accept(opened, tokenIn(out), name)
  await opened.beginSession({ tokenHash: name, ttlMs: 60_000, passkeyId: name, counter: 1 })
  return name
}

test.each([
  [[], 'a viewer', 'viewer'],
  [['--role', 'agent'], 'an agent', 'agent'],
  [['--role', 'editor'], 'an editor', 'editor'],
])('invite %j prints a link that works for an hour, and nothing else on standard output', async (options, as, role) => {
  const env = { DESK_URL: 'https://desk.example.org' }
  const { code, out, err } = await leads(['invite', 'Maria Lopez', ...options], { ...store, env })
  expect([code, out]).toEqual([0, expect.stringMatching(/^https:\/\/desk\.example\.org\/invitation#[\w-]{43}\n$/)])
  expect(err).toMatch(
    new RegExp(`^Maria Lopez has been invited as ${as}\\. This personal link works once and expires .+:\n$`),
  )
  expect(await opened.invitation(tokenIn(out))).toMatchObject({
    person: { name: 'Maria Lopez', role },
    expiresAt: NOW + 3_600_000,
  })
})

test('people lists everyone, with role, status, passkeys, and sessions', async () => {
  expect((await leads(['people'], store)).err).toContain('No one has been invited yet.')
  await register('Zoe')
  await register('Ex Employee')
  await leads(['remove', 'Ex Employee'], store)
  await leads(['invite', 'Maria Lopez', '--role', 'editor'], store)
  const lines = (await leads(['people'], store)).out.trimEnd().split('\n')
  expect(lines.map(line => line.split(/ {2,}/))).toEqual([
    ['NAME', 'ROLE', 'STATUS', 'PASSKEYS', 'SESSIONS', 'LAST ACTIVE'],
    ['Ex Employee', 'viewer', expect.stringContaining('removed '), '0', '0', '2030-01-16 12:00:00 UTC'],
    ['Maria Lopez', 'editor', expect.stringContaining('invited (link expires '), '0', '0', 'never'],
    ['Zoe', 'viewer', 'registered', '1', '1', '2030-01-16 12:00:00 UTC'],
  ])
  expect(JSON.parse((await leads(['people', '--json'], store)).out)).toMatchObject([
    { name: 'Ex Employee', dismissedAt: '2030-01-16T12:00:00.000Z' },
    { name: 'Maria Lopez', role: 'editor', invitationEndsAt: '2030-01-16T13:00:00.000Z' },
    { name: 'Zoe', role: 'viewer', passkeys: 1, sessions: 1 },
  ])
})

test('sign-out ends sessions; remove revokes access', async () => {
  const session = await register('Maria Lopez')
  const signedOut = { code: 0, out: '', err: 'Maria Lopez was signed out: 1 session ended.\n' }
  expect(await leads(['sign-out', 'maria lopez'], store)).toEqual(signedOut)
  expect(await opened.session(session)).toBeNull()
  expect(await opened.passkey('Maria Lopez')).not.toBeNull()
  expect((await leads(['remove', 'Maria Lopez'], store)).err).toBe('Maria Lopez was removed: 0 sessions ended.\n')
  expect(await opened.passkey('Maria Lopez')).toBeNull()
  await register('Ann Editor', 'editor')
  expect(await leads(['remove', 'Ann Editor'], store)).toMatchObject({
    code: 1,
    err: expect.stringContaining('last editor'),
  })
  expect((await leads(['remove', 'Ann Editor', '--last-editor'], store)).code).toBe(0)
  const err = 'No one by that name has been invited. See npm run leads -- people\n'
  for (const command of ['sign-out', 'remove'])
    expect(await leads([command, 'Joe'], store)).toEqual({ code: 1, out: '', err })
})
