/** Operators, workers, and visitors act concurrently; neither engine ends up in a forbidden state. */
import { expect, test } from 'vitest'
import { ERASURE_KEY } from '../../../tests/support/lead-store.ts'
import { dead, delivered, held, onEachEngine, retry } from '../../../tests/support/store-scene.ts'
import type { Settlement } from '../outbox.ts'
import type { Store } from '../store.ts'

onEachEngine('concurrent changes', scene => {
  test('a thousand rounds of release, reject, redeliver, and erase during captures and deliveries leave no forbidden state', async () => {
    const stores = [scene.store, await scene.open.again(), await scene.open.again()]
    const some = (round: number) => stores[round % 3] as Store
    const ids: string[] = []
    const oncePutAside: { id: string; late: string }[] = []
    let rejected = 0
    let delivering = true
    const worker = async (from: Store) => {
      while (delivering) {
        const leased = await from.lease({ limit: 5, leaseMs: 20 })
        for (const [index, each] of leased.entries()) {
          await from.settle([delivered(each), retry(each, 0), dead(each)][index % 3] as Settlement)
        }
        await new Promise(resolve => setTimeout(resolve, 2))
      }
    }
    const workers = stores.map(worker)
    const rounds = Array.from({ length: 1000 }, (_, round) => round)
    const one = async (round: number) => {
      const person = `person-${round % 40}`
      const target = ids[(round * 7919) % Math.max(1, ids.length)] ?? ''
      const aside = oncePutAside[(round * 7919) % Math.max(1, oncePutAside.length)]
      const turn = round % 7
      if (turn === 0) {
        const late = `late-${round % 150}`
        const { id } = await scene.capture(late, held, some(round))
        ids.push(id)
        oncePutAside.push({ id, late })
        if (round % 2) rejected += await some(round + 1).reject({ ids: [id], reason: 'a joke', by: 'Maria' })
      } else if (turn === 1) ids.push((await scene.capture(person, {}, some(round))).id)
      else if (turn === 2) await some(round).release({ ids: [target], by: 'Maria' })
      else if (turn === 3) await some(round).redeliver({ ids: [target], again: true, by: 'Maria' })
      else if (turn === 4) await some(round).erase({ ids: [target], key: ERASURE_KEY, by: 'test' })
      else if (turn === 5)
        rejected += await some(round).reject({ ids: [oncePutAside.at(-1)?.id ?? ''], reason: 'a joke', by: 'Maria' })
      else if (aside) {
        // Releases a rejected lead while its person submits another one.
        const again = scene.capture(aside.late, {}, some(round + 1))
        await some(round).release({ ids: [aside.id], by: 'Maria' })
        ids.push((await again).id)
      }
    }
    // Ten at a time.
    for (let start = 0; start < rounds.length; start += 10) await Promise.all(rounds.slice(start, start + 10).map(one))
    delivering = false
    await Promise.all(workers)

    const leads = await scene.all()
    expect(leads).toHaveLength(ids.length)
    const current = new Map<string, number>()
    for (const { state, delivery, email, heldReason, rejectedReason, repeatOf } of leads) {
      if (state === 'accepted') expect(delivery).not.toBeNull()
      if (state === 'held' || state === 'repeat' || state === 'rejected') expect(delivery).toBeNull()
      if (state === 'erased') expect([email, delivery?.state ?? 'delivered']).toEqual([null, 'delivered'])
      expect(heldReason !== null && !['held', 'rejected', 'erased'].includes(state)).toBe(false)
      expect(rejectedReason !== null).toBe(state === 'rejected')
      expect(repeatOf === null && state === 'repeat').toBe(false)
      if (state === 'accepted' || state === 'held')
        current.set(email as string, (current.get(email as string) ?? 0) + 1)
    }
    expect([...current.values()].filter(count => count > 1)).toEqual([])
    expect(rejected).toBeGreaterThan(10)
  })
})
