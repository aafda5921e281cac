/**
 * A call from claim to outcome, through the desk's routes. The tests in domain/calling have the rules about limits,
 * promises, and the order of calls.
 */
import { readFileSync } from 'node:fs'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../domain/durations.ts'
import type { Submission } from '../../../server/store/operations/leads/capture.ts'
import { createTestDesk, type DeskClient, type TestDesk } from '../../../tests/support/desk.ts'
import { bodyOf, type DeskHarness, deskPerTest } from '../../../tests/support/desk-harness.ts'
import { contactOf, ERASURE_KEY } from '../../../tests/support/lead-store.ts'
import { passTime } from '../../../tests/support/pass-time.ts'
import { deliverAll, type Engine, engines } from '../../../tests/support/store-engines.ts'
import type { CallState, TodayCalls } from '../../browser/client.ts'

vi.mock(import('../../../domain/calling/hours.ts'), async original => {
  const { alwaysOpen } = await import('../../../tests/support/always-open.ts')
  return { ...(await original()), createCallingClock: () => alwaysOpen }
})

/** What the tests read of a response. */
interface Answer {
  readonly ownCallbacks: number
  readonly later: readonly object[]
  readonly ready: readonly { readonly people: readonly { readonly firstName: string }[] }[]
  readonly now: { readonly count: number }
  readonly calls: readonly { readonly outcome: string; readonly startedAt: number; readonly savedAt: number }[]
}
interface Found {
  readonly leads: readonly { readonly firstName: string; readonly call: object }[]
  readonly agents: readonly { readonly id: string; readonly name: string }[]
}

const harness = {} as DeskHarness
/** An editor and an agent. */
let maria: DeskClient
let bob: DeskClient

function deskWithAgents(engine?: Engine): void {
  deskPerTest(engine, harness)
  beforeEach(async () => {
    maria = harness.maria
    bob = await harness.desk.signedIn('Bob', 'agent')
  })
}

/** The default number is in Hawaii. */
const capture = (name: string, phone = '(808) 555-0101', more: Partial<Submission> = {}) =>
  harness.capture(name, { contact: { ...contactOf(name), phone }, ...more })
const later = (ms: number) => passTime(harness, ms)
/** An outcome is about the lead whose page it is, unless `leads` says otherwise. */
const send = async (client: DeskClient, path: string, given: object = {}) => {
  const { outcome, callbackAt, asked, leads = [path.split('/')[0]], ...rest } = given as Record<string, unknown>
  const said = outcome === undefined ? {} : { outcomes: [{ outcome, callbackAt, asked, leads }] }
  const body = path.endsWith('/outcome') ? { ...rest, ...said } : given
  const response = await client.fetch(`/api/calls/${path}`, { body })
  const answer = (await response.json()) as { callId?: string; leadId?: string; kind?: string }
  return { status: response.status, ...answer }
}
const get = async (client: DeskClient, path = '') => (await client.fetch(`/api/calls${path}`)).json() as Promise<Answer>
const call = async (client: DeskClient, id: string, outcome: string, more: object = {}) => {
  await send(client, `${id}/claim`)
  return send(client, `${id}/outcome`, { outcome, ...more })
}
const names = async (client: DeskClient, path = '') =>
  (await get(client, path)).ready.map(({ people }) => people[0]?.firstName)

