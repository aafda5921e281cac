/** The embedded store: SQLite with a write-ahead log and a full sync on every commit. Runs in the thread that opens it. */
import type { DatabaseSync } from 'node:sqlite'
import { inTransaction, type Parameter, type SqlPort } from '../sql.ts'
import { createStore, type Store } from '../store.ts'
import { dialect } from './dialect.ts'
import { asUnavailable, isBusy } from './errors.ts'
import { BUSY_TIMEOUT_MS, markRunning, markStopped } from './files.ts'
import { type Access, isIntact, openChecked, openFile, type UpgradeOptions } from './open-file.ts'
import { createTransactions, sqlOn } from './transactions.ts'

export interface SqliteOptions extends UpgradeOptions {
  readonly access?: Access
  readonly busyTimeoutMs?: number
  /** The store's clock. */
  readonly now?: () => number
}

export function openSqliteStore(file: string, options: SqliteOptions = {}): Store {
  const { access = 'owner', busyTimeoutMs = BUSY_TIMEOUT_MS, now = Date.now } = options
  const readOnly = access === 'read'
  const writer = openChecked(file, access, busyTimeoutMs, options)
  if (access === 'owner') markRunning(file)
  const reader = readOnly ? writer : openFile(file, true, busyTimeoutMs)
  // From here on, `write` waits for a locked store. If SQLite waited, it would block the whole thread.
  if (!readOnly) writer.exec('PRAGMA busy_timeout = 0')
  const { write, between, idle } = createTransactions(writer, file, busyTimeoutMs)
  const sql = sqlOn(reader)
  const port: SqlPort = {
    read: Object.assign(
      <R extends object>(text: string, parameters?: readonly Parameter[]) =>
        sql<R>(text, parameters).catch(error => {
          throw asUnavailable(error)
        }),
      { dialect },
    ),
    transact: change => write(writerSql => change(inTransaction(writerSql, now()))),
    insist: change => write(writerSql => change(inTransaction(writerSql, now()), 1)),
    now: async () => now(),
    emptyLog: () => emptyLog(() => between(() => truncateLog(writer))),
  }
  return createStore({
    port,
    captures: { writers: 1, now },
    inspect: async () => ({
      location: file,
      durability: {
        safe: true,
        message: 'Leads are on disk before they are acknowledged (write-ahead log, full sync).',
      },
      search: { indexed: true },
      intact: isIntact(reader),
    }),
    async close() {
      await idle()
      if (reader !== writer) reader.close()
      writer.close()
      if (access === 'owner') markStopped(file)
    },
  })
}

const CHECKPOINT_TRIES = 20
const CHECKPOINT_RETRY_MS = 50

/** A reader in another process can delay this. Most are done in no time; a backup isn't. */
async function emptyLog(truncate: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < CHECKPOINT_TRIES; tries++) {
    if (await truncate()) return true
    await new Promise(resolve => setTimeout(resolve, CHECKPOINT_RETRY_MS))
  }
  return false
}

function truncateLog(writer: DatabaseSync): boolean {
  try {
    return writer.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get()?.['busy'] === 0
  } catch (error) {
    if (isBusy(error)) return false
    throw asUnavailable(error)
  }
}
