import { afterEach, beforeEach, expect, test } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { engines, type OpenEngine } from '../../tests/support/store-engines.ts'
import { createDesk } from './app.ts'
import { createToken, hashToken } from './sign-in/tokens.ts'

const ORIGIN = 'http://localhost:3001'
const passkey = { id: 'key', publicKey: 'AA', counter: 0, transports: [], synced: false }

let engine: OpenEngine
let desk: ReturnType<typeof createDesk>

beforeEach(async () => {
  engine = await (engines[0] as (typeof engines)[0]).open()
  const { store } = engine
  const config = readConfig({ TIME_ZONE: 'America/New_York' })
  desk = createDesk({ config, store, reader: store, origin: ORIGIN, now: Date.now, log: () => {}, demo: false })
})
afterEach(() => engine.remove())

async function signIn(): Promise<string> {
  const invitation = hashToken(createToken()) as string
  const token = createToken()
  await engine.store.invite({ name: 'Maria Lopez', role: 'act', tokenHash: invitation, lastsMs: 1000, by: 'root' })
  await engine.store.acceptInvitation({ tokenHash: invitation, passkey })
  const session = { tokenHash: hashToken(token) as string, lastsMs: 60_000, passkeyId: passkey.id, counter: 0 }
  await engine.store.beginSession(session)
  return `__Host-desk=${token}`
}

const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
  desk.request(`${ORIGIN}${path}`, { headers: { host: 'localhost:3001', ...headers } })

test('whoever is signed in is told who they are', async () => {
  const answer = await ask('/api/session', { cookie: await signIn() })
  expect(answer.status).toBe(200)
  expect(await answer.json()).toMatchObject({ name: 'Maria Lopez', role: 'act', timeZone: 'America/New_York' })
})

test('without a session, or with somebody’s invention, nobody is', async () => {
  await signIn()
  for (const cookie of ['', '__Host-desk=x', `__Host-desk=${createToken()}`]) {
    expect((await ask('/api/session', { cookie })).status).toBe(401)
  }
})

test('another Host is refused', async () => {
  expect((await ask('/api/session', { cookie: await signIn(), host: 'evil.example:3001' })).status).toBe(421)
})
