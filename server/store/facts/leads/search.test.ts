/** Search in the database, on both engines. search-text.test.ts tests how the typed text is parsed. */
import { readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { insertLeads } from '../../../../tests/support/lead-fixtures.ts'
import {
  captureLead,
  contactOf,
  ERASURE_KEY,
  type LeadStore,
  openLeadStore,
} from '../../../../tests/support/lead-store.ts'
import { onEachEngine } from '../../../../tests/support/store-engines.ts'
import type { Submission } from '../../operations/leads/capture.ts'
import { startSearchIndexer } from '../../operations/leads/index-leads.ts'
import type { Store } from '../../store.ts'
import type { LeadFilter } from './lead-records.ts'

async function find(store: Store, search: string, filter: LeadFilter = {}): Promise<readonly string[]> {
  const page = await store.page({ filter: { ...filter, search }, order: 'newest first', limit: 50, after: null })
  expect([search, await store.countUpTo({ filter: { ...filter, search }, max: 50 })]).toEqual([search, page.length])
  return page.map(({ id }) => id)
}

const indexAll = (store: Store) => store.indexLeads({ limit: 1000 })

onEachEngine('search', harness => {
  const { store } = harness

  const capture = async (contact: Partial<Submission['contact']>, differences: Partial<Submission> = {}) =>
    (await harness.capture('', { contact: { ...contactOf('someone'), ...contact }, ...differences })).id

  test('finds a lead by name, email, phone number, or the start of its ID', async () => {
    const contact = { firstName: 'María', lastName: 'Lopez', email: 'ML_100%@Example.org', phone: '(555) 257-2030' }
    const maria = await capture(contact)
    await capture({ firstName: 'Other', lastName: 'Person', email: 'other@example.com', phone: '(444) 999-8877' })
    await indexAll(store)
    const byName = ['Lopez, Maria', 'lo', 'ma lo', 'lopez ma']
    const byContact = ['ml_100%@', 'example.org', '(555) 257', '2030', 'l_1', '%']
    const byId = [maria, maria.slice(0, 20), maria.toUpperCase()]
    for (const typed of [...byName, ...byContact, ...byId])
      expect([typed, await find(store, typed)]).toEqual([typed, [maria]])
    for (const typed of ['maria person', 'm%z', 'mar%lop', 'l_p', '_%_', '"', 'mar"lop', `${maria}0`, 'zq']) {
      expect([typed, await find(store, typed)]).toEqual([typed, []])
    }
  })

  test('finds an erased lead only by its ID, indexed or not', async () => {
    const [{ id: indexed }, { id: kept }] = [await harness.capture('ada1'), await harness.capture('ada2')]
    await indexAll(store)
    const { id: notIndexed } = await harness.capture('ada3')
    await store.erase({ ids: [indexed, notIndexed], key: ERASURE_KEY, by: 'test' })
    expect(await indexAll(store)).toBe(0)
    expect(await find(store, 'ada')).toEqual([kept])
    expect(await find(store, indexed)).toEqual([indexed])
  })
})

describe('SQLite’s search index', () => {
  let leads: LeadStore
  beforeEach(() => {
    leads = openLeadStore()
  })
  afterEach(() => leads.remove())

  test('drops an erased lead in the same transaction, and the file keeps no trace of it', async () => {
    const person = { lastName: 'Unforgettable', email: 'wq8w@example.org' }
    const [erased = ''] = insertLeads(leads.file, [person, { lastName: 'Forgettable' }])
    const indexed = () => {
      const database = new DatabaseSync(leads.file)
      database.exec(`CREATE VIRTUAL TABLE temp.vocabulary USING fts5vocab (main, lead_search, 'instance')`)
      const rows = database.prepare('SELECT doc, term FROM temp.vocabulary').all()
      database.close()
      return rows.map(({ doc, term }) => `${doc} ${term}`)
    }
    const before = indexed()
    expect(before).toContain('1 wq8')
    const erase = () => leads.store.erase({ ids: [erased], key: ERASURE_KEY, by: 'test' })
    await leads.change(`CREATE TRIGGER fails BEFORE INSERT ON erased_people BEGIN SELECT RAISE(ABORT, 'no'); END`)
    await expect(erase()).rejects.toThrow()
    expect(indexed()).toEqual(before)
    await leads.change('DROP TRIGGER fails')
    await erase()
    expect(indexed()).toEqual(before.filter(entry => !entry.startsWith('1 ')))
    await leads.change('PRAGMA wal_checkpoint(TRUNCATE)')
    const bytes = readFileSync(leads.file).toString('latin1')
    for (const part of ['unforgettable', 'wq8']) expect([part, bytes.includes(part)]).toEqual([part, false])
    expect(leads.rows(`SELECT search_text FROM leads WHERE id = '${erased}'`)).toEqual([{ search_text: null }])
  })

  test('is filled in batches, in order of arrival, even after the newest lead is erased', async () => {
    const capture = (name: string) => captureLead(leads.store, { name })
    const ids = [await capture('ada1'), await capture('ada2'), await capture('ada3')]
    expect([await leads.store.indexLeads({ limit: 2 }), await find(leads.store, 'ada')]).toEqual([
      2,
      [ids[1], ids[0]].toSorted().toReversed(),
    ])
    expect([await indexAll(leads.store), await indexAll(leads.store)]).toEqual([1, 0])
    await leads.store.erase({ ids: [ids[2] ?? ''], key: ERASURE_KEY, by: 'test' })
    const newest = await capture('ada4')
    expect([await indexAll(leads.store), (await find(leads.store, 'ada')).includes(newest)]).toEqual([1, true])
  })

  test('returns the same pages whether it finds a few leads or thousands', async () => {
    const ids = insertLeads(
      leads.file,
      Array.from({ length: 2100 }, (_, index) => ({
        firstName: index % 50 === 0 ? 'Rare' : 'Common',
        receivedAt: Date.UTC(2030, 0, 1) + index,
      })),
    )
    for (const [search, expected] of [
      ['lovelace', ids],
      ['rare', ids.filter((_, index) => index % 50 === 0)],
    ] as const) {
      for (const order of ['newest first', 'oldest first'] as const) {
        const found: string[] = []
        for (let after: string | null = null; ; after = found.at(-1) ?? null) {
          const page = await leads.store.page({ filter: { search }, order, limit: 40, after })
          found.push(...page.map(({ id }) => id))
          if (page.length < 40) break
        }
        expect(found).toEqual(order === 'oldest first' ? expected : expected.toReversed())
      }
      expect(await leads.store.count({ search })).toBe(expected.length)
    }
  })
})

test('the indexer works through a backlog immediately, waits when there is none, and reports each failure', async () => {
  vi.useFakeTimers()
  const results = [500, 500, 3, 0, new Error('down'), new Error('down'), 0, new Error('down'), 0]
  const times: number[] = []
  const indexLeads = async () => {
    times.push(Date.now())
    const result = results[times.length - 1] ?? 0
    if (result instanceof Error) throw result
    return result
  }
  const start = Date.now()
  const errors: number[] = []
  const stop = startSearchIndexer({ indexLeads }, (_, inARow) => errors.push(inARow))
  await vi.advanceTimersByTimeAsync(5000)
  await stop()
  const calls = times.length
  await vi.advanceTimersByTimeAsync(5000)
  vi.useRealTimers()
  expect(times.slice(0, 5).map(time => time - start)).toEqual([0, 10, 20, 700, 1400])
  expect(errors).toEqual([1, 2, 1])
  expect(times).toHaveLength(calls)
})
