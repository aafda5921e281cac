import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createStore, fillStore } from '../tests/support/lead-fixtures.ts'

const main = join(import.meta.dirname, 'main.ts')

let store: Awaited<ReturnType<typeof createStore>>
beforeAll(async () => {
  store = await createStore()
  fillStore(store.file, 20_000, Date.now())
})
afterAll(() => store.remove())

/** The real program, in a real shell. */
function shell(script: string, env: Readonly<Record<string, string>> = {}) {
  return spawnSync('/bin/sh', ['-c', `leads() { "${process.execPath}" "${main}" "$@"; }; ${script}`], {
    encoding: 'utf8',
    env: { DATA_DIR: store.dataDir, PATH: '/usr/bin:/bin', ...env },
  })
}

test('a reader that has read enough ends an export quietly', () => {
  const { stdout, stderr } = shell('{ leads export; echo "code $?" >&2; } | head -1')
  expect(stdout).toMatch(/^\ufeffid,receivedAt,.*\r\n$/)
  expect(stderr).toBe('code 0\n')
})

test('a full disk behind the output is one clear line', () => {
  const { status, stderr } = shell('leads export > /dev/full')
  expect(status).toBe(1)
  expect(stderr).toBe('The output cannot be written (ENOSPC).\n')
})

test('the exit codes reach the shell: done, failed, typed wrongly', () => {
  expect(shell('leads list --limit 1').status).toBe(0)
  expect(shell('leads list', { DATA_DIR: '/nowhere' }).status).toBe(1)
  expect(shell('leads lits').status).toBe(2)
})

test('faulty settings are told without a stack trace', () => {
  const { status, stderr } = shell('leads list', { PORT: 'wrong' })
  expect(status).toBe(1)
  expect(stderr).toBe('The configuration has a fault:\n  - PORT is "wrong", but must be a number from 0 to 65535.\n')
})

test('an export holds every lead once', () => {
  const { stdout } = shell('leads export --format jsonl | cut -c1-45 | sort -u | wc -l')
  expect(stdout.trim()).toBe('20000')
})
