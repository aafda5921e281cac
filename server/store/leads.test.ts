import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStore, fillStore } from '../../tests/support/lead-fixtures.ts'
import { createLeadId, firstIdAt, timeOfId } from './lead-id.ts'
import type { LeadFilter } from './lead-records.ts'
import { createLeadQueries, leadPages } from './leads.ts'
import type { Value } from './sql.ts'
import { dialect } from './sqlite/sqlite-store.ts'

const now = Date.UTC(2030, 0, 1)

let store: Awaited<ReturnType<typeof createStore>>
let database: DatabaseSync
beforeAll(async () => {
  store = await createStore()
  fillStore(store.file, 2000, now)
  database = new DatabaseSync(store.file, { readOnly: true })
})
afterAll(() => {
  database.close()
  store.remove()
})

/** SQLite's plan for a page. The second page must continue where the first ended. */
async function planOf(filter: LeadFilter, pages = 2): Promise<string> {
  const plans: string[] = []
  const { page } = createLeadQueries({
    read: async <R>(text: string, parameters: readonly Value[] = []) => {
      const named = Object.fromEntries(parameters.map((value, index) => [`$${index + 1}`, value]))
      const steps = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(named)
      plans.push(steps.map(step => step['detail']).join('; '))
      return database.prepare(text).all(named) as R[]
    },
    dialect,
  })
  const request = { filter, order: 'newest first', limit: 1 } as const
  for await (const _ of leadPages({ page }, request)) if (plans.length === pages) break
  return plans.at(-1) ?? ''
}

const accepted: LeadFilter = { state: 'accepted' }

test.each<[LeadFilter, string]>([
  [{}, 'SEARCH leads USING INDEX sqlite_autoindex_leads_1 (id<?)'],
  [accepted, 'SEARCH leads USING INDEX sqlite_autoindex_leads_1 (id<?)'],
  [{ state: 'held' }, 'SEARCH leads USING INDEX leads_held (id<?)'],
  [{ state: 'repeat' }, 'SEARCH leads USING INDEX leads_set_aside (id<?)'],
  [{ state: 'erased' }, 'leads USING INDEX leads_set_aside'],
  [{ delivery: 'none' }, 'SEARCH leads USING INDEX leads_set_aside (id<?)'],
  [{ delivery: 'pending' }, 'deliveries USING INDEX deliveries_pending'],
  [{ delivery: 'dead' }, 'deliveries USING INDEX deliveries_dead'],
  [{ delivery: 'delivered' }, 'SEARCH deliveries USING INDEX sqlite_autoindex_deliveries_1 (lead_id<?)'],
  [{ page: '/', since: now - 86_400_000 }, 'SEARCH leads USING INDEX leads_by_page (page=? AND id>? AND id<?)'],
  [{ campaignKey: '["news","",""]' }, 'SEARCH leads USING INDEX leads_by_campaign (campaign_key=?'],
])('%j is read in index order, and the next page continues there', async (filter, step) => {
  const plan = await planOf(filter)
  expect(plan).toContain(step)
  expect(plan).not.toContain('TEMP B-TREE')
})

const nobody = { email: 'nobody@example.org' }

test('the first page of delivered leads, the largest group, is also read in index order', async () => {
  expect(await planOf({ delivery: 'delivered' }, 1)).toMatch(
    /^SCAN deliveries USING INDEX sqlite_autoindex_deliveries_1;/,
  )
})

test.each<[LeadFilter, string]>([
  [{ page: '/nothing' }, 'SEARCH leads USING INDEX leads_by_page (page=?'],
  [{ page: '/nothing', delivery: 'delivered' }, 'SEARCH leads USING INDEX leads_by_page (page=?'],
  [{ campaignKey: 'nothing' }, 'SEARCH leads USING INDEX leads_by_campaign (campaign_key=?'],
  [{ ...nobody, delivery: 'delivered' }, 'SEARCH leads USING INDEX leads_of_a_person (person_key>? AND person_key<?)'],
  [{ personOf: 'no-id' }, 'SEARCH leads USING INDEX leads_of_a_person (person_key=?)'],
  [nobody, 'SEARCH leads USING INDEX leads_of_a_person (person_key>? AND person_key<?)'],
  [{ phone: '555-010-2030' }, 'SEARCH leads USING INDEX leads_of_a_person (person_key>?)'],
])('%j finds nothing and reads only an index', async (filter, step) => {
  expect(await planOf(filter, 1)).toContain(step)
})

test('a lead’s id is a UUID version 7', () => {
  // The time in RFC 9562's example.
  expect(createLeadId(0x017f22e279b0)).toMatch(/^017f22e2-79b0-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(firstIdAt(0x017f22e279b0)).toBe('017f22e2-79b0-7000-8000-000000000000')
  expect(timeOfId(createLeadId(0x017f22e279b0))).toBe(0x017f22e279b0)
})

test('ids sort by time', () => {
  const ids = [1, 2 ** 32 - 1, 2 ** 32, 2 ** 40, 2 ** 41].map(createLeadId)
  expect(ids.toSorted()).toEqual(ids)
})
