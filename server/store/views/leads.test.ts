/** Queries that find, page through, and count leads, and SQLite's plans for them. */
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { campaignKey, NO_CAMPAIGN } from '../../../domain/campaigns/campaign.ts'
import { HOUR } from '../../../domain/durations.ts'
import { certificateUrl } from '../../../domain/leads/certificate.ts'
import { createStore, insertLeads } from '../../../tests/support/lead-fixtures.ts'
import { ERASURE_KEY } from '../../../tests/support/lead-store.ts'
import { held, onEachEngine } from '../../../tests/support/store-engines.ts'
import { createLeadId, firstIdAt, timeOfId } from '../facts/leads/lead-id.ts'
import type { LeadFilter } from '../facts/leads/lead-records.ts'
import type { Parameter } from '../sql.ts'
import { dialect } from '../sqlite/dialect.ts'
import { bind, inSqlite } from '../sqlite/transactions.ts'
import { createLeadQueries, leadPages } from './leads.ts'

const now = Date.UTC(2030, 0, 1)

let store: Awaited<ReturnType<typeof createStore>>
let database: DatabaseSync
beforeAll(async () => {
  store = await createStore()
  const each = { receivedAt: now, page: '/', campaign: { utm_source: 'news' } }
  insertLeads(store.file, [
    { ...each, delivery: 'pending' },
    { ...each, delivery: 'dead' },
    { ...each, delivery: 'delivered' },
    ...(['held', 'repeat', 'erased'] as const).map(state => ({ ...each, state, delivery: null })),
  ])
  database = new DatabaseSync(store.file, { readOnly: true })
})
afterAll(() => {
  database.close()
  store.remove()
})

/** SQLite's query plan for the last page read. The second page must continue where the first ended. */
async function planOf(filter: LeadFilter, pages = 2): Promise<string> {
  const plans: string[] = []
  const { page } = createLeadQueries({
    read: Object.assign(explained, { dialect }),
  })
  async function explained<R>(text: string, parameters: readonly Parameter[] = []) {
    const values = bind(parameters)
    const steps = database.prepare(inSqlite(`EXPLAIN QUERY PLAN ${text}`)).all(...values)
    plans.push(steps.map(step => step['detail']).join('; '))
    return database.prepare(inSqlite(text)).all(...values) as R[]
  }
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
  [{ delivery: 'none' }, 'SEARCH leads USING INDEX sqlite_autoindex_leads_1 (id<?)'],
  [{ delivery: 'pending' }, 'SEARCH outbox USING INDEX outbox_pending (lane=?'],
  [{ delivery: 'dead' }, 'SEARCH outbox USING INDEX outbox_dead (lane=?'],
  [{ delivery: 'delivered' }, 'SEARCH outbox USING PRIMARY KEY (id<?)'],
  [{ page: '/', since: now - 86_400_000 }, 'SEARCH leads USING INDEX leads_by_page (page=? AND id>? AND id<?)'],
  [{ campaignKey: '["news","",""]' }, 'SEARCH leads USING INDEX leads_by_campaign (campaign_key=?'],
])('%j is read in index order, and the next page continues where the first one ended', async (filter, step) => {
  const plan = await planOf(filter)
  expect(plan).toContain(step)
  expect(plan).not.toContain('TEMP B-TREE')
})

const nobody = { email: 'nobody@example.org' }

test.each<[LeadFilter, string]>([
  [{ delivery: 'delivered' }, 'SCAN outbox; SEARCH leads USING INDEX sqlite_autoindex_leads_1 (id=?)'],
  [{ page: '/nothing' }, 'SEARCH leads USING INDEX leads_by_page (page=?'],
  [{ page: '/nothing', delivery: 'delivered' }, 'SEARCH leads USING INDEX leads_by_page (page=?'],
  [{ campaignKey: 'nothing' }, 'SEARCH leads USING INDEX leads_by_campaign (campaign_key=?'],
  [{ ...nobody, delivery: 'delivered' }, 'SEARCH leads USING INDEX leads_of_a_person (person_key>? AND person_key<?)'],
  [{ samePersonAs: 'no-id' }, 'SEARCH leads USING INDEX leads_of_a_person (person_key=?)'],
  [nobody, 'SEARCH leads USING INDEX leads_of_a_person (person_key>? AND person_key<?)'],
  [{ phone: '555-010-2030' }, 'SEARCH leads USING INDEX leads_of_a_number (<expr>=?)'],
])('the first page of %j uses an index, even if no lead matches', async (filter, step) => {
  expect(await planOf(filter, 1)).toContain(step)
})

