import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { StoreUnusable } from '../store/store-errors.ts'
import { appendChanges, type LoggedChange } from '../store/upkeep/erasure-list.ts'
import { createStopLog } from './stop-log.ts'

const stop = (what: string): LoggedChange => ({ at: 1000, kind: 'do-not-call', what })

test('nobody waits for the log, and one write at a time takes everything that is waiting', async () => {
  const writes: { whom: readonly string[]; finish: () => void }[] = []
  const append = (_file: string, changes: readonly LoggedChange[]) =>
    new Promise<void>(resolve => writes.push({ whom: changes.map(({ what }) => what), finish: resolve }))
  const log = createStopLog({ append, alerts: { raise: () => {} }, signal: new AbortController().signal })
  for (const line of ['one@example.org', 'two@example.org', 'three@example.org']) await log('list', [stop(line)])
  expect(writes.map(({ whom }) => whom)).toEqual([['one@example.org']])
  writes[0]?.finish()
  await expect
    .poll(() => writes.map(({ whom }) => whom))
    .toEqual([['one@example.org'], ['two@example.org', 'three@example.org']])
  writes[1]?.finish()
  await expect.poll(async () => log('list', [stop('four@example.org')]).then(() => writes.length)).toBe(3)
})

test('if the log can’t be written, there’s an alert', async () => {
  const raised: string[] = []
  const stopping = new AbortController()
  const append = () => Promise.reject(new StoreUnusable('the disk is full.'))
  const alerts = { raise: (code: string, text: string) => raised.push(`${code}: ${text}`) }
  await createStopLog({ append, alerts, signal: stopping.signal })('list', [stop('one@example.org')])
  await expect
    .poll(() => raised)
    .toEqual([expect.stringMatching(/^requests_unlogged: .* undo them. the disk is full\.$/)])
  stopping.abort()
})

test('what can’t be logged doesn’t keep later requests from being logged', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'stop-log-'))
  const list = join(folder, 'erasures.txt')
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const raised: string[] = []
  const alerts = { raise: (code: string) => raised.push(code) }
  const log = createStopLog({ append: appendChanges, alerts, signal: new AbortController().signal })
  // A store from before 0.9.0 may have an address like this.
  await log(list, [stop('ann\n@example.org'), stop('one@example.org')])
  await log(list, [stop('2125550177')])
  await expect
    .poll(() => existsSync(list) && readFileSync(list, 'utf8').match(/(?<=do-not-call ).*/g))
    .toEqual(['one@example.org', '2125550177'])
  expect(raised).toEqual([])
})
