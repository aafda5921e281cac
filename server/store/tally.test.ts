/** Lead counts by state and delivery, grouped, on every engine. */
import { beforeEach, expect, test, vi } from 'vitest'
import { ERASURE_KEY } from '../../tests/support/lead-store.ts'
import { HOUR, onEachEngine } from '../../tests/support/store-scene.ts'
import type { Submission } from './capture.ts'
import type { LeadFilter, LeadTally } from './lead-records.ts'
import type { Store } from './store.ts'

const none = { accepted: 0, held: 0, rejected: 0, repeat: 0, erased: 0, pending: 0, delivered: 0, dead: 0 }

onEachEngine('leads counted', scene => {
  let store: Store
  beforeEach(() => {
    store = scene.store
  })

  const { capture } = scene
  /** On a busy machine, a lead may be due a moment later by the database's clock. */
  const lease = () =>
    vi.waitFor(
      async () => {
        const [due] = await store.lease({ limit: 1, leaseMs: HOUR })
        return due ?? Promise.reject(new Error('Nothing is due.'))
      },
      { timeout: 30_000 },
    )
  const settle = async (end: { result: 'delivered' } | { result: 'dead'; reason: string }) => {
    const { leadId, leaseToken } = await lease()
    await store.settle({ leadId, leaseToken, durationMs: 5, status: 200, ...end })
    return leadId
  }
  const byKey = (tallies: readonly LeadTally[]) =>
    Object.fromEntries(tallies.map(({ key, ...rest }) => [`${key}`, rest]))

  /** One of each kind, and a second that was delivered and then erased. */
  async function oneOfEach(differences: Partial<Submission> = {}): Promise<void> {
    await capture('delivered', differences)
    await settle({ result: 'delivered' })
    await capture('forgotten', differences)
    await store.erase({ ids: [await settle({ result: 'delivered' })], key: ERASURE_KEY, by: 'test' })
    await capture('dead', differences)
    await settle({ result: 'dead', reason: 'gone' })
    await capture('pending', differences)
    await capture('pending', differences)
    await capture('held', { ...differences, holdReason: 'a link in the name' })
    const { id } = await capture('rejected', { ...differences, holdReason: 'a link in the name' })
    await store.reject({ ids: [id], reason: 'a joke', by: 'Maria' })
  }

  test('all together, of each state and delivery', async () => {
    expect(await store.tally({ filter: {}, by: 'all' })).toEqual([{ key: null, received: 0, ...none }])
    await oneOfEach()
    expect(await store.tally({ filter: {}, by: 'all' })).toEqual([
      {
        ...{ key: null, received: 7, accepted: 3, held: 1, rejected: 1, repeat: 1, erased: 1 },
        ...{ pending: 1, delivered: 2, dead: 1 },
      },
    ])
  })

  test.each([
    [{ state: 'accepted' }, { received: 3, accepted: 3, pending: 1, delivered: 1, dead: 1 }],
    [{ state: 'held' }, { received: 1, held: 1 }],
    [{ state: 'rejected' }, { received: 1, rejected: 1 }],
    [{ state: 'erased' }, { received: 1, erased: 1, delivered: 1 }],
    [{ delivery: 'delivered' }, { received: 2, accepted: 1, erased: 1, delivered: 2 }],
    [{ delivery: 'dead' }, { received: 1, accepted: 1, dead: 1 }],
    [{ delivery: 'pending' }, { received: 1, accepted: 1, pending: 1 }],
    [{ delivery: 'none' }, { received: 3, held: 1, rejected: 1, repeat: 1 }],
    [{ delivery: 'dead', state: 'held' }, { received: 0 }],
    [{ email: 'dead@example.org' }, { received: 1, accepted: 1, dead: 1 }],
    [{ since: Date.now() + HOUR }, { received: 0 }],
  ] as const)('of the filter %j alone', async (filter, expected) => {
    await oneOfEach()
    expect(await store.tally({ filter, by: 'all' })).toEqual([{ key: null, ...none, ...expected }])
  })

  test('of repeats that are delivered, too', async () => {
    for (const [name, end] of [
      ['ada', { result: 'delivered' }],
      ['bob', { result: 'dead', reason: 'gone' }],
      ['carl', null],
    ] as const) {
      await capture(name)
      await settle({ result: 'delivered' })
      await capture(name, { announceRepeat: true, page: '/again' })
      if (end) await settle(end)
    }
    await capture('ada')
    const all = async (filter: LeadFilter) => (await store.tally({ filter, by: 'all' }))[0]
    const zero = { key: null, ...none }
    const repeats = { received: 4, repeat: 4, pending: 1, delivered: 1, dead: 1 }
    expect(await all({})).toEqual({ ...zero, ...repeats, received: 7, accepted: 3, delivered: 4 })
    expect(await all({ state: 'repeat' })).toEqual({ ...zero, ...repeats })
    expect(await all({ state: 'accepted' })).toEqual({ ...zero, received: 3, accepted: 3, delivered: 3 })
    expect(await all({ delivery: 'delivered' })).toEqual({
      ...zero,
      received: 4,
      accepted: 3,
      repeat: 1,
      delivered: 4,
    })
    expect(await all({ delivery: 'pending' })).toEqual({ ...zero, received: 1, repeat: 1, pending: 1 })
    expect(await all({ delivery: 'dead' })).toEqual({ ...zero, received: 1, repeat: 1, dead: 1 })
    expect(byKey(await store.tally({ filter: {}, by: 'page' }))).toEqual({
      '/': { ...none, received: 4, accepted: 3, repeat: 1, delivered: 3 },
      '/again': { ...none, received: 3, repeat: 3, pending: 1, delivered: 1, dead: 1 },
    })
  })

  test('by page', async () => {
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

  test('by a campaign parameter, the first of several names, whatever its value is', async () => {
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

  test('erased leads are counted by themselves, not as if they had come without a campaign', async () => {
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
