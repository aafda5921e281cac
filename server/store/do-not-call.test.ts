/** Leads from people on the do-not-call list aren't delivered unless an operator approves that specific lead. */
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { DO_NOT_CALL } from '../../domain/hold-reasons.ts'
import type { Contact } from '../../domain/lead.ts'
import { contactOf, ERASURE_KEY } from '../../tests/support/lead-store.ts'
import { dead, delivered, HOUR, onEachEngine, retry } from '../../tests/support/store-engines.ts'
import { cancelDelivery, type DoNotCall } from './do-not-call.ts'
import { schema, sqliteDdl } from './schema.ts'
import { insert } from './sql.ts'
import { sqlOn } from './sqlite/transactions.ts'

const ada = contactOf('ada')
const by = 'Maria'
/** Someone who isn't on the list. Everyone else in these tests has Ada's phone number. */
const bystander = { email: 'bob@example.org', phone: '(555) 010-0198' }
const onHold = { state: 'held', heldReason: DO_NOT_CALL, delivery: null }

onEachEngine('the do-not-call list', harness => {
  const { store, historyOf } = harness
  const capture = (contact: Partial<Contact> = {}) => harness.capture('ada', { contact: { ...ada, ...contact } })
  const addToDoNotCall = (...contacts: readonly DoNotCall[]) => store.addToDoNotCall({ contacts, by })
  const leasedIds = async () => (await store.lease({ limit: 9, leaseMs: HOUR })).map(({ leadId }) => leadId)

  test('a lead is held just before delivery if its capture read the list before the person was added', async () => {
    const [one, two] = [await capture(), await capture({ firstName: 'Eda', email: 'other@example.org' })]
    const other = await capture(bystander)
    // Simulates a capture that commits a moment later, or an interrupted command.
    await harness.change(`INSERT INTO suppressions (contact, added_at) VALUES ('5552100199', ${Date.now()})`)
    expect(await leasedIds()).toEqual([other.id])
    for (const { id } of [one, two]) {
      expect(await store.find(id)).toMatchObject({ ...onHold, deliveryAttempts: [] })
      const detail = { heldReason: DO_NOT_CALL, cancelledDelivery: 'pending', by: 'system' }
      expect(await historyOf(id)).toEqual([['held', detail]])
    }
    expect(await store.backlog()).toMatchObject({ pending: 1, held: 2 })
  })

  test('a lead approved or resent by ID is delivered, with retries, until the person is added again', async () => {
    await addToDoNotCall({ email: ada.email })
    const { id } = await capture()
    await store.approve({ ids: [id], by })
    await store.settle(retry(await harness.leaseOne(), -1))
    await store.settle(delivered(await harness.leaseOne()))
    expect(await store.resend({ ids: [id], again: true, by })).toBe(1)
    expect(await leasedIds()).toEqual([id])
    await store.removeFromDoNotCall({ contacts: [{ email: ada.email }], by })
    // Wait for the clock to advance: an approval in the same millisecond would still count.
    while ((await store.storeTime()) <= ((await store.find(id))?.history.at(-1)?.at ?? 0));
    await addToDoNotCall({ email: ada.email })
    await harness.change('UPDATE deliveries SET next_at = 0')
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

  test('a bulk approval leaves out people on the list; an approval by ID doesn’t', async () => {
    const held = await harness.capture('ada', { contact: ada, holdReason: 'many from one address' })
    await addToDoNotCall({ email: ada.email })
    expect(await store.approve({ ids: [held.id], by, leaveOutDoNotCall: true })).toBe(0)
    expect(await store.approve({ ids: [held.id], by })).toBe(1)
  })

  test('a bulk resend leaves out people on the list; a resend by ID doesn’t', async () => {
    const [listed, other] = [await capture(), await capture(bystander)]
    await harness.deliverAll()
    await addToDoNotCall({ email: ada.email })
    expect(await store.leadsOnDoNotCallList([listed.id, other.id, 'no-such-lead'])).toEqual([listed.id])
    const bulk = { ids: [listed.id, other.id], again: true, leaveOutDoNotCall: true }
    expect(await store.resend({ ...bulk, by })).toBe(1)
    expect(await store.find(listed.id)).toMatchObject({ delivery: { state: 'delivered' } })
    expect(await store.resend({ ids: [listed.id], again: true, by })).toBe(1)
  })

  test.each([{ phone: '555.210.0199' }, { email: ' ADA@example.org' }])(
    'every process holds the person’s leads (%j)',
    async contact => {
      const another = await harness.openAnother()
      expect(await another.addToDoNotCall({ contacts: [contact], by })).toMatchObject({ added: 1 })
      expect(await addToDoNotCall(contact)).toMatchObject({ added: 0 })
      expect(await store.find((await capture()).id)).toMatchObject(onHold)
      expect((await capture()).state).toBe('repeat')
      expect((await capture(bystander)).state).toBe('accepted')
    },
  )

  test('someone on the list whose lead was accepted submits again: held for review, not a repeat', async () => {
    const accepted = await capture()
    await harness.deliverAll()
    await addToDoNotCall({ phone: ada.phone })
    const { id } = await capture()
    expect(await store.find(id)).toMatchObject({ ...onHold, repeatOf: null })
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
      expect((await historyOf(id)).at(-1)).toEqual(['held', { heldReason: DO_NOT_CALL, cancelledDelivery, by }])
    }
    expect(await store.find(arrived.leadId)).toMatchObject({ state: 'accepted', delivery: { state: 'delivered' } })
    expect(await leasedIds()).toEqual([other.id])
    expect(await addToDoNotCall({ phone: ada.phone })).toEqual({ added: 0, held: [], inFlight: [] })
    expect(await store.approve({ ids: held, by })).toBe(held.length)
  })

  test.each([
    ['delivered', delivered, { state: 'accepted', heldReason: null, delivery: { state: 'delivered' } }],
    ['dead', dead, onHold],
  ] as const)(
    'a lead in flight isn’t retried; an attempt that ends as %s is recorded',
    async (_, settlement, expected) => {
      const { id } = await capture()
      const leased = await harness.leaseOne()
      expect(await addToDoNotCall({ email: ada.email })).toEqual({ added: 1, held: [id], inFlight: [id] })
      expect(await store.find(id)).toMatchObject(onHold)
      expect(await store.settle(settlement(leased))).toBe(true)
      const lead = await store.find(id)
      expect(lead).toMatchObject(expected)
      expect(lead?.deliveryAttempts).toHaveLength(1)
      expect(lead?.history.at(-1)?.detail).toContain('afterHold')
      expect(await store.nextDue()).toBeNull()
    },
  )

  test('an erased person stays on the list until they’re removed from it', async () => {
    await addToDoNotCall({ phone: ada.phone }, { email: 'bob@example.org' })
    await store.erase({ ids: [(await capture()).id], key: ERASURE_KEY, by })
    const list = await store.doNotCallList({ after: '', limit: 9 })
    expect(list).toMatchObject([{ contact: '5552100199' }, { contact: 'bob@example.org' }])
    expect(await store.doNotCallList({ after: '5552100199', limit: 9 })).toHaveLength(1)
    expect((await capture()).state).toBe('held')
    const contacts = [{ phone: ada.phone }, { email: 'carl@example.org' }]
    expect(await store.removeFromDoNotCall({ contacts, by })).toBe(1)
    expect((await capture({ firstName: 'Eda' })).state).toBe('accepted')
  })

  test('a lead’s history says whether the email or phone was listed, but not the address or number', async () => {
    const { id } = await capture()
    const request = { leadId: id, contacts: [{ email: ada.email }, { phone: ada.phone }], by }
    await store.addToDoNotCall(request)
    expect(await store.doNotCallContacts(id)).toEqual(['email', 'phone'])
    expect([await store.removeFromDoNotCall(request), await store.doNotCallContacts(id)]).toEqual([2, []])
    const lines = await historyOf(id)
    expect(lines).toContainEqual(['suppressed', { contact: 'email', by }])
    expect(lines).toContainEqual(['unsuppressed', { contact: 'phone', by }])
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
