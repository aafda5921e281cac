/** The desk's routes for calls: roles, the switch, and a call from claim to outcome. */
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { HOUR, MINUTE } from '../../domain/durations.ts'
import type { Submission } from '../../server/store/leads/capture.ts'
import { createTestDesk, type DeskClient, type TestDesk } from '../../tests/support/desk.ts'
import { contactOf, ERASURE_KEY, submissionOf } from '../../tests/support/lead-store.ts'
import { passTime } from '../../tests/support/pass-time.ts'
import { engines, type OpenEngine } from '../../tests/support/store-engines.ts'

vi.mock(import('../../domain/calling/hours.ts'), async original => {
  const { alwaysOpen } = await import('../../tests/support/always-open.ts')
  return { ...(await original()), createCallingClock: () => alwaysOpen }
})

/** What the tests read of a response. */
interface Answer {
  readonly ready: readonly { readonly firstName: string }[]
  readonly now: { readonly count: number }
  readonly attempts: readonly { readonly outcome: string; readonly startedAt: number; readonly savedAt: number }[]
  readonly closed: string | null
}

describe.each(engines)('calls, on $name', ({ open }) => {
  let engine: OpenEngine
  let desk: TestDesk
  beforeEach(async () => {
    engine = await open()
    desk = createTestDesk(engine.store)
  })
  afterEach(() => engine.remove())

  async function capture(
    name: string,
    phone = '(808) 555-0101',
    more: Omit<Partial<Submission>, 'contact'> & { contact?: object } = {},
  ) {
    const consentVersion = await engine.store.saveConsentText('I agree')
    const { contact, ...rest } = more
    const submission = { ...submissionOf(name, consentVersion), ...rest }
    return (await engine.store.capture({ ...submission, contact: { ...contactOf(name), phone, ...contact } })).id
  }
  const later = (ms: number) => passTime(engine, ms)
  const send = async (client: DeskClient, path: string, body: object = {}) => {
    const response = await client.fetch(`/api/calls/${path}`, { body })
    const answer = (await response.json()) as { attemptId?: string; leadId?: string; kind?: string }
    return { status: response.status, ...answer }
  }
  const get = async (client: DeskClient, path = '') =>
    (await client.fetch(`/api/calls${path}`)).json() as Promise<Answer>
  const call = async (client: DeskClient, id: string, outcome: string, more: object = {}) => {
    await send(client, `${id}/claim`)
    return send(client, `${id}/outcome`, { outcome, ...more })
  }
  const names = async (client: DeskClient, path = '') =>
    (await get(client, path)).ready.map(({ firstName }) => firstName)

  test('a caller gets the next person, dials, saves, and gets the next one', async () => {
    const maria = await desk.signedIn('Maria', 'caller')
    const [ada, bob] = [await capture('ada'), await capture('bob', '(212) 555-0102')]
    expect(await get(maria)).toMatchObject({
      now: { count: 2, new: 2 },
      ready: [
        { firstName: 'bob', place: { state: 'NY' } },
        { firstName: 'ada', place: { state: 'HI' } },
      ],
    })
    expect(await send(maria, 'next')).toMatchObject({ leadId: bob })
    expect(await send(maria, `${bob}/start`)).toMatchObject({ kind: 'started' })
    expect(await get(maria, '/unfinished')).toMatchObject({ calls: [{ leadId: bob, firstName: 'bob' }] })
    const saved = await send(maria, `${bob}/outcome`, { outcome: 'voicemail', note: 'Asked to call back', next: true })
    expect(saved).toMatchObject({ kind: 'saved', nextLeadId: ada, call: { kind: 'retry', tries: 1 } })
    expect(await get(maria, `/${bob}`)).toMatchObject({
      attempts: [{ outcome: 'voicemail', by: 'Maria', place: 'NY Eastern' }],
      placeHow: 'from area code 212',
      claim: null,
      block: { why: 'limit' },
    })
    expect(await send(maria, 'undo', { attemptId: saved.attemptId })).toMatchObject({ note: 'Asked to call back' })
    expect(await get(maria, `/${bob}`)).toMatchObject({
      claim: { name: 'Maria', mine: true },
      startedAt: expect.any(Number),
    })
  })

  test('if turned on, the webhook gets each outcome and correction, as documented, without personal data', async () => {
    const env = { LEAD_WEBHOOK_URL: 'http://127.0.0.1:9', LEAD_WEBHOOK_FORMAT: 'json', CALL_LIST: 'on' }
    const callOnce = async (name: string, phone: string, settings: Readonly<Record<string, string>>) => {
      const caller = await createTestDesk(engine.store, { env: { ...env, ...settings } }).signedIn(name, 'caller')
      const leadId = await capture(name, phone)
      await send(caller, `${leadId}/claim`)
      const { attemptId } = await send(caller, `${leadId}/outcome`, { outcome: 'voicemail', note: 'About her leg' })
      await send(caller, 'undo', { attemptId })
      return { leadId, callId: attemptId }
    }
    await callOnce('ada', '(212) 555-0101', {})
    const lease = () => engine.store.queuedEvents({ lane: 'calls', limit: 9 })
    expect(await lease()).toEqual([])
    const { leadId, callId } = await callOnce('bea', '(212) 555-0102', { LEAD_WEBHOOK_CALLS: 'on' })
    const events = (await lease()).toSorted((one, other) => one.createdAt - other.createdAt)
    const [saved, undone] = events
    const call = { startedAt: expect.any(String), callbackAt: null, by: 'bea' }
    const detail = { callId, ...call, outcome: 'voicemail', corrects: null }
    expect(saved).toMatchObject({ leadId, type: 'lead.called', detail })
    expect(undone).toMatchObject({
      leadId,
      type: 'lead.called',
      detail: { ...call, outcome: 'undone', corrects: callId },
    })
    expect(events).toHaveLength(2)
    const examples = [...readFileSync('docs/webhook.md', 'utf8').matchAll(/```json\n([\s\S]*?)```/g)]
    const documented = examples.map(([, json = '']) => JSON.parse(json)).find(({ type }) => type === 'lead.called')
    for (const event of events) expect(Object.keys({ id: '', ...event.detail })).toEqual(Object.keys(documented.data))
  })

  test('a callback needs a time', async () => {
    const maria = await desk.signedIn('Maria', 'caller')
    const ada = await capture('ada')
    await send(maria, 'next')
    expect(await send(maria, `${ada}/outcome`, { outcome: 'call back' })).toMatchObject({ status: 400 })
    expect(await send(maria, `${ada}/outcome`, { outcome: 'no answer', callbackAt: 1 })).toMatchObject({ status: 400 })
    const outcome = { outcome: 'call back', callbackAt: Date.now() + 2 * HOUR }
    expect(await send(maria, `${ada}/outcome`, outcome)).toMatchObject({ kind: 'saved', call: { kind: 'callback' } })
    expect(await get(maria, `/${ada}`)).toMatchObject({
      callbackBy: 'Maria',
      call: { callback: { place: 'HI Hawaii' } },
    })
  })

  test('only an editor can call against the rules, with a reason that is kept', async () => {
    const [maria, eve] = [await desk.signedIn('Maria', 'caller'), await desk.signedIn('Eve', 'editor')]
    const ada = await capture('ada')
    await send(maria, `${ada}/start`)
    await send(maria, `${ada}/outcome`, { outcome: 'no answer' })
    expect(await send(maria, `${ada}/start`)).toMatchObject({
      kind: 'blocked',
      message: 'This number was called less than an hour ago.',
    })
    expect(await send(maria, `${ada}/start`, { overrideReason: 'x' })).toMatchObject({ status: 403 })
    await send(maria, `${ada}/skip`)
    expect(await send(eve, `${ada}/start`, { overrideReason: ' ' })).toMatchObject({ status: 400 })
    expect(await send(eve, `${ada}/start`, { overrideReason: 'They called us' })).toMatchObject({ kind: 'started' })
    await send(eve, `${ada}/outcome`, { outcome: 'going ahead' })
    const { attempts } = await get(eve, `/${ada}`)
    expect(attempts.at(-1)).toMatchObject({ by: 'Eve', overrideReason: 'They called us' })
    // A reason doesn't override the do-not-call list.
    await engine.store.addToDoNotCall({ contacts: [{ email: 'ada@example.org' }], by: 'Bob' })
    expect(await send(eve, `${ada}/start`, { overrideReason: 'They called us' })).toMatchObject({ kind: 'closed' })
  })

  test('a person’s place and language can be corrected', async () => {
    const maria = await desk.signedIn('Maria', 'caller')
    const ada = await capture('ada')
    expect(await send(maria, `${ada}/place`, { place: 'nowhere' })).toMatchObject({ status: 400 })
    expect(await send(maria, `${ada}/place`, { place: 'FL Central' })).toMatchObject({
      place: { state: 'FL', zones: ['Central'] },
      placeHow: 'set by Maria',
    })
    expect(await send(maria, `${ada}/place`, { place: null })).toMatchObject({ place: { state: 'HI' } })
    expect(await send(maria, `${ada}/language`, { language: 'es' })).toMatchObject({ language: 'es' })
  })

  test('a viewer can export calls, without contact details', async () => {
    const [maria, viewer] = [await desk.signedIn('Maria', 'caller'), await desk.signedIn('Vera', 'viewer')]
    const ada = await capture('ada')
    await send(maria, `${ada}/claim`)
    await send(maria, `${ada}/outcome`, { outcome: 'going ahead' })
    const [yesterday, tomorrow] = [-1, 1].map(days =>
      new Date(Date.now() + days * 24 * HOUR).toISOString().slice(0, 10),
    )
    const csv = await (await viewer.fetch(`/api/calls/export?since=${yesterday}&until=${tomorrow}`)).text()
    expect(csv).toContain(`${ada},`)
    expect(csv).toContain('Maria,going ahead,')
    const ofNobody = await viewer.fetch(`/api/calls/export?since=${yesterday}&until=${tomorrow}&person=nobody`)
    expect((await ofNobody.text()).trim().split('\n')).toHaveLength(1)
    expect(csv).not.toMatch(/555\D*0101|Lovelace/)
    expect((await viewer.fetch('/api/calls/export?since=x&until=y')).status).toBe(400)
    expect(await send(viewer, 'next')).toMatchObject({ status: 403 })
  })

  test('people say which languages they speak', async () => {
    const maria = await desk.signedIn('Maria', 'caller')
    const session = async () => (await maria.fetch('/api/session')).json()
    expect(await session()).toMatchObject({ callList: true, languages: ['en'] })
    await maria.fetch('/api/session/languages', { body: { languages: ['en', 'es'] } })
    expect(await session()).toMatchObject({ languages: ['en', 'es'] })
    expect((await maria.fetch('/api/session/languages', { body: { languages: [] } })).status).toBe(400)
  })

  test('leads are found by outcome, caller, day of the call, and callback', async () => {
    const [maria, bob] = [await desk.signedIn('Maria', 'caller'), await desk.signedIn('Bob', 'caller')]
    const [ada, bea] = [await capture('ada'), await capture('bea', '(212) 555-0102')]
    await capture('never', '(212) 555-0103')
    await call(maria, ada, 'no answer')
    await call(bob, bea, 'call back', { callbackAt: Date.now() + 2 * HOUR })
    const find = async (filter: object) => {
      const response = await maria.fetch('/api/leads/search', { body: { filter } })
      return ((await response.json()) as { leads: { firstName: string }[] }).leads.map(({ firstName }) => firstName)
    }
    const { callers } = (await (await maria.fetch('/api/leads/choices')).json()) as {
      callers: { id: string; name: string }[]
    }
    const caller = callers.find(({ name }) => name === 'Bob')?.id
    const days = [-1, 2, 3].map(ahead => new Date(Date.now() + ahead * 24 * HOUR).toISOString().slice(0, 10))
    expect(await find({ outcome: 'no answer' })).toEqual(['ada'])
    expect(await find({ outcome: 'reached' })).toEqual(['bea'])
    expect(await find({ caller, calledFrom: days[0], calledTo: days[1] })).toEqual(['bea'])
    expect(await find({ callbackFrom: days[0], callbackTo: days[1] })).toEqual(['bea'])
    // All conditions are about the same call.
    expect(await find({ caller, outcome: 'no answer' })).toEqual([])
    expect(await find({ calledFrom: days[1], calledTo: days[2] })).toEqual([])
    expect(await find({ callback: 'missed' })).toEqual([])
    await later(3 * HOUR)
    expect(await find({ callback: 'missed' })).toEqual(['bea'])
  })

  test('a page says since when someone could have been called, and who made calls since then', async () => {
    const [maria, viewer] = [await desk.signedIn('Maria', 'caller'), await desk.signedIn('Vera', 'viewer')]
    const [ada, bea] = [await capture('ada'), await capture('bea', '(212) 555-0102')]
    await later(HOUR)
    await call(maria, bea, 'no answer')
    expect(await get(viewer, `/${ada}/never-called`)).toMatchObject({
      from: expect.any(Number),
      waitedMs: expect.any(Number),
      callers: [{ name: 'Maria', calls: 1 }],
    })
    expect((await get(viewer, '?only=new')).ready).toMatchObject([{ firstName: 'ada' }])
  })

  test('lists of leads show where the calling stands', async () => {
    const maria = await desk.signedIn('Maria', 'caller')
    const ada = await capture('ada')
    const lines = async (from: DeskClient) =>
      (await (await from.fetch('/api/leads/search', { body: { filter: {} } })).json()) as { leads: { call: unknown }[] }
    expect((await lines(maria)).leads[0]?.call).toMatchObject({ kind: 'new', ended: null, lastOutcome: null })
    await send(maria, `${ada}/claim`)
    await send(maria, `${ada}/outcome`, { outcome: 'going ahead' })
    expect((await lines(maria)).leads[0]?.call).toMatchObject({ ended: 'going ahead', lastOutcome: 'going ahead' })
  })

  test('with a webhook, new leads are the CRM’s, but promises and open calls stay until they’re done', async () => {
    const hook = { LEAD_WEBHOOK_URL: 'https://crm.example.org/' }
    const maria = await createTestDesk(engine.store, { env: hook }).signedIn('Maria', 'caller')
    await capture('crm', '(212) 555-0100', { callFromDesk: false })
    expect((await maria.fetch('/api/calls')).status).toBe(404)
    expect(await (await maria.fetch('/api/session')).json()).toMatchObject({ callList: false })
    const before = await capture('before', '(212) 555-0102')
    expect(await names(maria)).toEqual(['before'])
    await send(maria, 'next')
    await send(maria, `${before}/outcome`, { outcome: 'going ahead' })
    expect(await send(maria, 'next')).toMatchObject({ status: 404, message: 'The call list is turned off.' })
    const off = createTestDesk(engine.store, { env: { ...hook, CALL_LIST: 'off' } })
    expect((await (await off.signedIn('Bob', 'caller')).fetch('/api/calls')).status).toBe(404)
  })

  test('fifty callers at two desks who press Call next at once get fifty people, each once', async () => {
    await Promise.all(Array.from({ length: 55 }, (_, index) => capture(`p${index}`, `(212) 555-${1000 + index}`)))
    const desks = [desk, createTestDesk(await engine.openAnother())]
    const people: DeskClient[] = []
    for (let index = 0; index < 50; index++)
      people.push(await (desks[index % 2] as TestDesk).signedIn(`Caller ${index}`, 'caller'))
    const answers = await Promise.all(people.map(person => send(person, 'next')))
    expect(new Set(answers.map(({ leadId }) => leadId)).size).toBe(50)
    expect((await get(people[0] as DeskClient)).now.count).toBe(5)
  })

  describe('limits and claims', () => {
    test('every dial counts: a dropped call may be dialed again once, and three in 24 hours are all', async () => {
      const maria = await desk.signedIn('Maria', 'caller')
      const ada = await capture('ada')
      const dial = async () => (await send(maria, `${ada}/start`)).kind
      expect([await dial(), await dial(), await dial()]).toEqual(['started', 'started', 'blocked'])
      await send(maria, `${ada}/outcome`, { outcome: 'no answer' })
      expect((await get(maria, `/${ada}`)).attempts.map(({ outcome }) => outcome).toSorted()).toEqual([
        'no answer',
        'redialed',
      ])
      await later(2 * HOUR)
      expect(await dial()).toBe('started')
      expect(await send(maria, `${ada}/start`)).toMatchObject({
        kind: 'blocked',
        message: 'This number was called 3 times in 24 hours.',
      })
    })

    test('taking a dial back is free once, within 30 seconds', async () => {
      const maria = await desk.signedIn('Maria', 'caller')
      const ada = await capture('ada')
      const dialAndTakeBack = async () => {
        const { kind } = await send(maria, `${ada}/start`)
        await send(maria, `${ada}/withdraw`)
        return kind
      }
      expect([await dialAndTakeBack(), await dialAndTakeBack(), await dialAndTakeBack()]).toEqual([
        'started',
        'started',
        'blocked',
      ])
    })

    test('erasing one of two leads with a number frees neither its claim nor its limits', async () => {
      const [maria, bob] = [await desk.signedIn('Maria', 'caller'), await desk.signedIn('Bob', 'caller')]
      const [ada, husband] = [await capture('ada'), await capture('husband')]
      await send(maria, `${ada}/start`)
      await engine.store.erase({ ids: [ada], key: ERASURE_KEY, by: 'Eve' })
      expect(await send(bob, `${husband}/start`)).toMatchObject({ kind: 'claimed', claim: { name: 'Maria' } })
      expect(await send(bob, `${husband}/claim`, { takeOver: true })).toMatchObject({ kind: 'open' })
      expect(await send(bob, `${husband}/start`)).toMatchObject({ kind: 'blocked', why: 'limit' })
    })

    test('someone has one number open, plus those they dialed, for four hours', async () => {
      const [maria, bob] = [await desk.signedIn('Maria', 'caller'), await desk.signedIn('Bob', 'caller')]
      const [ada, bea] = [await capture('ada'), await capture('bea', '(212) 555-0102')]
      for (let press = 0; press < 5; press++) expect(await send(maria, 'next')).toMatchObject({ leadId: bea })
      await send(maria, `${ada}/claim`)
      expect(await send(bob, 'next')).toMatchObject({ leadId: bea })
      await send(maria, `${ada}/start`)
      await send(bob, `${bea}/skip`)
      await send(maria, `${bea}/claim`)
      await later(3 * HOUR)
      expect(await send(bob, `${ada}/claim`)).toMatchObject({ kind: 'claimed', claim: { name: 'Maria', dialed: 1 } })
      expect(await send(bob, `${bea}/claim`)).toMatchObject({ kind: 'open' })
      await later(HOUR + MINUTE)
      expect((await get(bob)).ready).toMatchObject([
        { firstName: 'bea' },
        { firstName: 'ada', kind: 'retry', last: { outcome: 'not recorded' } },
      ])
      expect(await get(maria, '/unfinished')).toEqual({ calls: [] })
      // It was a call, so its caller can still say what happened.
      expect(await send(maria, `${ada}/outcome`, { outcome: 'going ahead' })).toMatchObject({ kind: 'saved' })
    })

    test('a dialed number is back at once if its caller is removed', async () => {
      const [maria, bob] = [await desk.signedIn('Maria', 'caller'), await desk.signedIn('Bob', 'caller')]
      const ada = await capture('ada')
      await send(maria, `${ada}/start`)
      await maria.fetch('/api/session/end', { body: {} })
      expect(await send(bob, `${ada}/claim`)).toMatchObject({ kind: 'claimed' })
      await engine.store.removePerson({ name: 'Maria', by: 'Eve' })
      await later(HOUR)
      expect(await send(bob, 'next')).toMatchObject({ leadId: ada })
    })

    test('a call on another phone is recorded at the time that its caller says, or as "by" the time it was saved', async () => {
      const maria = await desk.signedIn('Maria', 'caller')
      const [ada, bea, cal] = [
        await capture('ada'),
        await capture('bea', '(212) 555-0102'),
        await capture('cal', '(212) 555-0103'),
      ]
      const calledAt = Date.now() - HOUR
      await call(maria, ada, 'no answer', { calledAt })
      await call(maria, bea, 'no answer', { calledAt: null })
      await send(maria, `${cal}/claim`)
      await later(MINUTE)
      await send(maria, `${cal}/outcome`, { outcome: 'no answer' })
      const attempt = async (id: string) => (await get(maria, `/${id}`)).attempts[0]
      expect(await attempt(ada)).toMatchObject({ startedAt: calledAt - MINUTE, timeKnown: true })
      expect(await attempt(bea)).toMatchObject({ timeKnown: false })
      const { startedAt = 0, savedAt = 0 } = (await attempt(cal)) ?? {}
      expect(savedAt - startedAt).toBeGreaterThanOrEqual(MINUTE)
      expect(await call(maria, ada, 'no answer', { calledAt: Date.now() + HOUR })).toMatchObject({
        kind: 'time refused',
      })
    })
  })

  describe('promises', () => {
    const inHours = (hours: number) => ({ callbackAt: Date.now() + hours * HOUR })
    const dayOf = (at: number) => new Date(at).toLocaleDateString('en-US', { timeZone: 'America/New_York' })
    /** How many of a callback at this time are due today in the office: none if it's after midnight there. */
    const countToday = (at: number) => Number(dayOf(at) === dayOf(Date.now()))

    test('stay when the person submits again, and no other call is offered that would break them', async () => {
      const maria = await desk.signedIn('Maria', 'caller')
      const ada = await capture('ada')
      const husband = await capture('husband')
      const promised = inHours(2)
      await call(maria, ada, 'call back', { ...promised, about: [ada] })
      await later(61 * MINUTE)
      await capture('ada')
      expect(await get(maria)).toMatchObject({
        callbacksToday: countToday(promised.callbackAt - 61 * MINUTE),
        now: { count: 0 },
        later: [{ kind: 'new', promise: { by: 'Maria', leadId: ada }, wait: { why: 'promised' } }],
      })
      expect(await send(maria, `${husband}/start`)).toMatchObject({ kind: 'blocked', why: 'promised' })
      await later(80 * MINUTE)
      expect(await get(maria, '?only=missed')).toMatchObject({ ready: [{ firstName: 'ada', kind: 'callback' }] })
      const today = await (await maria.fetch('/api/today/calls?period=7d')).json()
      expect(today).toMatchObject({ waiting: { missedCallbacks: 1 }, callers: [{ missedCallbacks: 1 }] })
    })

    test('one’s own come first for 15 minutes, and others’ are theirs for as long', async () => {
      const [maria, bob] = [await desk.signedIn('Maria', 'caller'), await desk.signedIn('Bob', 'caller')]
      await call(bob, await capture('missed'), 'call back', inHours(2))
      await later(HOUR)
      await call(maria, await capture('own', '(212) 555-0102'), 'call back', inHours(2))
      await later(2 * HOUR)
      expect(await names(maria)).toEqual(['own', 'missed'])
      expect(await names(bob)).toEqual(['missed'])
      await later(15 * MINUTE)
      expect(await names(maria)).toEqual(['missed', 'own'])
      expect(await names(bob)).toEqual(['missed', 'own'])
    })

    test('are scheduled when they’re saved late, after a colleague’s call', async () => {
      const [maria, bob] = [await desk.signedIn('Maria', 'caller'), await desk.signedIn('Bob', 'caller')]
      const ada = await capture('ada')
      await send(maria, `${ada}/start`)
      await later(5 * HOUR)
      await call(bob, ada, 'no answer')
      const promised = inHours(3)
      expect(await send(maria, `${ada}/outcome`, { outcome: 'call back', ...promised })).toMatchObject({
        kind: 'saved',
        call: { kind: 'callback' },
        isScheduled: true,
      })
      expect(await get(maria)).toMatchObject({ callbacksToday: countToday(promised.callbackAt) })
    })

    test('aren’t confirmed if a colleague reached the person after that call', async () => {
      const [maria, bob] = [await desk.signedIn('Maria', 'caller'), await desk.signedIn('Bob', 'caller')]
      const ada = await capture('ada')
      await send(maria, `${ada}/start`)
      await later(5 * HOUR)
      await call(bob, ada, 'going ahead')
      expect(await send(maria, `${ada}/outcome`, { outcome: 'call back', ...inHours(3) })).toMatchObject({
        kind: 'saved',
        isScheduled: false,
      })
      expect(await get(maria)).toMatchObject({ callbacksToday: 0 })
    })
  })

  test('people whose language a colleague speaks are left to them for 15 minutes', async () => {
    const [maria, bob] = [await desk.signedIn('Maria', 'caller'), await desk.signedIn('Bob', 'caller')]
    await maria.fetch('/api/session/languages', { body: { languages: ['en', 'es'] } })
    await capture('ana', undefined, { language: 'es' })
    await capture('bea', '(212) 555-0102')
    expect(await names(bob)).toEqual(['bea'])
    expect(await names(maria)).toEqual(['bea', 'ana'])
    await later(15 * MINUTE)
    expect(await names(bob)).toEqual(['bea', 'ana'])
  })

  describe('several people', () => {
    test('an outcome answers all open requests of a number, or those that it’s about if names differ', async () => {
      const maria = await desk.signedIn('Maria', 'caller')
      const [ada, robert] = [await capture('ada'), await capture('Robert')]
      const state = await get(maria, `/${robert}`)
      expect(state).toMatchObject({ namesDiffer: true, requests: [{ leadId: ada }, { leadId: robert }] })
      await call(maria, ada, 'going ahead', { about: [ada] })
      expect(await get(maria, `/${robert}`)).toMatchObject({
        namesDiffer: false,
        requests: [{ leadId: robert }],
        attempts: [{ leadId: ada, outcome: 'going ahead' }],
      })
      await later(HOUR)
      expect(await names(maria)).toEqual(['Robert'])
      await call(maria, robert, 'not interested')
      expect((await get(maria)).now.count).toBe(0)
    })

    test('someone who said no isn’t called on another number that they gave', async () => {
      const maria = await desk.signedIn('Maria', 'caller')
      const [ada, other, namesake] = [
        await capture('ada'),
        await capture('ada', '(212) 555-0102'),
        await capture('ada', '(212) 555-0103', { contact: { dateOfBirth: '1970-01-01' } }),
      ]
      expect(await get(maria, `/${ada}`)).toMatchObject({ otherNumbers: [{ leadId: other, phone: '(212) 555-0102' }] })
      const saved = await call(maria, ada, 'not interested')
      expect(saved).toMatchObject({ alsoAnswered: [{ leadId: other }] })
      expect(await get(maria)).toMatchObject({ now: { count: 1 }, ready: [{ leadId: namesake }] })
      await send(maria, 'undo', { attemptId: saved.attemptId })
      expect((await get(maria)).now.count).toBe(2)
      expect(await send(maria, `${ada}/outcome`, { outcome: 'wrong number' })).toMatchObject({ alsoAnswered: [] })
      expect((await get(maria)).now.count).toBe(2)
    })

    test('"never call again" stops the number, names who else has it, and works after an erasure', async () => {
      const maria = await desk.signedIn('Maria', 'caller')
      const [ada, robert] = [await capture('ada'), await capture('Robert')]
      await send(maria, `${ada}/claim`)
      await engine.store.erase({ ids: [ada], key: ERASURE_KEY, by: 'Eve' })
      const outcome = { outcome: 'never call again', phone: '(808) 555-0101' }
      expect(await send(maria, `${ada}/outcome`, outcome)).toMatchObject({ kind: 'saved' })
      expect(await get(maria, `/${robert}`)).toMatchObject({ closed: 'This person is on the do-not-call list.' })
      const [bea, bob] = [await capture('bea', '(212) 555-0102'), await capture('bob', '(212) 555-0102')]
      expect(await call(maria, bea, 'never call again', { about: [bea] })).toMatchObject({
        alsoStopped: [{ leadId: bob, firstName: 'bob' }],
      })
    })
  })

  describe('undoing', () => {
    test('one’s own outcome works for an hour, also after others’ calls, and brings everything back', async () => {
      const [maria, bob] = [await desk.signedIn('Maria', 'caller'), await desk.signedIn('Bob', 'caller')]
      const ada = await capture('ada')
      const { attemptId } = await call(maria, ada, 'never call again')
      expect((await get(maria, `/${ada}`)).attempts).toMatchObject([{ canUndo: true }])
      expect(await send(bob, 'undo', { attemptId })).toMatchObject({ status: 409 })
      expect(await send(maria, 'undo', { attemptId })).toMatchObject({ leadId: ada, kept: [] })
      expect(await get(maria, `/${ada}`)).toMatchObject({ closed: null, call: { kind: 'new' } })
      const again = await send(maria, `${ada}/outcome`, { outcome: 'not interested' })
      await call(bob, ada, 'no answer')
      expect(await send(maria, 'undo', { attemptId: again.attemptId })).toMatchObject({ status: 200 })
      expect(await get(maria, `/${ada}`)).toMatchObject({ call: { kind: 'retry', ended: null } })
      const late = await call(maria, ada, 'going ahead')
      await later(HOUR)
      expect(await send(maria, 'undo', { attemptId: late.attemptId })).toMatchObject({ status: 409 })
    })

    test('keeps a stop that a colleague confirmed, and says so', async () => {
      const maria = await desk.signedIn('Maria', 'caller')
      const ada = await capture('ada')
      const { attemptId } = await call(maria, ada, 'never call again')
      await engine.store.addToDoNotCall({ contacts: [{ phone: '(808) 555-0101' }], by: 'Bob' })
      expect(await send(maria, 'undo', { attemptId })).toMatchObject({ kept: [{ contact: 'phone', by: 'Bob' }] })
      expect((await get(maria, `/${ada}`)).closed).not.toBeNull()
    })
  })
})
