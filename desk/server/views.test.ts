/** Who sees a lead's name, number, or email in the desk is on the record, whichever route shows it. */
import { expect, test } from 'vitest'
import { confirm, createTestDesk } from '../../tests/support/desk.ts'
import { bodyOf, deskPerTest } from '../../tests/support/desk-harness.ts'
import { deliverAll } from '../../tests/support/store-engines.ts'
import { UNREADABLE } from './request-body.ts'

const harness = deskPerTest()

const filter = { filter: {} }
const day = '2030-01-31'
const ids = { ids: [] }
const zelda = { firstName: 'Zelda', lastName: 'Zimmer', email: 'zelda@example.org', phone: '(212) 555-0147' }
const dateOfBirth = '1970-12-10'
const theirs = ['Zelda', 'Zimmer', 'zelda@example.org', '555-0147', '2125550147', 'zoe@example.org']

const credential = { id: 'x', rawId: 'x', type: 'public-key' }
const made = { ...credential, response: { clientDataJSON: 'x', attestationObject: 'x' } }
const used = { ...credential, response: { clientDataJSON: 'x', authenticatorData: 'x', signature: 'x' } }

/** What to send to each route that takes a body, for an answer that's as full as it gets. LEAD is an ID. A new route needs an entry here. */
const bodies: Readonly<Record<string, object>> = {
  'POST /api/costs/spend': { entries: [{ campaign: '', month: '2030-01', cents: 100 }] },
  'POST /api/costs/table': { table: 'campaign,month,amount\ntv,2030-01,1' },
  'POST /api/session/sign-in/options': {},
  'POST /api/session/sign-in': { challengeId: 'x', answer: used },
  'POST /api/session/invitation': { token: 'x' },
  'POST /api/session/registration': { token: 'x', challengeId: 'x', answer: made },
  'POST /api/session/languages': { languages: ['en'] },
  'POST /api/session/sign-out': {},
  'POST /api/session/confirmation': {},
  'POST /api/session/passkeys/options': { confirmation: null },
  'POST /api/session/passkeys': { challengeId: 'x', answer: made },
  'POST /api/session/passkeys/:id/remove': { confirmation: null },
  'POST /api/leads/search': filter,
  'POST /api/leads/count': filter,
  'POST /api/leads/export': filter,
  'POST /api/leads/:id/actions': { action: 'add note', text: 'hello' },
  'POST /api/leads/:id/correction': {
    seen: { ...zelda, dateOfBirth },
    corrected: { ...zelda, dateOfBirth, lastName: 'Zimmermann' },
    reason: 'a typo',
  },
  'POST /api/calls/next': {},
  'POST /api/calls/undo': { callId: 'x' },
  'POST /api/calls/give': { leads: ['LEAD'], to: 'nobody' },
  'POST /api/calls/incoming/number': { phone: zelda.phone },
  'POST /api/calls/incoming/unknown': {},
  'POST /api/calls/incoming': { leadId: 'LEAD' },
  'POST /api/calls/people': {
    ...zelda,
    language: 'en',
    answers: {},
    saidYes: true,
  },
  'POST /api/calls/:id/claim': {},
  'POST /api/calls/:id/renew': {},
  'POST /api/calls/:id/skip': {},
  'POST /api/calls/:id/start': { overrideReason: 'for a test' },
  'POST /api/calls/:id/withdraw': {},
  'POST /api/calls/:id/outcome': { outcomes: [{ outcome: 'no answer', leads: ['LEAD'] }], calledAt: null },
  'POST /api/calls/:id/place': { place: null },
  'POST /api/calls/:id/language': { language: 'es' },
  'POST /api/do-not-call/take-back': { chosen: { requests: ['x'] }, also: [], reason: 'x' },
  'POST /api/do-not-call/take-back/preview': { person: null, since: `${day}T00:00` },
  'POST /api/do-not-call/search': { search: '' },
  'POST /api/do-not-call': { contact: '2125550148' },
  'POST /api/do-not-call/undo': { requestId: 'x' },
  'POST /api/do-not-call/restore': { entries: ['2125550149'] },
  'POST /api/do-not-call/remove': { entries: ['2125550149'], request: { askedBy: 'person', askedOn: day } },
  'POST /api/records/check': { html: '' },
  'POST /api/jobs/count': { action: 'approve', leads: filter },
  'POST /api/jobs': { action: 'approve', leads: filter, frozenAt: 1 },
  'POST /api/health/pause': { reason: 'x' },
  'POST /api/health/resume': {},
  'POST /api/health/events/resend': ids,
  'POST /api/health/events/dismiss': ids,
  'POST /api/health/unqueued': { choice: 'none' },
  'POST /api/health/test-lead': {},
  'POST /api/people/invite': { name: 'New', role: 'viewer', languages: ['en'] },
  'POST /api/people/link': { name: 'New' },
  'POST /api/people/role': { name: 'New', role: 'viewer', seen: 'viewer' },
  'POST /api/people/lost-device': { name: 'New', confirmation: null },
  'POST /api/people/sign-out': { name: 'New' },
  'POST /api/people/remove': { name: 'New' },
}

