/** The linter keeps the architecture: a file in the wrong direction must not pass. */
import { spawnSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { afterEach, expect, test } from 'vitest'

const forbidden = [
  ['content', '../domain/lead.ts'],
  ['domain', '../site/pages.ts'],
  ['domain', 'node:fs'],
  ['domain', 'react'],
  ['site', '../server/app.ts'],
  ['site', 'node:fs'],
  ['site/components', '../../domain/lead.ts'],
  ['server', '../site/pages.ts'],
  ['server', 'react'],
] as const

const probe = (folder: string) => `${folder}/import-probe.ts`

afterEach(() => {
  for (const [folder] of forbidden) rmSync(probe(folder), { force: true })
})

test.each(forbidden)('%s may not import %s', (folder, source) => {
  writeFileSync(probe(folder), `import * as probe from '${source}'\n\nexport const used = probe\n`)
  const { status, stdout, stderr } = spawnSync('biome', ['lint', probe(folder)], { encoding: 'utf8' })
  expect(stdout + stderr).toContain('noRestrictedImports')
  expect(status).not.toBe(0)
})
