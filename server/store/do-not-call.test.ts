/** Leads from people on the do-not-call list aren't delivered unless an operator approves that specific lead. On both engines. */

import { expect, test } from 'vitest'
import { DO_NOT_CALL } from '../../domain/hold-reasons.ts'
import type { Contact } from '../../domain/lead.ts'
import { phoneDigits } from '../../domain/phone.ts'
import { contactOf, ERASURE_KEY } from '../../tests/support/lead-store.ts'
import { dead, delivered, HOUR, onEachEngine, retry } from '../../tests/support/store-scene.ts'
import type { LeasedDelivery } from './outbox.ts'

const ada = contactOf('ada')
const byPhone = { contact: { ...contactOf('ada again'), email: 'other@example.org' } }
/** Has a different phone number; everyone else here shares Ada's. */
const bystander = { contact: { ...contactOf('bob'), phone: '(555) 010-0198' } }

onEachEngine('a person on the do-not-call list', scene => {
  const { store } = scene
  const capture = (contact: Partial<Contact> = {}) => scene.capture('ada', { contact: { ...ada, ...contact } })
  const leasedIds = async () => (await store.lease({ limit: 9, leaseMs: HOUR })).map(({ leadId }) => leadId)

  test('is held just before delivery if a capture read the list before they were added', async () => {
    const [one, two] = [await scene.capture('ada'), await scene.capture('ada again', byPhone)]
    const other = await scene.capture('bob', bystander)
    // Simulates a capture that commits a moment later, or an interrupted command.
    await scene.open.change(
      `INSERT INTO suppressions (contact, added_at) VALUES ('${phoneDigits(ada.phone)}', ${Date.now()})`,
    )
    expect(await leasedIds()).toEqual([other.id])
    for (const { id } of [one, two]) {
      const lead = await store.find(id)
      expect(lead).toMatchObject({ state: 'held', heldReason: DO_NOT_CALL, delivery: null, deliveryAttempts: [] })
      expect(lead?.history.at(-1)).toMatchObject({
        event: 'held',
        detail: JSON.stringify({ heldReason: DO_NOT_CALL, cancelledDelivery: 'pending', by: 'system' }),
      })
    }
    expect(await store.backlog()).toMatchObject({ pending: 1, held: 2 })
  })

  test('is delivered, including retries, if their lead is released or resent by ID, until they’re added again', async () => {
    await store.suppress({ contacts: [{ email: ada.email }], by: 'Maria' })
    const { id } = await scene.capture('ada')
    await store.release({ ids: [id], by: 'Maria' })
    await store.settle(retry(await scene.leaseOne(), -1))
    await store.settle(delivered(await scene.leaseOne()))
    expect(await store.redeliver({ ids: [id], again: true, by: 'Maria' })).toBe(1)
    expect(await leasedIds()).toEqual([id])
    await store.unsuppress({ contacts: [{ email: ada.email }], by: 'Maria' })
    // Wait for the clock to advance: an approval in the same millisecond counts.
    while ((await store.storeTime()) <= ((await store.find(id))?.history.at(-1)?.at ?? 0));
    await store.suppress({ contacts: [{ email: ada.email }], by: 'Maria' })
    await scene.open.change('UPDATE deliveries SET next_at = 0')
    expect(await leasedIds()).toEqual([])
    expect(await store.find(id)).toMatchObject({ state: 'held', heldReason: DO_NOT_CALL })
  })

  test('is held when a repeat reopened their delivery', async () => {
    const { id } = await scene.capture('ada')
    await store.settle(dead(await scene.leaseOne()))
    await store.suppress({ contacts: [{ phone: ada.phone }], by: 'Maria' })
    // Simulates a capture that checked the list before they were added.
    await scene.open.change(
      `UPDATE suppressions SET added_at = 0;
       UPDATE deliveries SET state = 'pending', next_at = 0, finished_at = NULL;
       INSERT INTO history (lead_id, at, event, detail)
       VALUES ('${id}', 1, 'put into the outbox again', '{"was":"dead","repeatedBy":"x"}')`,
    )
    expect(await leasedIds()).toEqual([])
    expect(await store.find(id)).toMatchObject({ state: 'held' })
  })

  test('is left out of bulk resends unless named', async () => {
    const [ours, other] = [await scene.capture('ada'), await scene.capture('bob', bystander)]
    for (const _ of [ours, other]) await store.settle(delivered(await scene.leaseOne()))
    await store.suppress({ contacts: [{ email: ada.email }], by: 'Maria' })
    expect(await store.suppressedLeads([ours.id, other.id, 'no-such-lead'])).toEqual([ours.id])
    const found = { ids: [ours.id, other.id], again: true, leaveOutSuppressed: true }
    expect(await store.redeliver({ ...found, by: 'Maria' })).toBe(1)
    expect(await store.find(ours.id)).toMatchObject({ delivery: { state: 'delivered' } })
    expect(await store.redeliver({ ids: [ours.id], again: true, by: 'Maria' })).toBe(1)
  })

  test.each([{ phone: '555.210.0199' }, { email: ' ADA@example.org' }])(
    'is held by every process (%j)',
    async contact => {
      expect(await (await scene.open.again()).suppress({ contacts: [contact], by: 'Maria' })).toMatchObject({
        added: 1,
      })
      expect(await store.suppress({ contacts: [contact], by: 'Maria' })).toMatchObject({ added: 0 })
      const { id, state } = await capture()
      expect(state).toBe('held')
      expect(await store.find(id)).toMatchObject({ heldReason: DO_NOT_CALL, delivery: null })
      expect((await capture()).state).toBe('repeat')
      expect((await capture({ phone: '(555) 010-0198', email: 'bob@example.org' })).state).toBe('accepted')
    },
  )

  test('gets no more deliveries: pending and failed leads are held, and delivered ones don’t change', async () => {
    const ids = []
    for (const firstName of ['Ada', 'Bob', 'Carl']) ids.push((await capture({ firstName })).id)
    const leased = [await scene.leaseOne(), await scene.leaseOne()]
    await store.settle(delivered(leased[0] as LeasedDelivery))
    await store.settle(dead(leased[1] as LeasedDelivery))
    // Captured only now: leads received in the same millisecond are leased in any order.
    const bystander = await capture({ phone: '(555) 010-0198', email: 'bob@example.org' })
    const arrived = leased[0]?.leadId ?? ''
    const waiting = ids.filter(id => id !== arrived)
    const { held, inFlight } = await store.suppress({ contacts: [{ phone: ada.phone }], by: 'Maria' })
    expect([held.toSorted(), inFlight]).toEqual([waiting.toSorted(), []])
    for (const id of held) {
      expect(await store.find(id)).toMatchObject({ state: 'held', heldReason: DO_NOT_CALL, delivery: null })
      expect((await store.find(id))?.history.at(-1)).toMatchObject({
        event: 'held',
        detail: expect.stringContaining('cancelledDelivery'),
      })
    }
    expect(await store.find(arrived)).toMatchObject({ state: 'accepted', delivery: { state: 'delivered' } })
    expect((await store.lease({ limit: 9, leaseMs: 60_000 })).map(({ leadId }) => leadId)).toEqual([bystander.id])
    expect(await store.suppress({ contacts: [{ phone: ada.phone }], by: 'Maria' })).toEqual({
      added: 0,
      held: [],
      inFlight: [],
    })
    expect(await store.release({ ids: held, by: 'Maria' })).toBe(held.length)
  })

  test.each(['delivered', 'dead'] as const)(
    'gets no second attempt for a lead in flight; its attempt ends as %s and is recorded',
    async result => {
      const { id } = await capture()
      const leased = await scene.leaseOne()
      expect(await store.suppress({ contacts: [{ email: ada.email }], by: 'Maria' })).toEqual({
        added: 1,
        held: [id],
        inFlight: [id],
      })
      expect(await store.find(id)).toMatchObject({ state: 'held', delivery: null })
      expect(await store.settle(result === 'delivered' ? delivered(leased) : dead(leased))).toBe(true)
      const lead = await store.find(id)
      expect(lead).toMatchObject(
        result === 'delivered'
          ? { state: 'accepted', heldReason: null, delivery: { state: 'delivered' } }
          : { state: 'held', heldReason: DO_NOT_CALL, delivery: null },
      )
      expect(lead?.deliveryAttempts).toHaveLength(1)
      expect(lead?.history.at(-1)?.detail).toContain('afterHold')
      expect(await store.nextDue()).toBeNull()
    },
  )

  test('stays on the list when they are erased, until removed', async () => {
    await store.suppress({ contacts: [{ phone: ada.phone }, { email: 'bob@example.org' }], by: 'Maria' })
    await store.erase({ ids: [(await capture()).id], key: ERASURE_KEY, by: 'Maria' })
    expect(await store.suppressions({ after: '', limit: 9 })).toEqual([
      { contact: '5552100199', addedAt: expect.any(Number) },
      { contact: 'bob@example.org', addedAt: expect.any(Number) },
    ])
    expect(await store.suppressions({ after: '5552100199', limit: 9 })).toHaveLength(1)
    expect((await capture()).state).toBe('held')
    expect(
      await store.unsuppress({ contacts: [{ phone: ada.phone }, { email: 'carl@example.org' }], by: 'Maria' }),
    ).toBe(1)
    expect((await capture({ firstName: 'Eda' })).state).toBe('accepted')
  })

  test('appears in the lead’s history as an email or a phone, never with the value', async () => {
    const { id } = await capture()
    const order = { leadId: id, contacts: [{ email: ada.email }, { phone: ada.phone }], by: 'Maria' }
    await store.suppress(order)
    expect(await store.listedContacts(id)).toEqual(['email', 'phone'])
    expect([await store.unsuppress(order), await store.listedContacts(id)]).toEqual([2, []])
    const { history = [] } = (await store.find(id)) ?? {}
    const lines = history.map(({ event, detail }) => `${event} ${detail}`)
    expect(lines).toContain('suppressed {"contact":"email","by":"Maria"}')
    expect(lines).toContain('unsuppressed {"contact":"phone","by":"Maria"}')
    expect(lines.join()).not.toContain('ada@')
  })
})
