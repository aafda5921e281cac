/** A broken edit doesn't take the site down: the server uses the last good build. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MANIFEST_FILE } from '../../server/http/site-manifest.ts'
import { killAfterTest } from '../support/after-test.ts'
import { copyProject } from '../support/copied-project.ts'
import { onDemand } from '../support/on-demand.ts'
import { PROGRAM_ENV, spawnServer } from '../support/processes.ts'

await onDemand('site')

function run(folder: string, program: string, ...args: readonly string[]) {
  const options = { env: { ...PROGRAM_ENV }, encoding: 'utf8' } as const
  const { status, stderr } = spawnSync(process.execPath, [join(folder, program), ...args], options)
  return { status, stderr }
}

test('all errors are reported with file and line, and the last good build is served', async () => {
  const { folder, edit, read } = copyProject('last-good', { withBuiltSite: true })
  const before = read(join('built', MANIFEST_FILE))
  edit('content/es.toml', 'cta = "Empiece ahora"\n', '')
  edit('content/en.toml', 'consoleNote = "Page not found:"\n', '')
  edit('content/en.toml', 'callLabel = "Call Now"', 'callLabel = “Call Now”')
  const { status, stderr } = run(folder, 'build/main.ts', 'site', '--if-stale')
  expect(status).toBe(0)
  expect(stderr).toMatch(/content\/en\.toml, line \d+: Use straight quotes around a text: callLabel = "Call Now"/)
  expect(stderr).toMatch(/content\/es\.toml, line \d+: \[landing\.howItWorks\] needs cta: cta = "…"/)
  expect(stderr).toMatch(/content\/en\.toml, line \d+: \[notFound\] needs consoleNote/)
  expect(stderr).toContain('The site was not built.')
  expect(stderr).toMatch(/Serving the last good build, from .*\. Changes since then are not live\./)
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(read(join('built', MANIFEST_FILE))).toBe(before)

  // The launch check would compare the last good build's pages with newer text.
  expect(run(folder, 'build/launch-check.ts', '--offline')).toEqual({
    status: 1,
    stderr: expect.stringContaining('out of date'),
  })

  // The server doesn't read the broken content/.
  const server = killAfterTest(spawnServer({ DATA_DIR: join(folder, 'data') }, { folder }))
  expect((await fetch(await server.url)).status).toBe(200)
})

test('without a last good build, `npm start` fails; HTML in a legal page is reported with file and line', () => {
  const { folder, edit, read } = copyProject('last-good')
  const draft = read('content/legal/privacy.en.md')
  edit('content/legal/privacy.en.md', draft, '# Privacy\n\nWe keep your data.\n\n<div>Hello</div>\n')
  const { status, stderr } = run(folder, 'build/main.ts', 'site', '--if-stale')
  expect(status).toBe(1)
  expect(stderr).toContain('content/legal/privacy.en.md, line 5: HTML isn’t supported.')
  expect(stderr).toContain('The site was not built.')
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(existsSync(join(folder, 'built'))).toBe(false)
})
