/** Who is refused, on every route of the app, including routes that are added later. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Hono } from 'hono'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { leadActionNames } from '../../domain/lead-actions.ts'
import { createToken } from '../../server/store/accounts.ts'
import { type Asked, DESK, type DeskUnderTest, deskOver, signIn, type Visitor } from '../../tests/support/desk.ts'
import { submissionOf } from '../../tests/support/lead-store.ts'
import { engines, type OpenEngine } from '../../tests/support/store-engines.ts'
import { addHeaders, forViewers } from './guards.ts'

let open: OpenEngine
let desk: DeskUnderTest
let actor: Visitor
let looker: Visitor
let leadId: string
let ofTheLead: readonly string[]

beforeAll(async () => {
  open = await (engines[0] as (typeof engines)[0]).open()
  const consentVersion = await open.store.saveConsentText(JSON.stringify({ text: 'I agree', button: 'Call me' }))
  const submission = submissionOf('Zebulon', consentVersion)
  leadId = (await open.store.capture(submission)).id
  const { firstName, lastName, email, phone, dateOfBirth } = submission.contact
  ofTheLead = [firstName, lastName, email, phone, phone.slice(-4), dateOfBirth, 'I agree']
  desk = deskOver(open.store)
  actor = await desk.signedIn('Maria Lopez', 'editor')
  looker = await desk.signedIn('Lou Looker', 'viewer')
})
afterAll(() => open.remove())

interface Route {
  readonly method: string
  readonly path: string
}

/** Without middleware, which has the method ALL. */
function routes(): readonly Route[] {
  const all = desk.app.routes.filter(({ method }) => method !== 'ALL')
  return [...new Map(all.map(({ method, path }) => [`${method} ${path}`, { method, path }])).values()]
}

const named = ({ method, path }: Route) => `${method} ${path}`

const ask = (visitor: Visitor, { method, path }: Route, headers: Asked['headers'] = {}) =>
  visitor.ask(path.replaceAll(/:\w+(\{[^}]*\})?/g, leadId), {
    method,
    headers,
    ...(method === 'GET' ? {} : { body: {} }),
  })

async function expectRefusal(answer: Response, status: number, about: string): Promise<void> {
  const text = await answer.text()
  expect([answer.status, about]).toEqual([status, about])
  expect(Object.keys(JSON.parse(text))).toEqual(['error', 'message'])
  for (const part of [...ofTheLead, leadId]) expect(text).not.toContain(part)
}

/** The routes that responded with another status. */
async function otherThan(status: number, request: (route: Route) => Promise<Response>, among = routes()) {
  const others: string[] = []
  for (const route of among) {
    const answer = await request(route)
    if (answer.status === status) await expectRefusal(answer, status, named(route))
    else {
      await answer.body?.cancel()
      others.push(named(route))
    }
  }
  return others
}

const waysIn = [
  'POST /api/session/sign-in/options',
  'POST /api/session/sign-in',
  'POST /api/session/invitation',
  'POST /api/session/registration',
]

describe('every route except sign-in refuses', () => {
  test('requests without a session, and made-up sessions', async () => {
    const forger = desk.visitor()
    for (const cookie of ['', '__Host-desk=x', `__Host-desk=${createToken().token}`, `desk=${createToken().token}`]) {
      forger.cookie = cookie
      expect(await otherThan(401, route => ask(forger, route))).toEqual(waysIn)
    }
  })

  test('a session’s hash, as found in a stolen store', async () => {
    const { token, hash } = createToken()
    const [passkey] = await open.store.passkeysOf((await open.store.deskPeople())[0]?.id ?? '')
    await open.store.beginSession({ tokenHash: hash, ttlMs: 60_000, passkeyId: passkey?.id ?? '', counter: 9 })
    const thief = desk.visitor()
    thief.cookie = `__Host-desk=${token}`
    expect((await thief.ask('/api/session')).status).toBe(200)
    thief.cookie = `__Host-desk=${hash}`
    expect(await otherThan(401, route => ask(thief, route))).toEqual(waysIn)
  })

  test.each(['by hand', 'by time', 'by sign-out', 'by dismissal'])('a session that ended %s', async how => {
    const visitor = await desk.signedIn('Ex Employee', 'editor')
    const { cookie } = visitor
    expect((await visitor.ask('/api/session')).status).toBe(200)
    if (how === 'by hand') await visitor.ask('/api/session/sign-out', { body: {} })
    if (how === 'by time')
      await open.change(
        "UPDATE desk_sessions SET ends_at = 1 WHERE person_id IN (SELECT id FROM desk_people WHERE name_key = 'ex employee')",
      )
    if (how === 'by sign-out') await open.store.signOut('Ex Employee')
    if (how === 'by dismissal') await open.store.dismiss('Ex Employee')
    const refused = { ...visitor, cookie }
    expect(await otherThan(401, route => ask({ ...refused, ask: withCookie(cookie) }, route))).toEqual(waysIn)
    expect((await signIn(visitor)).status).toBe(how === 'by dismissal' ? 403 : 200)
  })
})

test('a session that ends while its request body is still arriving is refused', async () => {
  const visitor = await desk.signedIn('Slow Person', 'editor')
  const sent = Promise.withResolvers<void>()
  const body = new ReadableStream({
    async start(controller) {
      await sent.promise
      controller.enqueue(new TextEncoder().encode('{"filter":{}}'))
      controller.close()
    },
  })
  const asked = desk.app.request(`${DESK}/api/leads/search`, {
    method: 'POST',
    headers: {
      host: new URL(DESK).host,
      origin: DESK,
      'content-type': 'application/json',
      'content-length': '13',
      cookie: visitor.cookie,
    },
    body,
    duplex: 'half',
  } as RequestInit)
  await sleep(100)
  await open.store.dismiss('Slow Person')
  sent.resolve()
  expect((await asked).status).toBe(401)
})

