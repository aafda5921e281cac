/**
 * Opens the embedded store. Checks that it's ours, intact, and writable, and creates or upgrades its tables.
 *
 * Only SQLite opens the store's files: the database, `-wal`, and `-shm`. When a process closes any descriptor of a file, the system
 * drops all of the process's locks on it, SQLite's included. The next program would think the store is unused and reset `-shm`,
 * which kills the process that has it mapped (SIGBUS). Other modules may only call `stat`, `access`, or `rename` on these files.
 */
import { accessSync, constants, existsSync, type Stats, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { createPrivateFile, makeFolder } from '../files.ts'
import { STORE_VERSION, schema, sqliteDdl } from '../schema.ts'
import { StoreUnavailable, StoreUnusable } from '../store-errors.ts'
import { freeSpaceFor, isOlder, upgradesFrom, verifyCurrent, verifyKnown } from '../upgrade.ts'
import { defaultSettings, type UsedSettings } from '../upgrades/used-settings.ts'
import { explain, isBusy } from './errors.ts'
import { isSameFile, movedStore, restoringStore, wasKilled } from './files.ts'

export const BUSY_RETRY_MS = 20

export const STORE_BYTES = 'SELECT page_count * page_size AS bytes FROM pragma_page_count(), pragma_page_size()'

export function openFile(file: string, readOnly: boolean, busyTimeoutMs: number): DatabaseSync {
  // SQLite would create a missing file, even one that `leads move` has just renamed.
  const location = new URL(`${pathToFileURL(file)}?mode=${readOnly ? 'ro' : 'rw'}`)
  return new DatabaseSync(location, { readOnly, timeout: busyTimeoutMs })
}

export interface UpgradeOptions {
  /** An upgrade starts. */
  readonly onUpgrade?: (() => void) | undefined
  readonly settings?: UsedSettings | undefined
}

/** `owner`: a server, which creates, fully checks, and upgrades the store. Other programs open it while a server may be running. */
export type Access = 'owner' | 'write' | 'read'

export function openChecked(
  file: string,
  access: Access,
  busyTimeoutMs: number,
  { onUpgrade = () => {}, settings = defaultSettings }: UpgradeOptions = {},
): DatabaseSync {
  const readOnly = access === 'read'
  let database: DatabaseSync | undefined
  try {
    checkFiles(file, access)
    const found = statSync(file)
    database = openFile(file, readOnly, busyTimeoutMs)
    verifyOurs(database, file)
    verifyInPlace(file, found)
    if (!readOnly) {
      turnOnWriteAheadLog(database, busyTimeoutMs)
      // From here on, nobody can move the file: that takes a lock that no other program shares.
      verifyInPlace(file, found)
      database.exec('PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;')
      verifyDurability(database)
      // Overwrite deleted records with zeros, so erased data can't be recovered from the file.
      database.exec('PRAGMA secure_delete = ON')
    }
    if (access !== 'owner') verifyCurrent(knownVersion(database, file), `The store at ${file}`)
    else {
      verifyFreeSpace(database, file)
      if (isOlder(versionOf(database))) onUpgrade()
      // Check only in these cases, because it means reading the whole file. With a million leads, that takes ten seconds.
      if ((wasKilled(file) || isOlder(versionOf(database))) && !isIntact(database)) {
        throw new StoreUnusable(`The store at ${file} is damaged. Restore a backup.`)
      }
      migrate(database, file, settings)
    }
    return database
  } catch (error) {
    database?.close()
    if (error instanceof StoreUnusable) throw error
    throw new StoreUnusable(`Can’t use the store at ${file}: ${explain(error)}`, { cause: error })
  }
}

/** Checks first, because SQLite would create a missing file and open an unwritable one as read-only. */
function checkFiles(file: string, access: Access): void {
  const exists = existsSync(file)
  if (!exists && existsSync(movedStore(file))) throw new StoreUnusable(wasMoved(file))
  if (!exists && existsSync(restoringStore(file))) {
    throw new StoreUnusable(
      `A restore was interrupted. Run \`leads restore\` again. To start with an empty store instead, delete ${restoringStore(file)}.`,
    )
  }
  if (access !== 'owner' && !exists) throw new StoreUnusable(`There is no store at ${file} yet.`)
  if (access === 'read') return
  makeFolder(dirname(file))
  accessSync(dirname(file), constants.R_OK | constants.W_OK)
  if (exists) accessSync(file, constants.R_OK | constants.W_OK)
  // The log has leads in it, but its store is missing. Creating a new store would destroy the log. Check the log's size first:
  // if another server is creating the store right now, it writes to the file before it starts a log.
  if (sizeOf(`${file}-wal`) > 0 && sizeOf(file) === 0) {
    throw new StoreUnusable(
      `The store at ${file} is missing, but its log ${file}-wal is still there. Restore the store from a backup. Move the log away only if the store is lost.`,
    )
  }
  if (exists) return
  try {
    createPrivateFile(file)
  } catch (error) {
    // Another server created it at the same time.
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function wasMoved(file: string): string {
  const choices = `To go back to the old store, rename it to ${file}. To start with an empty store, delete it.`
  return `The store was moved to PostgreSQL: set DATABASE_URL. The old store is ${movedStore(file)}. ${choices}`
}

/** The program whose lock we waited for may have moved or replaced the file. SQLite would use the old one, and leads would be lost. */
function verifyInPlace(file: string, opened: Stats): void {
  if (isSameFile(opened, statSync(file, { throwIfNoEntry: false }))) return
  throw new StoreUnusable(
    existsSync(movedStore(file)) ? wasMoved(file) : `The store at ${file} was moved or replaced while it was opened.`,
  )
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0
}

/** Don't touch another program's database. */
function verifyOurs(database: DatabaseSync, file: string): void {
  // In one transaction, so we never see a store that another server has only half created.
  database.exec('BEGIN')
  const { user_version: version } = database.prepare('PRAGMA user_version').get() ?? {}
  const tables = database.prepare(`SELECT name FROM sqlite_schema WHERE type = 'table'`).all()
  database.exec('COMMIT')
  if (tables.length === 0 || (version !== 0 && tables.some(({ name }) => name === 'leads'))) return
  throw new StoreUnusable(`The database at ${file} belongs to another program. Set DATA_DIR to a separate folder.`)
}

/** If another server is doing this at the same time, SQLite fails immediately instead of waiting. */
function turnOnWriteAheadLog(database: DatabaseSync, busyTimeoutMs: number): void {
  const deadline = performance.now() + busyTimeoutMs
  for (;;) {
    try {
      database.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() >= deadline) throw error
      // Blocks the thread, as SQLite itself does when it waits.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, BUSY_RETRY_MS)
    }
  }
}

function verifyDurability(database: DatabaseSync): void {
  const mode = database.prepare('PRAGMA journal_mode').get()?.['journal_mode']
  const synchronous = database.prepare('PRAGMA synchronous').get()?.['synchronous']
  if (mode !== 'wal' || synchronous !== 2) {
    throw new StoreUnusable(
      'The store’s file system doesn’t support a write-ahead log. Set DATA_DIR to a folder on a local disk.',
    )
  }
}

/** For the log after the upgrade. Usually, it has up to 4 MB. */
export const WORKING_SPACE = 8_000_000

/** An upgrade that fills the disk would be committed, but no lead could be stored after it. */
function verifyFreeSpace(database: DatabaseSync, file: string): void {
  const version = versionOf(database)
  if (!isOlder(version)) return
  const { bytes } = database.prepare(STORE_BYTES).get() ?? {}
  const needed = Number(bytes) * freeSpaceFor(version) + WORKING_SPACE
  const { bavail, bsize } = statfsSync(dirname(file))
  const free = bavail * bsize
  if (free >= needed) return
  throw new StoreUnusable(
    `Upgrading the store at ${file} needs about ${Math.ceil(needed / 1e6)} MB of free disk space, but only ${Math.floor(free / 1e6)} MB is free. The store wasn’t changed. Make room, or move DATA_DIR to a larger disk, and start again.`,
  )
}

/** `integrity_check` also compares the indexes with their tables, which takes several times as long. */
export function isIntact(database: DatabaseSync, check: 'quick_check' | 'integrity_check' = 'quick_check'): boolean {
  return database.prepare(`PRAGMA ${check}(1)`).get()?.[check] === 'ok'
}

/**
 * In one transaction, including the version check: if two servers start at once, the second finds the work already done, and an
 * older program never overwrites the version that a newer one just wrote.
 */
function migrate(database: DatabaseSync, file: string, settings: UsedSettings): void {
  // The upgrade recreates a table that others reference, so turn off foreign key checks, which works only outside a transaction.
  database.exec('PRAGMA foreign_keys = OFF; BEGIN IMMEDIATE')
  const version = knownVersion(database, file)
  if (version === 0) database.exec(Object.values(schema(sqliteDdl)).join(''))
  const upgraded = isOlder(version)
  if (upgraded) {
    // Steps may change how a table is described.
    database.enableDefensive(false)
    for (const upgrade of upgradesFrom(version, sqliteDdl, settings)) database.exec(upgrade)
    database.enableDefensive(true)
    if (database.prepare('PRAGMA foreign_key_check').get()) {
      throw new StoreUnusable(`The store at ${file} can’t be upgraded: some rows refer to leads that don’t exist.`)
    }
  }
  // Write this even if nothing changed, so we find out about a full disk or a locked store now, not when the first lead arrives.
  database.exec(`PRAGMA user_version = ${STORE_VERSION}; COMMIT; PRAGMA foreign_keys = ON`)
  // The log now holds every changed page, and SQLite would keep its size.
  if (upgraded) database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
}

const versionOf = (database: DatabaseSync) =>
  Number(database.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0)

function knownVersion(database: DatabaseSync, file: string): number {
  const version = versionOf(database)
  verifyKnown(version, `The store at ${file}`)
  return version
}

export function storeInUse(): StoreUnavailable {
  return new StoreUnavailable('a server, a desk, or another program has the store open. Stop it first.')
}

/** For replacing or moving the store. No other program can read or write it until this connection is closed. */
export function openExclusively(file: string, busyTimeoutMs: number): DatabaseSync {
  const database = openFile(file, false, busyTimeoutMs)
  try {
    // SQLite turns off the write-ahead log only if no other program has the store open.
    const { journal_mode: mode } = database.prepare('PRAGMA journal_mode = DELETE').get() ?? {}
    if (mode !== 'delete') throw storeInUse()
    database.exec('BEGIN EXCLUSIVE')
    return database
  } catch (error) {
    database.close()
    throw isBusy(error) ? storeInUse() : error
  }
}
