/** A broken edit doesn't take the site down: the server uses the last good build. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MANIFEST_FILE } from '../../server/http/site-manifest.ts'
import { specified } from '../specification/specified.ts'
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

specified('a missing text is reported with its file and line, and the last good build is served', async () => {
  const { folder, edit, read } = copyProject('last-good', { withBuiltSite: true })
  const before = read(join('built', MANIFEST_FILE))
  edit('content/es/landing.ts', "    cta: 'Empiece ahora',\n", '')
  edit('content/en/errors.ts', "  consoleNote: 'Page not found:',\n", '')
  // A list that is one shorter.
  edit('content/en/thank-you.ts', /\{\s*title: 'Document Collection'.*?\},/s, '')
  // Nothing can load this file anymore.
  edit(
    'content/en/contact-form.ts',
    'export const contactForm = {',
    "import './nowhere.ts'\n\nexport const contactForm = {",
  )
  const { status, stderr } = run(folder, 'build/main.ts', 'site', '--if-stale')
  expect(status).toBe(0)
  expect(stderr).toMatch(/^content\/en\/contact-form\.ts\(\d+,\d+\): error TS/)
  expect(stderr).toMatch(/content\/es\/landing\.ts\(\d+,\d+\): error [\s\S]*?'cta' is missing/)
  expect(stderr).toMatch(/content\/en\/errors\.ts\(\d+,\d+\): error [\s\S]*?'consoleNote' is missing/)
  expect(stderr).toMatch(/content\/es\/thank-you\.ts\(\d+,\d+\): error /)
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

test('without a last good build, `npm start` fails; a typing error and HTML in a legal page are reported with file and line', () => {
  const { folder, edit, read } = copyProject('last-good')
  edit('content/en/contact-form.ts', 'export const contactForm = {', 'export const contactForm = { heading')
  expect(run(folder, 'build/main.ts', 'site', '--if-stale').stderr).toMatch(
    /^content\/en\/contact-form\.ts\(\d+,\d+\): error TS1005/,
  )
  edit('content/en/contact-form.ts', 'export const contactForm = { heading', 'export const contactForm = {')
  const draft = read('content/en/legal/privacy.md')
  edit('content/en/legal/privacy.md', draft, '# Privacy\n\nWe keep your data.\n\n<div>Hello</div>\n')
  const { status, stderr } = run(folder, 'build/main.ts', 'site', '--if-stale', '--types-checked')
  expect(status).toBe(1)
  expect(stderr).toContain('content/en/legal/privacy.md, line 5: HTML isn’t supported.')
  expect(stderr).toContain('The site was not built.')
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(existsSync(join(folder, 'built'))).toBe(false)
})
