/** The linter keeps the architecture: a file in the wrong direction must not pass. */
import { spawnSync } from 'node:child_process'
import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'

const forbidden = [
  ['content', '../domain/lead.ts'],
  ['domain', '../content/questions.ts'],
  ['domain', '../site/static/pages.ts'],
  ['domain', 'node:fs'],
  ['domain', 'react'],
  ['site', '../server/app.ts'],
  ['site', 'node:fs'],
  ['site/components', '../../content/questions.ts'],
  ['site/components', '../../domain/lead.ts'],
  ['site/components', '../browser/island.tsx'],
  ['site/components', '../static/page.ts'],
  ['site/browser', '../static/page.ts'],
  ['site/browser', '../rules/content-rules.ts'],
  ['site/browser', '../../server/app.ts'],
  ['site/static', '../../server/app.ts'],
  ['server', '../site/static/pages.ts'],
  ['server', '../content/landing.ts'],
  ['server/intake', '../../content/panel/contact-form.ts'],
  ['server', 'react'],
  ['server', './store/sqlite/sqlite-store.ts'],
  ['server/http', '../store/store.ts'],
  ['server/http', '../intake/receive.ts'],
  ['server/store', '../http/handler.ts'],
  ['server/store', '../log.ts'],
  ['server/store/sqlite', '../../delivery/worker.ts'],
  ['server/intake', '../delivery/worker.ts'],
  ['server/intake', '../store/sqlite/sqlite-store.ts'],
  ['server/http', '../visits/visits.ts'],
  ['server/store', '../visits/tally.ts'],
  ['server/visits', '../delivery/worker.ts'],
  ['server/visits', '../store/sqlite/sqlite-store.ts'],
  ['server/delivery', '../visits/visits.ts'],
  ['server/delivery', '../intake/receive.ts'],
  ['server/delivery', '../store/sqlite/sqlite-store.ts'],
  ['launch', '../site/static/pages.ts'],
  ['launch', '../server/store/store.ts'],
  ['cli', '../site/static/pages.ts'],
  ['cli/commands/reports', '../../../server/store/sqlite/files.ts'],
  ['cli/commands/decisions', '../../../server/delivery/worker.ts'],
  ['server', '../desk/server/app.ts'],
  ['cli', '../desk/browser/app.tsx'],
  ['desk', '../cli/main.ts'],
  ['desk/server', '../browser/app.tsx'],
  ['desk/server', '../../content/landing.ts'],
  ['desk/server/routes', '../../../server/http/handler.ts'],
  ['desk/server/routes', '../../../server/store/sqlite/files.ts'],
  ['desk/server/routes', '../../../server/store/postgres/postgres-store.ts'],
  ['desk/api', '../server/app.ts'],
  ['desk/api', 'node:fs'],
  ['desk/browser', '../server/app.ts'],
  ['desk/browser/leads', '../../../server/store/store.ts'],
  ['desk/browser/leads', '../../../site/static/pages.ts'],
  ['desk/browser', '@simplewebauthn/server'],
] as const

/** Exceptions that the rules make. */
const allowed = [
  ['desk/server/routes', '../../../server/http/site-manifest.ts'],
  ['desk/server/guards', '../../../server/http/client-address.ts'],
  ['desk/server/guards', '../../../server/http/rate-limit.ts'],
  ['desk/server/demo', '../../../content/questions.ts'],
  ['desk/server/demo', '../../../server/store/sqlite/sqlite-store.ts'],
  ['desk/browser/words', '../../../server/store/lead-records.ts'],
  ['cli/commands/checks', '../../../server/delivery/webhook/test-lead.ts'],
] as const

/** A folder of its own with our rules: no test may write where another reads. One run of the linter for all probes. */
const folder = mkdtempSync(join(tmpdir(), 'imports-'))
const probes = [...forbidden, ...allowed]
const probe = (index: number) => join(probes[index]?.[0] ?? '', `import-probe-${index}.ts`)
let report = ''

beforeAll(() => {
  const { vcs, $schema, ...rules } = JSON.parse(readFileSync('biome.json', 'utf8'))
  writeFileSync(join(folder, 'biome.json'), JSON.stringify(rules))
  for (const [index, [layer, source]] of probes.entries()) {
    mkdirSync(join(folder, layer), { recursive: true })
    writeFileSync(join(folder, probe(index)), `import * as probe from '${source}'\n\nexport const used = probe\n`)
  }
  const options = ['lint', '--max-diagnostics=none', '--colors=off', '.']
  const { stdout, stderr } = spawnSync(resolve('node_modules/.bin/biome'), options, { cwd: folder, encoding: 'utf8' })
  report = stdout + stderr
})

afterAll(() => rmSync(folder, { recursive: true }))

test.each(forbidden.map(([layer, source], index) => ({ layer, source, index })))(
  '$layer may not import $source',
  ({ index }) => expect(report).toMatch(new RegExp(`${probe(index)}:\\S+ lint/style/noRestrictedImports`)),
)

test.each(allowed.map(([layer, source], index) => ({ layer, source, index: forbidden.length + index })))(
  '$layer may import $source',
  ({ index }) => expect(report).not.toContain(probe(index)),
)

const SQL = /\b(?:SELECT\b[\s\S]*?\bFROM|INSERT INTO|DELETE FROM|UPDATE \w+ SET|CREATE (?:TABLE|INDEX)|PRAGMA)\b/

test('only server/store knows tables: no other source has SQL in it', () => {
  const sources = globSync('{content,domain,site,server,cli,desk,build}/**/*.{ts,tsx}').filter(
    file => !file.endsWith('.test.ts'),
  )
  const withSql = sources.filter(file => SQL.test(readFileSync(file, 'utf8')))
  expect(withSql.filter(file => !file.startsWith('server/store/'))).toEqual([])
  // The pattern finds what it is meant to find.
  expect(withSql).toContain('server/store/reports/queries.ts')
  expect(withSql).toContain('server/store/sqlite/outbox.ts')
})
