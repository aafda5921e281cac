/** A broken edit doesn't take the site down: the server uses the last good build. */
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { MANIFEST_FILE } from '../../server/http/site-manifest.ts'
import { type CopiedProject, copyProject } from '../support/copied-project.ts'
import { PROGRAM_ENV, spawnServer } from '../support/processes.ts'

let project: CopiedProject

function run(program: string, ...args: readonly string[]) {
  const options = { env: { ...PROGRAM_ENV }, encoding: 'utf8' } as const
  const { status, stderr } = spawnSync(process.execPath, [join(project.folder, program), ...args], options)
  return { status, stderr }
}

const prestart = () => run('build/main.ts', 'site', '--if-stale')

test('an error in content/ is reported with its line, and the last good build is served', async () => {
  project = copyProject('last-good', { withBuiltSite: true })
  const before = project.read(join('built', MANIFEST_FILE))
  project.edit('content/en/contact-form.ts', 'export const contactForm = {', 'export const contactForm = { heading')
  const { status, stderr } = prestart()
  expect(status).toBe(0)
  expect(stderr).toMatch(/^content\/en\/contact-form\.ts\(\d+,\d+\): error TS1005: '?[,:].* expected/)
  expect(stderr).toContain('The site was not built.')
  expect(stderr).toMatch(/Serving the last good build, from .*\. Changes since then are not live\./)
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(project.read(join('built', MANIFEST_FILE))).toBe(before)

  // The launch check would compare the last good build's pages with newer text.
  expect(run('build/launch-check.ts', '--offline')).toEqual({
    status: 1,
    stderr: expect.stringContaining('out of date'),
  })

  // The server doesn't read the broken content/.
  const server = spawnServer({ DATA_DIR: join(project.folder, 'data') }, { folder: project.folder })
  expect((await fetch(await server.url)).status).toBe(200)
  server.child.kill('SIGTERM')
  expect((await server.exit).code).toBe(0)
})

test('without a last good build, `npm start` fails; HTML in a legal page is reported with its file and line', () => {
  project = copyProject('last-good')
  const draft = project.read('content/en/legal/privacy.md')
  project.edit('content/en/legal/privacy.md', draft, '# Privacy\n\nWe keep your data.\n\n<div>Hello</div>\n')
  const { status, stderr } = prestart()
  expect(status).toBe(1)
  expect(stderr).toContain('content/en/legal/privacy.md, line 5: HTML isn’t supported.')
  expect(stderr).toContain('The site was not built.')
  expect(stderr).not.toMatch(/\n\s+at /)
  expect(existsSync(join(project.folder, 'built'))).toBe(false)
})
