/**
 * Copies a whole store to another engine, table by table, and compares the number of rows and a hash of each table. The
 * target takes all of it in one transaction: after an interruption nothing is there, and the next try starts over.
 */
import { createHash } from 'node:crypto'
import { erasurePolicy } from './erasure.ts'
import type { Row } from './sql.ts'
import { StoreUnusable } from './store-errors.ts'

export type Table = keyof typeof erasurePolicy

const notCopied: ReadonlySet<Table> = new Set<Table>([
  // They last for hours: people sign in again with their passkey.
  'desk_invitations',
  'desk_challenges',
  'desk_sessions',
  // Each store has its own.
  'readiness',
  'last_backup',
  // Counted again from the leads.
  'lead_counts',
  'rolled_up_days',
  'dirty_days',
])

/** The policy lists every table, those that others refer to first. */
export const copiedTables = (Object.keys(erasurePolicy) as Table[]).filter(table => !notCopied.has(table))

export interface CopySource {
  columns(table: Table): readonly string[]
  rows(table: Table, columns: readonly string[]): AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>
}

export interface CopyTarget {
  insert(table: Table, columns: readonly string[], rows: readonly Row[]): Promise<void>
  rows(table: Table, columns: readonly string[]): AsyncIterable<readonly Row[]>
}

/** How many leads were copied. Rejects when what arrived is not what was sent. */
export async function copyTables(
  source: CopySource,
  target: CopyTarget,
  onProgress: (leads: number) => void,
): Promise<number> {
  let leads = 0
  for (const table of copiedTables) {
    const columns = source.columns(table)
    const [sent, arrived] = [hashRows(), hashRows()]
    for await (const rows of source.rows(table, columns)) {
      sent.add(columns, rows)
      await target.insert(table, columns, rows)
      if (table === 'leads') onProgress(sent.count())
    }
    for await (const rows of target.rows(table, columns)) arrived.add(columns, rows)
    if (sent.count() !== arrived.count() || sent.digest() !== arrived.digest()) {
      throw new StoreUnusable(
        `Table ${table}: ${sent.count()} rows were sent and ${arrived.count()} arrived, or they differ. Nothing was kept.`,
      )
    }
    if (table === 'leads') leads = sent.count()
  }
  return leads
}

/** The sum of the hashes of all rows, so that their order does not matter. Engines give numbers as numbers or as text. */
function hashRows() {
  let [count, sum] = [0, 0n]
  return {
    add(columns: readonly string[], rows: readonly Row[]) {
      for (const row of rows) {
        const values = columns.map(name => (row[name] === null ? null : `${row[name]}`))
        sum += createHash('sha256').update(JSON.stringify(values)).digest().readBigUInt64BE()
      }
      count += rows.length
    },
    count: () => count,
    digest: () => BigInt.asUintN(64, sum),
  }
}