/** Sends a request like a browser that doesn’t know its session ended. */
function withCookie(cookie: string): Visitor['ask'] {
  return (path, asked = {}) => desk.visitor().ask(path, { ...asked, headers: { ...asked.headers, cookie } })
}

describe('a viewer', () => {
  test.each(leadActionNames)('can’t %s', async action => {
    const details = { reason: 'spam', contacts: ['phone'], confirmation: 'x', text: 'hello', note: 'x' }
    const answer = await looker.ask(`/api/leads/${leadId}/actions`, { body: { action, ...details } })
    await expectRefusal(answer, 403, action)
  })

  test('is refused on every route that changes something', async () => {
    const changing = routes().filter(route => route.method !== 'GET' && !waysIn.includes(named(route)))
    const others = changing.filter(({ path }) => !path.startsWith('/api/session'))
    expect(await otherThan(403, route => ask(looker, route), others)).toEqual(
      others.map(named).filter(name => forViewers.includes(name)),
    )
  })
})

describe('requests from elsewhere are refused on every route', () => {
  test.each(['evil.example', 'localhost', 'localhost:3002', '127.0.0.1:3001', ''])('another Host: %s', async host => {
    expect(await otherThan(421, route => ask(actor, route, { host }))).toEqual([])
  })

  test.each(['https://evil.example', 'http://localhost:3000', 'null', 'http://127.0.0.1:3001'])(
    'another origin: %s',
    async origin => {
      expect(await otherThan(403, route => ask(actor, route, { origin }))).toEqual([])
    },
  )

  test.each(['cross-site', 'same-site'])('a request from another site’s page: %s', async site => {
    const headers = { 'sec-fetch-site': site }
    expect(await otherThan(403, route => ask(actor, route, headers))).toEqual([])
    // Even by link: other sites can only open pages, which contain no data.
    const followed = { ...headers, 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate' }
    expect(await otherThan(403, route => ask(actor, route, followed))).toEqual([])
  })

  test('a change without an origin', async () => {
    for (const route of routes().filter(({ method }) => method !== 'GET')) {
      const headers = new Headers({ host: new URL(DESK).host, cookie: actor.cookie })
      const answer = await desk.app.request(`${DESK}${route.path}`, { method: route.method, headers })
      await expectRefusal(answer, 403, named(route))
    }
  })

  test.each(['iframe', 'frame', 'embed', 'object'])('a page in a %s', async destination => {
    for (const site of ['same-origin', 'cross-site', 'none']) {
      const headers = { 'sec-fetch-dest': destination, 'sec-fetch-site': site }
      for (const path of ['/', '/leads', `/leads/${leadId}`, '/invitation']) {
        expect((await actor.ask(path, { headers })).status).toBe(403)
      }
      expect(await otherThan(403, route => ask(actor, route, headers))).toEqual([])
    }
  })

  test('every response forbids framing, other sites’ scripts, and caching', async () => {
    const raw = new Hono().use(addHeaders(DESK)).get('/raw', () => new Response('not made by the context'))
    const read = routes().filter(({ method }) => method === 'GET')
    const answers = await Promise.all([
      ...['/api/session', '/api/nothing', '/'].map(path => actor.ask(path)),
      ...read.map(route => ask(desk.visitor(), route)),
      raw.request('/raw'),
    ])
    for (const { headers } of answers) {
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
      expect(headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
      expect(headers.get('cache-control')).toBe('no-store')
      expect(headers.get('referrer-policy')).toBe('no-referrer')
      expect(headers.get('cross-origin-opener-policy')).toBe('same-origin')
    }
  })
})

test('opening an unknown URL, or a record without a session, shows a message', async () => {
  const accept = 'text/html,application/xhtml+xml'
  const elsewhere = await desk.visitor().ask('/', { headers: { accept, host: '127.0.0.1:3001' } })
  expect([elsewhere.status, await elsewhere.text()]).toEqual([421, `The desk is at ${DESK}.\n`])
  expect(elsewhere.headers.get('content-type')).toContain('text/plain')
  const record = await desk.visitor().ask(`/api/leads/${leadId}/record`, { headers: { accept } })
  expect([record.status, await record.text()]).toEqual([401, 'Sign in to continue.\n'])
})

test('a body that isn’t JSON, is too long, or has the wrong shape is refused without repeating it', async () => {
  for (const body of ['{', '"x"', '[]', JSON.stringify({ token: 5 })]) {
    await expectRefusal(await actor.ask('/api/session/invitation', { body }), 400, body)
  }
  const form = { body: 'token=x', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  await expectRefusal(await actor.ask('/api/session/invitation', form), 400, 'a form')
  const search = (characters: number, headers: Record<string, string>) =>
    looker.ask('/api/leads/search', { body: { filter: { search: 'x'.repeat(characters) } }, headers })
  const limit = 512 * 1024
  for (const [usual, tooLong] of [
    [{ 'content-length': '200' }, { 'content-length': `${limit + 1}` }],
    [{}, {}],
    [{ 'transfer-encoding': 'chunked' }, { 'transfer-encoding': 'chunked', 'content-length': '10' }],
  ] as const) {
    expect((await search(100, usual)).status).toBe(200)
    const refused = await search(limit, tooLong)
    expect(await refused.json()).toMatchObject({ message: 'That’s too much data for one request.' })
  }
})
