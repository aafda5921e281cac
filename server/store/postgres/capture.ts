/**
 * Takes leads into PostgreSQL, all that are waiting at a time in one transaction: a commit costs far more than what it
 * carries. Measured with one awaited statement after the other a lead reaches a fifth of what bare inserts do.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { listedAs } from '../erasure/suppressions.ts'
import { createLeadId } from '../lead-id.ts'
import { DO_NOT_CALL, type EarlierLead, personKeyOf, REPEAT_WINDOW_MS, type Standing, standingOf } from '../repeats.ts'
import { text, textOrNull } from '../rows.ts'
import type { Row, Sql } from '../sql.ts'
import { addHistory, reopenDelivery } from '../statements.ts'
import type { CapturedLead, Submission } from '../store.ts'
import { asStoreError, isAway, isCollision } from './errors.ts'
import { type Arrived, literal, locksOf, rowOf, storable, textsOf } from './lead-rows.ts'
import { begin, commit, sqlOn, withConnection } from './transactions.ts'

/** Two: while one group waits for the disk, the next is on its way. More only make the groups smaller. */
const WRITERS = 2
const MOST_IN_A_GROUP = 128

const PAUSE_MS = 100

interface Waiting extends Arrived {
  readonly resolve: (lead: CapturedLead) => void
  readonly reject: (error: unknown) => void
}

export interface CaptureOptions {
  /** A visitor waits: after this time they are told that it did not work, and can try again. */
  readonly patienceMs: number
  readonly now: () => number
  readonly onDue: () => void
  /** Told after every commit how many leads it brought to disk. */
  readonly onCommit?: ((leads: number) => void) | undefined
}

export interface Captures {
  capture(submission: Submission): Promise<CapturedLead>
  /** Resolves when nothing is under way any more. */
  idle(): Promise<void>
}

export function createCaptures(pool: pg.Pool, { patienceMs, now, onDue, onCommit }: CaptureOptions): Captures {
  const waiting: Waiting[] = []
  const runs = new Set<Promise<void>>()
  let writers = 0
  let writing = 0

  async function write(): Promise<void> {
    // What arrives in the same turn of the event loop shares the group.
    await new Promise(resolve => setImmediate(resolve))
    while (waiting.length > 0) {
      // Whoever is free shares what is there: one that took all would leave the other, and a processor, without work.
      const share = Math.ceil(waiting.length / (WRITERS - writing))
      writing++
      await writeGroup(waiting.splice(0, Math.min(share, MOST_IN_A_GROUP)))
      writing--
    }
    // In the same breath as the last look: what comes from now on starts another.
    writers--
  }

  async function writeGroup(group: readonly Waiting[]): Promise<void> {
    try {
      const captured = await captureGroup(pool, group, patienceMs)
      onCommit?.(group.length)
      // A repeat may have a delivery of its own, or open an earlier one again.
      if (captured.some(({ state }) => state !== 'held')) onDue()
      group.forEach(({ resolve }, index) => void resolve(captured[index] as CapturedLead))
    } catch (error) {
      // One lead that the database does not take must not take the others down with it.
      if (group.length > 1 && !isAway(error) && !isCollision(error)) {
        for (const lead of group) await writeGroup([lead])
        return
      }
      const reason = asStoreError(error)
      for (const { reject } of group) reject(reason)
    }
  }

  return {
    capture: submission =>
      new Promise((resolve, reject) => {
        const receivedAt = now()
        const id = createLeadId(receivedAt)
        const stored = storable(submission)
        waiting.push({ id, receivedAt, personKey: personKeyOf(stored.contact), submission: stored, resolve, reject })
        if (writers === WRITERS) return
        writers++
        const run = write().finally(() => runs.delete(run))
        runs.add(run)
      }),
    async idle() {
      while (runs.size > 0) await Promise.all(runs)
    },
  }
}

/** The same ids at every try: when a commit happened and only its answer was lost, they are found and not stored twice. */
async function captureGroup(
  pool: pg.Pool,
  group: readonly Waiting[],
  patienceMs: number,
): Promise<readonly CapturedLead[]> {
  const giveUpAt = performance.now() + patienceMs
  for (let mayBeStored = false; ; ) {
    try {
      return await withConnection(pool, client => capture(client, group, mayBeStored))
    } catch (error) {
      if (!(isAway(error) || isCollision(error)) || performance.now() >= giveUpAt) throw error
      mayBeStored ||= isAway(error)
      await sleep(PAUSE_MS)
    }
  }
}

