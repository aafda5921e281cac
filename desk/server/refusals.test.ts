/** Access checks on every route in the app, including routes added later. */
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { canPerform, leadActionNames } from '../../domain/leads/lead-actions.ts'
import { type DeskRole, roleAllows } from '../../domain/roles.ts'
import { createToken } from '../../server/store/operations/desk/accounts.ts'
import {
  createTestDesk,
  DESK,
  type DeskClient,
  sessionHeaders,
  signIn,
  type TestDesk,
} from '../../tests/support/desk.ts'
import { submissionOf } from '../../tests/support/lead-store.ts'
import { engines, type OpenEngine } from '../../tests/support/store-engines.ts'
import { addHeaders, roleFor } from './guards.ts'

type SentHeaders = Readonly<Record<string, string>>

let open: OpenEngine
let desk: TestDesk
let editor: DeskClient
let viewer: DeskClient
let leadId: string
let leadData: readonly string[]

beforeAll(async () => {
  open = await (engines[0] as (typeof engines)[0]).open()
  const consentVersion = await open.store.saveConsentText(JSON.stringify({ text: 'I agree', button: 'Call me' }))
  const submission = submissionOf('Zebulon', consentVersion)
  leadId = (await open.store.capture(submission)).id
  const { firstName, lastName, email, phone, dateOfBirth } = submission.contact
  leadData = [firstName, lastName, email, phone, phone.slice(-4), dateOfBirth, 'I agree', leadId]
  desk = createTestDesk(open.store)
  editor = await desk.signedIn('Maria Lopez', 'editor')
  viewer = await desk.signedIn('Lou Looker', 'viewer')
})
afterAll(() => open.remove())

