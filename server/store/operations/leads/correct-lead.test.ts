/** Corrections at the desk: in place, or, with another number, by a lead that takes the place of the person's leads. */
import { expect, test } from 'vitest'
import { DEMO_CALLING_HOURS as hours } from '../../../../domain/calling/hours.ts'
import { DAY, HOUR } from '../../../../domain/durations.ts'
import { bob, contactOf, ERASURE_KEY, maria, saying, submissionOf } from '../../../../tests/support/lead-store.ts'
import { passTime } from '../../../../tests/support/pass-time.ts'
import { delivered, held, onEachEngine } from '../../../../tests/support/store-engines.ts'

const [oldPhone, newPhone, thirdPhone] = ['(212) 555-0111', '(212) 555-0187', '(212) 555-0188']

onEachEngine('a correction', harness => {
  const { store, testOnce } = harness
  const seen = {
    firstName: 'ada',
    lastName: 'Lovelace',
    dateOfBirth: contactOf('ada').dateOfBirth ?? '',
    email: 'ada@example.org',
    phone: oldPhone,
  }
  const capture = async (name = 'ada', more: object = {}) =>
    (await harness.capture(name, { contact: { ...contactOf(name), phone: oldPhone }, ...more })).id
  /** What an agent knows who has read the sentence. */
  const spoken = (more: object = {}) => {
    const { contact: _, page: __, language: ___, ...facts } = submissionOf('', harness.consentVersion)
    return { ...facts, consentTakenBy: 'Maria', ...more }
  }
  const order = (leadId: string, change: object, more: object = {}) => ({
    leadId,
    person: maria,
    seen,
    corrected: { ...seen, ...change },
    reason: 'typed wrong',
    spoken: spoken(),
    ...more,
  })
  const correct = (leadId: string, change: object, more: object = {}, into = store) =>
    into.correctLead(order(leadId, change, more))
  /** The lead that the person is called for, at the other number. */
  const move = async (leadId: string, phone = newPhone, more: object = {}) => {
    const moved = await correct(leadId, { phone }, more)
    if (moved.kind !== 'corrected') throw new Error(JSON.stringify(moved))
    return moved.leadId
  }
  const from = (phone: string) => ({ seen: { ...seen, phone } })
  const rows = async (sql: string) => (await harness.rows(sql)) as readonly Record<string, string | null>[]
  /** Number, what's next, for whom, and what's promised. */
  const open = async () =>
    (await rows('SELECT phone, plan, promised_at AS at FROM stories WHERE plan IS NOT NULL ORDER BY phone')).map(
      ({ phone, plan, at }) => {
        const { calls, promises } = JSON.parse(plan ?? '')
        const leadId = calls[0]?.leadId ?? promises[0].leadId
        return [phone, calls[0]?.kind ?? 'callback', leadId, at === null ? null : Number(at)]
      },
    )
  const say = async (
    leadId: string,
    outcome: 'call back' | 'wrong number' | 'going ahead' | 'no answer',
    callbackAt: number | null = null,
  ) => {
    await store.claimCall({ leadId, person: maria, takeOver: false })
    const saved = await store.saveCall({ person: maria, hours, ...saying(leadId, outcome, callbackAt) })
    return saved.kind === 'saved' ? saved.callId : ''
  }

  test('keeps what was submitted, with who, when, and why; a date of birth can be corrected, too', async () => {
    const id = await capture()
    const change = { lastName: 'Byron', dateOfBirth: '1950-12-10', email: 'byron@example.org' }
    expect(await correct(id, change)).toMatchObject({
      kind: 'corrected',
      fields: ['lastName', 'dateOfBirth', 'email'],
      leadId: id,
    })
    const lead = await store.find(id)
    expect(lead).toMatchObject(change)
    const { lastName, dateOfBirth, email } = seen
    expect(lead?.corrections).toMatchObject([
      { by: 'Maria', reason: 'typed wrong', before: { lastName, dateOfBirth, email }, after: change },
    ])
  })

  test('with another number, another lead takes its place: called once, there, with its spoken consent', async () => {
    const id = await capture('ada', { campaign: { utm_source: 'tv' } })
    await store.addNote({ leadId: id, by: 'Bob', text: 'Mornings' })
    const next = await move(id)
    expect(await open()).toEqual([['2125550187', 'new', next, null]])
    expect(await store.find(id)).toMatchObject({ state: 'repeat', repeatOf: next, phone: oldPhone })
    expect(await store.find(next)).toMatchObject({
      state: 'accepted',
      phone: newPhone,
      consentTakenBy: 'Maria',
      campaign: { utm_source: 'tv' },
      page: submissionOf('', '').page,
      certificate: null,
    })
    expect(await store.notesOf(next)).toMatchObject([{ by: 'Bob', text: 'Mornings' }])
    expect((await store.find(id))?.corrections).toMatchObject([
      { before: { phone: oldPhone }, after: { phone: newPhone } },
    ])
    // Only the last one can be corrected, from a page that shows it.
    expect(await correct(id, { phone: thirdPhone })).toMatchObject({ kind: 'refused' })
    expect(await correct(next, { phone: thirdPhone })).toEqual({ kind: 'changed' })
    // What they submit with the old number isn't a repeat of that.
    expect((await store.find(await capture()))?.state).toBe('accepted')
  })

  test('from one number to another and back, the person is called', async () => {
    const second = await move(await capture())
    const third = await move(second, oldPhone, from(newPhone))
    expect(await open()).toEqual([['2125550111', 'new', third, null]])
  })

  test('both of a person’s leads become one, the promise goes with them, and others on the number stay', async () => {
    const [first, husband] = [
      await capture(),
      await capture('bob', { contact: { ...contactOf('bob'), dateOfBirth: '1941-01-01', phone: oldPhone } }),
    ]
    const again = await capture('ada', {
      contact: { ...contactOf('ada'), email: 'ada@work.example.org', phone: oldPhone },
    })
    const callbackAt = (await store.storeTime()) + 5 * HOUR
    await say(again, 'call back', callbackAt)
    const next = await move(first)
    expect(await open()).toEqual([
      ['2125550111', 'new', husband, null],
      ['2125550187', 'callback', next, callbackAt],
    ])
    for (const id of [first, again]) expect(await store.find(id)).toMatchObject({ state: 'repeat', repeatOf: next })
    // A promise is kept or missed once, at the new number.
    expect(await rows('SELECT lead_id AS id FROM promises')).toEqual([{ id: next }])
  })

  test('if the new number has their lead already, that’s the one: it takes the promise, or stays answered', async () => {
    const contact = { ...contactOf('ada'), phone: newPhone }
    const there = await capture('ada', { contact })
    await say(there, 'going ahead')
    const id = await capture()
    expect(await move(id)).toBe(there)
    expect(await open()).toEqual([])
    const callbackAt = (await store.storeTime()) + 5 * HOUR
    const other = await capture('ada', { contact: { ...contactOf('ada'), phone: thirdPhone } })
    await say(other, 'call back', callbackAt)
    expect(await move(other, newPhone, from(thirdPhone))).toBe(there)
    expect(await open()).toEqual([['2125550187', 'callback', there, callbackAt]])
  })

  test('after a wrong number, and on day 40, the person is called again, at the other one', async () => {
    const id = await capture()
    await say(id, 'wrong number')
    expect(await open()).toEqual([])
    const next = await move(id)
    expect(await open()).toEqual([['2125550187', 'new', next, null]])
    const old = await capture('bob')
    await passTime({ change: harness.change, store } as never, 40 * DAY, old)
    const later = await move(old, thirdPhone, {
      seen: { ...seen, firstName: 'bob', email: contactOf('bob').email ?? '' },
      corrected: { ...seen, firstName: 'bob', email: contactOf('bob').email ?? '', phone: thirdPhone },
    })
    expect([await store.callNext({ person: bob, hours })].flat()).toEqual([later])
  })

  test('to a number on the list, it’s on hold; once it’s approved, the promise holds', async () => {
    const id = await capture()
    const callbackAt = (await store.storeTime()) + 5 * HOUR
    await say(id, 'call back', callbackAt)
    await store.addToDoNotCall({ contacts: [{ phone: newPhone }], by: 'Bob' })
    const moved = await correct(id, { phone: newPhone })
    expect(moved).toMatchObject({ kind: 'corrected', isHeld: true })
    expect(await open()).toEqual([])
    const next = moved.kind === 'corrected' ? moved.leadId : ''
    expect(await store.find(next)).toMatchObject({ state: 'held' })
    await store.removeFromDoNotCall({
      contacts: [{ phone: newPhone }],
      by: 'Bob',
      request: { askedBy: 'person', askedOn: '2030-01-01' },
    })
    await store.approve({ ids: [next], by: 'Bob' })
    expect(await open()).toEqual([['2125550187', 'callback', next, callbackAt]])
  })

  test('during a call, an outcome goes to the lead that took its place; nobody’s claim is in the way', async () => {
    const id = await capture()
    await store.startCall({ leadId: id, person: maria, hours, overrideReason: null })
    const other = await harness.capture('bea', { contact: { ...contactOf('bea'), phone: newPhone } })
    await store.claimCall({ leadId: other.id, person: bob, takeOver: false })
    const next = await move(id)
    const callbackAt = (await store.storeTime()) + 5 * HOUR
    const saved = await store.saveCall({ person: maria, hours, ...saying(id, 'call back', callbackAt) })
    expect(saved).toMatchObject({ kind: 'saved', isScheduled: true })
    expect(await open()).toEqual([['2125550187', 'new', other.id, callbackAt]])
    expect((await store.callLog(next)).map(({ outcome }) => outcome)).toEqual(['call back'])
    const callId = saved.kind === 'saved' ? saved.callId : ''
    await store.undoCall({ callId, person: maria, hours })
    expect(await open()).toEqual([['2125550187', 'new', next, null]])
  })

  test('undoing an outcome from before leaves the new number, takes back only what it brought, and says so', async () => {
    const id = await capture()
    const undo = async (callId: string) =>
      (await store.undoCall({ callId, person: maria, hours }))?.replaced.map(({ leadId }) => leadId)
    const callbackAt = (await store.storeTime()) + 5 * HOUR
    const promised = await say(id, 'call back', callbackAt)
    const ended = await say(id, 'going ahead')
    const second = await move(id)
    const third = await move(second, thirdPhone, from(newPhone))
    expect(await open()).toEqual([])
    expect(await undo(ended)).toEqual([third])
    expect(await open()).toEqual([['2125550188', 'callback', third, callbackAt]])
    expect(await undo(promised)).toEqual([third])
    expect(await open()).toEqual([['2125550188', 'new', third, null]])
  })

  testOnce(
    'undoing an outcome also reaches a lead that it answered elsewhere and that was replaced since',
    async () => {
      const elsewhere = await capture('ada', { contact: { ...contactOf('ada'), phone: newPhone } })
      const id = await capture()
      const callId = await say(id, 'going ahead')
      const next = await move(elsewhere, thirdPhone, from(newPhone))
      expect(await open()).toEqual([])
      await store.undoCall({ callId, person: maria, hours })
      expect((await open()).map(([phone, kind, lead]) => [phone, kind, lead])).toEqual([
        ['2125550111', 'new', id],
        ['2125550188', 'new', next],
      ])
    },
  )

  test('the CRM’s stop of any of them stops them all, and a lead of theirs on hold isn’t called at the old number', async () => {
    const first = await capture('ada', { contact: { ...contactOf('ada'), email: '', phone: oldPhone } })
    const onHold = await capture('ada', { ...held, contact: { ...contactOf('ada'), phone: oldPhone } })
    const none = { seen: { ...seen, email: '' }, corrected: { ...seen, email: '', phone: newPhone } }
    const next = await move(first, newPhone, none)
    expect(await store.find(onHold)).toMatchObject({ state: 'repeat', repeatOf: next })
    await store.stopFromCrm({ webhookId: 'stop', contacts: [], leadId: first })
    expect(await store.leadsOnDoNotCallList([first, next])).toEqual(new Set([first, next]))
  })

  testOnce('calls of the last day count toward three at the new number, but leave no gap', async () => {
    const id = await capture()
    for (const _ of [1, 2]) {
      await say(id, 'no answer')
      await passTime({ change: harness.change, store } as never, 2 * HOUR)
    }
    await say(id, 'no answer')
    const next = await move(id)
    const dial = (leadId: string) => store.startCall({ leadId, person: bob, hours, overrideReason: null })
    expect(await dial(next)).toMatchObject({ kind: 'blocked', message: 'This number was called 3 times in 24 hours.' })
    await passTime({ change: harness.change, store } as never, 24 * HOUR, id)
    const other = await capture('cal')
    await say(other, 'no answer')
    const cal = { ...seen, firstName: 'cal', email: contactOf('cal').email ?? '' }
    const moved = await correct(other, {}, { seen: cal, corrected: { ...cal, phone: thirdPhone } })
    expect(await dial(moved.kind === 'corrected' ? moved.leadId : '')).toMatchObject({ kind: 'started' })
  })

  test('an email stops every number of a chain that has or had it; a number stops itself only', async () => {
    const id = await capture()
    const byron = 'byron@example.org'
    const other = { seen, corrected: { ...seen, email: byron, phone: newPhone } }
    const next = await move(id, newPhone, other)
    await store.addToDoNotCall({ contacts: [{ phone: oldPhone }], by: 'Bob' })
    expect(await store.leadsOnDoNotCallList([id, next])).toEqual(new Set([id]))
    await store.removeFromDoNotCall({ contacts: [{ phone: oldPhone }], by: 'Bob', request: null })
    for (const email of [seen.email, byron]) {
      await store.addToDoNotCall({ contacts: [{ email }], by: 'website', source: 'web' })
      expect(await store.leadsOnDoNotCallList([id, next])).toEqual(new Set([id, next]))
      await store.removeFromDoNotCall({ contacts: [{ email }], by: 'Bob', request: null })
      expect(await store.leadsOnDoNotCallList([id, next])).toEqual(new Set())
    }
  })

  test('from an address on the list, it’s on hold, and the CRM hears of whom it has at the number', async () => {
    const id = await capture()
    await store.addToDoNotCall({ contacts: [{ email: seen.email }], by: 'website', source: 'web' })
    const there = await harness.capture('bob', { contact: { ...contactOf('bob'), phone: newPhone } })
    await harness.deliverAll()
    const corrected = { ...seen, email: 'byron@example.org', phone: newPhone }
    expect(await correct(id, {}, { corrected })).toMatchObject({ kind: 'corrected', isHeld: true })
    expect(await store.leadsOnDoNotCallList([id, there.id])).toEqual(new Set([id, there.id]))
    expect(await store.lease({ lane: 'stops', limit: 9, leaseMs: HOUR })).toMatchObject([{ leadId: there.id }])
  })

  testOnce('needs a yes for another number, and no address that’s on the do-not-call list', async () => {
    const id = await capture()
    expect(await correct(id, { phone: newPhone }, { spoken: null })).toMatchObject({ kind: 'refused' })
    await store.addToDoNotCall({ contacts: [{ email: 'byron@example.org' }], by: 'Bob' })
    expect(await correct(id, { email: 'byron@example.org' })).toMatchObject({
      kind: 'on the list',
      stops: [{ by: 'Bob' }],
    })
    expect(await correct(await capture('eve', held), {})).toEqual({ kind: 'changed' })
  })

  test('isn’t made over what a colleague corrected', async () => {
    const id = await capture()
    const another = await harness.openAnother()
    const both = await Promise.all([
      correct(id, { firstName: 'Ada' }),
      correct(id, { firstName: 'Addie' }, { person: bob }, another),
    ])
    expect(both.map(({ kind }) => kind).toSorted()).toEqual(['changed', 'corrected'])
    const numbers = await Promise.all(
      [newPhone, thirdPhone].map(phone => correct(id, { phone }, {}, phone === newPhone ? store : another)),
    )
    expect(numbers.map(({ kind }) => kind)).toEqual(['changed', 'changed'])
  })

  test('the CRM hears of it if it may have the lead, also if the new one is on hold', async () => {
    const id = await capture()
    await correct(id, { firstName: 'Ada' })
    expect(await rows(`SELECT type FROM outbox`)).toEqual([{ type: 'lead.created' }])
    const leased = await harness.leaseOne()
    expect(leased.lead?.contact.firstName).toBe('Ada')
    await store.settle(delivered(leased))
    await store.addToDoNotCall({ contacts: [{ phone: newPhone }], by: 'Bob' })
    const next = await move(id, newPhone, {
      seen: { ...seen, firstName: 'Ada' },
      corrected: { ...seen, firstName: 'Ada', phone: newPhone },
      person: bob,
    })
    const [event] = await store.lease({ lane: 'calls', limit: 9, leaseMs: HOUR })
    expect(event).toMatchObject({
      leadId: id,
      type: 'lead.corrected',
      detail: { by: 'Bob', fields: ['phone'], replacedBy: next },
    })
    expect(JSON.stringify(await rows('SELECT detail FROM outbox'))).not.toMatch(/555\D*0187/)
  })

  test('any of them finds the person, and is erased with the others', async () => {
    const id = await capture()
    await correct(id, { lastName: 'Byron' })
    const next = await move(id, newPhone, {
      seen: { ...seen, lastName: 'Byron' },
      corrected: { ...seen, lastName: 'Byron', phone: newPhone },
    })
    await store.indexLeads({ limit: 9 })
    for (const leadId of [id, next]) {
      const found = await store.leadsOfPerson({ id: leadId })
      expect(found.map(lead => lead.id)).toEqual([id, next])
    }
    await store.erase({ ids: [id], key: ERASURE_KEY, by: 'Bob' })
    const left = [
      await rows('SELECT * FROM corrections'),
      await rows('SELECT * FROM stories'),
      await rows('SELECT * FROM leads'),
      await rows('SELECT detail FROM history'),
      await rows('SELECT detail FROM story_events'),
    ]
    expect(JSON.stringify(left)).not.toMatch(/555\D*01(11|87)|ada@|byron|Lovelace|typed wrong/i)
    const find = (person: { phone: string } | { email: string }) => store.erasedLeadsOf({ person, key: ERASURE_KEY })
    expect((await find({ phone: oldPhone })).ids).toEqual([id])
    expect((await find({ phone: newPhone })).ids).toEqual([next])
    expect(await open()).toEqual([])
  })
})
