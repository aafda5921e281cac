/**
 * Makes what was erased unreadable in the store's files. `secure_delete` zeroes a record where it stood, but SQLite also
 * leaves copies behind in the unused part of a page when it splits one (about one key in a thousand), and in its log.
 */
import { closeSync, openSync, readSync } from 'node:fs'
import type { DatabaseSync } from 'node:sqlite'
import { asUnavailable, isBusy } from './errors.ts'

const CHUNK_BYTES = 4 * 1024 * 1024
/** Beyond this, writing the store anew is quicker than looking for each. */
const MOST_TRACES = 40
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
  if (traces.length <= MOST_TRACES) {
    const found = occurrences(file, traces)
    const suspects = traces.filter((_, index) => found[index] !== 0)
    if (suspects.length === 0) return true
    const live = suspects.map(trace => liveOccurrences(database, trace))
    // Emptied once more, so that every lead just counted stands in the file.
    if (!(await emptyLog(database, performance.now() + busyTimeoutMs))) return false
    if (occurrences(file, suspects).every((count, index) => count <= (live[index] ?? 0))) return true
  }
  return (
    (await attempt(() => database.exec('VACUUM'), giveUpAt)) &&
    (await emptyLog(database, performance.now() + busyTimeoutMs))
  )
}

/**
 * How often a trace must be in the file, since other people's leads hold the same bytes: a namesake of the same birthday,
 * or a shared phone whose other e-mail address ends alike. A key stands twice, in the lead and in the index.
 */
function liveOccurrences(database: DatabaseSync, trace: string): number {
  const count = database.prepare(
    `SELECT count(*) FILTER (WHERE substr(first_name || last_name || date_of_birth, -length(?1)) = ?1)
       + 2 * count(*) FILTER (WHERE substr(person_key, -length(?1)) = ?1) AS live FROM leads`,
  )
  return Number(count.get(trace)?.['live'])
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
