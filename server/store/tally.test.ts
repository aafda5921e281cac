/** Lead counts by state and delivery, grouped, on both engines. */
import { expect, test } from 'vitest'
import { ERASURE_KEY } from '../../tests/support/lead-store.ts'
import { dead, delivered, held, onEachEngine } from '../../tests/support/store-scene.ts'
import type { LeadTally } from './lead-records.ts'

const none = { accepted: 0, held: 0, rejected: 0, repeat: 0, erased: 0, pending: 0, delivered: 0, dead: 0 }

onEachEngine('lead counts', scene => {
  const { store, capture } = scene
  const byKey = (tallies: readonly LeadTally[]) =>
    Object.fromEntries(tallies.map(({ key, ...rest }) => [`${key}`, rest]))

  /** One lead in each state, plus a second one that was delivered and then erased. */
  async function oneOfEach(): Promise<void> {
    await capture('delivered')
    await store.settle(delivered(await scene.leaseOne()))
    const forgotten = await capture('forgotten')
    await store.settle(delivered(await scene.leaseOne()))
    await store.erase({ ids: [forgotten.id], key: ERASURE_KEY, by: 'test' })
    await capture('dead')
    await store.settle(dead(await scene.leaseOne()))
    await capture('pending')
    await capture('pending')
    await capture('held', held)
    const { id } = await capture('rejected', held)
    await store.reject({ ids: [id], reason: 'a joke', by: 'Maria' })
  }

  test('counts leads in total, by state and delivery, and for a filter', async () => {
    expect(await store.tally({ filter: {}, by: 'all' })).toEqual([{ key: null, received: 0, ...none }])
    await oneOfEach()
    expect(await store.tally({ filter: {}, by: 'all' })).toEqual([
      {
        ...{ key: null, received: 7, accepted: 3, held: 1, rejected: 1, repeat: 1, erased: 1 },
        ...{ pending: 1, delivered: 2, dead: 1 },
      },
    ])
    expect(await store.tally({ filter: { delivery: 'none' }, by: 'all' })).toEqual([
      { key: null, ...none, received: 3, held: 1, rejected: 1, repeat: 1 },
    ])
  })

  test('counts leads by page', async () => {
    await capture('ada', { page: '/' })
    await capture('bob', { page: '/advertorial' })
    await capture('carl', { page: '/advertorial', holdReason: 'a link in the name' })
    expect(byKey(await store.tally({ filter: {}, by: 'page' }))).toEqual({
      '/': { ...none, received: 1, accepted: 1, pending: 1 },
      '/advertorial': { ...none, received: 2, accepted: 1, held: 1, pending: 1 },
    })
    expect(byKey(await store.tally({ filter: { state: 'held' }, by: 'page' }))).toEqual({
      '/advertorial': { ...none, received: 1, held: 1 },
    })
  })

  test('counts leads by campaign parameter: the first of several names, with any value', async () => {
    const odd = 'a","utm_source":"b\\ "}é\u2028'
    await capture('ada', { campaign: { utm_campaign: odd, utm_source: 'tv', campaign: 'late' } })
    await capture('bob', { campaign: { gclid: 'x', utm_campaign: odd } })
    await capture('carl', { campaign: { utm_source: 'radio', campaign: 'spring' } })
    await capture('dora', { campaign: {} })
    await capture('emil', { campaign: { utm_source: '"utm_campaign":"no', 'sub-id': '7' } })
    const received = async (...parameters: string[]) =>
      Object.fromEntries(
        (await store.tally({ filter: {}, by: { parameters } })).map(each => [`${each.key}`, each.received]),
      )
    expect(await received('utm_campaign', 'campaign')).toEqual({ [odd]: 2, spring: 1, null: 2 })
    expect(await received('utm_source')).toEqual({ tv: 1, radio: 1, '"utm_campaign":"no': 1, null: 2 })
    expect(await received('campaign')).toEqual({ late: 1, spring: 1, null: 3 })
    expect(await received('sub-id')).toEqual({ 7: 1, null: 4 })
  })

  test('counts erased leads separately, not as leads without a campaign', async () => {
    const erased = await capture('ada', { campaign: { utm_campaign: 'spring' } })
    await capture('bob', { campaign: { utm_campaign: 'spring' } })
    const by = { parameters: ['utm_campaign'] }
    await store.erase({ ids: [erased.id], key: ERASURE_KEY, by: 'test' })
    const spring = { key: 'spring', ...none, received: 1, accepted: 1, pending: 1 }
    const gone = { key: null, keyErased: true, ...none, received: 1, erased: 1 }
    expect(new Set(await store.tally({ filter: {}, by }))).toEqual(new Set([spring, gone]))
    await capture('carl', { campaign: {} })
    const without = { key: null, ...none, received: 1, accepted: 1, pending: 1 }
    const tallies = await store.tally({ filter: {}, by })
    expect(tallies).toHaveLength(3)
    expect(tallies).toEqual(expect.arrayContaining([spring, gone, without]))
  })
})
