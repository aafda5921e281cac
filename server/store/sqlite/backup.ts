/**
 * Copies the embedded store while a server is using it, and restores copies. A restore is prepared next to the store and renamed
 * into place at the end, so if it's interrupted, you have either the old store or the new one.
 */
import { chmodSync, copyFileSync, existsSync, renameSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup, type DatabaseSync } from 'node:sqlite'
import { LEADS } from '../../settings/leads-command.ts'
import type { DeskPerson } from '../facts/desk-people.ts'
import { isLead } from '../facts/leads/states.ts'
import { createPrivateFile, makeFolder, removeDatabase, syncToDisk, writeCopy } from '../files.ts'
import type { ErasureStore } from '../operations/leads/erasure.ts'
import { applyChanges } from '../operations/upkeep/carry-over.ts'
import { StoreUnusable } from '../store-errors.ts'
import type { UsedSettings } from '../upgrades/used-settings.ts'
import type { LoggedChange } from '../upkeep/erasure-list.ts'
import { explain, isBusy } from './errors.ts'
import { isNewStore, restoringStore } from './files.ts'
import { isIntact, openChecked, openExclusively, openFile, storeInUse } from './open-file.ts'
import { openSqliteStore } from './sqlite-store.ts'

/** Pages copied at a time; Ctrl+C works in between. */
const PAGES_AT_ONCE = 5000

/** Makes a consistent copy and checks it. `placeOf`: where the complete copy goes. */
export async function backUpSqlite(
  store: string,
  copy: string,
  busyTimeoutMs: number,
  placeOf: (part: string) => string = () => copy,
) {
  const source = openChecked(store, 'read', busyTimeoutMs)
  try {
    const write = async (part: string) => {
      // Pin a snapshot. Without one, SQLite restarts the backup after every new lead.
      source.exec('BEGIN; SELECT 1 FROM leads')
      await backup(source, part, { rate: PAGES_AT_ONCE })
      return { leads: checkCopy(part) }
    }
    return await writeCopy(copy, write, placeOf)
  } catch (error) {
    if (error instanceof StoreUnusable) throw error
    throw new StoreUnusable(`Can’t write ${copy}: ${explain(error)}`, { cause: error })
  } finally {
    source.close()
  }
}

/** Checks the whole copy and turns it into a single file. */
function checkCopy(copy: string): number {
  const database = openFile(copy, false, 0)
  try {
    database.exec('PRAGMA journal_mode = DELETE')
    if (!isIntact(database, 'integrity_check')) {
      throw new StoreUnusable(`The copy is damaged, so the store may be damaged too. Run: ${LEADS} doctor`)
    }
    return contentsOf(database).leads
  } finally {
    database.close()
  }
}

export interface StoreContents {
  readonly leads: number
  /** When the newest lead was received. */
  readonly newestAt: number | null
}

export interface CurrentStore extends StoreContents {
  /** Changes in the current store that restoring the copy must not undo. */
  readonly changes: readonly LoggedChange[]
  /** Who paused deliveries, and why; null if they aren't paused. */
  readonly pause: { readonly reason: string; readonly by: string } | null
  readonly roles: readonly Pick<DeskPerson, 'id' | 'role'>[]
}

/** Reads the whole copy. Throws StoreUnusable if the file isn't a copy of a store. */
export function inspectCopy(copy: string): StoreContents {
  if (!existsSync(copy)) throw new StoreUnusable(`${copy} doesn’t exist.`)
  let database: DatabaseSync | undefined
  try {
    database = openFile(copy, true, 0)
    if (!isIntact(database, 'integrity_check')) {
      throw new StoreUnusable(`The backup ${copy} is damaged. Use an earlier one.`)
    }
    if (!hasTable(database, 'leads'))
      throw new StoreUnusable(`${copy} is not a backup of the store: it has no leads table.`)
    return contentsOf(database)
  } catch (error) {
    if (error instanceof StoreUnusable) throw error
    throw new StoreUnusable(`Can’t use the backup ${copy}: ${explain(error)}`, { cause: error })
  } finally {
    database?.close()
  }
}

function hasTable(database: DatabaseSync, name: string): boolean {
  return database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(name) !== undefined
}

export function contentsOf(database: DatabaseSync): StoreContents {
  const { leads, newest } =
    database.prepare('SELECT COUNT(*) AS leads, MAX(received_at) AS newest FROM leads').get() ?? {}
  return { leads: Number(leads), newestAt: newest === null ? null : Number(newest) }
}

export function inspectCurrent(store: string, busyTimeoutMs: number): CurrentStore | null {
  const locked = lockCurrent(store, busyTimeoutMs)
  locked?.lock.close()
  return locked?.current ?? null
}

