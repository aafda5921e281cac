/** The embedded store: SQLite with a write-ahead log and a full sync on every commit. Runs in the thread that opens it. */
import type { DatabaseSync } from 'node:sqlite'
import type { Dialect, SqlPort, Value } from '../sql.ts'
import { createStore, type Store } from '../store.ts'
import { asUnavailable, isBusy } from './errors.ts'
import { BUSY_TIMEOUT_MS, markRunning, markStopped } from './files.ts'
import { type Access, isIntact, openChecked, openFile, STORE_BYTES } from './open-file.ts'
import { createTransactions, sqlOn } from './transactions.ts'

export interface SqliteOptions {
  readonly access?: Access
  readonly busyTimeoutMs?: number
  /** The store's clock. */
  readonly now?: () => number
}

export const dialect: Dialect = {
  searchTextHas: (word, parameter) => `instr(leads.search_text, ${parameter(word)}) > 0`,
  // CROSS JOIN keeps SQLite's planner from reading all leads in order instead.
  leadsAmong: json => `json_each(${json}) AS found CROSS JOIN leads ON leads.rowid = found.value`,
  hasTrigramTable: true,
  // For a multi-row statement, SQLite would also copy every page it changes, in case the statement fails partway through.
  insertsRowByRow: true,
  lockLeads: '',
  by: index => `INDEXED BY ${index}`,
  lockDeliveries: '',
  skipLockedDeliveries: '',
  lockKeys: async () => {},
  jsonField: (column, name) => `(${column} ->> '${name.replaceAll("'", "''")}')`,
  storeBytes: STORE_BYTES,
  // JSONB is parsed once; text would be parsed again for each row.
  rowsOf: (json, _table, columns) =>
    `(SELECT ${columns.map(name => `value ->> '${name}' AS ${name}`).join()} FROM jsonb_each(jsonb(${json})))`,
  valuesOf: json => `(SELECT value FROM json_each(${json}))`,
}

export function openSqliteStore(file: string, options: SqliteOptions = {}): Store {
  const { access = 'owner', busyTimeoutMs = BUSY_TIMEOUT_MS, now = Date.now } = options
  const readOnly = access === 'read'
  const writer = openChecked(file, access, busyTimeoutMs)
  if (access === 'owner') markRunning(file)
  const reader = readOnly ? writer : openFile(file, true, busyTimeoutMs)
  // From here on, `write` waits for a locked store. If SQLite waited, it would block the whole thread.
  if (!readOnly) writer.exec('PRAGMA busy_timeout = 0')
  const { write, between, idle } = createTransactions(writer, file, busyTimeoutMs)
  const sql = sqlOn(reader)
  const port: SqlPort = {
    read: <R extends object>(text: string, parameters?: readonly Value[]) =>
      sql<R>(text, parameters).catch(error => {
        throw asUnavailable(error)
      }),
    transact: change => write(writerSql => change(writerSql, now())),
    now: async () => now(),
    dialect,
    emptyLog: () => emptyLog(() => between(() => truncateLog(writer))),
  }
  return createStore({
    port,
    captures: { writers: 1, now, transact: change => write(writerSql => change(writerSql, 1)) },
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
