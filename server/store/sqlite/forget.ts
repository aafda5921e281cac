/**
 * Makes what was erased unreadable in the store's files. `secure_delete` zeroes a record where it stood: of 37,000 leads that were
 * erased in any order, none was found in the table's pages. What is left is SQLite's log, which is emptied, and the index of
 * sources: when one of its pages is split, a copy stays behind in the unused part, of about one campaign in a thousand.
 *
 * To write the store anew would remove that, too, but no lead could be taken meanwhile. So the server writes that index anew when
 * it starts next.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import type { Erasure } from '../erasure/erasure-records.ts'
import { asUnavailable, isBusy } from './errors.ts'

const CHUNK_BYTES = 4 * 1024 * 1024
/** Beyond this, it is not worth while to look for each. */
const MOST_TRACES = 40
const RETRY_MS = 50
const REBUILD_SOURCES = 'write leads_by_campaign anew'

export interface Forgetting {
  readonly database: DatabaseSync
  readonly file: string
  readonly traces: readonly string[]
  readonly busyTimeoutMs: number
  /** Whether to look for traces; else they are taken to be there, which is quick. */
  readonly look: boolean
  /** Writes one statement to the store. */
  readonly write: (text: string, parameters: readonly (string | number)[]) => Promise<unknown>
}

export async function forgetTraces(forgetting: Forgetting): Promise<Erasure['traces']> {
  const { database, file, traces, busyTimeoutMs, look, write } = forgetting
  if (!(await emptyLog(database, performance.now() + busyTimeoutMs))) return 'until readers end'
  if (traces.length === 0) return 'none'
  if (look && traces.length <= MOST_TRACES && occurrences(file, traces).every(count => count === 0)) return 'none'
  await write('INSERT INTO chores VALUES ($1, $2) ON CONFLICT (name) DO NOTHING', [REBUILD_SOURCES, Date.now()])
  return 'until the next start'
}

/** At the start of the server, before it takes leads. */
export function doChores(database: DatabaseSync): void {
  const asked = database.prepare('SELECT 1 FROM chores WHERE name = ?').get(REBUILD_SOURCES)
  if (!asked) return
  database.exec('BEGIN IMMEDIATE; REINDEX leads_by_campaign')
  database.prepare('DELETE FROM chores WHERE name = ?').run(REBUILD_SOURCES)
  database.exec('COMMIT; PRAGMA wal_checkpoint(TRUNCATE)')
}

/** False when another process is reading what stands in the log. */
async function emptyLog(database: DatabaseSync, giveUpAt: number): Promise<boolean> {
  for (;;) {
    try {
      const { busy } = database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get() ?? {}
      if (busy === 0) return true
    } catch (error) {
      // A group of captures of our own that is just being written is waited for, too.
      if (!isBusy(error) && !database.isTransaction) throw asUnavailable(error)
    }
    if (performance.now() >= giveUpAt) return false
    await new Promise(resolve => setTimeout(resolve, RETRY_MS))
  }
}

/** How often each trace is in the file. Chunks overlap by the longest trace, so that none hides at a border. */
export function occurrences(file: string, traces: readonly string[]): readonly number[] {
  const needles = traces.map(trace => Buffer.from(trace))
  const counts = needles.map(() => 0)
  const overlap = Math.max(0, ...needles.map(needle => needle.length - 1))
  const buffer = Buffer.allocUnsafe(CHUNK_BYTES + overlap)
  const descriptor = openSync(file, 'r')
  try {
    let kept = 0
    for (;;) {
      const read = readSync(descriptor, buffer, kept, CHUNK_BYTES, null)
      if (read === 0) return counts
      const filled = buffer.subarray(0, kept + read)
      for (const [index, needle] of needles.entries()) {
        counts[index] = (counts[index] ?? 0) + occurrencesIn(filled, needle, kept)
      }
      kept = Math.min(overlap, filled.length)
      buffer.copyWithin(0, filled.length - kept, filled.length)
    }
  } finally {
    closeSync(descriptor)
  }
}

/** Those that end behind what was looked through with the chunk before. */
function occurrencesIn(bytes: Buffer, needle: Buffer, looked: number): number {
  let count = 0
  if (needle.length === 0) return count
  for (let at = bytes.indexOf(needle); at !== -1; at = bytes.indexOf(needle, at + 1)) {
    if (at + needle.length > looked) count += 1
  }
  return count
}
