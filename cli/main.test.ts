import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { newFolder } from '../tests/support/after-test.ts'
import { createStore, insertLeads } from '../tests/support/lead-fixtures.ts'
import { npmRun } from '../tests/support/leads-command.ts'
import { PROGRAM_ENV } from '../tests/support/processes.ts'

const main = join(import.meta.dirname, 'main.ts')

let store: Awaited<ReturnType<typeof createStore>>
beforeAll(async () => {
  store = await createStore()
  // More than a pipe holds.
  insertLeads(
    store.file,
    Array.from({ length: 2000 }, () => ({})),
  )
})
afterAll(() => store.remove())

/** Runs the real program in a real shell. */
function shell(script: string, env: Readonly<Record<string, string>> = {}) {
  return spawnSync('/bin/sh', ['-c', `leads() { "${process.execPath}" "${main}" "$@"; }; ${script}`], {
    encoding: 'utf8',
    env: { DATA_DIR: store.dataDir, PATH: '/usr/bin:/bin', ...PROGRAM_ENV, ...env },
  })
}

test('an export ends quietly when its reader closes the pipe', () => {
  const { stdout, stderr } = shell('{ leads export; echo "code $?" >&2; } | head -1')
  expect(stdout).toMatch(/^\ufeffid,receivedAt,.*\r\n$/)
  expect(stderr).toBe('code 0\n')
})

test('npm run -s leads -- … prints only the output, and npm doesn’t log the command line', () => {
  const home = newFolder()
  const npm = (...argv: readonly string[]) => npmRun(argv, { HOME: home, DATA_DIR: store.dataDir })
  const { stdout, stderr } = npm('-s', 'leads', '--', 'export', '--what', 'calls')
  expect(stdout).toMatch(/^\ufeffid,leadId,.*\r\n$/)
  expect(stderr).toBe('')
  npm('leads', '--', 'erase', '--email', 'zelda@example.net', '--yes')
  const kept = readdirSync(home, { recursive: true, withFileTypes: true })
    .filter(entry => entry.isFile())
    .map(entry => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
  expect(kept.filter(text => text.includes('zelda'))).toEqual([])
})
