import { afterEach, beforeEach, expect, test } from 'vitest'
import { hashToken } from '../server/store/accounts.ts'
import { connectStore } from '../server/store/open-store.ts'
import type { Store } from '../server/store/store.ts'
import { createStore } from '../tests/support/lead-fixtures.ts'
import { leads, NOW } from '../tests/support/leads-command.ts'

let store: Awaited<ReturnType<typeof createStore>>
let opened: Store
beforeEach(async () => {
  store = await createStore()
  opened = await connectStore({ dataDir: store.dataDir, databaseUrl: null }, { access: 'write', now: () => NOW })
})
afterEach(async () => {
  await opened.close()
  store.remove()
})

const invitationOf = (link: string) => opened.invitation(hashToken(link.trim().split('#')[1]) ?? '')

async function register(name: string): Promise<string> {
  const { out } = await leads(['invite', name], store)
  const passkey = { id: name, publicKey: 'AA', counter: 0, transports: [], synced: false }
  await opened.acceptInvitation({ tokenHash: hashToken(out.trim().split('#')[1]) ?? '', passkey })
  await opened.beginSession({ tokenHash: name, ttlMs: 60_000, passkeyId: name, counter: 1 })
  return name
}

test('invite prints a link that works for an hour, and nothing else on standard output', async () => {
  const env = { DESK_URL: 'https://desk.example.org', TIME_ZONE: 'America/New_York' }
  const { code, out, err } = await leads(['invite', 'Maria Lopez'], { ...store, env })
  expect([code, out]).toEqual([0, expect.stringMatching(/^https:\/\/desk\.example\.org\/invitation#[\w-]{43}\n$/)])
  expect(err).toMatch(/^Maria Lopez is invited as a viewer\. This personal link works once and expires .+:\n$/)
  expect(await invitationOf(out)).toMatchObject({
    person: { name: 'Maria Lopez', role: 'viewer' },
    endsAt: NOW + 3_600_000,
  })
})

test('invite --role editor', async () => {
  const { out, err } = await leads(['invite', 'Maria Lopez', '--role', 'editor'], store)
  expect((await invitationOf(out))?.person.role).toBe('editor')
  expect(err).toContain('is invited as an editor.')
})

test('invite says what a second invitation does', async () => {
  await leads(['invite', 'Maria Lopez'], store)
  expect((await leads(['invite', 'maria lopez'], store)).err).toContain('The previous link no longer works.')
  await register('Maria Lopez')
  expect((await leads(['invite', 'Maria Lopez'], store)).err).toContain(
    'replaces all their passkeys and ends all their sessions',
  )
  await leads(['remove', 'Maria Lopez'], store)
  expect((await leads(['invite', 'Maria Lopez'], store)).err).toContain('They were removed')
})

test.each([
  [[], 'Specify a name, in quotes: "Maria Lopez".\n'],
  [['Maria', 'Lopez'], 'Too many arguments. Put quotes around names that contain spaces.\n'],
  [['Maria', '--role', 'boss'], '--role must be viewer or editor.\n'],
  [['x'.repeat(81)], 'A name can have at most 80 characters, on one line.\n'],
])('invite %j is wrong usage', async (words, err) => {
  expect(await leads(['invite', ...words], store)).toEqual({ code: 2, out: '', err })
})

test('people lists everyone, with role, state, passkeys, and sessions', async () => {
  expect((await leads(['people'], store)).err).toContain('No one has been invited yet.')
  await register('Zoe')
  await register('Ex Employee')
  await leads(['remove', 'Ex Employee'], store)
  await leads(['invite', 'Maria Lopez', '--role', 'editor'], store)
  const lines = (await leads(['people'], store)).out.trimEnd().split('\n')
  expect(lines.map(line => line.split(/ {2,}/))).toEqual([
    ['NAME', 'ROLE', 'STATE', 'PASSKEYS', 'SIGNED IN'],
    ['Ex Employee', 'viewer', expect.stringContaining('removed '), '0', 'never'],
    ['Maria Lopez', 'editor', expect.stringContaining('invited (link expires '), '0', 'never'],
    ['Zoe', 'viewer', 'registered', '1', 'now (1 session)'],
  ])
  expect(JSON.parse((await leads(['people', '--json'], store)).out)).toMatchObject([
    { name: 'Ex Employee', dismissedAt: '2030-01-16T12:00:00.000Z' },
    { name: 'Maria Lopez', role: 'editor', invitationEndsAt: '2030-01-16T13:00:00.000Z' },
    { name: 'Zoe', role: 'viewer', passkeys: 1, sessions: 1 },
  ])
})

test('sign-out ends sessions, and remove takes away access', async () => {
  const session = await register('Maria Lopez')
  expect(await leads(['sign-out', 'maria lopez'], store)).toEqual({
    code: 0,
    out: '',
    err: 'Maria Lopez was signed out: 1 session ended.\n',
  })
  expect(await opened.session(session)).toBeNull()
  expect(await opened.passkey('Maria Lopez')).not.toBeNull()
  expect((await leads(['remove', 'Maria Lopez'], store)).err).toBe('Maria Lopez was removed: 0 sessions ended.\n')
  expect(await opened.passkey('Maria Lopez')).toBeNull()
})

test.each(['sign-out', 'remove'])('%s of an unknown name says so', async command => {
  expect(await leads([command, 'Maria Lopez'], store)).toEqual({
    code: 1,
    out: '',
    err: 'No one by that name has been invited. See npm run leads -- people\n',
  })
})
