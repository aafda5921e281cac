import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DAY } from '../../domain/durations.ts'
import { createStore, insertLeads } from '../../tests/support/lead-fixtures.ts'
import { ERASURE_KEY, submissionOf } from '../../tests/support/lead-store.ts'
import { engines, type OpenEngine } from '../../tests/support/store-engines.ts'
import type { Log } from '../process/log.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { eraseOldLeads, startRetention } from './retention.ts'

const key = async () => ERASURE_KEY

describe.each(engines)('retention on $name', engine => {
  let opened: OpenEngine
  beforeEach(async () => {
    opened = await engine.open()
  })
  afterEach(() => opened.remove())

  const eraseIn = (store: Store, days = 0, expectsDeliveries = true) =>
    eraseOldLeads({ store, days, key, expectsDeliveries, alerts: { raise: () => {} }, log: () => {} })

  test('each lead is erased once, even with multiple servers', async () => {
    const { store } = opened
    const version = await store.saveConsentText('I agree')
    await Promise.all(Array.from({ length: 60 }, (_, index) => store.capture(submissionOf(`p${index}`, version))))
    await opened.change(`UPDATE outbox SET state = 'delivered'`)
    while ((await store.storeTime()) <= ((await store.newestLeadAt()) ?? 0));
    expect(await eraseIn(store, 1)).toBe(0)
    const stores = [store, await opened.openAnother(), await opened.openAnother()]
    const erased = await Promise.all(stores.map(each => eraseIn(each)))
    // A server skips its turn while another one is erasing.
    expect(erased.reduce((total, leads) => total + leads)).toBe(60)
    const [id = ''] = await store.idsStartingWith({ prefix: '0', limit: 1 })
    expect((await store.find(id))?.history.filter(({ event }) => event === 'erased')).toHaveLength(1)
  })

  test('a lead that waits for delivery is kept, unless staff call leads and there is no webhook', async () => {
    const { store } = opened
    await store.capture(submissionOf('ada', await store.saveConsentText('I agree')))
    while ((await store.storeTime()) <= ((await store.newestLeadAt()) ?? 0));
    expect(await eraseIn(store)).toBe(0)
    expect(await eraseIn(store, 0, false)).toBe(1)
    expect(await opened.rows('SELECT state FROM outbox')).toEqual([])
  })

  test('nothing is erased if the clock is more than 7 days past the last pass', async () => {
    const { store } = opened
    await store.capture(submissionOf('ada', await store.saveConsentText('I agree')))
    await opened.change(`UPDATE outbox SET state = 'delivered'`)
    expect(await eraseIn(store, 1)).toBe(0)
    await opened.change(`UPDATE clock SET latest_at = latest_at - ${8 * DAY}`)
    expect(await eraseIn(store)).toBe(0)
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

  /** Makes a pass. Returns how many leads it erased, and whether it raised the alert. */
  const pass = async (keyOf = key) => {
    const raise = vi.fn()
    const erased = await eraseOldLeads({
      store,
      days: 100,
      key: keyOf,
      expectsDeliveries: true,
      alerts: { raise },
      log: () => {},
    })
    return [erased, raise.mock.calls.some(([code]) => code === 'retention_stopped')]
  }

  test('stops if the clock jumps ahead, even after a lead with the wrong time', async () => {
    insertLeads(files.file, [{ receivedAt: now - 60_000, delivery: 'delivered' }, { receivedAt: now - 60_000 }])
    expect(await pass()).toEqual([0, false])
    // The second time, there are also leads from the first time.
    for (let jump = 0; jump < 2; jump++) {
      now += 3650 * DAY
      insertLeads(files.file, [{ receivedAt: now - 1, firstName: 'Bob' }])
      expect(await pass()).toEqual([0, true])
      now += DAY / 24
      expect(await pass()).toEqual([0, true])
      now -= 3650 * DAY
      expect(await pass()).toEqual([0, false])
    }
    const duringPass = async () => {
      now += 3650 * DAY
      return ERASURE_KEY
    }
    expect(await pass(duringPass)).toEqual([0, false])
    expect(await store.count({ state: 'erased' })).toBe(0)
  })

  test('stops if the clock jumped ahead before the first pass', async () => {
    insertLeads(files.file, [{ receivedAt: now - 3650 * DAY, delivery: 'delivered' }])
    expect(await pass()).toEqual([0, true])
    insertLeads(files.file, [{ receivedAt: now, firstName: 'Bob' }])
    expect(await pass()).toEqual([0, true])
  })

  test('resumes after a week if the clock is right: the site was quiet, or the server was off', async () => {
    insertLeads(files.file, [
      { receivedAt: now - 99 * DAY, delivery: 'delivered' },
      { receivedAt: now - 10 * DAY, firstName: 'Bob' },
    ])
    expect(await pass()).toEqual([0, true])
    // Off for so long that the grace period starts over.
    now += 21 * DAY
    for (let day = 0; day < 7; day++, now += DAY) expect(await pass()).toEqual([0, true])
    expect(await pass()).toEqual([1, false])
    now += DAY / 24
    expect(await pass()).toEqual([0, false])
  })
})

describe.each(engines)('a restored backup on $name', engine => {
  test('of a year ago doesn’t make a wrong clock look right', async () => {
    const { store, change, remove } = await engine.open()
    await store.capture(submissionOf('ada', await store.saveConsentText('I agree')))
    await change(`UPDATE outbox SET state = 'delivered'`)
    await store.recordRetention((await store.storeTime()) - 365 * DAY)
    await store.finishRestore()
    const raise = vi.fn()
    expect(
      await eraseOldLeads({ store, days: -1, key, expectsDeliveries: true, alerts: { raise }, log: () => {} }),
    ).toBe(0)
    expect(raise).toHaveBeenCalledWith('retention_stopped', expect.any(String))
    await remove()
  })

  test('of the last weeks doesn’t make the clock look wrong', async () => {
    const { store, change, remove } = await engine.open()
    await store.capture(submissionOf('ada', await store.saveConsentText('I agree')))
    await change(`UPDATE outbox SET state = 'delivered'`)
    await store.recordRetention((await store.storeTime()) - 30 * DAY)
    await store.finishRestore()
    const raise = vi.fn()
    expect(
      await eraseOldLeads({ store, days: -1, key, expectsDeliveries: true, alerts: { raise }, log: () => {} }),
    ).toBe(1)
    expect(raise).not.toHaveBeenCalled()
    await remove()
  })
})

test('old leads are erased at startup, and the log says how many', async () => {
  const files = await createStore()
  const old = Date.now() - 101 * DAY
  insertLeads(files.file, [
    { receivedAt: old, delivery: 'delivered' },
    { receivedAt: old + 1, firstName: 'Bob' },
    { receivedAt: Date.now() },
  ])
  const store = openSqliteStore(files.file, { access: 'write' })
  const log = vi.fn<Log>()
  const stop = startRetention({ store, days: 100, key, expectsDeliveries: true, alerts: { raise: () => {} }, log })
  await expect.poll(() => log.mock.calls).toContainEqual(['leads_expired', { leads: 1, days: 100 }])
  stop()
  // The law requires five years, so the log warns about 100 days.
  expect(log.mock.calls[0]).toEqual(['retention_short', { days: 100, lawDays: 1827 }])
  expect(await store.count({ state: 'accepted' })).toBe(2)
  await store.close()
  files.remove()
})
