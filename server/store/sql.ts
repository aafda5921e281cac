/** The port between the store's layers and its engines. The layers use SQL that both engines accept, with `$1` parameters. */
export type Value = string | number | null
/** A list is for `= ANY($1)` and `<> ALL($1)`; rows arrive as JSON, for `rowsOf`. */
export type Parameter = Value | readonly Value[] | readonly Row[]

/** Runs one statement and returns its rows: the column `lead_id` is `leadId` in them. Both engines return numbers as numbers. */
export interface Sql {
  <R extends object>(text: string, parameters?: readonly Parameter[]): Promise<readonly R[]>
  readonly dialect: Dialect
}

/** Runs statements in one transaction. */
export interface Tx extends Sql {
  /** The database clock when the transaction began. */
  readonly at: number
}

/** What an engine provides to the layers. */
export interface SqlPort {
  /** Runs outside any transaction, so each statement sees the data committed when it runs. */
  readonly read: Sql
  /**
   * Commits the whole change or rolls it back. Resolves once it's on disk. The engine may rerun it from the start. Await
   * only your own statements; this blocks every other writer.
   */
  readonly transact: <T>(change: (tx: Tx) => Promise<T>) => Promise<T>
  /**
   * For what someone who can't try again is waiting for: also tries again if the connection breaks. From the second `attempt` on, an
   * earlier one may have been committed, so the change has to find out.
   */
  readonly insist: <T>(change: (tx: Tx, attempt: number) => Promise<T>) => Promise<T>
  /** The database clock, in milliseconds since the epoch, because host clocks drift. */
  readonly now: () => Promise<number>
  /** Empties a log that keeps copies of changed pages, erased people included. False if another program's reader prevents it. */
  readonly emptyLog?: () => Promise<boolean>
  /** Collects planner statistics, if a restore leaves none. */
  readonly analyze?: () => Promise<void>
}

/** SQL that differs between the engines. Arguments named `json` or `column` are SQL expressions. */
export interface Dialect {
  /** A condition: the lead's search text contains this word. Uses the engine's trigram index if possible. */
  searchTextHas(word: string, parameter: (value: Value) => string): string
  /** A FROM clause: the leads in a JSON array of matches from `fewMatches` in search.ts. */
  leadsAmong(json: string): string
  /** SQLite keeps its trigram index in a separate table, `lead_search`; PostgreSQL's is an ordinary index. */
  readonly hasTrigramTable: boolean
  /** Appended to a SELECT inside a transaction: locks its `leads` rows. Empty if only one process can write at a time. */
  readonly lockLeads: string
  /** Appended to a SELECT inside a transaction: locks its `outbox` rows, so none is leased until the transaction ends. */
  readonly lockDeliveries: string
  /** Appended to a SELECT of deliveries: skips rows that another worker has locked. */
  readonly skipLockedDeliveries: string
  /** After a table: read it by this index. SQLite prefers a primary key that has all columns, even if it then reads far more rows. */
  by(index: string): string
  /** Whether to write row by row. Without a round trip per statement, that's cheaper than passing all rows as JSON. */
  readonly writesRowByRow: boolean
  /** A subquery that returns the objects in a JSON array as rows with these columns. */
  rowsOf(json: string, table: string, columns: readonly string[]): string
  /** Other transactions that lock one of these keys wait until this one ends. A no-op if only one process can write at a time. */
  lockKeys(sql: Sql, keys: readonly string[]): Promise<void>
  /** A field of a JSON object. */
  jsonField(column: string, name: string): string
  /** A statement that returns how many `bytes` the store takes up. */
  readonly storeBytes: string
}

/** With the names that are used here, such as `leadId`. */
export type Row = Readonly<Record<string, Value>>

/** Converting each column for each query took a seventh of the time that a call took. */
function remembered(convert: (name: string) => string): (name: string) => string {
  const known = new Map<string, string>()
  return name => {
    const converted = known.get(name) ?? convert(name)
    known.set(name, converted)
    return converted
  }
}

const nameOf = remembered(column => column.replaceAll(/_(.)/g, (_, letter: string) => letter.toUpperCase()))
export const columnOf = remembered(name => name.replaceAll(/[A-Z]/g, letter => `_${letter.toLowerCase()}`))

