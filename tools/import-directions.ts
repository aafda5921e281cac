/**
 * Checks that imports go in one direction; part of `npm run check`. For each folder, the table lists what it can import besides
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

export function sourceFiles(): [string, string][] {
  const folders = [...new Set(Object.keys(allowed).map(name => name.split('/')[0]))]
  return globSync(`{${folders.join()}}/**/*.{ts,tsx}`)
    .filter(file => !/\.(test|spec|d)\.tsx?$/.test(file))
    .map(file => [file, readFileSync(file, 'utf8')])
}

if (import.meta.main) {
  const found = misdirectedImports(sourceFiles())
  for (const line of found) console.error(`Import not allowed by tools/import-directions.ts: ${line}`)
  process.exitCode = found.length > 0 ? 1 : 0
}
