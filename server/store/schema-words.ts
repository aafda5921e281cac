/** The few words in which the engines' DDL differs. */
export interface SchemaWords {
  readonly engine: 'sqlite' | 'postgres'
  /** Compared byte by byte, as ids and keys must be, whatever the database's locale. */
  readonly TEXT: string
  /** A 64-bit number. */
  readonly BIGINT: string
  /** Follows the columns: STRICT tables refuse a value of the wrong type. */
  readonly STRICT: string
}

export const sqliteWords: SchemaWords = { engine: 'sqlite', TEXT: 'TEXT', BIGINT: 'INTEGER', STRICT: 'STRICT' }
export const postgresWords: SchemaWords = {
  engine: 'postgres',
  TEXT: 'TEXT COLLATE "C"',
  BIGINT: 'BIGINT',
  STRICT: '',
}
