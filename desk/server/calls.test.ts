/** The desk's routes for calls: roles, the switch, and a call from claim to outcome. */
import { readFileSync } from 'node:fs'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createTestDesk, type DeskClient, type TestDesk } from '../../tests/support/desk.ts'
import { contactOf, submissionOf } from '../../tests/support/lead-store.ts'
import { engines, type OpenEngine } from '../../tests/support/store-engines.ts'

vi.mock(import('../../domain/calling/hours.ts'), async original => {
  const { alwaysOpen } = await import('../../tests/support/always-open.ts')
  return { ...(await original()), createCallingClock: () => alwaysOpen }
})

const HOUR = 3_600_000

describe.each(engines)('calls, on $name', ({ open }) => {
  let engine: OpenEngine
  let desk: TestDesk
  beforeEach(async () => {
    engine = await open()
    desk = createTestDesk(engine.store)
  })
  afterEach(() => engine.remove())

  async function capture(name: string, phone = '(808) 555-0101') {
    const consentVersion = await engine.store.saveConsentText('I agree')
    const submission = submissionOf(name, consentVersion)
    return (await engine.store.capture({ ...submission, contact: { ...contactOf(name), phone } })).id
  }
  const send = async (client: DeskClient, path: string, body: object = {}) => {
    const response = await client.fetch(`/api/calls/${path}`, { body })
    const answer = (await response.json()) as { attemptId?: string; leadId?: string }
    return { status: response.status, ...answer }
  }
  const get = async (client: DeskClient, path = '') => (await client.fetch(`/api/calls${path}`)).json()

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
    expect(await get(maria, `/${bob}`)).toMatchObject({ claim: { name: 'Maria', mine: true }, call: { kind: 'new' } })
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
    const { attempts } = (await get(eve, `/${ada}`)) as { attempts: unknown[] }
    expect(attempts.at(-1)).toMatchObject({ by: 'Eve', overrideReason: 'They called us' })
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

  test('with a webhook, the list is off unless it’s turned on', async () => {
    await capture('ada')
    const hook = { LEAD_WEBHOOK_URL: 'https://crm.example.org/' }
    const [off, on] = [
      createTestDesk(engine.store, { env: hook }),
      createTestDesk(engine.store, { env: { ...hook, CALL_LIST: 'on' } }),
    ]
    const [maria, bob] = [await off.signedIn('Maria', 'caller'), await on.signedIn('Bob', 'caller')]
    expect((await maria.fetch('/api/calls')).status).toBe(404)
    expect(await send(maria, 'next')).toMatchObject({ status: 404, message: 'The call list is turned off.' })
    expect(await (await maria.fetch('/api/session')).json()).toMatchObject({ callList: false })
    const { leads } = (await (await maria.fetch('/api/leads/search', { body: { filter: {} } })).json()) as {
      leads: { call: unknown }[]
    }
    expect(leads).toMatchObject([{ call: null }])
    expect(await get(bob)).toMatchObject({ now: { count: 1 } })
  })

  test('fifty concurrent callers at three desks get fifty different people', async () => {
    await Promise.all(Array.from({ length: 60 }, (_, index) => capture(`p${index}`, `(212) 555-${1000 + index}`)))
    const desks = [desk, createTestDesk(await engine.openAnother()), createTestDesk(await engine.openAnother())]
    const people = await Promise.all(desks.map((each, index) => each.signedIn(`Caller ${index}`, 'caller')))
    const answers = await Promise.all(
      Array.from({ length: 50 }, (_, index) => send(people[index % 3] as DeskClient, 'next')),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
    expect(new Set(answers.map(({ leadId }) => leadId)).size).toBe(50)
  })
})
