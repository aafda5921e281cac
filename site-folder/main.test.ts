import { spawnSync } from 'node:child_process'
import { appendFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../tests/support/after-test.ts'
import { PROGRAM_ENV } from '../tests/support/processes.ts'
import { makeFolder } from './new-folder.ts'

function site(folder: string, ...args: string[]) {
  const program = [join(import.meta.dirname, 'main.ts'), ...args]
  return spawnSync(process.execPath, program, { env: { ...PROGRAM_ENV, SITE_FOLDER: folder }, encoding: 'utf8' })
}

test('the check says what is wrong, and a file can’t write over that', () => {
  const folder = join(newFolder(), 'our-site')
  makeFolder(folder, '0.1.0')
  writeFileSync(join(folder, 'x\u001b[2K.toml'), '')
  appendFileSync(join(folder, 'organization.toml'), 'phone = "555-0142"\n')
  const { status, stdout } = site(folder, 'check')
  expect([status, stdout]).toEqual([
    1,
    expect.stringContaining('x [2K.toml: A site’s folder has no file of this name.'),
  ])
  expect(stdout).toContain('organization.toml, line 8: phone is here twice.')
  expect(stdout).toMatch(/one of these versions: 0\.7\.0, 0\.9\.0\.\n/)
})