/** Two round trips: one to begin, to lock and to look for earlier leads, one to store and to commit. */
async function capture(
  client: pg.ClientBase,
  group: readonly Waiting[],
  mayBeStored: boolean,
): Promise<readonly CapturedLead[]> {
  const found = await begin(client, lockAndFindEarlier(group))
  const earlier = earlierOf(found)
  const suppressed = new Set(found.filter(row => row['state'] === SUPPRESSED).map(row => text(row, 'key')))
  const sql = sqlOn(client)
  const stored = mayBeStored ? await findStored(sql, group) : new Map<string, CapturedLead>()
  const fresh = group.filter(({ id }) => !stored.has(id))
  const standings = new Map<string, Standing>()
  for (const { id, personKey, submission } of fresh) {
    const listed = suppressed.size > 0 && listedAs(submission.contact).some(contact => suppressed.has(contact))
    const checked = listed ? { ...submission, holdReason: DO_NOT_CALL } : submission
    const standing = standingOf(earlier.get(personKey) ?? null, checked)
    standings.set(id, standing)
    if (standing.state !== 'repeat') earlier.set(personKey, { id, state: standing.state, delivery: null })
  }
  await replaceHeld(sql, fresh, standings)
  await reopenDead(sql, fresh, standings)
  await commit(client, fresh.length > 0 ? store(fresh, standings) : '')
  return group.map(({ id }) => stored.get(id) ?? { id, state: (standings.get(id) as Standing).state })
}

/** Of two equal submissions at the same instant, on whichever replica, the second must see the first. */
function lockAndFindEarlier(group: readonly Waiting[]): string {
  const keys = new Set(group.map(({ personKey }) => personKey))
  const since = Math.min(...group.map(({ receivedAt }) => receivedAt)) - REPEAT_WINDOW_MS
  const contacts = group.flatMap(({ submission }) => listedAs(submission.contact))
  return `SELECT * FROM lock_and_find_earlier(${locksOf([...keys])}, ${textsOf(keys)}, ${since}, ${textsOf(contacts)})`
}

/**
 * What an earlier try has stored. Finding it proves nothing yet: with a standby, the commit that stored it may still be
 * on its way there. So something is written, and this commit waits for all that went before it.
 */
async function findStored(sql: Sql, group: readonly Waiting[]): Promise<Map<string, CapturedLead>> {
  const rows = await sql(`SELECT id, state FROM leads WHERE id = ANY (${textsOf(group.map(({ id }) => id))})`)
  if (rows.length > 0) {
    await sql('INSERT INTO readiness VALUES (1, 0) ON CONFLICT (id) DO UPDATE SET written_at = readiness.written_at')
  }
  return new Map(
    rows.map(row => [text(row, 'id'), { id: text(row, 'id'), state: text(row, 'state') as CapturedLead['state'] }]),
  )
}

/** In the place of a state: this address or number is on the do-not-call list. */
const SUPPRESSED = 'suppressed'

function earlierOf(rows: readonly Row[]): Map<string, EarlierLead> {
  return new Map(
    rows
      .filter(row => row['state'] !== SUPPRESSED)
      .map(row => [
        text(row, 'key'),
        { id: text(row, 'id'), state: text(row, 'state'), delivery: textOrNull(row, 'delivery') },
      ]),
  )
}

function store(group: readonly Waiting[], standings: ReadonlyMap<string, Standing>): string {
  const rows = group.map(lead => rowOf(lead, standings.get(lead.id) as Standing))
  return `SELECT store_leads(${literal(JSON.stringify(rows))})`
}

async function replaceHeld(
  sql: Sql,
  group: readonly Waiting[],
  standings: ReadonlyMap<string, Standing>,
): Promise<void> {
  for (const { id, receivedAt } of group) {
    const held = standings.get(id)?.replaces
    if (!held) continue
    await sql(
      `UPDATE leads SET state = 'repeat', repeat_of = $1, held_reason = NULL WHERE id = $2 AND state = 'held'`,
      [id, held],
    )
    await sql(...addHistory(held, receivedAt, 'replaced', { by: id }))
  }
}

async function reopenDead(
  sql: Sql,
  group: readonly Waiting[],
  standings: ReadonlyMap<string, Standing>,
): Promise<void> {
  for (const { id, receivedAt } of group) {
    const dead = standings.get(id)?.reopens
    if (!dead || (await sql(...reopenDelivery(dead, receivedAt))).length === 0) continue
    await sql(...addHistory(dead, receivedAt, 'put into the outbox again', { was: 'dead', repeatedBy: id }))
  }
}
