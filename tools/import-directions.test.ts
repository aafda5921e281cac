import { expect, test } from 'vitest'
import { misdirectedImports, sourceFiles, strayWrites } from './import-directions.ts'

const checkImport = (file: string, target: string) => misdirectedImports([[file, `import { x } from '${target}'`]])

test.each([
  ['site-folder/read-site.ts', '../server/app.ts'],
  ['domain/leads/lead.ts', 'node:fs'],
  ['site/browser/island.tsx', '../static/page.ts'],
  ['server/app.ts', '../site/static/pages.ts'],
  ['server/app.ts', 'react'],
  ['server/http/handler.ts', '../store/store.ts'],
  ['server/store/sql.ts', '../delivery/worker.ts'],
  ['server/delivery/worker.ts', '../store/sqlite/sqlite-store.ts'],
  ['server/store/facts/calls/claims.ts', '../../tables/call-claims.ts'],
  ['server/store/tables/leads.ts', '../operations/leads/review.ts'],
  ['server/store/operations/leads/review.ts', '../../views/leads.ts'],
  ['server/store/views/leads.ts', '../tables/leads.ts'],
  ['server/store/views/leads.ts', '../operations/leads/review.ts'],
  ['desk/browser/app.tsx', '../server/app.ts'],
  ['somewhere/new.ts', '../domain/leads/lead.ts'],
])('%s can’t import %s', (file, target) => expect(checkImport(file, target)).toEqual([`${file}: ${target}`]))

test('dynamic imports are checked too', () => {
  expect(misdirectedImports([['domain/leads/lead.ts', `const fs = await import('node:fs')`]])).toHaveLength(1)
})

test.each([
  ['server/main.ts', './store/open-store.ts'],
  ['site/static/page.ts', '../browser/island.tsx'],
  ['site-folder/files.ts', 'node:fs'],
])('%s can import %s', (file, target) => expect(checkImport(file, target)).toEqual([]))

const [tables, operations] = ['server/store/tables', 'server/store/operations']

test.each([
  [`${operations}/leads/review.ts`, 'await tx(`UPDATE leads\n  SET state = 1`)', 'leads'],
  [`${operations}/leads/review.ts`, "insert<Claim>(\n  tx,\n  'call_claims', row)", 'call_claims'],
  ['server/store/views/leads.ts', "tx('DELETE FROM leads')", 'leads'],
  ['server/store/facts/leads/chains.ts', "updateAll(tx, 'leads', rows)", 'leads'],
])('%s can’t write: %s', (file, source, table) => expect(strayWrites([[file, source]])).toEqual([`${file}: ${table}`]))

test('a table has one owner', () => {
  const insert = "insert(tx, 'notes', row)"
  expect(strayWrites([[`${tables}/notes.ts`, insert]])).toEqual([])
  expect(
    strayWrites([
      [`${tables}/notes.ts`, insert],
      [`${tables}/leads.ts`, insert],
    ]),
  ).toEqual([`${tables}/leads.ts: notes`])
})

test('reading with a lock is not writing', () => {
  expect(strayWrites([[`${operations}/leads/review.ts`, 'SELECT id FROM leads FOR UPDATE OF leads']])).toEqual([])
})

const SQL = /\b(?:SELECT\b[\s\S]*?\bFROM|INSERT INTO|DELETE FROM|UPDATE \w+ SET|CREATE (?:TABLE|INDEX)|PRAGMA)\b/

test('only server/store contains SQL', () => {
  const withSql = sourceFiles().filter(([file, source]) => !/^(bench|tools)/.test(file) && SQL.test(source))
  expect(withSql.length).toBeGreaterThan(5)
  expect(withSql.map(([file]) => file).filter(file => !file.startsWith('server/store/'))).toEqual([])
})