/** Fails if another program has the store open. Null if there is no store or it can't be read. */
function lockCurrent(store: string, busyTimeoutMs: number): { current: CurrentStore; lock: DatabaseSync } | null {
  // Even a read-only connection would delete the log of an empty store.
  if (isNewStore(store)) return null
  let current: CurrentStore
  // Read-only, because otherwise SQLite would discard a damaged store's log along with any data we could save.
  let database: DatabaseSync | undefined
  try {
    database = openFile(store, true, busyTimeoutMs)
    if (!hasTable(database, 'leads')) return null
    const pause = database.prepare('SELECT reason, paused_by AS "by" FROM delivery_pause').get() ?? null
    current = {
      ...contentsOf(database),
      changes: changesIn(database),
      pause: pause as CurrentStore['pause'],
      roles: rolesIn(database),
    }
  } catch (error) {
    if (isBusy(error)) throw storeInUse()
    return null
  } finally {
    database?.close()
  }
  return { current, lock: openExclusively(store, busyTimeoutMs) }
}

function changesIn(database: DatabaseSync): readonly LoggedChange[] {
  // 0.7.0 had another name for the list.
  const list = hasTable(database, 'do_not_call') ? 'do_not_call' : 'suppressions'
  return database
    .prepare(
      `SELECT 'erased' AS kind, 0 AS at, id AS what FROM leads WHERE ${isLead('erased')}
       UNION ALL SELECT 'do-not-call', added_at, contact FROM ${list}
       UNION ALL SELECT 'dismissed', dismissed_at, id FROM desk_people WHERE dismissed_at IS NOT NULL
       UNION ALL SELECT 'may-be-called', MAX(at), contact FROM do_not_call_history
         WHERE contact NOT IN (SELECT contact FROM ${list}) GROUP BY contact`,
    )
    .all() as unknown as readonly LoggedChange[]
}

/** 0.7.0 called agents callers. */
function rolesIn(database: DatabaseSync): CurrentStore['roles'] {
  const roles = `SELECT id, CASE role WHEN 'caller' THEN 'agent' ELSE role END AS role FROM desk_people`
  return database.prepare(roles).all() as unknown as CurrentStore['roles']
}

export interface RestoreOrder {
  readonly store: string
  readonly settings?: UsedSettings
  readonly copy: string
  readonly busyTimeoutMs: number
  /** From ERASURE_LIST. */
  readonly changes: AsyncIterable<readonly LoggedChange[]>
  /** Needed if someone has to be erased again. */
  readonly key: (store: ErasureStore) => Promise<string>
  readonly now: () => number
}

/** `replaced`: where the previous store is kept. */
export async function restoreCopy({ store, copy, settings, busyTimeoutMs, changes, key, now }: RestoreOrder) {
  const prepared = restoringStore(store)
  // Until the copy is in place, no server can start and take leads that would be set aside, or erase people whom the copy brings back.
  let locked = lockCurrent(store, busyTimeoutMs)
  const current = locked?.current
  try {
    removeDatabase(prepared)
    makeFolder(dirname(store))
    createPrivateFile(prepared)
    copyFileSync(copy, prepared)
    // `copyFileSync` also copied the file mode.
    chmodSync(prepared, 0o600)
    const opened = openSqliteStore(prepared, { now, settings })
    let applied: Awaited<ReturnType<typeof applyChanges>>
    try {
      // Keep the operator's pause.
      if (current?.pause) await opened.pauseDeliveries(current.pause)
      applied = await applyChanges(opened, allChanges(current?.changes ?? [], changes), () => key(opened))
      await opened.finishRestore({ roles: current?.roles ?? [] })
    } finally {
      await opened.close()
    }
    syncToDisk(prepared)
    // If there was no store, a server may have created one in the meantime.
    locked ??= lockCurrent(store, busyTimeoutMs)
    const replaced = setAside(store, now())
    renameSync(prepared, store)
    syncToDisk(dirname(store))
    return { ...applied, replaced }
  } finally {
    locked?.lock.close()
    removeDatabase(prepared)
  }
}

/** How many changes are compared with the store at once. */
const CHANGES_AT_ONCE = 1000

async function* allChanges(ofStore: readonly LoggedChange[], logged: AsyncIterable<readonly LoggedChange[]>) {
  for (let start = 0; start < ofStore.length; start += CHANGES_AT_ONCE) {
    yield ofStore.slice(start, start + CHANGES_AT_ONCE)
  }
  yield* logged
}

/** Also moves a log that has lost its store, because SQLite would replay it into the new one. Null if there was nothing to move. */
function setAside(store: string, at: number): string | null {
  const aside = `${store}.replaced-${new Date(at).toISOString().replaceAll(/[:.]/g, '-')}`
  const endings = ['-journal', '-shm', '-wal', ''].filter(ending => existsSync(`${store}${ending}`))
  for (const ending of endings) renameSync(`${store}${ending}`, `${aside}${ending}`)
  return endings.length === 0 ? null : `${aside}${endings.at(-1)}`
}
