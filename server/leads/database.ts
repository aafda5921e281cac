/**
 * The port to the database that leads are kept in. One SQL text with `$1` parameters serves SQLite and PostgreSQL;
 * what they do differently is in their adapters.
 */
export type Value = string | number | null

export type Row = Readonly<Record<string, Value>>

/** Runs one statement inside the transaction it was given for. */
export type Sql = (text: string, parameters?: readonly Value[]) => Promise<readonly Row[]>

export interface Database {
  /** Each statement sees what is on disk when it runs. */
  read<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /**
   * Does all of `work` or nothing of it, and resolves only when it is on disk. Works that wait at the same time may
   * share one trip to the disk, so `work` must await nothing but its own statements.
   */
  write<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** Appended to a SELECT that takes rows which another worker must not take as well. Empty where one writer is all there is. */
  readonly lockRows: string
  /**
   * Inside a write: works that lock the same name wait for one another until they are on disk, so that what one of them
   * looks for cannot be added by another at the same instant. Nothing to do where works run one after the other anyway.
   */
  lock(sql: Sql, name: string): Promise<void>
  /**
   * To be called when personal data was removed: its bytes must not stay readable in the database's files either. The
   * traces are what they would be found by. False when that is put off because another process is still reading.
   */
  forget(traces: readonly string[]): Promise<boolean>
  close(): Promise<void>
}

/** The database cannot take writes now: full, read-only, locked or gone. Nothing of the work was kept. */
export class DatabaseUnavailable extends Error {
  constructor(reason: string, options?: ErrorOptions) {
    super(reason, options)
    this.name = 'DatabaseUnavailable'
  }
}

/** The database cannot be used at all. The message tells the operator what is wrong and what to do. */
export class DatabaseUnusable extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'DatabaseUnusable'
  }
}
