/**
 * Which file the copy that's made every 15 minutes replaces: never a copy of another store, or one with something that this store
 * lacks. Otherwise, an empty store on a new machine would replace the lost machine's copy before anyone restores it.
 */
import { existsSync, renameSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { pathToFileURL } from 'node:url'
import { removeDatabase } from '../files.ts'
import type { NotOurs } from '../tables/last-backup.ts'
import { backUpSqlite, contentsOf } from './backup.ts'
import { openChecked, openFile } from './open-file.ts'

interface Place {
  readonly file: string
  /** Why the first file isn't replaced; null if it is. */
  readonly because: NotOurs | null
  readonly isUpToDate: boolean
}

/** Copies the store to the file, or to the second one beside it. `leads`: null if that has everything already. */
export async function copyLatest(store: string, first: string, busyTimeoutMs: number) {
  const now = using(openChecked(store, 'read', busyTimeoutMs), database => placeFor(database, first))
  if (now.isUpToDate) return { ...now, leads: null }
  let place = now
  const placeOf = (part: string) => {
    // Compare the copy itself, because another process may have replaced the file in the meantime.
    place = using(openFile(part, true, 0), database => placeFor(database, first))
    return place.file
  }
  const { leads } = await backUpSqlite(store, first, busyTimeoutMs, placeOf)
  return { ...place, leads }
}

/** Makes this store's copy the first file. What was there is kept as a nightly backup. */
export async function acceptCopy(store: string, first: string, busyTimeoutMs: number) {
  let kept: string | null = null
  const { leads } = await backUpSqlite(store, first, busyTimeoutMs, part => {
    const { because } = using(openFile(part, true, 0), database => placeFor(database, first))
    if (because !== null) {
      kept = nightlyName(first)
      renameSync(first, kept)
    }
    return first
  })
  using(openFile(first, true, 0), database => {
    for (let n = 2; existsSync(numbered(first, n)); n++) {
      if (compare(database, numbered(first, n)).because === null) removeDatabase(numbered(first, n))
    }
  })
  return { leads, kept }
}

export interface CopyDescription {
  readonly storeId: string | null
  readonly leads: number
  /** When the newest lead was received. */
  readonly newestAt: number | null
  /** The keys that the store has been used with. */
  readonly keyIds: readonly string[]
}

/** Without checking the whole file. Null if it isn't a store. */
export function describeCopy(file: string): CopyDescription | null {
  try {
    return using(openFile(file, true, 0), database => ({
      storeId: idIn(database, 'main'),
      ...contentsOf(database),
      keyIds: database
        .prepare('SELECT id FROM erasure_keys')
        .all()
        .map(({ id }) => String(id)),
    }))
  } catch {
    return null
  }
}

function using<T>(database: DatabaseSync, work: (database: DatabaseSync) => T): T {
  try {
    return work(database)
  } finally {
    database.close()
  }
}

/** The first file that doesn't exist, or has nothing that this store lacks. */
function placeFor(database: DatabaseSync, first: string): Place {
  let because: NotOurs | null = null
  for (let n = 1; ; n++) {
    const file = n === 1 ? first : numbered(first, n)
    if (!existsSync(file)) return { file, because, isUpToDate: false }
    const compared = compare(database, file)
    if (compared.because === null) return { file, because, isUpToDate: compared.isUpToDate }
    because ??= compared.because
  }
}

/** latest-2.backup for latest.backup. */
const numbered = (file: string, n: number) => file.replace(/(\.\w+)?$/, `-${n}$1`)

function nightlyName(file: string): string {
  const time = statSync(file).mtime.toISOString()
  const name = join(dirname(file), `leads-${time.slice(0, 10)}-${time.slice(11, 16).replace(':', '')}.backup`)
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : numbered(name, n)
    if (!existsSync(free)) return free
  }
}

/** A copy has something of its own if one of these rows isn't in the store: they are never changed or deleted. */
const kept = {
  leads: ['id'],
  story_events: ['story_id', 'n', 'at'],
  do_not_call_history: ['contact', 'n', 'at'],
} as const

function compare(database: DatabaseSync, copy: string): { because: NotOurs | null; isUpToDate: boolean } {
  const differs = (because: NotOurs) => ({ because, isUpToDate: false })
  try {
    database.prepare('ATTACH ? AS copy').run(`${pathToFileURL(copy)}?mode=ro`)
    try {
      if (idIn(database, 'main') !== idIn(database, 'copy')) return differs('another store')
      for (const [table, columns] of Object.entries(kept)) {
        const same = columns.map(column => `ours.${column} = copied.${column}`).join(' AND ')
        const missing = `SELECT 1 FROM copy.${table} AS copied WHERE NOT EXISTS (SELECT 1 FROM main.${table} AS ours WHERE ${same}) LIMIT 1`
        if (database.prepare(missing).get() !== undefined) return differs('has more')
      }
      return { because: null, isUpToDate: rowsIn(database, 'main') === rowsIn(database, 'copy') }
    } finally {
      database.exec('DETACH copy')
    }
  } catch {
    return differs('unreadable')
  }
}

type Schema = 'main' | 'copy'

/** A store of 0.7.0 gets this ID when it's upgraded. */
function idIn(database: DatabaseSync, schema: Schema): string | null {
  const table = `SELECT 1 FROM ${schema}.sqlite_schema WHERE name = 'store_identity'`
  const has = database.prepare(table).get() !== undefined
  const row = database.prepare(`SELECT MIN(id) AS id FROM ${schema}.${has ? 'store_identity' : 'leads'}`).get()
  return (row?.['id'] ?? null) as string | null
}

/** Changes all the time without anyone's doing. */
const VOLATILE =
  /^(sqlite_|leads_search|readiness$|clock$|alerts$|last_backup$|page_counts$|question_counts$|desk_sessions$|desk_challenges$)/

/** Every change of a lead, a call, or the do-not-call list adds a row somewhere. */
function rowsIn(database: DatabaseSync, schema: Schema): string {
  const tables = database.prepare(`SELECT name FROM ${schema}.sqlite_schema WHERE type = 'table' ORDER BY name`).all()
  const counted = tables.map(({ name }) => String(name)).filter(name => !VOLATILE.test(name))
  return counted
    .map(name => `${name} ${database.prepare(`SELECT COUNT(*) AS n FROM ${schema}.${name}`).get()?.['n']}`)
    .join()
}
