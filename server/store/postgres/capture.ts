/**
 * Takes leads into PostgreSQL, all that are waiting at a time in one transaction: a commit costs far more than what it
 * carries. Measured with one awaited statement after the other a lead reaches a fifth of what bare inserts do.
 */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { certificateId } from '../../../domain/certificate.ts'
import { listedAs } from '../erasure/suppressions.ts'
import { createLeadId } from '../lead-id.ts'
import { DO_NOT_CALL, type EarlierLead, personKeyOf, REPEAT_WINDOW_MS, type Standing, standingOf } from '../repeats.ts'
import { text, textOrNull } from '../rows.ts'
import type { Row, Sql } from '../sql.ts'
import { addHistory, reopenDelivery } from '../statements.ts'
import type { CapturedLead, Submission } from '../store.ts'
import { asStoreError, isAway, isCollision } from './errors.ts'
import { NOW } from './outbox.ts'
import { begin, commit, sqlOn, withConnection } from './transactions.ts'

/** Two: while one group waits for the disk, the next is on its way. More only make the groups smaller. */
const WRITERS = 2
const MOST_IN_A_GROUP = 128

const PAUSE_MS = 100

interface Waiting {
  readonly id: string
  readonly receivedAt: number
  readonly personKey: string
  readonly submission: Submission
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
        const id = createLeadId(receivedAt, bytes => crypto.getRandomValues(bytes))
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

/** PostgreSQL takes neither a NUL nor half a character in a text. A lead with one is a person all the same. */
function storable(submission: Submission): Submission {
  const clean = (value: string) => value.toWellFormed().replaceAll('\0', '\uFFFD')
  const { contact, certificate } = submission
  return {
    ...submission,
    contact: {
      firstName: clean(contact.firstName),
      lastName: clean(contact.lastName),
      dateOfBirth: clean(contact.dateOfBirth),
      email: clean(contact.email),
      phone: clean(contact.phone),
    },
    page: clean(submission.page),
    campaign: Object.fromEntries(Object.entries(submission.campaign).map(pair => pair.map(clean))),
    clientAddress: clean(submission.clientAddress),
    userAgent: clean(submission.userAgent),
    certificate: certificate.kind === 'present' ? { kind: 'present', url: clean(certificate.url) } : certificate,
    holdReason: submission.holdReason && clean(submission.holdReason),
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
  const found = await begin(
    client,
    `${lockPeople(group.map(({ personKey }) => personKey))}; (${findEarlier(group)}) UNION ALL ${findSuppressed(group)}`,
  )
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

/**
 * Of two equal submissions at the same instant, on whichever replica, the second must see the first. Always in one
 * order: two groups that lock the same people crosswise would wait for each other.
 */
export function lockPeople(personKeys: readonly string[]): string {
  const keys = personKeys.map(personKey => createHash('sha256').update(personKey).digest().readBigInt64BE())
  const sorted = [...new Set(keys)].toSorted((a, b) => (a < b ? -1 : 1))
  return `SELECT pg_advisory_xact_lock(key) FROM unnest('{${sorted.join()}}'::bigint[]) AS key`
}

/**
 * What an earlier try has stored. Finding it proves nothing yet: with a standby, the commit that stored it may still be
 * on its way there. So something is written, and this commit waits for all that went before it.
 */
async function findStored(sql: Sql, group: readonly Waiting[]): Promise<Map<string, CapturedLead>> {
  const rows = await sql('SELECT id, state FROM leads WHERE id = ANY ($1::text[])', [
    arrayOf(group.map(({ id }) => id)),
  ])
  if (rows.length > 0) {
    await sql('INSERT INTO readiness VALUES (1, 0) ON CONFLICT (id) DO UPDATE SET written_at = readiness.written_at')
  }
  return new Map(
    rows.map(row => [text(row, 'id'), { id: text(row, 'id'), state: text(row, 'state') as CapturedLead['state'] }]),
  )
}

/**
 * A statement of its own after the locks, so that it sees what was committed while we waited for them. The rows are locked,
 * too: an operator who releases a held lead at this moment comes before us or after us.
 */
function findEarlier(group: readonly Waiting[]): string {
  const keys = arrayOf([...new Set(group.map(({ personKey }) => personKey))])
  const since = Math.min(...group.map(({ receivedAt }) => receivedAt)) - REPEAT_WINDOW_MS
  return `SELECT person.key, earlier.id, earlier.state, earlier.delivery FROM unnest(${pg.escapeLiteral(keys)}::text[]) AS person (key)
     CROSS JOIN LATERAL (
       SELECT id, state, (SELECT state FROM deliveries WHERE lead_id = leads.id) AS delivery FROM leads
       WHERE person_key = person.key AND received_at > ${since} AND state IN ('accepted', 'held')
       ORDER BY received_at LIMIT 1 FOR NO KEY UPDATE
     ) AS earlier`
}

const SUPPRESSED = 'suppressed'

/** Goes along with the earlier leads, since another statement would be another round trip. */
function findSuppressed(group: readonly Waiting[]): string {
  const contacts = arrayOf(group.flatMap(({ submission }) => listedAs(submission.contact)))
  return `SELECT contact, NULL, '${SUPPRESSED}', NULL FROM suppressions WHERE contact = ANY (${pg.escapeLiteral(contacts)}::text[])`
}

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

/** As PostgreSQL writes an array of texts. */
function arrayOf(values: readonly string[]): string {
  return `{${values.map(value => `"${value.replaceAll(/["\\]/g, '\\$&')}"`).join()}}`
}

