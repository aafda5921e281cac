/** Guarantees of both engines for operators with concurrent writers. */
import { expect, test } from 'vitest'
import { certificateUrl } from '../../../domain/certificate.ts'
import { dead, HOUR, held, onEachEngine, retry } from '../../../tests/support/store-scene.ts'
import type { LeadFilter } from '../lead-records.ts'

onEachEngine('the operator', scene => {
  const { store } = scene

  test('releases all of the given held leads, or none', async () => {
    const [ada, bob, carl] = [
      await scene.capture('ada', held),
      await scene.capture('bob', held),
      await scene.capture('carl'),
    ]
    expect(await store.release({ ids: [ada.id, carl.id], by: 'Maria' })).toBe(0)
    expect(await store.release({ ids: [ada.id, ada.id], by: 'Maria' })).toBe(1)
    expect(await store.find(ada.id)).toMatchObject({
      state: 'accepted',
      heldReason: null,
      delivery: { state: 'pending' },
    })
    expect(await store.release({ ids: [bob.id], by: 'Maria' })).toBe(1)
    expect(await store.find(bob.id)).toMatchObject({ state: 'accepted' })
  })

  test('releases each held lead once, even if several people ask at once', async () => {
    const leads = await Promise.all(Array.from({ length: 20 }, (_, index) => scene.capture(`person-${index}`, held)))
    const stores = [store, await scene.open.again()]
    const counts = await Promise.all(
      stores.flatMap(each => leads.map(({ id }) => each.release({ ids: [id], by: 'Maria' }))),
    )
    expect(counts.reduce((total, count) => total + count)).toBe(20)
    expect(await store.lease({ limit: 100, leaseMs: HOUR })).toHaveLength(20)
  })

  test('resends leads with a fresh set of attempts and no lease', async () => {
    const { id } = await scene.capture('ada')
    const first = await scene.leaseOne()
    expect(await store.redeliver({ ids: [id], by: 'Maria' })).toBe(1)
    expect(await store.settle(retry(first))).toBe(false)
    const second = await scene.leaseOne()
    await store.settle(dead(second))
    expect(await store.settle(retry(second))).toBe(false)
    expect(await store.redeliver({ ids: [id], by: 'Maria' })).toBe(1)
    expect(await store.settle(dead(second))).toBe(false)
    expect(await store.find(id)).toMatchObject({ delivery: { state: 'pending', attempts: 0, finishedAt: null } })
    // Already due, so resending does nothing.
    expect(await store.redeliver({ ids: [id], by: 'Maria' })).toBe(0)
  })

  test('finds leads by each filter', async () => {
    const campaign = { utm_source: 'tv', utm_term: 'a"b\\c%_' }
    await scene.capture('ada', { page: '/advertorial', campaign, certificate: { kind: 'invalid' } })
    await scene.capture('bob', held)
    await scene.capture('Élodie', { certificate: { kind: 'present', url: 'https://cert.trustedform.com/other' } })
    await scene.capture('dora', { certificate: { kind: 'present', url: certificateUrl('d'.repeat(40)) } })
    await scene.capture('dora')
    await store.indexLeads({ limit: 10 })
    const found: readonly [LeadFilter, readonly string[]][] = [
      [{ state: 'held' }, ['bob']],
      [{ state: 'repeat' }, ['dora']],
      [{ state: 'accepted', search: 'DA lovelace' }, ['ada']],
      [{ delivery: 'none' }, ['bob', 'dora']],
      [{ delivery: 'pending', page: '/advertorial' }, ['ada']],
      [{ page: '/advertorial' }, ['ada']],
      [
        {
          campaign: [
            { name: 'utm_source', value: 'tv' },
            { name: 'utm_term', value: 'a"b\\c%_' },
          ],
        },
        ['ada'],
      ],
      [{ campaign: [{ name: 'utm_source', value: 't' }] }, []],
      [{ email: 'ADA@example.org' }, ['ada']],
      [{ email: 'élodie@EXAMPLE.org' }, ['Élodie']],
      [{ phone: '555-210-0199', state: 'held' }, ['bob']],
      [{ phone: '555-010-0198' }, []],
      [{ search: 'élo' }, ['Élodie']],
      [{ certificate: 'present' }, ['Élodie', 'dora']],
      [{ certificate: 'invalid' }, ['ada']],
      [{ since: Date.now() + HOUR }, []],
      [{ until: Date.now() - HOUR }, []],
      [{ since: Date.now() - HOUR, until: Date.now() + HOUR, state: 'held' }, ['bob']],
    ]
    for (const [filter, expected] of found) {
      // Leads received in the same millisecond are in no particular order.
      expect([filter, (await scene.names(filter)).toSorted()]).toEqual([filter, expected.toSorted()])
      expect([filter, await store.count(filter)]).toEqual([filter, expected.length])
    }
  })

  test('reads leads page by page in both orders', async () => {
    const ids: string[] = []
    for (let index = 0; index < 5; index++) ids.push(await scene.captureInTurn(`person-${index}`))
    const page = async (order: 'newest first' | 'oldest first', after: string | null) =>
      (await store.page({ filter: {}, order, limit: 2, after })).map(({ id }) => id)
    expect(await page('oldest first', null)).toEqual(ids.slice(0, 2))
    expect(await page('oldest first', ids[1] as string)).toEqual(ids.slice(2, 4))
    expect(await page('newest first', ids[2] as string)).toEqual([ids[1], ids[0]])
    expect(await store.idsBeginningWith({ beginning: (ids[0] as string).slice(0, 6), limit: 3 })).toEqual(
      ids.slice(0, 3),
    )
    expect(await store.idsBeginningWith({ beginning: 'ffff', limit: 3 })).toEqual([])
  })
})