/** For the engines: rows from what the drivers return. */
export function rowsFrom<R>(columns: readonly string[], found: readonly (readonly unknown[])[]): R[] {
  const names = columns.map(nameOf)
  return found.map(values => {
    const row: Record<string, unknown> = {}
    for (const [index, name] of names.entries()) row[name] = values[index]
    return row as R
  })
}

export const inTransaction = (sql: Sql, at: number): Tx =>
  Object.assign<Sql, Pick<Tx, 'at' | 'dialect'>>(
    ((text: string, parameters?: readonly Parameter[]) => sql(text, parameters)) as Sql,
    { at, dialect: sql.dialect },
  )

/** A column's values, by one look at its index for each. To group by it, look up each value: SQLite would sort all rows. */
export async function valuesOf(
  sql: Sql,
  column: string,
  table: string,
  condition = 'true',
): Promise<readonly string[]> {
  const rows = await sql<{ value: string }>(
    `WITH RECURSIVE found (value) AS (
       SELECT MIN(${column}) FROM ${table} WHERE ${condition}
       UNION ALL SELECT (SELECT MIN(${column}) FROM ${table} WHERE ${condition} AND ${column} > found.value)
         FROM found WHERE value IS NOT NULL)
     SELECT value FROM found WHERE value IS NOT NULL`,
  )
  return rows.map(({ value }) => value)
}

/** `then`: the rest of the statement, such as ON CONFLICT and RETURNING. */
export function insert<R extends object>(sql: Sql, table: string, row: Row, then = ''): Promise<readonly R[]> {
  return sql<R>(`${insertInto(table, Object.keys(row))} ${then}`, Object.values(row))
}

function insertInto(table: string, names: readonly string[]): string {
  return `INSERT INTO ${table} (${names.map(columnOf).join()}) VALUES (${names.map((_, index) => `$${index + 1}`).join()})`
}

/** All rows must have the same columns as the first. */
export async function insertAll(sql: Sql, table: string, rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const names = Object.keys(first)
  if (sql.dialect.writesRowByRow) {
    const statement = insertInto(table, names)
    for (const row of rows) await sql(statement, Object.values(row))
    return
  }
  const columns = names.map(columnOf)
  const added = sql.dialect.rowsOf('$1', table, columns)
  await sql(`INSERT INTO ${table} (${columns.join()}) SELECT ${columns.join()} FROM ${added} AS added`, [
    rows.map(named),
  ])
}

/** Each row begins with the ID of the one to update. All must have the same columns as the first. */
export async function updateAll(sql: Sql, table: string, rows: readonly Row[]): Promise<void> {
  const columns = Object.keys(rows[0] ?? {}).map(columnOf)
  const setTo = (value: (column: string, index: number) => string) =>
    columns.map((column, index) => `${column} = ${value(column, index)}`).slice(1)
  if (sql.dialect.writesRowByRow || rows.length === 1) {
    const update = `UPDATE ${table} SET ${setTo((_, index) => `$${index + 1}`)} WHERE id = $1`
    for (const row of rows) await sql(update, Object.values(row))
  } else if (rows.length > 1) {
    const changed = sql.dialect.rowsOf('$1', table, columns)
    const set = setTo(column => `changed.${column}`)
    await sql(`UPDATE ${table} SET ${set} FROM ${changed} AS changed WHERE ${table}.id = changed.id`, [rows.map(named)])
  }
}

/** By the names of its columns. */
const named = (row: Row): Row => Object.fromEntries(Object.entries(row).map(([name, value]) => [columnOf(name), value]))

/**
 * Pause between the batches of long work. Longer than another process's lock retry interval; otherwise, that process would starve
 * until the last batch.
 */
export const BATCH_PAUSE_MS = 30

/** Thrown inside a transaction to roll it back. */
export class Rollback extends Error {}

/** Thrown inside a transaction whose locks came too late: what they're for has changed. The engine runs it again from the start. */
export class StaleLocks extends Error {}

/** `otherwise`: the result if the change throws Rollback. */
export async function transactOrRollback<T, U>(
  { transact }: Pick<SqlPort, 'transact'>,
  otherwise: U,
  change: (tx: Tx) => Promise<T>,
): Promise<T | U> {
  return transact(change).catch(error => {
    if (error instanceof Rollback) return otherwise
    throw error
  })
}