function store(group: readonly Waiting[], standings: ReadonlyMap<string, Standing>): string {
  const leads = group.map(({ id, receivedAt, personKey, submission }) => {
    const { state, heldReason, repeatOf, delivered } = standings.get(id) as Standing
    const { contact, certificate } = submission
    const knownId = certificate.kind === 'present' ? certificateId(certificate.url) : null
    const detail = {
      state,
      certificate: certificate.kind,
      ...(heldReason && { heldReason }),
      ...(repeatOf && { repeatOf }),
    }
    return {
      id,
      received_at: receivedAt,
      state,
      held_reason: heldReason,
      repeat_of: repeatOf,
      first_name: contact.firstName,
      last_name: contact.lastName,
      date_of_birth: contact.dateOfBirth,
      email: contact.email,
      phone: contact.phone,
      person_key: personKey,
      client_address: submission.clientAddress,
      user_agent: submission.userAgent,
      page: submission.page,
      campaign: JSON.stringify(submission.campaign),
      variant: submission.variant,
      certificate_id: knownId,
      certificate_other: certificate.kind === 'present' && knownId === null ? certificate.url : null,
      trusted_form: submission.trustedForm,
      consent_version: submission.consentVersion,
      questionnaire_version: submission.questionnaireVersion,
      detail: JSON.stringify(detail),
      delivered,
    }
  })
  return `WITH lead AS MATERIALIZED (
       SELECT * FROM json_to_recordset(${pg.escapeLiteral(JSON.stringify(leads))}) AS lead (${columns.map(column => `${column} text`).join()}, received_at bigint, detail text, delivered boolean)
     ), stored AS (
       INSERT INTO leads (${columns.join()}, received_at) SELECT ${columns.join()}, received_at FROM lead
     ), told AS (
       INSERT INTO history (lead_id, at, event, detail) SELECT id, received_at, 'received', detail FROM lead
     )
     INSERT INTO deliveries (lead_id, webhook_id, state, attempts, next_at, created_at)
     SELECT id, 'lead_' || id, 'pending', 0, ${NOW}, ${NOW} FROM lead WHERE delivered`
}

const columns = [
  'id',
  'state',
  'held_reason',
  'repeat_of',
  'first_name',
  'last_name',
  'date_of_birth',
  'email',
  'phone',
  'person_key',
  'client_address',
  'user_agent',
  'page',
  'campaign',
  'variant',
  'certificate_id',
  'certificate_other',
  'trusted_form',
  'consent_version',
  'questionnaire_version',
]

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