/** With queries that the store's tests don't run, and a race. */
describe.each(engines)('calls, on $name', engine => {
  deskWithAgents(engine)

  test('an agent gets the next person, dials, saves, and gets the next one', async () => {
    const [ada, bea] = [await capture('ada'), await capture('bea', '(212) 555-0102')]
    expect(await get(bob)).toMatchObject({
      now: { count: 2, new: 2 },
      ready: [
        { people: [{ firstName: 'bea' }], place: { state: 'NY' } },
        { people: [{ firstName: 'ada' }], place: { state: 'HI' } },
      ],
    })
    expect(await send(bob, 'next')).toMatchObject({ leadId: bea })
    expect(await send(bob, `${bea}/start`)).toMatchObject({ kind: 'started' })
    expect(await get(bob, '/unfinished')).toMatchObject({ calls: [{ leadId: bea, firstName: 'bea' }] })
    const saved = await send(bob, `${bea}/outcome`, { outcome: 'voicemail', note: 'Asked to call back', next: true })
    expect(saved).toMatchObject({ kind: 'saved', nextLeadId: ada, call: { kind: 'retry', tries: 1 } })
    expect(saved).toMatchObject({ next: { kind: 'retry', leadId: bea, dueAt: expect.any(Number) } })
    expect(await get(bob, `/${bea}`)).toMatchObject({
      calls: [{ outcome: 'voicemail', by: 'Bob', place: 'NY Eastern' }],
      placeHow: 'from area code 212',
      situation: { kind: 'saved' },
      block: { why: 'limit' },
    })
    const recent = { callId: saved.callId, leadId: bea, outcome: 'voicemail', people: [{ firstName: 'bea' }] }
    expect(await get(bob, '/recent')).toMatchObject({ calls: [recent] })
    expect(await get(maria, '/recent')).toEqual({ calls: [] })
    expect(await send(bob, 'undo', { callId: saved.callId })).toMatchObject({ note: 'Asked to call back' })
    expect(await get(bob, '/recent')).toEqual({ calls: [] })
    expect(await get(bob, `/${bea}`)).toMatchObject({
      situation: { kind: 'started', incoming: false },
    })
  })

  test('an outcome is shown with the person it was about, not with others on the number', async () => {
    const [otis, jane] = [await capture('otis'), await capture('jane')]
    await call(bob, otis, 'not interested', { leads: [jane] })
    const otisWaits = { people: [{ firstName: 'otis' }], calls: 1, last: { outcome: null } }
    expect(await get(bob)).toMatchObject({ later: [otisWaits] })
    const recent = { leadId: otis, people: [{ firstName: 'jane' }], outcome: 'not interested' }
    expect(await get(bob, '/recent')).toMatchObject({ calls: [recent] })
  })

  test('an outcome about the old number isn’t one about the new number', async () => {
    const ada = await capture('ada')
    await call(bob, ada, 'wrong number')
    const { firstName, lastName, dateOfBirth, email } = contactOf('ada')
    const seen = { firstName, lastName, dateOfBirth, email, phone: '(808) 555-0101' }
    const corrected = { ...seen, phone: '(212) 555-0187' }
    const { lead } = await bodyOf<{ lead: { id: string } }>(
      bob.fetch(`/api/leads/${ada}/correction`, { body: { seen, corrected, reason: 'a typo', saidYes: true } }),
    )
    expect(await get(bob, `/${lead.id}`)).toMatchObject({
      situation: { kind: 'free' },
      calls: [{ outcome: 'wrong number', atOldNumber: true }],
    })
  })

  test('if turned on, the webhook gets each outcome, client, and correction, as documented, without personal data', async () => {
    const env = { LEAD_WEBHOOK_URL: 'http://127.0.0.1:9', LEAD_WEBHOOK_FORMAT: 'json', CALL_LIST: 'on' }
    const callOnce = async (name: string, phone: string, settings: Readonly<Record<string, string>>) => {
      const caller = await createTestDesk(harness.store, { env: { ...env, ...settings } }).signedIn(name, 'agent')
      const leadId = await capture(name, phone)
      const { callId } = await call(caller, leadId, 'voicemail', { note: 'About her leg' })
      await send(caller, 'undo', { callId })
      return { caller, leadId, callId }
    }
    await callOnce('ada', '(212) 555-0101', {})
    const queued = () => harness.store.queuedEvents({ lane: 'calls', limit: 9 })
    expect(await queued()).toEqual([])
    const { caller, leadId, callId } = await callOnce('bea', '(212) 555-0102', { LEAD_WEBHOOK_CALLS: 'on' })
    await harness.store.clientFromCrm({ webhookId: '1', leadId, on: '2030-01-31' })
    const seen = { state: 'accepted', doNotCall: { email: false, phone: false } }
    await bodyOf(caller.fetch(`/api/leads/${leadId}/actions`, { body: { action: 'client undone', seen } }))
    const events = (await queued()).toSorted((one, other) => one.createdAt - other.createdAt)
    const same = { startedAt: expect.any(String), callbackAt: null, by: 'bea' }
    expect(events.map(({ leadId, type, detail }) => [leadId, type, detail])).toMatchObject([
      [leadId, 'lead.called', { ...same, callId, outcome: 'voicemail', corrects: null }],
      [leadId, 'lead.called', { ...same, outcome: 'undone', corrects: callId }],
      [leadId, 'lead.client', { on: null, by: 'bea' }],
    ])
    const examples = [...readFileSync('docs/webhook.md', 'utf8').matchAll(/```json\n([\s\S]*?)```/g)]
    const documented = Object.fromEntries(
      examples.map(([, json = '']) => [JSON.parse(json).type, JSON.parse(json).data]),
    )
    for (const { type, detail } of events)
      expect(Object.keys({ id: '', ...detail })).toEqual(Object.keys(documented[type]))
  })

  test('someone else’s answer is a try for everyone here, and what they say about themselves is part of it', async () => {
    const env = { LEAD_WEBHOOK_URL: 'http://127.0.0.1:9', LEAD_WEBHOOK_FORMAT: 'json', CALL_LIST: 'on' }
    const desk = createTestDesk(harness.store, { env: { ...env, LEAD_WEBHOOK_CALLS: 'on' } })
    const joe = await desk.signedIn('Joe', 'agent')
    const couple = [await capture('wanda'), await capture('walter')]
    const [wanda = '', walter = ''] = couple
    await deliverAll(harness.store)
    const heard = async () => {
      const events = await harness.store.queuedEvents({ lane: 'calls', limit: 19 })
      return events
        .map(({ leadId, detail }) => `${leadId === wanda ? 'wanda' : 'walter'} ${detail['outcome']}`)
        .toSorted()
    }
    const tries = async () => {
      const { people } = await bodyOf<CallState>(joe.fetch(`/api/calls/${wanda}`))
      return people.map(({ call }) => [call.tries, call.ended])
    }
    const outcomes = [
      { outcome: 'someone else', leads: [wanda], callbackAt: Date.now() + 5 * HOUR },
      { outcome: 'going ahead', leads: [walter] },
    ]
    await send(joe, `${wanda}/start`)
    const { callId } = await send(joe, `${wanda}/outcome`, { outcomes })
    expect(await tries()).toEqual([
      [1, null],
      [0, 'going ahead'],
    ])
    expect((await get(joe)).ownCallbacks).toBe(1)
    await send(joe, 'undo', { callId })
    expect(await heard()).toEqual(['walter going ahead', 'walter undone', 'wanda someone else', 'wanda undone'])
    // The same call: someone else forbids the number.
    const forbidden = [{ outcome: 'never call again', leads: [], asked: 'someone else' }]
    expect(await send(joe, `${wanda}/outcome`, { outcomes: forbidden })).toMatchObject({ kind: 'saved' })
    expect(await tries()).toEqual([
      [1, null],
      [1, null],
    ])
    expect((await heard()).filter(each => each.includes('someone else'))).toEqual([
      'walter someone else',
      'wanda someone else',
      'wanda someone else',
    ])
    const { goingAhead, people, calls } = await bodyOf<TodayCalls>(joe.fetch('/api/today/calls?period=today'))
    expect([calls, people.count, goingAhead.count]).toEqual([1, 2, 0])
  })

  test('Undo takes a callback back from the colleague who was given it: what’s promised then is one’s own', async () => {
    const ada = await capture('ada')
    const [colleague] = (await get(maria, '/colleagues')) as unknown as { id: string }[]
    await send(maria, `${ada}/start`)
    const { callId } = await send(maria, `${ada}/outcome`, {
      outcome: 'call back',
      callbackAt: Date.now() + 2 * HOUR,
    })
    expect(await send(maria, 'give', { leads: [ada], to: colleague?.id })).toMatchObject({ status: 200 })
    expect([(await get(maria)).ownCallbacks, (await get(bob)).ownCallbacks]).toEqual([0, 1])
    // The gift can be taken back by who made it, until the colleague has called.
    expect(await send(bob, 'give', { leads: [ada], to: null })).toMatchObject({ status: 409 })
    expect(await send(maria, 'give', { leads: [ada], to: null })).toMatchObject({ status: 200 })
    expect([(await get(maria)).ownCallbacks, (await get(bob)).ownCallbacks]).toEqual([1, 0])
    expect(await send(maria, 'give', { leads: [ada], to: null })).toMatchObject({ status: 409 })
    await send(maria, 'give', { leads: [ada], to: colleague?.id })
    await send(maria, 'undo', { callId })
    expect([(await get(maria)).ownCallbacks, (await get(bob)).ownCallbacks]).toEqual([0, 0])
    expect(await send(maria, 'give', { leads: [ada], to: null })).toMatchObject({ status: 409 })
    const again = await send(maria, `${ada}/outcome`, { outcome: 'call back', callbackAt: Date.now() + 3 * HOUR })
    expect(again).toMatchObject({ kind: 'saved', isScheduled: true })
    expect([(await get(maria)).ownCallbacks, (await get(bob)).ownCallbacks]).toEqual([1, 0])
  })

  test('a person’s place and language can be corrected', async () => {
    const ada = await capture('ada')
    expect(await send(bob, `${ada}/place`, { place: 'nowhere' })).toMatchObject({ status: 400 })
    expect(await send(bob, `${ada}/place`, { place: 'FL Central' })).toMatchObject({
      place: { state: 'FL', zones: ['Central'] },
      placeHow: 'set by Bob',
    })
    expect(await send(bob, `${ada}/place`, { place: null })).toMatchObject({ place: { state: 'HI' } })
    expect(await send(bob, `${ada}/language`, { language: 'es' })).toMatchObject({ language: 'es' })
  })

  test('a viewer can export calls, without contact details, and an editor with names and numbers, on the record', async () => {
    const viewer = await harness.desk.signedIn('Vera', 'viewer')
    const [husband, ada] = [await capture('husband'), await capture('ada')]
    await call(bob, ada, 'going ahead', { leads: [husband, ada] })
    const [since, until] = [-1, 1].map(days => new Date(Date.now() + days * DAY).toISOString().slice(0, 10))
    const exported = async (more = '', client = viewer) =>
      (await client.fetch(`/api/calls/export?since=${since}&until=${until}${more}`)).text()
    const csv = await exported()
    expect(csv).toContain(`${ada},`)
    expect(csv).toMatch(/,Bob,Moving forward,,No,,Outgoing\r\n/)
    expect(csv).toMatch(/,Started at \(America\/New York\),.*,\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,/s)
    expect(csv).not.toMatch(/555\D*0101|Lovelace/)
    // A person who called us is named and counted, too.
    const bea = await capture('bea', '(212) 555-0102')
    await bodyOf(bob.fetch('/api/calls/incoming', { body: { leadId: bea } }))
    await send(bob, `${bea}/outcome`, { outcome: 'going ahead' })
    await harness.store.erase({ ids: [husband], key: ERASURE_KEY, by: 'Maria' })
    const named = await exported('', maria)
    expect(named).toMatch(
      /^Person,Phone,ID,Lead ID,Started at.*\r\nada Lovelace,\(808\) 555-0101,.*\r\nbea Lovelace,\(212\) 555-0102,/,
    )
    expect(await harness.store.recentExports(9)).toMatchObject([{ by: 'Maria Lopez', leads: 3 }])
    expect((await exported('&person=nobody')).trim().split('\n')).toHaveLength(1)
    expect((await viewer.fetch('/api/calls/export?since=x&until=y')).status).toBe(400)
  })

  test('lists of leads show where the calling stands, and are filtered by outcome, agent, day, and callback', async () => {
    const [ada, bea] = [await capture('ada'), await capture('bea', '(212) 555-0102')]
    const cal = await capture('cal', '(212) 555-0104')
    await capture('never', '(212) 555-0103')
    await call(maria, ada, 'no answer')
    await call(bob, bea, 'call back', { callbackAt: Date.now() + 2 * HOUR })
    await call(maria, cal, 'going ahead')
    const search = async (filter: object) =>
      (await bodyOf<Found>(maria.fetch('/api/leads/search', { body: { filter } }))).leads
    expect((await search({})).map(({ firstName, call }) => [firstName, call])).toMatchObject([
      ['never', { kind: 'new', ended: null, lastOutcome: null }],
      ['cal', { ended: 'going ahead', lastOutcome: 'going ahead' }],
      ['bea', { kind: 'callback', ended: null, lastOutcome: 'call back' }],
      ['ada', { kind: 'retry', ended: null, lastOutcome: 'no answer' }],
    ])
    // Someone who is a viewer now may have called before.
    await harness.change(`UPDATE desk_people SET role = 'viewer' WHERE name = 'Bob'`)
    const { agents } = await bodyOf<Found>(maria.fetch('/api/leads/choices'))
    const caller = agents.find(({ name }) => name === 'Bob')?.id
    const days = [-1, 2, 3].map(ahead => new Date(Date.now() + ahead * DAY).toISOString().slice(0, 10))
    const find = async (filter: object) => (await search(filter)).map(({ firstName }) => firstName)
    expect(await find({ outcome: 'no answer' })).toEqual(['ada'])
    expect(await find({ outcome: 'reached' })).toEqual(['cal', 'bea'])
    expect(await find({ caller, calledFrom: days[0], calledTo: days[1] })).toEqual(['bea'])
    expect(await find({ callbackFrom: days[0], callbackTo: days[1] })).toEqual(['bea'])
    // All conditions are about the same call.
    expect(await find({ caller, outcome: 'no answer' })).toEqual([])
    expect(await find({ calledFrom: days[1], calledTo: days[2] })).toEqual([])
    expect(await find({ callback: 'missed' })).toEqual([])
    await later(3 * HOUR)
    expect(await find({ callback: 'missed' })).toEqual(['bea'])
  })

  test('with a webhook, new leads are the CRM’s, but promises and open calls stay until they’re done', async () => {
    const hook = { LEAD_WEBHOOK_URL: 'https://crm.example.org/' }
    const luis = await createTestDesk(harness.store, { env: hook }).signedIn('Luis', 'agent')
    await capture('crm', '(212) 555-0100', { callFromDesk: false })
    expect((await luis.fetch('/api/calls')).status).toBe(404)
    expect((await luis.fetch('/api/today/calls?period=today')).status).toBe(404)
    expect(await bodyOf(luis.fetch('/api/session'))).toMatchObject({ callList: false, crm: true })
    const before = await capture('before', '(212) 555-0102')
    expect(await names(luis)).toEqual(['before'])
    await call(luis, before, 'going ahead')
    expect(await send(luis, 'next')).toMatchObject({ status: 404, message: 'The call list is turned off.' })
    const off = createTestDesk(harness.store, { env: { ...hook, CALL_LIST: 'off' } })
    expect((await (await off.signedIn('Ann', 'agent')).fetch('/api/calls')).status).toBe(404)
  })

  test('twenty agents at two desks who press Call next at once get twenty people, each once', async () => {
    await Promise.all(Array.from({ length: 25 }, (_, index) => capture(`p${index}`, `(212) 555-${1000 + index}`)))
    const desks = [harness.desk, createTestDesk(await harness.openAnother())]
    const agents: DeskClient[] = []
    for (let index = 0; index < 20; index++)
      agents.push(await (desks[index % 2] as TestDesk).signedIn(`Agent ${index}`, 'agent'))
    const given = await Promise.all(agents.map(agent => send(agent, 'next')))
    expect(new Set(given.map(({ leadId }) => leadId)).size).toBe(20)
    expect((await get(maria)).now.count).toBe(5)
  })
})

