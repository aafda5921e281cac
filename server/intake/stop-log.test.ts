import { expect, test } from 'vitest'
import { StoreUnusable } from '../store/store-errors.ts'
import type { LoggedChange } from '../store/upkeep/erasure-list.ts'
import { createStopLog } from './stop-log.ts'

const stop = (what: string): LoggedChange => ({ at: 1000, kind: 'do-not-call', what })

test('nobody waits for the log, and one write at a time takes everything that is waiting', async () => {
  const writes: { whom: readonly string[]; finish: () => void }[] = []
  const append = (_file: string, changes: readonly LoggedChange[]) =>
    new Promise<void>(resolve => writes.push({ whom: changes.map(({ what }) => what), finish: resolve }))
  const log = createStopLog({ append, alerts: { raise: () => {} }, signal: new AbortController().signal })
  for (const line of ['one', 'two', 'three']) await log('list', [stop(line)])
  expect(writes.map(({ whom }) => whom)).toEqual([['one']])
  writes[0]?.finish()
  await expect.poll(() => writes.map(({ whom }) => whom)).toEqual([['one'], ['two', 'three']])
  writes[1]?.finish()
  await expect.poll(async () => log('list', [stop('four')]).then(() => writes.length)).toBe(3)
})

test('if the log can’t be written, there’s an alert', async () => {
  const raised: string[] = []
  const stopping = new AbortController()
  const append = () => Promise.reject(new StoreUnusable('the disk is full.'))
  const alerts = { raise: (code: string, text: string) => raised.push(`${code}: ${text}`) }
  await createStopLog({ append, alerts, signal: stopping.signal })('list', [stop('one')])
  await expect
    .poll(() => raised)
    .toEqual([expect.stringMatching(/^requests_unlogged: .* undo them. the disk is full\.$/)])
  stopping.abort()
})
