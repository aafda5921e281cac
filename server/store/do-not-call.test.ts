/** Leads from people on the do-not-call list aren't delivered or approved until the person is removed from the list. */
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import type { DoNotCall } from '../../domain/do-not-call.ts'
import { ASKED_NOT_TO_BE_CALLED, DO_NOT_CALL } from '../../domain/hold-reasons.ts'
import type { Contact } from '../../domain/lead.ts'
import { contactOf, ERASURE_KEY } from '../../tests/support/lead-store.ts'
import { dead, delivered, HOUR, onEachEngine } from '../../tests/support/store-engines.ts'
import { cancelDelivery } from './do-not-call.ts'
import { type LeadDetails, sentToCrm } from './lead-records.ts'
import { schema, sqliteDdl } from './schema.ts'
import { insert } from './sql.ts'
import { sqlOn } from './sqlite/transactions.ts'

const ada = contactOf('ada')
const by = 'Maria'
/** Someone who isn't on the list. Everyone else in these tests has Ada's phone number. */
const bystander = { email: 'bob@example.org', phone: '(555) 010-0198' }
const asked = { askedBy: 'person', askedOn: '2030-01-31' } as const
const onHold = { state: 'held', heldReason: ASKED_NOT_TO_BE_CALLED, delivery: null }
const submittedAgain = { ...onHold, heldReason: DO_NOT_CALL }

