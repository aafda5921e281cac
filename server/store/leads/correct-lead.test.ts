/** Corrections at the desk: the corrected lead, what moves to another number, and that the old values still find the person. */
import { expect, test } from 'vitest'
import { DEMO_CALLING_HOURS as hours } from '../../../domain/calling/hours.ts'
import { HOUR } from '../../../domain/durations.ts'
import { bob, contactOf, ERASURE_KEY, maria } from '../../../tests/support/lead-store.ts'
import { delivered, onEachEngine } from '../../../tests/support/store-engines.ts'

const [oldPhone, newPhone] = ['(212) 555-0111', '(212) 555-0187']

onEachEngine('a correction', harness => {
  const { store, testOnce } = harness
  const seen = { firstName: 'ada', lastName: 'Lovelace', email: 'ada@example.org', phone: oldPhone }
  const capture = async (name = 'ada', more: object = {}) =>
    (await harness.capture(name, { contact: { ...contactOf(name), phone: oldPhone }, ...more })).id
  const order = (leadId: string, change: object, more: object = {}) => ({
    leadId,
    person: maria,
    seen,
    corrected: { ...seen, ...change },
    reason: 'typed wrong',
    consentVersion: harness.consentVersion,
    ...more,
  })
  const correct = (leadId: string, change: object, more: object = {}, into = store) =>
    into.correctLead(order(leadId, change, more))
  const rows = async (sql: string) => (await harness.rows(sql)) as readonly Record<string, string | null>[]
  const open = async () =>
    (await rows('SELECT phone, kind, promised_at AS at FROM stories WHERE kind IS NOT NULL')).map(
      ({ phone, kind, at }) => [phone, kind, at === null ? null : Number(at)],
    )
  /** On another phone. */
  const say = async (leadId: string, outcome: 'call back' | 'wrong number', callbackAt: number | null = null) => {
    await store.claimCall({ leadId, person: maria, takeOver: false })
    const saved = await store.saveCall({ leadId, person: maria, hours, outcome, callbackAt, note: null })
    return saved.kind === 'saved' ? saved.attemptId : ''
  }

  test('the call that it came up in still counts, and its list has the person', async () => {
    const id = await capture()
    await store.takeCall({ leadId: id, person: maria, hours })
    await say(id, 'call back', (await store.storeTime()) + 3 * HOUR)
    await correct(id, { phone: newPhone })
    const at = await store.storeTime()
    const period = { since: at - HOUR, until: at + HOUR }
    const counted = { peopleWhoCalled: 1, callers: [{ name: 'Maria', peopleWhoCalled: 1 }] }
    expect(await store.callStats(period)).toMatchObject(counted)
    expect(await harness.all({ call: { ...period, incoming: true } })).toHaveLength(1)
  })

  test('keeps what was submitted, with who, when, why, and what they said yes to', async () => {
    const id = await capture()
    expect(await correct(id, { lastName: 'Byron', email: 'byron@example.org' })).toEqual({
      kind: 'corrected',
      fields: ['lastName', 'email'],
    })
    await correct(id, { phone: newPhone }, { seen: { ...seen, lastName: 'Byron', email: 'byron@example.org' } })
    const lead = await store.find(id)
    expect(lead).toMatchObject({ lastName: 'Lovelace', email: 'ada@example.org', phone: newPhone })
    expect(lead?.corrections).toMatchObject([
      { by: 'Maria', reason: 'typed wrong', before: { lastName: 'Lovelace' }, after: { lastName: 'Byron' } },
      { before: { lastName: 'Byron', phone: oldPhone }, after: { phone: newPhone } },
    ])
    expect(lead?.corrections.map(({ consentVersion }) => consentVersion)).toEqual([null, harness.consentVersion])
  })

  test('moves the open request and its promise to the other number, and the old one has no call anymore', async () => {
    const id = await capture()
    const callbackAt = (await store.storeTime()) + 5 * HOUR
    const attemptId = await say(id, 'call back', callbackAt)
    await correct(id, { phone: newPhone })
    expect(await open()).toEqual([['2125550187', 'callback', callbackAt]])
    expect((await rows(`SELECT kind FROM story_events WHERE kind LIKE 'moved%' ORDER BY kind`)).length).toBe(2)
    expect((await store.callAttempts(id)).map(({ outcome }) => outcome)).toEqual(['call back'])
    expect(await store.callsOfLeads([id])).toEqual(
      new Map([[id, expect.objectContaining({ kind: 'callback', dueAt: callbackAt, ended: null })]]),
    )
    // The promise went on with the other number.
    expect(await store.undoCall({ attemptId, person: maria, hours })).toBeNull()
  })

  testOnce('after a wrong number, the person is called again, at the other one', async () => {
    const id = await capture()
    await say(id, 'wrong number')
    expect(await open()).toEqual([])
    await correct(id, { phone: newPhone })
    expect(await open()).toEqual([['2125550187', 'retry', null]])
    expect(await store.leadsOnDoNotCallList([id])).toEqual(new Set())
  })

  testOnce('needs a yes for another number, and none of the contacts on the do-not-call list', async () => {
    const id = await capture()
    expect(await correct(id, { phone: newPhone }, { consentVersion: null })).toMatchObject({ kind: 'refused' })
    for (const [contact, change] of [
      [{ phone: newPhone }, { phone: newPhone }],
      [{ email: 'byron@example.org' }, { email: 'byron@example.org' }],
      [{ email: 'ada@example.org' }, { phone: newPhone, email: 'lady@example.org' }],
    ] as const) {
      await store.addToDoNotCall({ contacts: [contact], by: 'Bob', source: 'desk' })
      expect(await correct(id, change)).toMatchObject({ kind: 'on the list', stops: [{ by: 'Bob' }] })
      await store.undoDoNotCall({ contacts: [contact], by: 'Bob' })
    }
    // An email address from before counts, too. A name can be corrected anyway.
    const email = 'byron@example.org'
    await correct(id, { email })
    await store.addToDoNotCall({ contacts: [{ email: seen.email }], by: 'Bob' })
    const corrected = { seen: { ...seen, email } }
    expect(await correct(id, { email, phone: newPhone }, corrected)).toMatchObject({
      kind: 'on the list',
      stops: [{ entry: seen.email }],
    })
    expect(await correct(id, { email, firstName: 'Ada' }, corrected)).toMatchObject({ kind: 'corrected' })
  })

  test('isn’t made over what a colleague corrected, or while someone has either number open', async () => {
    const id = await capture()
    const another = await harness.openAnother()
    const both = await Promise.all([
      correct(id, { firstName: 'Ada' }),
      correct(id, { firstName: 'Addie' }, { person: bob }, another),
    ])
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['changed', 'corrected'])
    const now = { seen: { ...seen, firstName: (await store.find(id))?.firstName ?? '' } }

    const other = await harness.capture('bea', { contact: { ...contactOf('bea'), phone: newPhone } })
    for (const leadId of [id, other.id]) {
      await store.claimCall({ leadId, person: bob, takeOver: false })
      expect(await correct(id, { phone: newPhone }, now)).toMatchObject({ kind: 'refused' })
    }
    await store.skipCall({ leadId: other.id, person: bob })
    await store.startCall({ leadId: id, person: maria, hours, overrideReason: null })
    expect(await correct(id, { phone: newPhone }, now)).toMatchObject({ kind: 'refused' })
    await store.saveCall({ leadId: id, person: maria, hours, outcome: 'no answer', callbackAt: null, note: null })
    expect(await correct(id, { phone: newPhone }, now)).toMatchObject({ kind: 'corrected' })
  })

  test('the CRM hears of it if it may have the lead, and gets the corrected values', async () => {
    const id = await capture()
    await correct(id, { firstName: 'Ada' })
    expect(await rows(`SELECT type FROM outbox`)).toEqual([{ type: 'lead.created' }])
    const leased = await harness.leaseOne()
    expect(leased.lead?.contact.firstName).toBe('Ada')
    await store.settle(delivered(leased))
    await correct(id, { phone: newPhone }, { seen: { ...seen, firstName: 'Ada' }, person: bob })
    const [event] = await store.lease({ lane: 'calls', limit: 9, leaseMs: HOUR })
    expect(event).toMatchObject({ type: 'lead.corrected', detail: { by: 'Bob', fields: ['firstName', 'phone'] } })
    expect(event?.lead).toMatchObject({ consentTakenBy: 'Bob', contact: { phone: newPhone } })
    const saved = await rows(`SELECT detail FROM outbox WHERE lane = 'calls'`)
    expect(JSON.stringify(saved)).not.toContain('0187')
  })

  test('the old values still find the person, stop them, and are erased with them', async () => {
    const id = await capture()
    await store.indexLeads({ limit: 9 })
    const repeat = await capture('ada')
    await correct(id, { lastName: 'Byron', email: 'byron@example.org', phone: newPhone })
    await store.indexLeads({ limit: 9 })
    for (const filter of [
      { phone: oldPhone },
      { phone: newPhone },
      { email: 'ada@example.org' },
      { email: 'byron@example.org' },
      { search: 'byron' },
      { search: '5550187' },
      { search: 'lovelace' },
      { samePersonAs: repeat },
    ]) {
      expect([filter, (await harness.all(filter)).map(lead => lead.id)]).toEqual([filter, expect.arrayContaining([id])])
    }
    await store.addToDoNotCall({ contacts: [{ email: 'ada@example.org' }], by: 'Bob' })
    expect(await store.leadsOnDoNotCallList([id])).toEqual(new Set([id]))

    await store.erase({ ids: [id, repeat], key: ERASURE_KEY, by: 'Bob' })
    const left = [
      await rows('SELECT * FROM corrections'),
      await rows('SELECT * FROM stories'),
      await rows('SELECT * FROM leads'),
      await rows('SELECT detail FROM history'),
    ]
    expect(JSON.stringify(left)).not.toMatch(/0111|0187|ada@|byron|Lovelace|typed wrong/i)
    const find = (person: { phone: string } | { email: string }) => store.erasedLeadsOf({ person, key: ERASURE_KEY })
    for (const person of [{ phone: oldPhone }, { phone: newPhone }, { email: 'byron@example.org' }])
      expect((await find(person)).ids).toContain(id)
    expect((await store.find(id))?.corrections).toMatchObject([{ by: 'Maria', before: null, reason: null }])
  })
})
