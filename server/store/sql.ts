/** The narrow port through which the operator's queries and changes are shared by the engines: one SQL text with `$1`. */
export type Value = string | number | null

export type Row = Readonly<Record<string, Value>>

/** Runs one statement. PostgreSQL gives 64-bit numbers as text: rows are read by `rows.ts` alone. */
export type Sql = (text: string, parameters?: readonly Value[]) => Promise<readonly Row[]>

/** What an engine lends to the shared queries and changes. */
export interface SqlPort {
  /** Outside of any transaction: each statement sees what is on disk when it runs. */
  readonly read: Sql
  /**
   * Does all of `change` or nothing of it, and resolves when it is on disk. The engine may run it again from its start,
   * and may take others into the same trip to the disk: it must await nothing but its own statements.
   */
  readonly transact: <T>(change: (sql: Sql) => Promise<T>) => Promise<T>
  /** By the store's own clock. */
  readonly now: () => Promise<number>
  /** The same as an expression inside of a statement, which spares a trip to the store. */
  readonly nowIn: (parameter: (value: Value) => string) => string
  readonly dialect: Dialect
  /** Where a log keeps copies of changed pages: removes what was erased from it, as far as other readers allow. */
  readonly emptyLog?: () => Promise<void>
}

/** What the engines say differently. */
export interface Dialect {
  /** A condition: one text has the other in it, letter by letter. Both are SQL expressions. */
  contains(text: string, part: string): string
  /** A condition: the lead's search text contains this word. In the form that the engine's trigram index serves, if it can. */
  searchTextHas(word: string, parameter: (value: Value) => string): string
  /** SQLite keeps its trigram index in a table of its own, `lead_search`; PostgreSQL's is an ordinary index. */
  readonly hasTrigramTable: boolean
  /** Appended to a SELECT inside a change: keeps other writers from its rows of `leads`. Empty where one writes at a time. */
  readonly lockLeads: string
  /** Appended to a SELECT of deliveries: skips rows that another worker is taking right now. */
  readonly skipLockedDeliveries: string
  /** A table of what stands in a JSON array of objects. `json` is an SQL expression. */
  rowsOf(json: string, columns: Readonly<Record<'text' | 'bigint', readonly string[]>>): string
  /** Makes captures of these people wait until the transaction ends. Does nothing where one process writes at a time. */
  lockPeople(sql: Sql, personKeys: readonly string[]): Promise<void>
  /** A field of a JSON object in a column of text, as an expression. */
  jsonField(column: string, name: string): string
  /** The column of history that numbers its rows in the order in which they were written. */
  readonly historyId: string
  /** A statement that answers with how many `bytes` the store takes up. */
  readonly storeBytes: string
  /** Asks inside of a change to be the only one of its kind: `locked` is 0 when another is at it. Null where all take turns. */
  readonly soleRunner: string | null
}
