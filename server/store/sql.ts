/** The narrow port through which the operator's queries and changes are shared by the engines: one SQL text with `$1`. */
export type Value = string | number | null

export type Row = Readonly<Record<string, Value>>

/** Runs one statement. PostgreSQL gives 64-bit numbers as text: rows are read by `rows.ts` alone. */
export type Sql = (text: string, parameters?: readonly Value[]) => Promise<readonly Row[]>

/**
 * Does all of `work` or nothing of it, and resolves when it is on disk. The engine may run `work` again from its start,
 * and may run other works in the same trip to the disk: it must await nothing but its own statements.
 */
export type Transact = <T>(work: (sql: Sql) => Promise<T>) => Promise<T>

/** What the engines say differently. */
export interface Dialect {
  /** A condition: `text` has `part` in it, letter by letter. Both are SQL expressions. */
  contains(text: string, part: string): string
  /** A text column to be compared and ordered byte by byte, as ids and keys are. */
  bytewise(column: string): string
  /** Appended to a SELECT inside a change: locks its rows of these tables against other writers. */
  lockRows(...tables: readonly string[]): string
}
