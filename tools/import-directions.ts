/**
 * Checks that imports go in one direction, and that each table has one writer; part of `npm run check`. For each folder, the table lists what it can import besides
 * itself: folders, packages, `node` (Node and all server packages), and `react` (all browser packages). The longest match wins.
 */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The store without its engines, which only the store itself opens. */
const store =
  'server/store/*.ts server/store/facts server/store/tables server/store/operations server/store/views server/store/upkeep'

const allowed: Readonly<Record<string, string>> = {
  'site-folder': 'domain launch/legal-rules.ts server/settings/leads-command.ts node',
  // npm run site
  'site-folder/main.ts': 'domain publish/pictures.ts server site-folder node',
  domain: '',
  'site/components': 'react',
  // What browsers say comes from the build.
  'site/copy': 'domain site-folder',
  'site/browser': 'domain site/components site/copy site-folder/types.ts react',
  'site/static': 'domain site site-folder react',
  'server/http': 'domain server/alerts server/process server/settings node',
  'server/store': 'domain server/process server/settings node',
  // Its layers: operations lock, read, decide in domain/, and write through tables. Views only read.
  'server/store/facts': 'domain server/store/sql.ts server/settings/calendar.ts node',
  'server/store/tables':
    'domain server/store/facts server/store/sql.ts server/store/store-errors.ts server/settings/calendar.ts node',
  'server/store/operations':
    'domain server/process server/store/*.ts server/store/facts server/store/tables server/store/upkeep node',
  'server/store/views': 'domain server/store/facts server/store/sql.ts server/settings/calendar.ts node',
  'server/intake': `domain server/alerts server/delivery/webhook-signature.ts server/http ${store} server/process server/settings node`,
  'server/analytics': `domain server/http server/intake ${store} server/process server/settings node`,
  'server/delivery': `domain ${store} server/process server/settings node`,
  'server/mail': `domain server/delivery server/http server/intake/plain-form.ts ${store} server/settings node`,
  'server/alerts': `domain ${store} server/http server/mail server/process server/settings node`,
  'server/export': `domain ${store} server/settings`,
  'server/record': `domain ${store} server/process server/settings node`,
  'server/retention': `domain server/alerts ${store} server/process server/settings node`,
  'server/settings': `domain server/delivery server/http ${store} server/process node`,
  'server/process': `domain ${store} node`,
  server: 'domain server node',
  'desk/browser': 'domain desk/limits.ts desk/routes.ts docs/first-day.md docs/managers.md react',
  // Only for types: the server's routes are the client's contract.
  'desk/browser/client.ts': 'desk/server react',
  'desk/server': 'domain desk/limits.ts desk/routes.ts server node',
  desk: 'build desk domain publish server node',
  cli: 'domain server node',
  launch: 'domain server site-folder node',
  publish: 'domain launch server site site-folder node',
  build: 'domain launch publish server site site-folder node',
  bench: 'build publish domain server site site-folder tests node',
  tools: 'bench domain server site-folder tests node',
}

const browserPackages = /^(react|lucide|hono\/client|@tanstack)/

/** Every import that the table doesn't allow, as "file: import". */
export function misdirectedImports(files: Iterable<readonly [name: string, source: string]>): string[] {
  const found: string[] = []
  for (const [name, source] of files) {
    const folder = ruleFor(name)
    for (const [, target = ''] of source.matchAll(/\b(?:from |import |import\()'([\w@./:-]+)'/g)) {
      const kind = browserPackages.test(target) ? 'react' : 'node'
      const imported = target.startsWith('.') ? [join(dirname(name), target)] : [target, kind]
      const rules = folder === undefined ? [] : [folder, ...(allowed[folder] ?? '').split(' ')]
      if (!rules.some(rule => imported.some(item => matches(item, rule)))) found.push(`${name}: ${target}`)
    }
  }
  return found
}

function ruleFor(file: string): string | undefined {
  const folders = Object.keys(allowed).filter(folder => file === folder || file.startsWith(`${folder}/`))
  return folders.sort((one, other) => other.length - one.length)[0]
}

function matches(imported: string, rule: string): boolean {
  if (rule.endsWith('/*.ts')) return dirname(imported) === dirname(rule)
  return imported === rule || imported.startsWith(`${rule}/`)
}

const WRITE =
  /\b(?:INSERT INTO|DELETE FROM|UPDATE(?= \S+\s+SET\b)) ([\w${}]+)|\b(?:insert|insertAll|updateAll)(?:<.*?>)?\(\s*\w+,\s*'?(\w+)/g

/** What writes rows apart from the tables' owners. */
const writesAnyTable: readonly string[] = [
  // The port itself.
  'server/store/sql.ts',
  // Whole stores: a new one, one that's upgraded, and one that moves to PostgreSQL.
  'server/store/schema.ts',
  'server/store/upgrades/',
  'server/store/upkeep/move.ts',
  // The engine's own rows: which version a store has, and one that waits for a standby.
  'server/store/postgres/',
]

/** Every write to a table outside the one file in server/store/tables that owns it, as "file: table". */
export function strayWrites(files: Iterable<readonly [name: string, source: string]>): string[] {
  const owners = new Map<string, string>()
  const found: string[] = []
  for (const [name, source] of files) {
    if (!name.startsWith('server/store/') || writesAnyTable.some(each => name.startsWith(each))) continue
    for (const [, written, inserted] of source.matchAll(WRITE)) {
      const table = written ?? inserted ?? ''
      // A file that has several tables may name them by a variable.
      const owner = /\btable\b/.test(table) ? name : (owners.get(table) ?? name)
      if (name.startsWith('server/store/tables/') && owner === name) owners.set(table, name)
      else found.push(`${name}: ${table}`)
    }
  }
  return found
}

export function sourceFiles(): [string, string][] {
  const folders = [...new Set(Object.keys(allowed).map(name => name.split('/')[0]))]
  return globSync(`{${folders.join()}}/**/*.{ts,tsx}`)
    .filter(file => !/\.(test|spec|d)\.tsx?$/.test(file))
    .map(file => [file, readFileSync(file, 'utf8')])
}

if (import.meta.main) {
  const misdirected = misdirectedImports(sourceFiles())
  for (const line of misdirected) console.error(`Import not allowed by tools/import-directions.ts: ${line}`)
  const stray = strayWrites(sourceFiles())
  for (const line of stray) console.error(`Only one file in server/store/tables can write a table: ${line}`)
  process.exitCode = misdirected.length + stray.length > 0 ? 1 : 0
}
