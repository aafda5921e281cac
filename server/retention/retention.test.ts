import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { ERASURE_KEY, submissionOf } from '../../tests/faults/lead-store.ts'
import { createStore, insertLeads, rowsOf, someLead } from '../../tests/support/lead-fixtures.ts'
import { engines, type OpenEngine } from '../../tests/support/store-engines.ts'
import { readConfig } from '../config.ts'
import type { Log } from '../log.ts'
import type { Store } from '../store/store.ts'
import { eraseOldLeads } from './retention.ts'
import { startRetention } from './start-retention.ts'

const DAY = 86_400_000

describe.each(engines)('retention on $name', engine => {
  let open: OpenEngine
  beforeEach(async () => {
    open = await engine.open()
  })
  afterEach(() => open.remove())

  const capture = async (count: number): Promise<void> => {
    const version = await open.store.rememberConsent('I agree')
    await Promise.all(
      Array.from({ length: count }, (_, index) => open.store.capture(submissionOf(`p${index}`, version))),
    )
  }
  const eraseIn = (store: Store, at: number) =>
    eraseOldLeads({ store, days: 40, key: ERASURE_KEY, now: () => at, pause: async () => {} })

  test('erases what is older, in batches, and nothing else', async () => {
    await capture(50)
    expect(await eraseIn(open.store, Date.now() + 39 * DAY)).toBe(0)
    expect(await eraseIn(open.store, Date.now() + 41 * DAY)).toBe(50)
    expect(await open.store.count({ state: 'erased' })).toBe(50)
    expect(await eraseIn(open.store, Date.now() + 41 * DAY)).toBe(0)
  })

  test('each lead is erased once, however many servers are at it', async () => {
    await capture(60)
    const stores = [open.store, await open.again(), await open.again()]
    const erased = await Promise.all(stores.map(store => eraseIn(store, Date.now() + 41 * DAY)))
    // One that finds another at work leaves it to that one.
    expect(erased.reduce((total, leads) => total + leads)).toBe(60)
    const { history = [] } =
      (await open.store.find((await open.store.idsBeginningWith({ beginning: '0', limit: 1 }))[0] ?? '')) ?? {}
    expect(history.filter(({ event }) => event === 'erased')).toHaveLength(1)
  })
})

describe('in the server', () => {
  let store: Awaited<ReturnType<typeof createStore>>
  beforeEach(async () => {
    store = await createStore()
  })
  afterEach(() => store.remove())

  const settings = (days: string) => readConfig({ DATA_DIR: store.dataDir, ERASURE_KEY, LEAD_RETENTION_DAYS: days })

  test('old leads are erased at the start, and the log says how many', async () => {
    const old = Date.now() - 101 * DAY
    insertLeads(store.file, [
      { receivedAt: old },
      { receivedAt: old + 1, firstName: 'Bob' },
      { receivedAt: Date.now() },
    ])
    const log = vi.fn<Log>()
    const stop = startRetention(settings('100'), log)
    await expect.poll(() => log.mock.calls).toContainEqual(['leads_expired', { leads: 2, days: 100 }])
    await stop()
    // Less than five years: the operator is told what the law asks for.
    expect(log.mock.calls[0]).toEqual(['retention_short', { days: 100, lawDays: 1827 }])
    expect(rowsOf(store.file, 'SELECT state FROM leads ORDER BY received_at')).toEqual([
      { state: 'erased' },
      { state: 'erased' },
      { state: 'accepted' },
    ])
  })

  test('without the setting nothing is started', async () => {
    insertLeads(store.file, [{ receivedAt: someLead.receivedAt - 20_000 * DAY }])
    const log = vi.fn<Log>()
    await startRetention(readConfig({ DATA_DIR: store.dataDir, ERASURE_KEY }), log)()
    expect(log).not.toHaveBeenCalled()
  })

  test('a store that cannot be used is told of, and the server goes on', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'retention-'))
    const log = vi.fn<Log>()
    const stop = startRetention({ ...settings('2000'), dataDir: empty }, log)
    await expect.poll(() => log.mock.calls[0]?.[0]).toBe('retention_failed')
    await stop()
    rmSync(empty, { recursive: true })
  })
})