/** Routes such as `GET /api/leads/:id`. Middleware has the method ALL and is skipped. */
const routes = () =>
  new Set(desk.app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`))

function request(client: DeskClient, route: string, headers: SentHeaders = {}) {
  const [method = '', path = ''] = route.replaceAll(/:\w+(\{[^}]*\})?/g, leadId).split(' ')
  return client.fetch(path, { method, headers, ...(method === 'GET' || method === 'HEAD' ? {} : { body: {} }) })
}

async function expectRefusal(response: Response, status: number, what: string): Promise<void> {
  const text = await response.text()
  expect([response.status, what]).toEqual([status, what])
  expect(Object.keys(JSON.parse(text))).toEqual(['error', 'message'])
  for (const part of leadData) expect(text).not.toContain(part)
}

/** Routes that responded with a different status. */
async function exceptionsTo(status: number, client: DeskClient, headers: SentHeaders = {}, among = [...routes()]) {
  const others: string[] = []
  for (const route of among) {
    const response = await request(client, route, headers)
    if (response.status === status) await expectRefusal(response, status, route)
    else {
      await response.body?.cancel()
      others.push(route)
    }
  }
  return others
}

const signInRoutes = [
  'POST /api/session/sign-in/options',
  'POST /api/session/sign-in',
  'POST /api/session/invitation',
  'POST /api/session/registration',
]

describe('every route except sign-in refuses', () => {
  test('requests with no session or a made-up one', async () => {
    const forger = desk.client()
    for (const cookie of ['', '__Host-desk=x', `__Host-desk=${createToken().token}`, `desk=${createToken().token}`]) {
      forger.cookie = cookie
      expect(await exceptionsTo(401, forger)).toEqual(signInRoutes)
    }
  })

  test('a session hash from a stolen store', async () => {
    const { token, hash } = createToken()
    const [passkey] = await open.store.passkeysOf((await open.store.deskPeople())[0]?.id ?? '')
    await open.store.beginSession({ tokenHash: hash, ttlMs: 60_000, passkeyId: passkey?.id ?? '', counter: 9 })
    const thief = desk.client()
    thief.cookie = `__Host-desk=${token}`
    expect((await thief.fetch('/api/session')).status).toBe(200)
    thief.cookie = `__Host-desk=${hash}`
    expect(await exceptionsTo(401, thief)).toEqual(signInRoutes)
  })

  test.each(['signing out', 'expiry', 'remote sign-out', 'removal'])('a session ended by %s', async how => {
    const client = await desk.signedIn('Ex Employee', 'editor')
    const otherTab = Object.assign(desk.client(), { cookie: client.cookie })
    expect((await otherTab.fetch('/api/session')).status).toBe(200)
    if (how === 'signing out') await client.fetch('/api/session/sign-out', { body: {} })
    const person = "(SELECT id FROM desk_people WHERE name_key = 'ex employee')"
    if (how === 'expiry') await open.change(`UPDATE desk_sessions SET ends_at = 1 WHERE person_id IN ${person}`)
    if (how === 'remote sign-out') await open.store.signOut({ name: 'Ex Employee', by: 'root' })
    if (how === 'removal') await open.store.removePerson({ name: 'Ex Employee', by: 'root' })
    expect(await exceptionsTo(401, otherTab)).toEqual(signInRoutes)
    expect((await signIn(client)).status).toBe(how === 'removal' ? 403 : 200)
  })
})

const everyMethod = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND']

describe.each([null, 'viewer', 'agent', 'editor'] as const)('with the role %s, every path and method', role => {
  /** Paths such as `/api/leads/:id`, with the methods that have a route. */
  const byPath = () => Map.groupBy([...routes()], route => route.split(' ')[1] ?? '')

  test('answers HEAD exactly as GET, and refuses a method without a route', async () => {
    const client = role === null ? desk.client() : await desk.signedIn(`Every ${role}`, role)
    for (const [path, own] of byPath()) {
      const methods = own.map(route => route.split(' ')[0])
      for (const method of everyMethod.filter(each => !methods.includes(each))) {
        const send = (as: string) => request(client, `${as} ${path}`, as === 'HEAD' ? {} : { origin: DESK })
        const response = await send(method)
        const what = `${method} ${path}`
        expect([await response.text(), what]).toEqual([
          method === 'HEAD' ? '' : expect.stringMatching(/^\{"error"/),
          what,
        ])
        if (method === 'HEAD' && methods.includes('GET')) {
          const get = await send('GET')
          await get.body?.cancel()
          expect([response.status, what]).toEqual([get.status, what])
        } else expect([401, 403, 404]).toContain(response.status)
        for (const header of ['allow', 'access-control-allow-origin', 'set-cookie']) {
          expect([response.headers.get(header), what]).toEqual([null, what])
        }
      }
    }
  })
})

describe.each(['viewer', 'agent'] as const)('a %s', role => {
  test.each(leadActionNames.filter(action => !canPerform(action, role)))('can’t %s', async action => {
    const client = await desk.signedIn('New Colleague', role)
    const seen = { state: 'held', doNotCall: { email: false, phone: false } }
    const request = { askedBy: 'person', askedOn: '2030-01-31' }
    const asked = { request, reason: 'spam', on: '2030-01-31' }
    const details = { seen, ...asked, contacts: ['phone'], confirmation: 'x', text: 'hello', note: 'x', requestId: 'x' }
    const response = await client.fetch(`/api/leads/${leadId}/actions`, { body: { action, ...details } })
    await expectRefusal(response, 403, action)
  })

  test('is refused on every route that requires another role', async () => {
    const client = await desk.signedIn('New Colleague', role)
    const among = [...routes()].filter(route => !/^\w+ \/api\/session/.test(route))
    expect(await exceptionsTo(403, client, {}, among)).toEqual(among.filter(route => roleAllows(role, roleFor(route))))
  })
})

test('apart from their own session, viewers only search, and agents only call, correct, and record requests not to be called', () => {
  /** Reads or writes that need this role. */
  const needing = (role: DeskRole, isRead: boolean) =>
    [...routes()]
      .filter(route => !route.includes('/api/session') && route.startsWith('GET ') === isRead)
      .filter(route => roleFor(route) === role)
      .map(route => route.replace(/^\w+ \/api\//, ''))
      .toSorted()
  // Each lead action checks the role itself.
  expect(needing('viewer', false)).toEqual([
    'do-not-call/search',
    'leads/:id/actions',
    'leads/count',
    'leads/search',
    'records/check',
  ])
  const ofACall = ['claim', 'language', 'outcome', 'place', 'renew', 'skip', 'start', 'withdraw']
  expect(needing('agent', false)).toEqual([
    ...ofACall.map(name => `calls/:id/${name}`),
    ...['give', 'incoming', 'incoming/number', 'incoming/unknown', 'next', 'people', 'undo'].map(
      name => `calls/${name}`,
    ),
    'do-not-call',
    'do-not-call/undo',
    'leads/:id/correction',
  ])
  expect(needing('agent', true)).toEqual([])
  expect(needing('editor', true)).toEqual([
    ...['colleagues', 'export'].map(name => `do-not-call/${name}`),
    'people',
    'setup',
    'setup/texts',
  ])
})

describe('requests from other sites', () => {
  const frames = ['iframe', 'frame', 'embed', 'object'].flatMap(destination =>
    ['same-origin', 'cross-site', 'none'].map(site => ({ 'sec-fetch-dest': destination, 'sec-fetch-site': site })),
  )
  const otherSites = ['cross-site', 'same-site'].flatMap(site => [
    { 'sec-fetch-site': site },
    // Links, too: other sites can only open pages, which contain no data.
    { 'sec-fetch-site': site, 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' },
  ])
  const hosts = ['evil.example', 'localhost', 'localhost:3002', '127.0.0.1:3001', '']
  const origins = ['https://evil.example', 'http://localhost:3000', 'null', 'http://127.0.0.1:3001']

  test.each<readonly [number, object]>([
    ...hosts.map(host => [421, { host }] as const),
    ...[...origins.map(origin => ({ origin })), ...otherSites, ...frames].map(headers => [403, headers] as const),
  ])('get a %i on every route: %o', async (status, headers) => {
    expect(await exceptionsTo(status, editor, { ...headers })).toEqual([])
  })

  test('can’t show a page in a frame', async () => {
    for (const path of ['/', '/leads', `/leads/${leadId}`, '/invitation']) {
      for (const headers of frames) expect((await editor.fetch(path, { headers })).status).toBe(403)
    }
  })

  test('can’t change anything without an Origin header', async () => {
    const headers = { host: new URL(DESK).host, cookie: editor.cookie }
    for (const [method = '', path] of [...routes()].map(route => route.split(' '))) {
      if (method === 'GET') continue
      await expectRefusal(await desk.app.request(`${DESK}${path}`, { method, headers }), 403, `${method} ${path}`)
    }
  })

  test('every response forbids framing, other sites’ scripts, and caching', async () => {
    const raw = new Hono()
      .use(addHeaders('https://desk.example.org'))
      .get('/raw', () => new Response('not made by the context'))
    const read = [...routes()].filter(route => route.startsWith('GET '))
    const responses = await Promise.all([
      ...['/api/session', '/api/nothing', '/'].map(path => editor.fetch(path)),
      ...read.map(route => request(desk.client(), route)),
      raw.request('/raw'),
    ])
    const expected = {
      'content-security-policy': expect.stringMatching(/^default-src 'none';.*frame-ancestors 'none'/),
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
    }
    for (const { headers } of responses) expect(Object.fromEntries(headers)).toMatchObject(expected)
    // Only over https.
    const transport = responses.map(({ headers }) => headers.get('strict-transport-security'))
    expect([transport[0], transport.at(-1)]).toEqual([null, 'max-age=31536000'])
  })
})

test('a body that isn’t JSON, is too large, or has the wrong shape is refused without being echoed', async () => {
  for (const body of ['{', '"x"', '[]', JSON.stringify({ token: 5 })]) {
    await expectRefusal(await editor.fetch('/api/session/invitation', { body }), 400, body)
  }
  const form = { body: 'token=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  await expectRefusal(await editor.fetch('/api/session/invitation', form), 400, 'a form')
  const search = (characters: number, headers: Record<string, string>) =>
    viewer.fetch('/api/leads/search', { body: { filter: { search: 'x'.repeat(characters) } }, headers })
  const limit = 1024 * 1024
  for (const [allowed, tooLong] of [
    [{ 'content-length': '200' }, { 'content-length': `${limit + 1}` }],
    [{}, {}],
    [{ 'transfer-encoding': 'chunked' }, { 'transfer-encoding': 'chunked', 'content-length': '10' }],
  ] as const) {
    expect((await search(100, allowed)).status).toBe(200)
    const refused = await search(limit, tooLong)
    expect(await refused.json()).toMatchObject({ message: 'That’s too much data for one request.' })
  }
})

describe('a body that is still arriving', () => {
  /** Starts a request whose body is read only on demand. `pull` provides its only chunk. */
  const upload = async (path: string, headers: SentHeaders, pull: () => Promise<string>) => {
    const body = new ReadableStream<Uint8Array>(
      {
        async pull(controller) {
          controller.enqueue(new TextEncoder().encode(await pull()))
          controller.close()
        },
      },
      { highWaterMark: 0 },
    )
    const own = { host: new URL(DESK).host, origin: DESK, 'content-type': 'application/json' }
    const request = { method: 'POST', headers: { ...own, ...headers }, body, duplex: 'half' }
    return desk.app.request(`${DESK}${path}`, request as RequestInit)
  }

  test('isn’t read from someone who isn’t signed in, and is limited to 16 KB on routes for them', async () => {
    let reads = 0
    const read = async () => `${++reads}`
    await expectRefusal(await upload('/api/leads/search', {}, read), 401, 'a search')
    expect(reads).toBe(0)
    const large = await upload('/api/session/invitation', {}, async () => 'x'.repeat(16 * 1024 + 1))
    expect(await large.json()).toMatchObject({ message: 'That’s too much data for one request.' })
  })

  test.each(['known', 'unknown'])(
    'changes nothing if the session ends in the meantime (its length is %s)',
    async length => {
      const sam = await desk.signedIn('Sam Slow', 'viewer')
      const search = JSON.stringify({ filter: {} })
      const headers = {
        ...sessionHeaders(sam),
        ...(length === 'known' && { 'content-length': String(search.length) }),
      }
      const signOutFirst = async () => {
        await sam.fetch('/api/session/sign-out', { body: {} })
        return search
      }
      expect((await upload('/api/leads/count', headers, async () => search)).status).toBe(200)
      await expectRefusal(await upload('/api/leads/count', headers, signOutFirst), 401, 'a late body')
    },
  )
})
