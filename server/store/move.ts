/**
 * Moves an embedded store into PostgreSQL: leads in the order of their ids, a batch at a time with all that belongs to them.
 * A batch is one transaction, compared with its source before it is committed; so what is there is whole, and a move that
 * was interrupted goes on where it stopped.
 */
import { createHash } from 'node:crypto'
import { columnsAfterErasure } from './erasure/erase.ts'
import type { Row } from './sql.ts'
import { StoreUnusable } from './store-errors.ts'

/** Everything but the time of the last trial write. */
export const movedTables = [
  'leads',
  'history',
  'attempts',
  'deliveries',
  'erased_people',
  'notes',
  'desk_job_leads',
] as const
export type MovedTable = (typeof movedTables)[number]
export type Batch = Readonly<Record<MovedTable, readonly Row[]>>

/** What belongs to no lead in particular. Moved first, as a whole: leads refer to it. */
export const sharedTables = [
  'consents',
  'questionnaires',
  'erasure_keys',
  'suppressions',
  'delivery_pause',
  // Invitations and sessions stay behind: they last for hours, and who has a passkey signs in again.
  'desk_people',
  'desk_passkeys',
  // With what is still to be done of them: a desk over the new store goes on.
  'desk_jobs',
  'exports',
] as const
export type SharedTable = (typeof sharedTables)[number]

export function columnsOf(table: MovedTable | SharedTable): readonly string[] {
  return Object.keys(columnsAfterErasure[table])
}

/** The column that says which lead a row belongs to. */
export function leadColumn(table: MovedTable): string {
  return table === 'leads' ? 'id' : 'lead_id'
}

/** Where the leads come from. Nobody else can write there meanwhile. */
export interface MoveSource {
  readonly leads: number
  shared(table: SharedTable): readonly Row[]
  /** Page views and what became of them; what is counted from leads is counted anew. */
  pageCounts(): Promise<readonly Row[]>
  /** The next leads after an id, with what belongs to them; none at the end. */
  batch(after: string, limit: number): Batch
  /** To be called when all of it has arrived: puts the store away, so that no server goes on with it. Answers where it is. */
  putAway(): string
  close(): void
}

export interface MoveTarget {
  /** What is there already stays as it is. */
  takeShared(table: SharedTable, rows: readonly Row[]): Promise<void>
  /** Once or again: what is there already is not added to. */
  takePageCounts(counts: readonly Row[]): Promise<void>
  /** How many of the leads were new there. Rejects when what arrived is not what was sent. */
  takeBatch(batch: Batch): Promise<number>
  countOf(ids: readonly string[]): Promise<number>
  /** To be called at the end: the database looks at what it has now, instead of taking it for next to nothing for a while. */
  takeStatistics(): Promise<void>
  close(): Promise<void>
}

export interface Moved {
  readonly leads: number
  /** Of these, so many had arrived in an earlier try. */
  readonly thereBefore: number
  /** Over all rows that this move copied, in their order. */
  readonly checksum: string
  readonly oldStore: string
}

const BATCH = 2000

export async function moveLeads(
  source: MoveSource,
  target: MoveTarget,
  onProgress: (leads: number) => void,
): Promise<Moved> {
  const whole = createHash('sha256')
  let leads = 0
  let added = 0
  let present = 0
  for (const table of sharedTables) await target.takeShared(table, source.shared(table))
  for (let batch = source.batch('', BATCH); batch.leads.length > 0; ) {
    const ids = batch.leads.map(row => String(row['id']))
    const arriving = target.takeBatch(batch)
    // While the database is at work with these, the next ones are read.
    const [newThere, next] = await Promise.all([arriving, nextTurn().then(() => source.batch(ids.at(-1) ?? '', BATCH))])
    added += newThere
    present += await target.countOf(ids)
    whole.update(checksumOf(batch))
    leads += ids.length
    batch = next
    onProgress(leads)
  }
  if (leads !== source.leads || present !== source.leads) {
    throw new StoreUnusable(`${source.leads} leads were to be moved, but ${present} are in PostgreSQL.`)
  }
  await target.takePageCounts(await source.pageCounts())
  await target.takeStatistics()
  return { leads, thereBefore: leads - added, checksum: whole.digest('hex'), oldStore: source.putAway() }
}

/** When what was sent has left for the database. */
const nextTurn = () => new Promise(resolve => setImmediate(resolve))

/** The same for both engines, which give numbers as numbers or as texts. */
export function checksumOf(batch: Batch): string {
  const hash = createHash('sha256')
  for (const table of movedTables) {
    const columns = columnsOf(table)
    // Rows of a lead at the same instant have no order of their own.
    const rows = batch[table].map(row =>
      JSON.stringify(columns.map(name => (row[name] === null ? null : `${row[name]}`))),
    )
    hash.update(`${table}\n${rows.toSorted().join('\n')}\n`)
  }
  return hash.digest('hex')
}
