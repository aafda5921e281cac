import { expect, test } from 'vitest'
import { misdirectedImports, sourceFiles } from './import-directions.ts'

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

const SQL = /\b(?:SELECT\b[\s\S]*?\bFROM|INSERT INTO|DELETE FROM|UPDATE \w+ SET|CREATE (?:TABLE|INDEX)|PRAGMA)\b/

test('only server/store contains SQL', () => {
  const withSql = sourceFiles().filter(([file, source]) => !/^(bench|tools)/.test(file) && SQL.test(source))
  expect(withSql.length).toBeGreaterThan(5)
  expect(withSql.map(([file]) => file).filter(file => !file.startsWith('server/store/'))).toEqual([])
})
