import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { leadInserter, rowsOf, someLead } from '../../../tests/support/lead-fixtures.ts'
import { openSqliteStore } from '../sqlite/sqlite-store.ts'
import { migrations } from './steps.ts'

test.each(migrations.slice(1).map((_, index) => index + 1))(
  'a store of version %i with leads in it is brought up to date, and keeps them',
  async version => {
    const folder = mkdtempSync(join(tmpdir(), 'migrations-'))
    const file = join(folder, 'leads.sqlite')
    const earlier = new DatabaseSync(file)
    earlier.exec(
      `${migrations
        .slice(0, version)
        .map(({ sql }) => sql)
        .join('')}; PRAGMA user_version = ${version}`,
    )
    const insert = leadInserter(earlier)
    const ids = Array.from({ length: 100 }, (_, index) => insert({ ...someLead, page: `/page-${index}` }))
    earlier.close()
    await openSqliteStore(file).close()
    expect(rowsOf(file, 'PRAGMA user_version')).toEqual([{ user_version: migrations.length }])
    expect(rowsOf(file, 'SELECT id FROM leads INDEXED BY leads_sources ORDER BY id').map(({ id }) => id)).toEqual(
      ids.toSorted(),
    )
    expect(rowsOf(file, 'PRAGMA integrity_check')).toEqual([{ integrity_check: 'ok' }])
    rmSync(folder, { recursive: true })
  },
)
