/**
 * Puts a copy of the embedded store in its place. All is prepared beside the store, erasures included, and put there by a
 * rename at the end: whenever it is interrupted, the store is the old one or the new one.
 */
import { chmodSync, closeSync, copyFileSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { bringToDisk } from '../../bring-to-disk.ts'
import { eraseAgain } from '../../erasure/erasure-list.ts'
import { StoreUnavailable, StoreUnusable } from '../../store-errors.ts'
import { explain, isBusy } from '../errors.ts'
import { makeFolder } from '../files.ts'
import { openFile } from '../open-file.ts'
import { openSqliteStore } from '../sqlite-store.ts'

export interface StoreContents {
  readonly leads: number
  /** When the newest lead came in. */
  readonly newestAt: number | null
}

/** Reads the whole copy. What is not one is a StoreUnusable. */
export function inspectCopy(copy: string): StoreContents {
  if (!existsSync(copy)) throw new StoreUnusable(`There is no file ${copy}.`)
  let database: DatabaseSync | undefined
  try {
    database = openFile(copy, true, 0)
    const verdict = database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check']
    if (verdict !== 'ok') throw new StoreUnusable(`The copy ${copy} is damaged. Use an earlier one.`)
    if (!isOurs(database)) throw new StoreUnusable(`${copy} is not a copy of the store: no leads are in it.`)
    return contentsOf(database)
  } catch (error) {
    if (error instanceof StoreUnusable) throw error
    throw new StoreUnusable(`The copy ${copy} cannot be used: ${explain(error)}`, { cause: error })
  } finally {
    database?.close()
  }
}

function isOurs(database: DatabaseSync): boolean {
  return hasTable(database, 'leads')
}

function hasTable(database: DatabaseSync, name: string): boolean {
  return database.prepare(`SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?`).get(name) !== undefined
}

function contentsOf(database: DatabaseSync): StoreContents {
  const { leads, newest } =
    database.prepare('SELECT COUNT(*) AS leads, MAX(received_at) AS newest FROM leads').get() ?? {}
  return { leads: Number(leads), newestAt: newest === null ? null : Number(newest) }
}

export interface PresentStore extends StoreContents {
  readonly erased: readonly string[]
  readonly suppressed: readonly { readonly contact: string; readonly addedAt: number }[]
  /** Why deliveries are paused, and by whom. */
  readonly pause: { readonly reason: string; readonly by: string } | null
}

/**
 * What is in the store now, which nobody else may have open; null when there is none, or when nothing of it can be read. Who
 * was erased or asked not to be called since the copy was made is known here.
 */
export function inspectPresent(store: string, busyTimeoutMs: number): PresentStore | null {
  if (!existsSync(store)) return null
  const present = readPresent(store, busyTimeoutMs)
  if (present) refuseInUse(store, busyTimeoutMs)
  return present
}

/** Without writing: SQLite would throw the log of a damaged store away, and with it what can be saved from it. */
function readPresent(store: string, busyTimeoutMs: number): PresentStore | null {
  let database: DatabaseSync | undefined
  try {
    database = openFile(store, true, busyTimeoutMs)
    if (!isOurs(database)) return null
    return {
      ...contentsOf(database),
      erased: texts(database, `SELECT id AS value FROM leads WHERE state = 'erased'`),
      suppressed: suppressionsIn(database),
      pause: pauseIn(database),
    }
  } catch (error) {
    if (isBusy(error)) throw inUse()
    return null
  } finally {
    database?.close()
  }
}

/** Only the last one who has a store open can turn its write-ahead log off. */
function refuseInUse(store: string, busyTimeoutMs: number): void {
  const database = openFile(store, false, busyTimeoutMs)
  try {
    const { journal_mode: mode } = database.prepare('PRAGMA journal_mode = DELETE').get() ?? {}
    if (mode !== 'delete') throw inUse()
    database.exec('PRAGMA journal_mode = WAL')
  } catch (error) {
    throw isBusy(error) ? inUse() : error
  } finally {
    database.close()
  }
}

function inUse(): StoreUnavailable {
  return new StoreUnavailable('a server or another program has the store open. Stop it first.')
}

function texts(database: DatabaseSync, select: string): readonly string[] {
  return database
    .prepare(select)
    .all()
    .map(({ value }) => String(value))
}

/** A store of an earlier version has no such list. */
function suppressionsIn(database: DatabaseSync): PresentStore['suppressed'] {
  if (!hasTable(database, 'suppressions')) return []
  return database
    .prepare('SELECT contact, added_at FROM suppressions')
    .all()
    .map(({ contact, added_at }) => ({ contact: String(contact), addedAt: Number(added_at) }))
}

function pauseIn(database: DatabaseSync): PresentStore['pause'] {
  if (!hasTable(database, 'delivery_pause')) return null
  const row = database.prepare('SELECT reason, paused_by FROM delivery_pause').get()
  return row ? { reason: String(row['reason']), by: String(row['paused_by']) } : null
}

export interface RestoreOrder {
  readonly store: string
  readonly copy: string
  readonly present: PresentStore | null
  /** The leads on the list of erasures. */
  readonly erased: readonly string[]
  readonly key: string | null
  readonly now: () => number
}

export interface Restored {
  readonly erasedAgain: number
  readonly suppressedAgain: number
  /** Where the store of before is kept. */
  readonly replaced: string | null
}

export async function restoreCopy({ store, copy, present, erased, key, now }: RestoreOrder): Promise<Restored> {
  const prepared = `${store}.restoring`
  removeStore(prepared)
  makeFolder(dirname(store))
  // Made here, so that nobody else on the machine can read it.
  closeSync(openSync(prepared, 'wx', 0o600))
  try {
    copyFileSync(copy, prepared)
    // The mode has come with the copy.
    chmodSync(prepared, 0o600)
    const opened = openSqliteStore(prepared, { now })
    const again = { erasedAgain: 0, suppressedAgain: 0 }
    try {
      again.erasedAgain = await eraseAgain(opened, [...new Set([...erased, ...(present?.erased ?? [])])], key)
      const contacts = (present?.suppressed ?? []).map(({ contact }) =>
        contact.includes('@') ? { email: contact } : { phone: contact },
      )
      again.suppressedAgain = await opened.suppress(contacts)
      // What the operator has stopped must not start again by itself.
      if (present?.pause) await opened.pauseDeliveries(present.pause)
    } finally {
      await opened.close()
    }
    bringToDisk(prepared)
    const replaced = existsSync(store) ? putAside(store, now()) : null
    renameSync(prepared, store)
    bringToDisk(dirname(store))
    return { ...again, replaced }
  } finally {
    removeStore(prepared)
  }
}

/** With its log, which belongs to it. */
function putAside(store: string, at: number): string {
  const aside = `${store}.replaced-${new Date(at).toISOString().replaceAll(/[:.]/g, '-')}`
  for (const ending of ['-wal', '-shm', '']) {
    if (existsSync(`${store}${ending}`)) renameSync(`${store}${ending}`, `${aside}${ending}`)
  }
  return aside
}

function removeStore(file: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${ending}`, { force: true })
}
