/**
 * Makes what was erased unreadable in the store's files. `secure_delete` zeroes a record where it stood, but SQLite also
 * leaves copies behind in the unused part of a page when it splits one (about one key in a thousand), and in its log.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { asUnavailable, isBusy } from './sqlite-errors.ts'

const CHUNK_BYTES = 4 * 1024 * 1024
/** Beyond this, writing the store anew is quicker than looking for each. */
const MOST_TRACES = 30
const RETRY_MS = 50

/** False when the log could not be emptied, because another process is reading what stands in it. */
export async function forgetTraces(
  database: DatabaseSync,
  file: string,
  traces: readonly string[],
  busyTimeoutMs: number,
): Promise<boolean> {
  const giveUpAt = performance.now() + busyTimeoutMs
  if (!(await emptyLog(database, giveUpAt))) return false
  // Looked for first, since writing a large store anew keeps the server from taking leads for seconds.
  if (traces.length <= MOST_TRACES && !containsAny(file, traces)) return true
  return (
    (await attempt(() => database.exec('VACUUM'), giveUpAt)) &&
    (await emptyLog(database, performance.now() + busyTimeoutMs))
  )
}

async function emptyLog(database: DatabaseSync, giveUpAt: number): Promise<boolean> {
  return attempt(() => {
    const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {}
    return busy === 0
  }, giveUpAt)
}

/** Tries until it is done or the time is over. A step that answers false is not done yet. */
async function attempt(step: () => unknown, giveUpAt: number): Promise<boolean> {
  for (;;) {
    try {
      if (step() !== false) return true
    } catch (error) {
      if (!isBusy(error)) throw asUnavailable(error)
    }
    if (performance.now() >= giveUpAt) return false
    await new Promise(resolve => setTimeout(resolve, RETRY_MS))
  }
}

/** Chunks overlap by the longest trace, so that none hides at a border. */
export function containsAny(file: string, traces: readonly string[]): boolean {
  const needles = traces.filter(trace => trace !== '').map(trace => Buffer.from(trace))
  const overlap = Math.max(0, ...needles.map(needle => needle.length - 1))
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES + overlap)
  const descriptor = openSync(file, 'r')
  try {
    let kept = 0
    for (;;) {
      const read = readSync(descriptor, buffer, kept, CHUNK_BYTES, null)
      if (read === 0) return false
      const filled = buffer.subarray(0, kept + read)
      if (needles.some(needle => filled.includes(needle))) return true
      kept = Math.min(overlap, filled.length)
      buffer.copyWithin(0, filled.length - kept, filled.length)
    }
  } finally {
    closeSync(descriptor)
  }
}
