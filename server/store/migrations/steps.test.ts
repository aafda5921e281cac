import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { submissionOf } from '../../../tests/faults/lead-store.ts'
import { leadInserter, rowsOf, someLead } from '../../../tests/support/lead-fixtures.ts'
import { lendPersonKeys } from '../sqlite/open-file.ts'
import { openSqliteStore } from '../sqlite/sqlite-store.ts'
import { migrations } from './steps.ts'

test.each(migrations.slice(1).map((_, index) => index + 1))(
  'a store of version %i with leads in it is brought up to date, and keeps them',
  async version => {
    const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
    const file = join(folder, 'leads.sqlite')
    const earlier = new DatabaseSync(file)
    lendPersonKeys(earlier)
    earlier.enableDefensive(false)
    earlier.exec(
      `${migrations
        .slice(0, version)
        .map(({ sql }) => sql)
        .join('')}; PRAGMA user_version = ${version}`,
    )
    earlier.exec('BEGIN')
    const insert = leadInserter(earlier)
    const ids = Array.from({ length: 100 }, (_, index) => insert({ ...someLead, page: `/page-${index}` }))
    const certified = insert({ ...someLead, certificateId: 'a'.repeat(40) })
    earlier.exec('COMMIT')
    earlier.close()
    const store = openSqliteStore(file)
    expect(await store.find(certified)).toMatchObject({
      certificate: { url: `https://cert.trustedform.com/${'a'.repeat(40)}`, formKnown: true },
    })
    await store.close()
    expect(rowsOf(file, 'PRAGMA user_version')).toEqual([{ user_version: migrations.length }])
    expect(rowsOf(file, 'SELECT id FROM leads INDEXED BY leads_sources ORDER BY id').map(({ id }) => id)).toEqual(
      [...ids, certified].toSorted(),
    )
    expect(rowsOf(file, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
    rmSync(folder, { recursive: true })
  },
)

test('page views that an earlier version counted are in the sums of today', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  const file = join(folder, 'leads.sqlite')
  const earlier = new DatabaseSync(file)
  const before = migrations.findIndex(({ sql }) => sql.includes('TABLE day_counts'))
  lendPersonKeys(earlier)
  earlier.enableDefensive(false)
  const steps = migrations.slice(0, before).map(({ sql }) => sql)
  earlier.exec(`${steps.join('')}; PRAGMA user_version = ${before}`)
  const insert = earlier.prepare(`INSERT INTO page_counts VALUES (?, ?, '', 'tv', ?, 7, 6, 5, 4, 3, 2, 1, 1)`)
  for (const day of ['2030-01-31', '2030-02-01', '2030-02-02']) {
    insert.run(day, '/', 1)
    insert.run(day, '/privacy', 0)
  }
  earlier.close()
  const store = openSqliteStore(file)
  const funnel = { since: '2030-01-31', until: '2030-02-28', timeZone: 'UTC' }
  expect(await store.funnel({ by: 'campaign', ...funnel })).toMatchObject([{ key: 'tv', views: 21, submitted: 6 }])
  expect(await store.funnel({ by: 'page', ...funnel })).toMatchObject([
    { key: '/', views: 21, asks: true },
    { key: '/privacy', views: 21, asks: false },
  ])
  await store.close()
  rmSync(folder, { recursive: true })
})

test('people of an earlier version get the key of today: they are found, and their next lead is a repeat', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
  const file = join(folder, 'leads.sqlite')
  const earlier = new DatabaseSync(file)
  const steps = migrations.slice(0, 3).map(({ sql }) => sql)
  earlier.exec(`${steps.join('')}; PRAGMA user_version = 3; PRAGMA secure_delete = ON`)
  const insert = leadInserter(earlier)
  const receivedAt = Date.now() - 1000
  const id = insert({ ...someLead, receivedAt })
  insert({ ...someLead, receivedAt: receivedAt - 1, firstName: 'Eda' })
  earlier.exec(`UPDATE leads SET person_key = 'ada@example.org|5550102030'`)
  earlier.close()
  const store = openSqliteStore(file)
  expect(await store.leadsOfPerson({ email: 'ADA@example.org' })).toHaveLength(2)
  const consentVersion = await store.rememberConsent('I agree')
  const again = await store.capture({ ...submissionOf('ada', consentVersion), contact: someLead })
  expect(await store.find(again.id)).toMatchObject({ state: 'repeat', repeatOf: id })
  await store.close()
  expect(readFileSync(file).includes('ada@example.org|')).toBe(false)
  rmSync(folder, { recursive: true })
})
