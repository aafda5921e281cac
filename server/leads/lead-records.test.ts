import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStore, fillStore } from '../../tests/support/lead-fixtures.ts'
import type { Database, Sql } from './database.ts'
import type { LeadFilter } from './lead-filter.ts'
import { leadsInOrder } from './lead-records.ts'
import { openSqliteDatabase } from './sqlite-database.ts'

const now = Date.UTC(2030, 0, 1)

let store: Awaited<ReturnType<typeof createStore>>
let database: Database
beforeAll(async () => {
  store = await createStore()
  fillStore(store.file, 2000, now)
  database = openSqliteDatabase(store.file, { readOnly: true })
})
afterAll(async () => {
  await database.close()
  store.remove()
})

/** How SQLite goes about a batch. The second is the one that must go on where the first ended. */
async function planOf(filter: LeadFilter, batch = 2): Promise<string> {
  const plans: string[] = []
  const explainer = new DatabaseSync(store.file, { readOnly: true })
  const explained: Database = {
    ...database,
    read: work => {
      const sql: Sql = async (text, parameters = []) => {
        const named = Object.fromEntries(parameters.map((value, index) => [`$${index + 1}`, value]))
        const steps = explainer.prepare(`EXPLAIN QUERY PLAN ${text}`).all(named)
        plans.push(steps.map(step => step['detail']).join('; '))
        return database.read(real => real(text, parameters))
      }
      return work(sql)
    },
  }
  for await (const _ of leadsInOrder(explained, filter, 'newest first', 1)) if (plans.length === batch) break
  explainer.close()
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
  [{ page: '/', since: now - 86_400_000 }, 'SEARCH leads USING INDEX sqlite_autoindex_leads_1 (id>? AND id<?)'],
])('%j is read in the order of an index, and goes on where it stopped', async (filter, step) => {
  const plan = await planOf(filter)
  expect(plan).toContain(step)
  expect(plan).not.toContain('TEMP B-TREE')
})

const nobody = { email: 'nobody@example.org' }
const nothing = [{ name: 'utm_source', value: 'nothing' }]

test('the first batch of the delivered, who are most, is read in order as well', async () => {
  expect(await planOf({ delivery: 'delivered' }, 1)).toMatch(
    /^SCAN deliveries USING INDEX sqlite_autoindex_deliveries_1;/,
  )
})

test.each<[LeadFilter, string]>([
  [{ page: '/nothing' }, 'SCAN leads USING INDEX leads_sources'],
  [{ page: '/nothing', delivery: 'delivered' }, 'SCAN leads USING INDEX leads_sources'],
  [{ campaign: nothing }, 'SCAN leads USING INDEX leads_sources'],
  [{ ...nobody, delivery: 'delivered' }, 'SEARCH leads USING INDEX leads_of_a_person (person_key>? AND person_key<?)'],
  [{ personOf: 'no-id' }, 'SEARCH leads USING INDEX leads_of_a_person (person_key=?)'],
  [nobody, 'SEARCH leads USING INDEX leads_of_a_person (person_key>? AND person_key<?)'],
  [{ phone: '555-010-2030' }, 'SEARCH leads USING INDEX leads_of_a_person (person_key>?)'],
])('%j, which finds nothing, is looked for in an index alone', async (filter, step) => {
  expect(await planOf(filter, 1)).toContain(step)
})