onEachEngine('the do-not-call list', harness => {
  const { store, historyOf } = harness
  const capture = (contact: Partial<Contact> = {}) => harness.capture('ada', { contact: { ...ada, ...contact } })
  const addToDoNotCall = (...contacts: readonly DoNotCall[]) => store.addToDoNotCall({ contacts, by })
  const remove = (...contacts: readonly DoNotCall[]) => store.removeFromDoNotCall({ contacts, by, request: asked })
  const sent = async (id: string) => sentToCrm((await store.find(id)) as LeadDetails)
  const leasedIds = async () => (await store.lease({ limit: 9, leaseMs: HOUR })).map(({ leadId }) => leadId)

  test('a lead is held just before delivery if its capture read the list before the person was added', async () => {
    const [one, two] = [await capture(), await capture({ firstName: 'Eda', email: 'other@example.org' })]
    const other = await capture(bystander)
    // Simulates a capture that commits a moment later, or an interrupted command.
    await harness.change(`INSERT INTO suppressions (contact, added_at) VALUES ('5552100199', ${Date.now()})`)
    expect(await leasedIds()).toEqual([other.id])
    for (const { id } of [one, two]) {
      expect(await store.find(id)).toMatchObject({ ...onHold, deliveryAttempts: [] })
      const detail = { heldReason: ASKED_NOT_TO_BE_CALLED, cancelledDelivery: 'pending', by: 'system' }
      expect(await historyOf(id)).toEqual([['held', detail]])
    }
    expect(await store.backlog()).toMatchObject({ pending: 1 })
  })

  test('approved while the person is being added: held, not sent', async () => {
    const { id } = await harness.capture('ada', { contact: ada, holdReason: 'many from one address' })
    await store.approve({ ids: [id], by })
    // Simulates an approval that read the list before the entry was committed.
    await harness.change(`INSERT INTO suppressions (contact, added_at) VALUES ('5552100199', 0)`)
    expect(await leasedIds()).toEqual([])
    expect(await store.find(id)).toMatchObject(onHold)
  })

  test('a lead is held if a repeat reopened its delivery', async () => {
    const { id } = await capture()
    await store.settle(dead(await harness.leaseOne()))
    // Simulates a capture that checked the list before the person was added.
    await harness.change(
      `INSERT INTO suppressions (contact, added_at) VALUES ('5552100199', 0);
       UPDATE deliveries SET state = 'pending', next_at = 0, finished_at = NULL;
       INSERT INTO history (lead_id, at, event, detail)
       VALUES ('${id}', 1, 'put into the outbox again', '{"was":"dead","repeatedBy":"x"}')`,
    )
    expect(await leasedIds()).toEqual([])
    expect(await store.find(id)).toMatchObject(onHold)
  })

  test('a lead can’t be approved or resent until the person is removed from the list, at someone’s request', async () => {
    const rejected = await harness.capture('ada', { contact: ada, holdReason: 'many from one address' })
    const [sent, other] = [await capture({ firstName: 'Eda' }), await capture(bystander)]
    await harness.deliverAll()
    await addToDoNotCall({ email: ada.email })
    expect(await store.leadsOnDoNotCallList([sent.id, other.id, 'no-such-lead'])).toEqual(new Set([sent.id]))
    expect(await store.approve({ ids: [rejected.id], by })).toBe(0)
    expect(await store.resend({ ids: [sent.id, other.id], again: true, by })).toBe(1)
    expect(await store.find(sent.id)).toMatchObject({ delivery: { state: 'delivered' } })
    expect(await remove({ email: ada.email })).toBe(1)
    const removal = await harness.rows(`SELECT asked_by, asked_on FROM do_not_call_history WHERE event = 'removed'`)
    expect(removal).toEqual([{ asked_by: 'person', asked_on: '2030-01-31' }])
    expect(await store.approve({ ids: [rejected.id], by })).toBe(1)
    expect(await store.resend({ ids: [sent.id], again: true, by })).toBe(1)
  })

  test('leads from before the request are closed; a new one needs review, also if the first was closed', async () => {
    const closed = await harness.capture('ada', { contact: ada, holdReason: 'many from one address' })
    await addToDoNotCall({ phone: ada.phone })
    const inReview = async () => [
      (await store.page({ filter: { state: 'held' }, order: 'newest first', limit: 9, after: null })).map(
        ({ id }) => id,
      ),
      (await store.backlog()).held,
    ]
    expect(await inReview()).toEqual([[], 0])
    const again = await capture()
    expect(again.state).toBe('held')
    expect(await inReview()).toEqual([[again.id], 1])
    expect((await capture()).state).toBe('repeat')
    await remove({ phone: ada.phone })
    expect(await inReview()).toEqual([[again.id, closed.id], 2])
  })

  test('Undo works for an hour. After that, someone has to say who asked', async () => {
    const order = { contacts: [{ phone: ada.phone }], by: 'Maria' }
    await store.addToDoNotCall(order)
    for (const column of ['suppressions SET added_at = added_at', 'do_not_call_history SET at = at']) {
      await harness.change(`UPDATE ${column} - ${HOUR}`)
    }
    expect(await store.undoDoNotCall(order)).toMatchObject({ undone: [], kept: [{ by: 'Maria' }] })
    expect(await store.doNotCallList({ after: '', limit: 9 })).toHaveLength(1)
  })

  test('Undo takes back one’s own entry, but none that a colleague added or confirmed', async () => {
    const { id } = await capture()
    const [phone, email] = [{ phone: ada.phone }, { email: ada.email }]
    const order = (who: string, ...contacts: readonly DoNotCall[]) => ({ leadId: id, contacts, by: who })
    await store.addToDoNotCall(order('Maria', phone))
    await store.addToDoNotCall(order('Joe', phone, email))
    const kept = { contact: 'phone', by: 'Maria', at: expect.any(Number) }
    expect(await store.undoDoNotCall(order('Joe', phone, email))).toEqual({ undone: [ada.email], kept: [kept] })
    expect(await store.doNotCallEntriesOf(id)).toEqual([kept])
    expect(await store.undoDoNotCall(order('Maria', phone))).toMatchObject({ undone: [], kept: [{ by: 'Joe' }] })
    expect(await store.undoDoNotCall(order('Joe', email))).toEqual({ undone: [], kept: [] })
    const events = (await historyOf(id)).map(([event]) => event)
    expect(events).toEqual(expect.arrayContaining(['suppressed', 'confirmed do not call', 'undid do not call']))
  })

  test('a colleague who confirms an entry while it’s being undone keeps it on the list', async () => {
    const another = await harness.openAnother()
    const ids = [(await capture()).id, (await capture({ firstName: 'Eda' })).id] as const
    const contacts = [{ phone: ada.phone }]
    for (let round = 0; round < 10; round++) {
      await store.addToDoNotCall({ leadId: ids[0], contacts, by: 'Maria' })
      await Promise.all([
        store.undoDoNotCall({ leadId: ids[0], contacts, by: 'Maria' }),
        another.addToDoNotCall({ leadId: ids[1], contacts, by: 'Joe' }),
      ])
      expect(await store.doNotCallEntriesOf(ids[1])).toHaveLength(1)
      await store.removeFromDoNotCall({ contacts, by: 'Maria', request: null })
    }
  })

  test.each([{ phone: '555.210.0199' }, { email: ' ADA@example.org' }])(
    'every process holds the person’s leads (%j)',
    async contact => {
      const another = await harness.openAnother()
      expect(await another.addToDoNotCall({ contacts: [contact], by })).toMatchObject({ added: 1 })
      expect(await addToDoNotCall(contact)).toMatchObject({ added: 0 })
      expect(await store.find((await capture()).id)).toMatchObject(submittedAgain)
      expect((await capture()).state).toBe('repeat')
      expect((await capture(bystander)).state).toBe('accepted')
    },
  )

  test('someone on the list whose lead was accepted submits again: held for review, not a repeat', async () => {
    const accepted = await capture()
    await harness.deliverAll()
    await addToDoNotCall({ phone: ada.phone })
    const { id } = await capture()
    expect(await store.find(id)).toMatchObject({ ...submittedAgain, repeatOf: null })
    expect(await store.find(accepted.id)).toMatchObject({ state: 'accepted', delivery: { state: 'delivered' } })
  })

  test('adding someone holds their pending and failed leads; delivered ones don’t change', async () => {
    const ids: string[] = []
    for (const firstName of ['Ada', 'Bob', 'Carl']) ids.push((await capture({ firstName })).id)
    const [arrived, failed] = [await harness.leaseOne(), await harness.leaseOne()]
    await store.settle(delivered(arrived))
    await store.settle(dead(failed))
    // Captured last, because leads received in the same millisecond are leased in no particular order.
    const other = await capture(bystander)
    const { held, inFlight } = await addToDoNotCall({ phone: ada.phone })
    expect([held.toSorted(), inFlight]).toEqual([ids.filter(id => id !== arrived.leadId).toSorted(), []])
    for (const id of held) {
      expect(await store.find(id)).toMatchObject(onHold)
      const cancelledDelivery = id === failed.leadId ? 'dead' : 'pending'
      expect((await historyOf(id)).at(-1)).toEqual([
        'held',
        { heldReason: ASKED_NOT_TO_BE_CALLED, cancelledDelivery, by },
      ])
    }
    expect(await store.find(arrived.leadId)).toMatchObject({ state: 'accepted', delivery: { state: 'delivered' } })
    expect(await leasedIds()).toEqual([other.id])
    expect(await addToDoNotCall({ phone: ada.phone })).toEqual({ added: 0, held: [], inFlight: [], interrupted: [] })
    await remove({ phone: ada.phone })
    expect(await store.approve({ ids: held, by })).toBe(held.length)
  })

  test.each([
    [
      'delivered',
      delivered,
      { state: 'accepted', rejectedReason: null, heldReason: null, delivery: { state: 'delivered' } },
    ],
    ['dead', dead, onHold],
  ] as const)(
    'a lead in flight isn’t retried; an attempt that ends as %s is recorded',
    async (_, settlement, expected) => {
      const { id } = await capture()
      const leased = await harness.leaseOne()
      expect(await addToDoNotCall({ email: ada.email })).toMatchObject({ added: 1, held: [id], inFlight: [id] })
      expect(await store.find(id)).toMatchObject(onHold)
      expect(await store.settle(settlement(leased))).toBe(true)
      const lead = await store.find(id)
      expect(lead).toMatchObject(expected)
      expect(lead?.deliveryAttempts).toHaveLength(1)
      expect(lead?.history.at(-1)?.detail).toContain('afterHold')
      expect(await store.nextDue()).toBeNull()
    },
  )

  test('an attempt that was interrupted may have sent the lead, even if the lead is canceled later', async () => {
    const [early, late] = [await capture(), await capture({ firstName: 'Eda' })]
    // The worker is stopped in the middle, and its leases expire.
    await store.lease({ limit: 9, leaseMs: -1 })
    expect(await sent(early.id)).toBe('maybe')
    expect(await addToDoNotCall({ email: ada.email })).toMatchObject({ inFlight: [], interrupted: expect.any(Array) })
    expect(await sent(early.id)).toBe('maybe')
    const erased = await store.erase({ ids: [early.id, late.id], key: ERASURE_KEY, by })
    expect(erased.sent).toMatchObject([
      { id: early.id, attempts: 0, inFlight: false },
      { id: late.id, attempts: 0, inFlight: false },
    ])
    expect(await sent(early.id)).toBe('maybe')
  })

  test('an interrupted attempt isn’t forgotten when another worker or a resend takes over', async () => {
    const { id } = await capture()
    await store.lease({ limit: 9, leaseMs: -1 })
    await harness.change(`INSERT INTO suppressions (contact, added_at) VALUES ('5552100199', 0)`)
    // The next worker takes the lease, sees the list, and cancels the delivery unsent.
    expect(await leasedIds()).toEqual([])
    expect(await sent(id)).toBe('maybe')
    const unsent = await capture({ firstName: 'Eda' })
    expect(await sent(unsent.id)).toBe('no')
  })

  test('a lead rejected while in flight is accepted once it’s delivered, and can be resent', async () => {
    const { id } = await capture()
    const leased = await harness.leaseOne()
    await addToDoNotCall({ email: ada.email })
    await store.reject({ ids: [id], reason: 'a joke', by })
    expect(await store.settle(delivered(leased))).toBe(true)
    const accepted = { state: 'accepted', rejectedReason: null, delivery: { state: 'delivered' } }
    expect(await store.find(id)).toMatchObject(accepted)
    await remove({ email: ada.email })
    expect(await store.resend({ ids: [id], again: true, by })).toBe(1)
  })

  test('an erased person stays on the list until they’re removed from it', async () => {
    await addToDoNotCall({ phone: ada.phone }, { email: 'bob@example.org' })
    await store.erase({ ids: [(await capture()).id], key: ERASURE_KEY, by })
    const list = await store.doNotCallList({ after: '', limit: 9 })
    expect(list).toMatchObject([{ contact: '5552100199' }, { contact: 'bob@example.org' }])
    expect(await store.doNotCallList({ after: '5552100199', limit: 9 })).toHaveLength(1)
    expect((await capture()).state).toBe('held')
    const contacts = [{ phone: ada.phone }, { email: 'carl@example.org' }]
    expect(await remove(...contacts)).toBe(1)
    expect((await capture({ firstName: 'Eda' })).state).toBe('accepted')
  })

  test('a lead’s history says whether the email or phone was listed, but not the address or number', async () => {
    const { id } = await capture()
    const request = { leadId: id, contacts: [{ email: ada.email }, { phone: ada.phone }], by }
    await store.addToDoNotCall(request)
    expect(await store.doNotCallEntriesOf(id)).toMatchObject([{ contact: 'email' }, { contact: 'phone' }])
    expect([
      await store.removeFromDoNotCall({ ...request, request: asked }),
      await store.doNotCallEntriesOf(id),
    ]).toEqual([2, []])
    const lines = await historyOf(id)
    expect(lines).toContainEqual(['suppressed', { contact: 'email', by }])
    expect(lines).toContainEqual(['unsuppressed', { contact: 'phone', by, ...asked }])
    expect(JSON.stringify(lines)).not.toContain('ada@')
  })
})

test('a worker that lost its lease doesn’t cancel the delivery that another worker is sending', async () => {
  const database = new DatabaseSync(':memory:', { enableForeignKeyConstraints: false })
  database.exec(schema(sqliteDdl).deliveries)
  const sql = sqlOn(database)
  const row = { lead_id: 'lead', state: 'pending', attempts: 0, created_at: 0 }
  await insert(sql, 'deliveries', { ...row, next_at: 2, lease_token: 'current' })
  expect(await cancelDelivery(sql, 'lead', 1, 'lost')).toBeNull()
  expect(await cancelDelivery(sql, 'lead', 1, 'current')).toBe('pending')
})
