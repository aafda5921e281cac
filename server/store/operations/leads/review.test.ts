/** Operators' decisions about leads, and what happens when operators, workers, and visitors act at the same time. */
import { expect, test } from 'vitest'
import { HOUR } from '../../../../domain/durations.ts'
import { contactOf, ERASURE_KEY } from '../../../../tests/support/lead-store.ts'
import { dead, delivered, held, onEachEngine, retry } from '../../../../tests/support/store-engines.ts'
import type { Store } from '../../store.ts'
import type { Settlement } from '../deliveries/settle.ts'

const by = 'Maria'
const reason = 'a joke'

onEachEngine('the operator', harness => {
  const { store, capture, historyOf, testOnce } = harness
  const captureRejected = async (name: string) => {
    const { id } = await capture(name, held)
    await store.reject({ ids: [id], reason, by })
    return id
  }

  test('approves all of the given held leads, or none', async () => {
    const [ada, carl] = [await capture('ada', held), await capture('carl')]
    expect(await store.approve({ ids: [ada.id, carl.id], by })).toBe(0)
    expect(await store.approve({ ids: [ada.id, ada.id], by })).toBe(1)
    const approved = { state: 'accepted', heldReason: null, delivery: { state: 'pending' } }
    expect(await store.find(ada.id)).toMatchObject(approved)
  })

  test('approves each held lead once, even if two people approve it at the same time', async () => {
    const leads = await Promise.all(Array.from({ length: 20 }, (_, index) => capture(`person-${index}`, held)))
    const stores = [store, await harness.openAnother()]
    const counts = await Promise.all(stores.flatMap(each => leads.map(({ id }) => each.approve({ ids: [id], by }))))
    expect(counts.reduce((total, count) => total + count)).toBe(20)
    expect(await store.lease({ limit: 100, leaseMs: HOUR })).toHaveLength(20)
  })

  test('resends leads with a fresh set of attempts and no lease', async () => {
    const { id } = await capture('ada')
    const first = await harness.leaseOne()
    expect(await store.resend({ ids: [id], by })).toBe(1)
    expect(await store.settle(retry(first))).toBe(false)
    const second = await harness.leaseOne()
    await store.settle(dead(second))
    expect(await store.settle(retry(second))).toBe(false)
    expect(await store.resend({ ids: [id], by })).toBe(1)
    expect(await store.settle(dead(second))).toBe(false)
    expect(await store.find(id)).toMatchObject({ delivery: { state: 'pending', attempts: 0, finishedAt: null } })
    // Already due, so resending does nothing.
    expect(await store.resend({ ids: [id], by })).toBe(0)
  })

  test('rejects all of the given held leads, or none; they keep both reasons and are never delivered', async () => {
    const [{ id }, accepted] = [await capture('ada', held), await capture('bob')]
    for (const ids of [[id, accepted.id], ['no-such-id']]) expect(await store.reject({ ids, reason, by })).toBe(0)
    expect(await store.find(id)).toMatchObject({ state: 'held', rejectedReason: null })
    expect(await store.reject({ ids: [id, id], reason, by })).toBe(1)
    expect(await store.reject({ ids: [id], reason, by })).toBe(0)
    const both = { heldReason: 'a link in the name', rejectedReason: reason }
    expect(await store.find(id)).toMatchObject({ state: 'rejected', ...both, email: 'ada@example.org', delivery: null })
    expect(await store.count({ state: 'rejected' })).toBe(1)
    expect(await store.resend({ ids: [id], again: true, by })).toBe(0)
  })

  testOnce('a person’s lead after a rejection isn’t a repeat, but only one can be approved', async () => {
    // The rejection may be a mistake, but nobody should be called twice.
    const rejected = await captureRejected('ada')
    expect((await capture('ada')).state).toBe('accepted')
    expect(await store.approve({ ids: [rejected], by })).toBe(0)
    expect(await store.find(rejected)).toMatchObject({ state: 'rejected' })
    const ids = [await captureRejected('bob'), await captureRejected('bob')]
    expect(await store.approve({ ids, by })).toBe(0)
    expect(await store.approve({ ids: ids.slice(0, 1), by })).toBe(1)
    expect(await store.approve({ ids: ids.slice(1), by })).toBe(0)
  })

  testOnce('a rejected lead can be approved if the person’s older lead had been accepted before', async () => {
    const ada = contactOf('ada')
    const older = await capture('ada')
    const list = { contacts: [{ phone: ada.phone }], by }
    await harness.deliverAll()
    await store.addToDoNotCall(list)
    const { id } = await capture('ada')
    expect(await store.reject({ ids: [id], reason: 'asked not to be called', by })).toBe(1)
    await store.removeFromDoNotCall({ ...list, request: null })
    expect(await store.approve({ ids: [id], by })).toBe(1)
    expect(await store.find(older.id)).toMatchObject({ delivery: { state: 'delivered' } })
  })

  test('a decision is refused if the lead has changed since the user saw it', async () => {
    const { id } = await capture('ada', held)
    const seen = { [id]: { state: 'held', onDoNotCallList: false } } as const
    await store.addToDoNotCall({ leadId: id, contacts: [{ phone: contactOf('ada').phone }], by: 'Joe' })
    expect(await store.reject({ ids: [id], reason: 'a joke', by, seen })).toBe(0)
    await store.removeFromDoNotCall({ contacts: [{ phone: contactOf('ada').phone }], by: 'Joe', request: null })
    expect(await store.reject({ ids: [id], reason: 'a joke', by, seen })).toBe(1)
    expect(await store.approve({ ids: [id], by, seen })).toBe(0)
  })

  testOnce('history shows who approved, rejected, and resent a lead, but not the reason', async () => {
    const [first, second] = [await captureRejected('ada'), (await capture('bob', held)).id]
    expect(await store.approve({ ids: [first, second], by: 'Joe' })).toBe(2)
    await harness.deliverAll()
    expect(await store.resend({ ids: [first, second], by: 'Joe' })).toBe(0)
    expect(await store.resend({ ids: [first], again: true, by: 'Joe' })).toBe(1)
    const lines = await historyOf(first)
    expect(lines).toContainEqual(['rejected', { heldReason: held.holdReason, by }])
    expect(lines).toContainEqual(['released', { heldReason: held.holdReason, was: 'rejected', by: 'Joe' }])
    expect(lines).toContainEqual(['put into the outbox again', { was: 'delivered', by: 'Joe' }])
  })

  test('can approve, reject, resend, and erase during captures and deliveries without causing an invalid state', async () => {
    const stores = [store, await harness.openAnother(), await harness.openAnother()]
    const storeFor = (round: number) => stores[round % 3] as Store
    const ids: string[] = []
    const onceHeld: { id: string; name: string }[] = []
    let rejected = 0
    const deliver = async (from: Store) => {
      for (const [index, each] of (await from.lease({ limit: 5, leaseMs: 20 })).entries()) {
        await from.settle([delivered(each), retry(each, 0), dead(each)][index % 3] as Settlement)
      }
    }
    const run = async (round: number) => {
      const target = ids[(round * 7919) % Math.max(1, ids.length)] ?? ''
      const heldLead = onceHeld[(round * 7919) % Math.max(1, onceHeld.length)]
      const turn = round % 7
      if (turn === 0) {
        const name = `late-${round % 150}`
        const { id } = await capture(name, held, storeFor(round))
        ids.push(id)
        onceHeld.push({ id, name })
        if (round % 2) rejected += await storeFor(round + 1).reject({ ids: [id], reason, by })
      } else if (turn === 1) ids.push((await capture(`person-${round % 40}`, {}, storeFor(round))).id)
      else if (turn === 2) await storeFor(round).approve({ ids: [target], by })
      else if (turn === 3) await storeFor(round).resend({ ids: [target], again: true, by })
      else if (turn === 4) await storeFor(round).erase({ ids: [target], key: ERASURE_KEY, by })
      else if (turn === 5) rejected += await storeFor(round).reject({ ids: [onceHeld.at(-1)?.id ?? ''], reason, by })
      else if (heldLead) {
        // Releases a rejected lead while the same person submits another one.
        const again = capture(heldLead.name, {}, storeFor(round + 1))
        await storeFor(round).approve({ ids: [heldLead.id], by })
        ids.push((await again).id)
      }
    }
    const rounds = Array.from({ length: 250 }, (_, round) => round)
    // Ten at a time, each next to a delivery.
    for (let start = 0; start < rounds.length; start += 10) {
      const batch = rounds.slice(start, start + 10)
      await Promise.all(batch.flatMap(round => [run(round), deliver(storeFor(round + 2))]))
    }

    const leads = await harness.all()
    expect(leads).toHaveLength(ids.length)
    for (const { state, delivery, email, heldReason, rejectedReason, repeatOf } of leads) {
      if (state === 'accepted') expect(delivery).not.toBeNull()
      if (state === 'held' || state === 'repeat' || state === 'rejected') expect(delivery).toBeNull()
      if (state === 'erased') expect([email, delivery?.state ?? 'delivered']).toEqual([null, 'delivered'])
      expect(heldReason !== null && !['held', 'rejected', 'erased'].includes(state)).toBe(false)
      expect(rejectedReason !== null).toBe(state === 'rejected')
      expect(repeatOf === null && state === 'repeat').toBe(false)
    }
    const current = leads.filter(({ state }) => state === 'accepted' || state === 'held').map(({ email }) => email)
    expect(new Set(current).size).toBe(current.length)
    expect(rejected).toBeGreaterThan(10)
  })
})