describe('calls, on one engine', () => {
  deskWithAgents()

  test('a callback needs a time', async () => {
    const ada = await capture('ada')
    await send(bob, 'next')
    expect(await send(bob, `${ada}/outcome`, { outcome: 'call back' })).toMatchObject({ status: 400 })
    expect(await send(bob, `${ada}/outcome`, { outcome: 'no answer', callbackAt: 1 })).toMatchObject({ status: 400 })
    const outcome = { outcome: 'call back', callbackAt: Date.now() + 2 * HOUR }
    expect(await send(bob, `${ada}/outcome`, outcome)).toMatchObject({ kind: 'saved', call: { kind: 'callback' } })
    expect(await get(bob, `/${ada}`)).toMatchObject({ call: { promise: { by: 'Bob', place: 'HI Hawaii' } } })
  })

  test('only an editor can call against the rules, with a reason that is kept', async () => {
    const ada = await capture('ada')
    await send(bob, `${ada}/start`)
    await send(bob, `${ada}/outcome`, { outcome: 'no answer' })
    expect(await send(bob, `${ada}/start`)).toMatchObject({
      kind: 'blocked',
      message: 'This number was called less than an hour ago.',
    })
    expect(await send(bob, `${ada}/start`, { overrideReason: 'x' })).toMatchObject({ status: 403 })
    await send(bob, `${ada}/skip`)
    expect(await send(maria, `${ada}/start`, { overrideReason: ' ' })).toMatchObject({ status: 400 })
    expect(await send(maria, `${ada}/start`, { overrideReason: 'They called us' })).toMatchObject({ kind: 'started' })
    await send(maria, `${ada}/outcome`, { outcome: 'going ahead' })
    const { calls } = await get(maria, `/${ada}`)
    expect(calls.at(-1)).toMatchObject({ by: 'Maria Lopez', overrideReason: 'They called us' })
    // A reason doesn't override the do-not-call list.
    await harness.store.addToDoNotCall({ contacts: [{ email: 'ada@example.org' }], by: 'Bob' })
    expect(await send(maria, `${ada}/start`, { overrideReason: 'They called us' })).toMatchObject({ kind: 'closed' })
  })

  test('people say which languages they speak, and leads in those languages are left to them', async () => {
    const speak = (...languages: readonly string[]) => maria.fetch('/api/session/languages', { body: { languages } })
    const session = () => bodyOf(maria.fetch('/api/session'))
    expect(await session()).toMatchObject({ callList: true, languages: ['en'] })
    expect((await speak()).status).toBe(400)
    await speak('en', 'es')
    expect(await session()).toMatchObject({ languages: ['en', 'es'] })
    await capture('ana', undefined, { language: 'es' })
    await capture('bea', '(212) 555-0102')
    expect(await names(bob)).toEqual(['bea'])
    expect(await names(maria)).toEqual(['bea', 'ana'])
  })

  describe('limits and claims', () => {
    test('every dial counts unless it’s taken back: a dropped call can be redialed once, and three in 24 hours is the limit', async () => {
      const ada = await capture('ada')
      const dial = async () => (await send(bob, `${ada}/start`)).kind
      expect(await dial()).toBe('started')
      await send(bob, `${ada}/withdraw`)
      expect(await dial()).toBe('started')
      // Pressed twice: one call.
      expect(await dial()).toBe('started')
      await later(MINUTE)
      expect([await dial(), await later(MINUTE), await dial()]).toEqual(['started', undefined, 'blocked'])
      await send(bob, `${ada}/outcome`, { outcome: 'no answer' })
      const { calls } = await get(bob, `/${ada}`)
      expect(calls.map(({ outcome }) => outcome).toSorted()).toEqual(['no answer', 'not called', 'redialed'])
      await later(2 * HOUR)
      expect(await dial()).toBe('started')
      await later(MINUTE)
      expect(await send(bob, `${ada}/start`)).toMatchObject({
        kind: 'blocked',
        message: 'This number was called 3 times in 24 hours.',
      })
    })

    test('erasing one of two leads with a number frees neither its claim nor its limits', async () => {
      const [ada, husband] = [await capture('ada'), await capture('husband')]
      await send(maria, `${ada}/start`)
      await harness.store.erase({ ids: [ada], key: ERASURE_KEY, by: 'Eve' })
      expect(await send(bob, `${husband}/start`)).toMatchObject({ kind: 'claimed', claim: { name: 'Maria Lopez' } })
      expect(await send(bob, `${husband}/claim`, { takeOver: true })).toMatchObject({ kind: 'open' })
      expect(await send(bob, `${husband}/start`)).toMatchObject({ kind: 'blocked', why: 'limit' })
    })

    test('someone has one number open, plus those they dialed, for four hours', async () => {
      const [ada, bea] = [await capture('ada'), await capture('bea', '(212) 555-0102')]
      for (let press = 0; press < 5; press++) expect(await send(maria, 'next')).toMatchObject({ leadId: bea })
      await send(maria, `${ada}/claim`)
      expect(await send(bob, 'next')).toMatchObject({ leadId: bea })
      await send(maria, `${ada}/start`)
      await send(bob, `${bea}/skip`)
      await send(maria, `${bea}/claim`)
      await later(3 * HOUR)
      const claim = { name: 'Maria Lopez', dialed: 1 }
      expect(await send(bob, `${ada}/claim`)).toMatchObject({ kind: 'claimed', claim })
      expect(await send(bob, `${bea}/claim`)).toMatchObject({ kind: 'open' })
      await later(HOUR + MINUTE)
      expect((await get(bob)).ready).toMatchObject([
        { people: [{ firstName: 'bea' }] },
        { people: [{ firstName: 'ada' }], kind: 'retry', last: { outcome: 'not recorded' } },
      ])
      expect(await get(maria, '/unfinished')).toEqual({ calls: [] })
      // This was a call, so its agent can still say what happened, but which one do they mean?
      expect(await get(maria, `/${ada}`)).toMatchObject({ situation: { kind: 'left' } })
      expect(await send(maria, `${ada}/outcome`, { outcome: 'going ahead' })).toMatchObject({ kind: 'which call' })
      await send(maria, `${ada}/withdraw`)
      const saved = { outcome: 'going ahead', which: 'left' }
      expect(await send(maria, `${ada}/outcome`, saved)).toMatchObject({ kind: 'saved' })
    })

    test('a dialed number stays with an agent who signs out, and is back at once if they’re removed', async () => {
      const ada = await capture('ada')
      await send(bob, `${ada}/start`)
      await bob.fetch('/api/session/sign-out', { body: {} })
      expect(await send(maria, `${ada}/claim`)).toMatchObject({ kind: 'claimed' })
      await harness.store.removePerson({ name: 'Bob', by: 'Eve' })
      await later(HOUR)
      expect(await send(maria, 'next')).toMatchObject({ leadId: ada })
    })

    test('a call on another phone is recorded at the time that its agent says, or as "by" the time it was saved', async () => {
      const ada = await capture('ada')
      const [bea, cal] = [await capture('bea', '(212) 555-0102'), await capture('cal', '(212) 555-0103')]
      const calledAt = Date.now() - HOUR
      await call(bob, ada, 'no answer', { calledAt })
      await call(bob, bea, 'no answer', { calledAt: null })
      await send(bob, `${cal}/claim`)
      await later(MINUTE)
      await send(bob, `${cal}/outcome`, { outcome: 'no answer' })
      const lastCall = async (id: string) => (await get(bob, `/${id}`)).calls[0]
      expect(await lastCall(ada)).toMatchObject({ startedAt: calledAt - MINUTE, timeKnown: true })
      expect(await lastCall(bea)).toMatchObject({ timeKnown: false })
      const { startedAt = 0, savedAt = 0 } = (await lastCall(cal)) ?? {}
      expect(savedAt - startedAt).toBeGreaterThanOrEqual(MINUTE)
      const inAnHour = { calledAt: Date.now() + HOUR }
      expect(await call(bob, ada, 'no answer', inAnHour)).toMatchObject({ kind: 'time refused' })
    })
  })

  describe('promises', () => {
    test('of someone who was removed say so, and are listed until they’re given to a colleague', async () => {
      const dana = await harness.desk.signedIn('Dana Fox', 'agent')
      const [ada, bea] = [await capture('ada'), await capture('bea', '(212) 555-0102')]
      await call(dana, ada, 'call back', { callbackAt: Date.now() + 2 * HOUR, leads: [ada] })
      await call(dana, bea, 'call back', { callbackAt: Date.now() + 3 * HOUR, leads: [bea] })
      const danaIn = async () => (await bodyOf<{ people: object[] }>(maria.fetch('/api/people'))).people[1]
      const left = async () => (await get(maria, '?only=left')).later
      expect(await danaIn()).toMatchObject({ name: 'Dana Fox', callbacks: 2 })
      expect(await left()).toEqual([])
      await maria.fetch('/api/people/remove', { body: { name: 'Dana Fox' } })
      expect(await danaIn()).toMatchObject({ status: 'removed', callbacks: 2 })
      const byDana = { promise: { by: 'Dana Fox', hasLeft: true } }
      expect(await left()).toMatchObject([
        { leadId: ada, ...byDana },
        { leadId: bea, ...byDana },
      ])
      expect(await get(maria, `/${ada}`)).toMatchObject({ people: [{ call: { promise: { hasLeft: true } } }] })
      const colleagues = (await get(maria, '/colleagues')) as unknown as { id: string; name: string }[]
      const to = colleagues.find(({ name }) => name === 'Bob')?.id
      expect(await send(maria, 'give', { leads: [ada, bea], to })).toMatchObject({ status: 200, count: 2 })
      expect(await left()).toEqual([])
      expect(await danaIn()).toMatchObject({ callbacks: 0 })
      for (const id of [ada, bea])
        expect(await get(maria, `/${id}`)).toMatchObject({
          people: [{ call: { promise: { by: 'Bob', hasLeft: false } } }],
        })
      const given = (await harness.store.find(ada))?.history.at(-1)
      expect(given?.event).toBe('callback given')
      expect(JSON.parse(given?.detail ?? '')).toEqual({ by: 'Maria Lopez', from: 'Dana Fox', to: 'Bob' })
      // One Undo for both, except the one that has been called since.
      await later(61 * MINUTE)
      await call(bob, bea, 'not interested')
      expect(await send(maria, 'give', { leads: [ada, bea], to: null })).toMatchObject({ status: 200, count: 1 })
      expect(await left()).toMatchObject([{ leadId: ada, ...byDana }])
    })

    const inHours = (hours: number) => ({ callbackAt: Date.now() + hours * HOUR })
    const dayOf = (at: number) => new Date(at).toLocaleDateString('en-US', { timeZone: 'America/New_York' })
    /** How many of a callback at this time are due today in the office: none if it's after midnight there. */
    const countToday = (at: number) => Number(dayOf(at) === dayOf(Date.now()))

    test('stay when the person submits again, aren’t broken by another call, and are first their agent’s', async () => {
      const ada = await capture('ada')
      const husband = await capture('husband')
      const promised = inHours(2)
      await call(maria, ada, 'call back', { ...promised, leads: [ada] })
      expect([(await get(maria)).ownCallbacks, (await get(bob)).ownCallbacks]).toEqual([1, 0])
      const colleagues = (await get(bob, '/colleagues')) as unknown as { id: string; name: string }[]
      const to = colleagues.find(({ name }) => name === 'Maria Lopez')?.id
      expect(await send(bob, 'give', { leads: [ada], to })).toMatchObject({ status: 409 })
      expect(await send(maria, 'give', { leads: [ada], to: 'nobody' })).toMatchObject({ status: 409 })
      expect(await send(maria, 'give', { leads: [ada], to })).toMatchObject({ status: 200 })
      await later(61 * MINUTE)
      await capture('ada')
      expect(await get(maria)).toMatchObject({
        callbacksToday: countToday(promised.callbackAt - 61 * MINUTE),
        now: { count: 0 },
        later: [{ kind: 'new', promise: { by: 'Maria Lopez', leadId: ada }, wait: { why: 'promised' } }],
      })
      expect(await send(maria, `${husband}/start`)).toMatchObject({ kind: 'blocked', why: 'promised' })
      await later(60 * MINUTE)
      expect([await names(maria), await names(bob)]).toEqual([['ada'], []])
      await later(20 * MINUTE)
      expect(await names(bob)).toEqual(['ada'])
      expect(await get(maria, '?only=missed')).toMatchObject({
        ready: [{ people: [{ firstName: 'ada' }, { firstName: 'husband' }], kind: 'callback' }],
      })
      expect(await bodyOf(maria.fetch('/api/today/calls?period=7d'))).toMatchObject({
        waiting: { missedCallbacks: { count: 1 } },
        agents: [{ missedCallbacks: { count: 1 } }],
      })
    })

    test('are listed for their agent however far ahead: the person’s tomorrow may be the office’s day after', async () => {
      const ada = await capture('ada')
      await call(maria, ada, 'call back', inHours(100))
      expect((await get(maria)).ownCallbacks).toBe(1)
      expect(await get(maria, '?only=mine')).toMatchObject({ later: [{ leadId: ada }] })
    })

    test.each([
      ['are scheduled', 'no answer', true],
      ['aren’t confirmed', 'going ahead', false],
    ] as const)('saved late %s after a colleague’s call with %s', async (_, outcome, isScheduled) => {
      const ada = await capture('ada')
      await send(maria, `${ada}/start`)
      await later(5 * HOUR)
      await call(bob, ada, outcome)
      const promised = inHours(3)
      const saved = await send(maria, `${ada}/outcome`, { outcome: 'call back', which: 'left', ...promised })
      expect(saved).toMatchObject({ kind: 'saved', isScheduled })
      expect(await get(maria)).toMatchObject({ callbacksToday: isScheduled ? countToday(promised.callbackAt) : 0 })
    })
  })

  describe('several people', () => {
    test('two outcomes of one call are one call, and one Undo', async () => {
      const [ada, robert] = [await capture('ada'), await capture('Robert')]
      await send(bob, `${ada}/start`)
      const callbackAt = Date.now() + 3 * HOUR
      const outcomes = [
        { outcome: 'going ahead', leads: [ada] },
        { outcome: 'call back', callbackAt, leads: [robert] },
      ]
      const saved = await send(bob, `${ada}/outcome`, { outcomes })
      expect(saved).toMatchObject({ kind: 'saved', isScheduled: true })
      const standings = async () =>
        ((await get(bob, `/${ada}`)) as never as { people: { call: { kind: string; ended: string } }[] }).people.map(
          person => person.call.ended ?? person.call.kind,
        )
      expect(await standings()).toEqual(['going ahead', 'callback'])
      expect(await bodyOf(maria.fetch('/api/today/calls?period=7d'))).toMatchObject({
        calls: 1,
        people: { count: 2 },
      })
      await send(bob, 'undo', { callId: saved.callId })
      expect(await get(bob, `/${ada}`)).toMatchObject({ situation: { kind: 'started' } })
      expect(await standings()).toEqual(['retry', 'retry'])
    })

    test('an address that someone else uses stays off the list', async () => {
      const email = 'family@example.org'
      const ada = await harness.capture('ada', { contact: { ...contactOf('ada'), email, phone: '(808) 555-0101' } })
      await harness.capture('Robert', { contact: { ...contactOf('Robert'), email, phone: '(212) 555-0102' } })
      expect(await get(bob, `/${ada}`)).toMatchObject({ people: [{ isEmailShared: true }] })
      await call(bob, ada, 'never call again')
      const list = await harness.store.doNotCallList({ after: '', limit: 9 })
      expect(list.map(({ contact }) => contact)).toEqual(['8085550101'])
    })

    test('someone who said no isn’t called on another number that they gave', async () => {
      const [ada, other] = [await capture('ada'), await capture('ada', '(212) 555-0102')]
      const contact = { ...contactOf('ada'), phone: '(212) 555-0103', dateOfBirth: '1970-01-01' }
      const namesake = await harness.capture('ada', { contact })
      expect(await get(bob, `/${ada}`)).toMatchObject({
        people: [{ otherNumbers: [{ leadId: other, phone: '(212) 555-0102' }] }],
      })
      const saved = await call(bob, ada, 'not interested')
      expect(await get(bob)).toMatchObject({ now: { count: 1 }, ready: [{ leadId: namesake }] })
      await send(bob, 'undo', { callId: saved.callId })
      expect((await get(bob)).now.count).toBe(2)
      expect(await send(bob, `${ada}/outcome`, { outcome: 'wrong number' })).toMatchObject({ kind: 'saved' })
      expect((await get(bob)).now.count).toBe(2)
    })

    test('"never call again" stops the number, and works after an erasure', async () => {
      const [ada, robert] = [await capture('ada'), await capture('Robert')]
      await send(bob, `${ada}/claim`)
      await harness.store.erase({ ids: [ada], key: ERASURE_KEY, by: 'Eve' })
      const outcome = { outcome: 'never call again', phone: '(808) 555-0101' }
      expect(await send(bob, `${ada}/outcome`, outcome)).toMatchObject({ kind: 'saved' })
      expect(await get(bob, `/${robert}`)).toMatchObject({
        block: { why: 'closed', message: 'This person is on the do-not-call list.' },
      })
    })
  })

  test('one’s own outcome can be undone for an hour, also after others’ calls, which brings everything back', async () => {
    const ada = await capture('ada')
    const { callId } = await call(maria, ada, 'never call again')
    expect((await get(maria, `/${ada}`)).calls).toMatchObject([{ canUndo: true }])
    expect(await send(bob, 'undo', { callId })).toMatchObject({ status: 409 })
    expect(await send(maria, 'undo', { callId })).toMatchObject({ leadId: ada, kept: [] })
    expect(await get(maria, `/${ada}`)).toMatchObject({ situation: { kind: 'open' }, call: { kind: 'new' } })
    const again = await send(maria, `${ada}/outcome`, { outcome: 'not interested' })
    await call(bob, ada, 'no answer')
    expect(await send(maria, 'undo', { callId: again.callId })).toMatchObject({ status: 200 })
    expect(await get(maria, `/${ada}`)).toMatchObject({ call: { kind: 'retry', ended: null } })
    const late = await call(maria, ada, 'going ahead')
    await later(HOUR)
    expect(await send(maria, 'undo', { callId: late.callId })).toMatchObject({ status: 409 })
    // A stop that a colleague confirmed stays, and the answer says so.
    const stop = await call(maria, await capture('bea', '(212) 555-0102'), 'never call again')
    await harness.store.addToDoNotCall({ contacts: [{ phone: '(212) 555-0102' }], by: 'Bob' })
    const kept = [{ contact: 'phone', by: 'Bob' }]
    expect(await send(maria, 'undo', { callId: stop.callId })).toMatchObject({ kept })
    expect(await harness.store.doNotCallList({ after: '', limit: 9 })).toHaveLength(1)
  })
})
