/** The port between the subjects and the engines: subjects are written once, in SQL that both engines take, with `$1` parameters. */
export type Value = string | number | null

/** Runs one statement and returns its rows. `R` says what its columns are; numbers are numbers on both engines. */
export type Sql = <R extends object>(text: string, parameters?: readonly Value[]) => Promise<readonly R[]>

/** What an engine offers to the subjects. */
export interface SqlPort {
  /** Outside any transaction: each statement sees what is on disk when it runs. */
  readonly read: Sql
  /**
   * Makes the whole change or none of it, and resolves when it is on disk. The engine may run it again from the start. Await
   * only your own statements; this blocks every other writer.
   */
  readonly transact: <T>(change: (sql: Sql, now: number) => Promise<T>) => Promise<T>
  /** By the database clock, in milliseconds since the epoch; host clocks drift. */
  readonly now: () => Promise<number>
  readonly dialect: Dialect
  /** Where a log keeps copies of changed pages: removes what was erased from it, as far as other readers allow. */
  readonly emptyLog?: () => Promise<void>
}

/** What the engines say differently. Arguments named `json` or `column` are SQL expressions. */
export interface Dialect {
  /** A condition: the lead's search text contains this word. In the form that the engine's trigram index serves, if it can. */
  searchTextHas(word: string, parameter: (value: Value) => string): string
  /** A FROM clause: the leads of a JSON array with what `fewMatches` in search.ts found. */
  leadsAmong(json: string): string
  /** SQLite keeps its trigram index in a separate table, `lead_search`; PostgreSQL's is an ordinary index. */
  readonly hasTrigramTable: boolean
  /** Appended to a SELECT inside a change: keeps other writers from its rows of `leads`. Empty where one writes at a time. */
  readonly lockLeads: string
  /** Appended to a SELECT of deliveries: skips rows that another worker is taking right now. */
  readonly skipLockedDeliveries: string
  /** A subquery with the texts of a JSON array. */
  valuesOf(json: string): string
  /** A subquery with the objects of a JSON array as rows of a table, these columns of them. */
  rowsOf(json: string, table: string, columns: readonly string[]): string
  /** Makes captures of these people wait until the transaction ends. Does nothing where one process writes at a time. */
  lockPeople(sql: Sql, personKeys: readonly string[]): Promise<void>
  /** A field of a JSON object. */
  jsonField(column: string, name: string): string
  /** The statement that collects the planner's statistics, where a restore leaves none. */
  readonly analyze: 'ANALYZE' | null
  /** A statement that returns how many `bytes` the store takes up. */
  readonly storeBytes: string
  /** A statement that returns `locked`: 0 when another process is doing the same job. */
  readonly soleRunner: string
}

type Row = Readonly<Record<string, Value>>

/** `then`: for example what to do on a conflict, and what to return. */
export function insert<R extends object>(sql: Sql, table: string, row: Row, then = ''): Promise<readonly R[]> {
  const names = Object.keys(row)
  const values = names.map((_, index) => `$${index + 1}`)
  return sql<R>(`INSERT INTO ${table} (${names.join()}) VALUES (${values.join()}) ${then}`, Object.values(row))
}

/** In one statement, with one parameter. All rows have the columns of the first. */
export async function insertAll(sql: Sql, { rowsOf }: Dialect, table: string, rows: readonly Row[]): Promise<void> {
  const [first] = rows
  if (!first) return
  const names = Object.keys(first)
  await sql(
    `INSERT INTO ${table} (${names.join()}) SELECT ${names.join()} FROM ${rowsOf('$1', table, names)} AS added`,
    [JSON.stringify(rows)],
  )
}

/** Thrown inside a transaction to roll it back. */
export class Rollback extends Error {}

/** `otherwise`: the result if the change throws Rollback. */
export async function transactOrRollback<T, U>(
  { transact }: Pick<SqlPort, 'transact'>,
  otherwise: U,
  change: (sql: Sql, now: number) => Promise<T>,
): Promise<T | U> {
  return transact(change).catch(error => {
    if (error instanceof Rollback) return otherwise
    throw error
  })
}
