/** Deletes nightly backups on schedule. One of another store may be all that's left of a lost machine, so it stays. */
import { execFileSync } from 'node:child_process'
import { closeSync, openSync, readdirSync, readSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { DAY } from '../../../domain/durations.ts'
import { removeDatabase } from '../files.ts'
import { describeCopy } from '../sqlite/copies.ts'

/** Backups have people who were erased since. */
const KEPT_MS = 30 * DAY

/** Also second copies that nothing was written to anymore, and what a killed process has left. */
const BACKUP = /^(leads|latest)-.*\.backup(\.\d+\.part)?$/

export interface OldBackups {
  /** The backup that was just made. */
  readonly newest: string
  readonly storeId: string
  readonly now: number
}

/** Returns the newest backup of another store, or null. */
export function deleteOldBackups({ newest, storeId, now }: OldBackups): string | null {
  const folder = dirname(newest)
  const found = readdirSync(folder)
    .filter(name => BACKUP.test(name) && name !== basename(newest))
    .map(name => ({ file: join(folder, name), at: statSync(join(folder, name)).mtimeMs }))
    .toSorted((a, b) => b.at - a.at)
  // A clock that has jumped ahead must not delete them all.
  const plausible = Math.min(now, (found[0]?.at ?? now) + 2 * DAY)
  let ofAnother: string | null = null
  for (const { file, at } of found) {
    const id = file.endsWith('.part') ? null : storeIdOf(file)
    if (id !== null && id !== storeId) ofAnother ??= file
    else if (at < plausible - KEPT_MS) removeDatabase(file)
  }
  return ofAnother
}

/** Null if it can't be told, as for a dump of 0.7.0. */
function storeIdOf(file: string): string | null {
  return startOf(file).startsWith('PGDMP') ? storeIdInDump(file) : (describeCopy(file)?.storeId ?? null)
}

function startOf(file: string): string {
  const descriptor = openSync(file, 'r')
  try {
    const bytes = Buffer.alloc(16)
    return bytes.toString('latin1', 0, readSync(descriptor, bytes))
  } finally {
    closeSync(descriptor)
  }
}

/** The table as pg_restore prints it: its only row is the line after COPY. */
function storeIdInDump(file: string): string | null {
  try {
    const options = ['--data-only', '--table=store_identity', '--file=-', file]
    const printed = execFileSync('pg_restore', options, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] })
    return /^COPY .*\n([0-9a-f-]+)$/m.exec(printed)?.[1] ?? null
  } catch {
    return null
  }
}