test('IDs are version 7 UUIDs that sort by time and, within a millisecond, in the order they were created', () => {
  // The timestamp in RFC 9562's example.
  expect(createLeadId(0x017f22e279b0)).toMatch(/^017f22e2-79b0-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(firstIdAt(0x017f22e279b0)).toBe('017f22e2-79b0-7000-8000-000000000000')
  expect(timeOfId(createLeadId(0x017f22e279b0))).toBe(0x017f22e279b0)
  const sameTime = Array.from({ length: 20 }, () => 2 ** 40)
  const ids = [1, 2 ** 32 - 1, 2 ** 32, ...sameTime, 2 ** 41].map(createLeadId)
  expect(ids.toSorted()).toEqual(ids)
})

onEachEngine('leads', harness => {
  const { store, capture } = harness

  test('are found and counted by each filter', async () => {
    const [erased] = [await capture('eve'), await capture('finn', { page: '/privacy' })]
    await harness.deliverAll()
    await store.erase({ ids: [erased.id], key: ERASURE_KEY, by: 'test' })
    const campaign = { utm_source: 'tv', utm_term: 'a"b\\c%_' }
    await capture('ada', { page: '/advertorial', campaign, certificate: { kind: 'invalid' } })
    await capture('bob', held)
    await capture('Élodie', { certificate: { kind: 'present', url: 'https://cert.trustedform.com/other' } })
    await capture('dora', { certificate: { kind: 'present', url: certificateUrl('d'.repeat(40)) } })
    await capture('dora')
    await store.indexLeads({ limit: 10 })
    const parameters = Object.entries(campaign).map(([name, value]) => ({ name, value }))
    const cases: readonly [LeadFilter, readonly (string | null)[]][] = [
      [{ state: 'held' }, ['bob']],
      [{ state: 'repeat' }, ['dora']],
      [{ state: 'accepted', search: 'DA lovelace' }, ['ada']],
      [{ delivery: 'none' }, ['bob', 'dora']],
      [{ delivery: 'pending', page: '/advertorial' }, ['ada']],
      [{ delivery: 'pending', until: Date.now() - HOUR }, []],
      [{ delivery: 'delivered' }, ['finn', null]],
      [{ delivery: 'delivered', state: 'erased' }, [null]],
      [{ delivery: 'delivered', page: '/privacy' }, ['finn']],
      [{ delivery: 'delivered', search: 'fin' }, ['finn']],
      [{ page: '/advertorial' }, ['ada']],
      [{ campaign: parameters }, ['ada']],
      [{ campaign: [{ name: 'utm_source', value: 't' }] }, []],
      [{ email: 'ADA@example.org' }, ['ada']],
      [{ email: 'élodie@EXAMPLE.org' }, ['Élodie']],
      [{ phone: '555-210-0199', state: 'held' }, ['bob']],
      [{ phone: '555-010-0198' }, []],
      [{ search: 'élo' }, ['Élodie']],
      [{ search: 'ad', delivery: 'pending', page: '/advertorial' }, ['ada']],
      [{ search: 'lovelace', state: 'held', until: Date.now() + HOUR }, ['bob']],
      [{ search: ' ', state: 'held' }, ['bob']],
      [{ since: Date.now() + HOUR }, []],
      [{ until: Date.now() - HOUR }, []],
      [{ since: Date.now() - HOUR, until: Date.now() + HOUR, state: 'held' }, ['bob']],
    ]
    for (const [filter, expected] of cases) {
      // Leads received in the same millisecond are in no particular order.
      expect([filter, (await harness.names(filter)).toSorted()]).toEqual([filter, expected.toSorted()])
      const counts = [await store.count(filter), await store.countUpTo({ filter, max: 50 })]
      expect([filter, ...counts]).toEqual([filter, expected.length, expected.length])
    }
  })

  test('are read page by page in both orders', async () => {
    const ids: string[] = []
    for (let index = 0; index < 5; index++) ids.push((await capture(`person-${index}`)).id)
    const page = async (order: 'newest first' | 'oldest first', after: string | null) =>
      (await store.page({ filter: {}, order, limit: 2, after })).map(({ id }) => id)
    expect(await page('oldest first', null)).toEqual(ids.slice(0, 2))
    expect(await page('oldest first', `${ids[1]}`)).toEqual(ids.slice(2, 4))
    expect(await page('newest first', `${ids[2]}`)).toEqual([ids[1], ids[0]])
    const prefix = `${ids[0]}`.slice(0, 6)
    expect(await store.idsStartingWith({ prefix, limit: 3 })).toEqual(ids.slice(0, 3))
    expect(await store.idsStartingWith({ prefix: 'ffff', limit: 3 })).toEqual([])
  })

  test('are found by the same campaign they’re counted under', async () => {
    const campaigns: readonly Readonly<Record<string, string>>[] = [
      {},
      { ref: 'friend' },
      { utm_source: 'news' },
      { utm_source: 'news', gclid: '1' },
      { utm_source: 'news', utm_medium: 'cpc', utm_campaign: 'say "hi", \\ {you}' },
      { utm_source: 'newsletter' },
      { utm_source: 'tv', utm_campaign: 'x'.repeat(80) },
      { utm_term: '"utm_source":"news"' },
    ]
    for (const [index, campaign] of campaigns.entries()) await capture(`n${index}`, { campaign })
    const keys = campaigns.map(campaignKey)
    for (const key of new Set(keys)) {
      const leads = await harness.all({ campaignKey: key })
      expect([key, leads.map(lead => campaignKey(lead.campaign))]).toEqual([key, keys.filter(each => each === key)])
    }
    expect(await store.countUpTo({ filter: { campaignKey: NO_CAMPAIGN }, max: 2 })).toBe(2)
    expect(await store.countUpTo({ filter: {}, max: 100 })).toBe(campaigns.length)
  })
})