const queries: Readonly<Record<string, string>> = {
  '/api/calls/export': `?since=${day}&until=${day}`,
  '/api/campaigns': `?from=${day}&to=${day}`,
  '/api/costs': '?from=2030-01&to=2030-01',
  '/api/costs/export': '?from=2030-01&to=2030-01',
  '/api/today/calls': '?period=today',
}

/** Routes that show someone in this test. If one is missing, the test no longer reaches what it shows. */
const showing = [
  'GET /api/leads/:id/record',
  'GET /api/leads/:id',
  'GET /api/calls',
  'GET /api/calls/recent',
  'GET /api/calls/unfinished',
  'GET /api/calls/:id',
  'GET /api/health',
  ...['pause', 'resume', 'unqueued', 'events/dismiss', 'events/resend'].map(name => `POST /api/health/${name}`),
  'POST /api/leads/search',
  'POST /api/leads/export',
  'POST /api/leads/:id/actions',
  'POST /api/leads/:id/correction',
  'POST /api/calls/incoming/number',
  'POST /api/calls/:id/place',
  'POST /api/calls/:id/language',
  'POST /api/do-not-call/search',
  'GET /api/do-not-call/export',
]

test('every route that shows a name, number, or email records who saw it', async () => {
  const contact = { ...zelda, dateOfBirth }
  const id = await harness.capture('zelda', { contact })
  // With the same number, so that it's a list.
  await harness.capture('zelda', { contact: { ...contact, firstName: 'Zoltan' } })
  const stopped = { contacts: [{ email: 'zoe@example.org' }], by: 'web', source: 'web' } as const
  const told = await harness.capture('zoe', {
    contact: { ...contact, email: 'zoe@example.org', phone: '(212) 555-0188' },
  })
  await deliverAll(harness.store)
  await harness.store.addToDoNotCall({ ...stopped, leadId: told })
  const env = { CALL_LIST: 'on', LEAD_WEBHOOK_URL: 'https://crm.example' }
  const desk = createTestDesk(harness.store, { env })
  const routes = desk.app.routes.filter(({ method }) => method !== 'ALL').map(({ method, path }) => `${method} ${path}`)
  const shows: string[] = []
  const silent: string[] = []
  const refused: string[] = []
  for (const route of [...new Set(routes)].toSorted((one, other) => (one < other ? -1 : 1))) {
    const [method = '', path = ''] = route.split(' ')
    if (method !== 'GET') expect(Object.keys(bodies)).toContain(route)
    const name = `Agent ${route.replaceAll(/\W+/g, ' ')}`
    const agent = await desk.signedIn(name, 'editor')
    if (path === '/api/calls/recent') {
      const outcomes = [{ outcome: 'no answer', leads: [id] }]
      await agent.fetch(`/api/calls/${id}/claim`, { body: {} })
      await agent.fetch(`/api/calls/${id}/outcome`, { body: { outcomes } })
    }
    if (path === '/api/calls/unfinished') await agent.fetch('/api/calls/incoming', { body: { leadId: id } })
    const body = JSON.parse(JSON.stringify(bodies[route] ?? {}).replaceAll('LEAD', id))
    const confirmation = path.startsWith('/api/people/') ? { confirmation: await confirm(agent) } : {}
    const url = path.replaceAll(/:\w+(\{[^}]*\})?/g, id) + (queries[path] ?? '')
    const response = await agent.fetch(url, method === 'GET' ? {} : { method, body: { ...body, ...confirmation } })
    const text = await response.text()
    if (text.includes(UNREADABLE)) refused.push(route)
    if (!theirs.some(part => text.includes(part))) continue
    shows.push(route)
    const recorded = await harness.rows(
      `SELECT exported_by FROM exports WHERE exported_by = '${name}'
       UNION SELECT detail FROM history WHERE event = 'looked' AND detail LIKE '%"${name}"%'`,
    )
    if (recorded.length === 0) silent.push(route)
  }
  expect(silent).toEqual([])
  // A route that refuses its body shows nothing.
  expect(refused).toEqual([])
  expect(shows.toSorted()).toEqual([...showing].toSorted())
})

test('a list that refreshes itself, or shows the same person again, isn’t another view', async () => {
  await harness.capture('ada')
  const lou = await harness.desk.signedIn('Lou', 'viewer')
  for (let count = 0; count < 3; count++) await bodyOf(lou.fetch('/api/leads/search', { body: filter }))
  expect(await harness.store.recentListViews(9)).toMatchObject([{ by: 'Lou', leads: 1 }])
})

test('counting what matches a text is a view, for every role: guess by guess, it tells a phone number', async () => {
  await harness.capture('zelda', { contact: { ...zelda, dateOfBirth } })
  const count = (name: string, role: 'viewer' | 'editor', search: string, path = '/api/leads/count') =>
    harness.desk.signedIn(name, role).then(client => {
      const body = { filter: { search } }
      return bodyOf(client.fetch(path, { body: path.includes('jobs') ? { action: 'approve', leads: body } : body }))
    })
  for (const guess of ['21255501', '21255502', '21255501', ' ']) await count('Lou', 'viewer', guess)
  for (const guess of ['21255501', '21255502']) await count('Ann', 'editor', guess, '/api/jobs/count')
  expect(await harness.store.recentListViews(9)).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ by: 'Lou', leads: 2 }),
      expect.objectContaining({ by: 'Ann', leads: 2 }),
    ]),
  )
})
