/** Runs SQL with `$1` parameters on a connection to the embedded store, each text prepared once. */
import type { DatabaseSync, StatementSync } from 'node:sqlite'
import type { Row, Value } from '../sql.ts'

/** SQLite answers at once, so what runs here needs no promises. */
export type Run = (text: string, parameters?: readonly Value[]) => readonly Row[]

export function runOn(database: DatabaseSync): Run {
  const statements = new Map<string, StatementSync>()
  return (text, parameters = []) => {
    let statement = statements.get(text)
    if (!statement) {
      statement = database.prepare(numbered(text))
      statements.set(text, statement)
    }
    return statement.all(...parameters) as Row[]
  }
}

/** SQLite takes `$1` for the name of a parameter; `?1` is its first one. */
function numbered(text: string): string {
  return text.replaceAll(/\$(\d+)/g, '?$1')
}
