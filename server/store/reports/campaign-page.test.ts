/** Pages of a campaign on PostgreSQL: the same leads, by whichever way they are found. */
import pg from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { campaignKey } from '../../../domain/campaign.ts'
import { submissionOf } from '../../../tests/faults/lead-store.ts'
import { createDatabase, type TestDatabase } from '../../../tests/support/postgres-server.ts'
import { dialect, openPostgresStore } from '../postgres/postgres-store.ts'
import { sqlOn } from '../postgres/transactions.ts'
import { leadRecordColumns, text } from '../rows.ts'
import { pageOfCampaign, type Reach } from './campaign-page.ts'
import { filterSql } from './lead-filter.ts'

const LEADS = 24
const news = { utm_source: 'news' }

let database: TestDatabase
let pool: pg.Pool
let ofNews: readonly string[]
let all: readonly string[]
beforeAll(async () => {
  database = await createDatabase(inject('postgresUrl'))
  const store = await openPostgresStore(database.url)
  const version = await store.rememberConsent('I agree')
  const captured: { id: string; isNews: boolean }[] = []
  for (let index = 0; index < LEADS; index++) {
    const isNews = index % 4 === 1
    const campaign = isNews ? news : index % 4 === 2 ? { utm_source: 'newsletter' } : {}
    const { id } = await store.capture({ ...submissionOf(`n${index}`, version), campaign })
    captured.push({ id, isNews })
  }
  await store.close()
  all = captured.map(({ id }) => id).toSorted()
  ofNews = captured
    .filter(({ isNews }) => isNews)
    .map(({ id }) => id)
    .toSorted()
  pool = new pg.Pool({ connectionString: database.url, max: 1 })
})
afterAll(async () => {
  await pool.end()
  await database.remove()
})

const reaches: readonly (Reach & { readonly way: string })[] = [
  { way: 'in order, far enough', lookedThrough: 100, mostOutOfOrder: 100 },
  { way: 'few by the index', lookedThrough: 1, mostOutOfOrder: 100 },
  { way: 'too many for the index', lookedThrough: 1, mostOutOfOrder: 2 },
]

test.each(reaches)('$way: pages of two follow each other in either order', async ({ way: _, ...reach }) => {
  const sql = sqlOn(pool)
  for (const filter of [{ campaign: [{ name: 'utm_source', value: 'news' }] }, { campaignKey: campaignKey(news) }]) {
    for (const order of ['newest first', 'oldest first'] as const) {
      const found: string[] = []
      for (let after: string | null = null; ; ) {
        const request = { order, limit: 2, after }
        const rows = await pageOfCampaign(sql, filterSql(filter, dialect), request, leadRecordColumns, reach)
        found.push(...rows.map(row => text(row, 'id')))
        if (rows.length < 2) break
        after = found.at(-1) ?? null
      }
      expect([filter, found]).toEqual([filter, order === 'newest first' ? ofNews.toReversed() : ofNews])
    }
  }
})

test('nothing is found of a campaign that brought nothing, nor after the last', async () => {
  const page = (campaign: string, after: string | null) =>
    pageOfCampaign(
      sqlOn(pool),
      filterSql({ campaignKey: campaign }, dialect),
      { order: 'oldest first', limit: 2, after },
      leadRecordColumns,
      { lookedThrough: 1, mostOutOfOrder: 2 },
    )
  expect(await page(campaignKey({ utm_source: 'nothing' }), null)).toEqual([])
  expect(await page(campaignKey(news), all.at(-1) ?? null)).toEqual([])
})
