import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DAY } from '../../domain/durations.ts'
import { createStore, insertLeads } from '../../tests/support/lead-fixtures.ts'
import { ERASURE_KEY } from '../../tests/support/lead-store.ts'
import { onEachEngine } from '../../tests/support/store-engines.ts'
import type { Log } from '../process/log.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { eraseOldLeads, type RetentionOptions, startRetention } from './retention.ts'

const key = async () => ERASURE_KEY

/** Makes a pass. Returns how many leads it erased, and whether it raised the alert. */
async function pass(store: Store, more: Partial<RetentionOptions> = {}) {
  const raise = vi.fn()
  const options = { store, days: 100, key, expectsDeliveries: true, alerts: { raise }, log: () => {}, ...more }
  const erased = await eraseOldLeads(options)
  return [erased, raise.mock.calls.some(([code]) => code === 'retention_stopped')]
}

/** So that even the newest leads are too old. */
const allLeads = { days: -1 }

onEachEngine('retention', harness => {
  const { store, capture, change } = harness

  test('each lead is erased once, even with multiple servers', async () => {
    await Promise.all(Array.from({ length: 30 }, (_, index) => capture(`p${index}`)))
    await change(`UPDATE outbox SET state = 'delivered'`)
    expect(await pass(store)).toEqual([0, false])
    const stores = [store, await harness.openAnother(), await harness.openAnother()]
    const erased = await Promise.all(stores.map(async each => Number((await pass(each, allLeads))[0])))
    // A server skips its turn while another one is erasing.
    expect(erased.reduce((total, leads) => total + leads)).toBe(30)
    const [id = ''] = await store.idsStartingWith({ prefix: '0', limit: 1 })
    expect((await store.find(id))?.history.filter(({ event }) => event === 'erased')).toHaveLength(1)
  })

  test.each([
    ['of a year ago doesn’t make a wrong clock look right', 365, true, [0, true]],
    ['of the last weeks doesn’t make the clock look wrong', 30, true, [1, false]],
    ['of the last weeks, before the first pass, doesn’t, either', 30, false, [1, false]],
  ] as const)('a restored backup %s', async (_, days, hadPass, result) => {
    await capture('ada')
    await change(`UPDATE outbox SET state = 'delivered'`)
    await change(`UPDATE leads SET received_at = received_at - ${days * DAY}`)
    if (hadPass) await store.recordRetention((await store.storeTime()) - days * DAY)
    await store.finishRestore()
    expect(await pass(store, allLeads)).toEqual(result)
  })
})

describe('retention', () => {
  let now: number
  let files: Awaited<ReturnType<typeof createStore>>
  let store: Store
  beforeEach(async () => {
    now = Date.now()
    files = await createStore()
    store = openSqliteStore(files.file, { now: () => now })
  })
  afterEach(async () => {
    await store.close()
    files.remove()
  })

  test('a lead that waits for delivery is kept, unless staff call leads and there is no webhook', async () => {
    insertLeads(files.file, [{ receivedAt: now - 60_000 }])
    expect(await pass(store, allLeads)).toEqual([0, false])
    expect(await pass(store, { ...allLeads, expectsDeliveries: false })).toEqual([1, false])
  })

  test('stops if the clock jumps ahead, even after a lead with the wrong time', async () => {
    insertLeads(files.file, [{ receivedAt: now - 60_000, delivery: 'delivered' }, { receivedAt: now - 60_000 }])
    expect(await pass(store)).toEqual([0, false])
    // The second time, there are also leads from the first time.
    for (let jump = 0; jump < 2; jump++) {
      now += 3650 * DAY
      insertLeads(files.file, [{ receivedAt: now - 1, firstName: 'Bob' }])
      expect(await pass(store)).toEqual([0, true])
      now += DAY / 24
      expect(await pass(store)).toEqual([0, true])
      now -= 3650 * DAY
      expect(await pass(store)).toEqual([0, false])
    }
    const duringPass = async () => {
      now += 3650 * DAY
      return ERASURE_KEY
    }
    expect(await pass(store, { key: duringPass })).toEqual([0, false])
    expect(await store.count({ state: 'erased' })).toBe(0)
  })

  test('stops if the clock jumped ahead before the first pass', async () => {
    insertLeads(files.file, [{ receivedAt: now - 3650 * DAY, delivery: 'delivered' }])
    expect(await pass(store)).toEqual([0, true])
    insertLeads(files.file, [{ receivedAt: now, firstName: 'Bob' }])
    expect(await pass(store)).toEqual([0, true])
  })

  test('resumes after a week if the clock is right: the site was quiet, or the server was off', async () => {
    insertLeads(files.file, [
      { receivedAt: now - 99 * DAY, delivery: 'delivered' },
      { receivedAt: now - 10 * DAY, firstName: 'Bob' },
    ])
    expect(await pass(store)).toEqual([0, true])
    // Off for so long that the grace period starts over.
    now += 21 * DAY
    for (let day = 0; day < 7; day++, now += DAY) expect(await pass(store)).toEqual([0, true])
    expect(await pass(store)).toEqual([1, false])
    now += DAY / 24
    expect(await pass(store)).toEqual([0, false])
  })

  test('old leads are erased at startup, and the log says how many', async () => {
    const old = now - 101 * DAY
    insertLeads(files.file, [
      { receivedAt: old, delivery: 'delivered' },
      { receivedAt: old + 1, firstName: 'Bob' },
      { receivedAt: now },
    ])
    const log = vi.fn<Log>()
    const options = { store, days: 100, key, expectsDeliveries: true, alerts: { raise: () => {} }, log }
    const stop = startRetention({ ...options, onFailure: () => {} })
    await expect.poll(() => log.mock.calls).toContainEqual(['leads_expired', { leads: 1, days: 100 }])
    stop()
    // The law requires five years, so the log warns about 100 days.
    expect(log.mock.calls[0]).toEqual(['retention_short', { days: 100, lawDays: 1827 }])
    expect(await store.count({ state: 'accepted' })).toBe(2)
  })
})
