/** The store for many machines: any number of replicas over one PostgreSQL. */
import { hash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { versionOf } from '../../presented-version.ts'
import { createAlertRecords } from '../alerts.ts'
import { createCaptures } from '../capture.ts'
import { createChanges } from '../changes.ts'
import { createBringForward } from '../clock.ts'
import { createDeliveryPause } from '../delivery-pause.ts'
import { createDeskStore } from '../desk/desk-store.ts'
import { type ErasedLeads, eraseLeads, eraseNextBefore, findNotErased } from '../erasure/erase.ts'
import { findErased } from '../erasure/erased-people.ts'
import type { Erasure } from '../erasure/erasure-records.ts'
import { createSuppressions, withoutSuppressed } from '../erasure/suppressions.ts'
import type { PresentedTable } from '../move.ts'
import { funnel, funnels } from '../reports/funnel.ts'
import { countLeads } from '../reports/lead-counts.ts'
import { dealingSecret } from '../reports/page-counts.ts'
import { createQueries } from '../reports/queries.ts'
import { addPageCounts, postPageCounts } from '../reports/view-journal.ts'
import type { Dialect, SqlPort } from '../sql.ts'
import type { Store } from '../store.ts'
import { StoreUnavailable } from '../store-errors.ts'
import { type Connections, connectTo, PATIENCE_MS } from './connections.ts'
import { createDueSignal } from './due-signal.ts'
import { asStoreError, isAway } from './errors.ts'
import { migrate, verifyVersion } from './migrate.ts'
import { backlog, clock, lease, NOW, nextDue, settle } from './outbox.ts'
import { sqlOn, transact, transactPatiently, withConnection } from './transactions.ts'

export interface PostgresOptions {
  /** `own`: as a server does, which makes the tables and brings them up to date. Else beside servers that may be running. */
  readonly access?: 'own' | 'beside'
  /** The tables were not there, and have been made. */
  readonly onCreated?: (place: string) => void
  /** Told after every commit of captures how many leads it brought to disk. */
  readonly onCommit?: (leads: number) => void
  /** How long a database that does not answer is waited for. */
  readonly patienceMs?: number
  /** For a store that is only asked: a question that takes longer is given up. */
  readonly giveUpAfterMs?: number
}

/** Machines that start together do not all come up at once: the database is waited for. */
const START_PATIENCE_MS = 20_000

export const dialect: Dialect = {
  contains: (text, part) => `strpos(${text}, ${part}) > 0`,
  campaignHas: (parameters, parameter) =>
    // The index has only leads with a campaign.
    `leads.campaign <> '{}' AND leads.campaign::jsonb @> ${parameter(JSON.stringify(parameters))}::jsonb`,
  campaignsAreIndexed: true,
  campaignValue: names => ({
    expression: `COALESCE(${names.map(storedValue).join(', ')})`,
    decode: stored => (stored === null ? null : (JSON.parse(`"${stored}"`) as string)),
  }),
  storeBytes: 'SELECT pg_database_size(current_database()) AS bytes',
  lockLeads: 'FOR NO KEY UPDATE OF leads',
  // Two numbers that nobody else in the database is likely to lock.
  soleRunner: 'SELECT pg_try_advisory_xact_lock(833243, 2966)::integer AS locked',
  historyId: 'id',
  rowsOf: (json, { text, bigint }) => {
    const typed = [...text.map(name => `${name} text`), ...bigint.map(name => `${name} bigint`)]
    return `(SELECT * FROM json_to_recordset(${json}::json) AS rows (${typed.join(', ')}))`
  },
  async lockPeople(sql, personKeys) {
    // Always in one order: two groups that lock the same people crosswise would wait for each other.
    const locks = personKeys.map(key => hash('sha256', key, 'buffer').readBigInt64BE())
    const sorted = [...new Set(locks)].toSorted((a, b) => (a < b ? -1 : 1))
    await sql('SELECT pg_advisory_xact_lock(lock) FROM unnest($1::bigint[]) AS lock', [`{${sorted.join()}}`])
  },
  jsonField: (column, name) => `(${column}::jsonb ->> '${name}')`,
}

/**
 * Cut out of the stored JSON as it stands there, which takes half the time of parsing it. Inside of a value quotes are
 * escaped, so the name with its quotes is a name, and a quote after a comma is the end of a value.
 */
function storedValue(name: string): string {
  return `NULLIF(split_part(split_part(left(leads.campaign, -2), '"${name}":"', 2), '","', 1), '')`
}

export async function openPostgresStore(url: string, options: PostgresOptions = {}): Promise<Store> {
  const { access = 'own', onCreated, onCommit, giveUpAfterMs = 0 } = options
  // Given up by the database, rather than left behind by us while it goes on.
  const patienceMs = options.patienceMs ?? Math.max(PATIENCE_MS, giveUpAfterMs * 1.2)
  const connections = connectTo(url, patienceMs, giveUpAfterMs)
  try {
    const created = await prepare(connections, access)
    if (created) onCreated?.(placeOf(url))
  } catch (error) {
    await connections.pool.end()
    throw asStoreError(error)
  }
  return createStore(connections, { ...(onCommit && { onCommit }), patienceMs })
}

/** Where the store is, without the password. */
export function placeOf(url: string): string {
  return url.replace(/^(\w+:\/\/)[^@/]*@/, '$1').replace(/\?.*$/s, '')
}

/** True when the store was made by this call. */
async function prepare(connections: Connections, access: 'own' | 'beside'): Promise<boolean> {
  if (access === 'own') return bringUpToDate(connections)
  await verify(connections)
  return false
}

async function bringUpToDate({ single }: Connections): Promise<boolean> {
  const giveUpAt = performance.now() + START_PATIENCE_MS
  for (;;) {
    try {
      const client = await single()
      try {
        return await migrate(client)
      } finally {
        await client.end().catch(() => {})
      }
    } catch (error) {
      if (!isAway(error) || performance.now() >= giveUpAt) throw error
      await sleep(500)
    }
  }
}

/** Nobody waits for a machine to start here, but each of the hosts is asked. On a connection that goes on to be used. */
async function verify({ pool, hosts }: Connections): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      return await withConnection(pool, verifyVersion)
    } catch (error) {
      if (!isAway(error) || tries >= hosts) throw error
    }
  }
}

/** While one group waits for the disk, the next is on its way. More only make the groups smaller. */
const CAPTURE_WRITERS = 2

interface StoreOptions extends Pick<PostgresOptions, 'onCommit'> {
  readonly patienceMs: number
}

function createStore(connections: Connections, { onCommit, patienceMs }: StoreOptions): Store {
  const { pool } = connections
  const due = createDueSignal(connections)
  const sql = inStoreErrors(sqlOn(pool))
  const port: SqlPort = {
    read: sql,
    transact: change => transact(pool, change).catch(rethrow),
    now: () => clock(sql),
    nowIn: () => NOW,
    dialect,
  }
  async function remember(table: PresentedTable, presented: string): Promise<string> {
    const version = versionOf(presented)
    await sql(
      `INSERT INTO ${table} (version, presented, first_seen_at) VALUES ($1, $2, ${NOW}) ON CONFLICT (version) DO NOTHING`,
      [version, presented],
    )
    return version
  }
  const versionsIn = async (table: PresentedTable) =>
    (await sql(`SELECT version FROM ${table}`)).map(({ version }) => String(version))
  const changes = createChanges(port)
  const alerts = createAlertRecords(port)
  const captures = createCaptures(dialect, {
    writers: CAPTURE_WRITERS,
    now: connections.now,
    onDue: due.raise,
    onCommit,
    transact: change => transactPatiently(pool, patienceMs, change).catch(rethrow),
    isUnavailable: error => error instanceof StoreUnavailable,
  })
  const raiseIfAny = (leads: number) => {
    if (leads > 0) due.raise()
    return leads
  }

  return {
    ...createQueries(port),
    ...alerts,
    ...createDeskStore(port),
    capture: captures.capture,
    rememberConsent: presented => remember('consents', presented),
    rememberQuestionnaire: presented => remember('questionnaires', presented),
    presentedVersions: async () => ({
      consents: await versionsIn('consents'),
      questionnaires: await versionsIn('questionnaires'),
    }),
    async probe() {
      await sql(`INSERT INTO readiness VALUES (1, ${NOW}) ON CONFLICT (id) DO UPDATE SET written_at = ${NOW}`)
    },
    lease: async order => withoutSuppressed(port, await lease(sql, randomUUID(), order)),
    settle: settlement => settle(sql, settlement),
    nextDue: () => nextDue(sql),
    bringForward: createBringForward(port),
    backlog: () => backlog(sql),
    onDue: due.listen,
    ...createDeliveryPause(port, due.raise, alerts.keepAlert),
    countRedeliverable: changes.countRedeliverable,
    reject: changes.reject,
    release: async which => raiseIfAny(await changes.release(which)),
    redeliver: async selection => raiseIfAny(await changes.redeliver(selection)),
    erase: async order => inItsOwnTime(await eraseLeads(port, order)),
    async eraseBefore(order) {
      const { last, ...erased } = await eraseNextBefore(port, order)
      return { ...inItsOwnTime(erased), last }
    },
    notErased: ids => findNotErased(port, ids),
    erasedLeadsOf: request => findErased(port, request),
    ...createSuppressions(port),
    addPageCounts: counts => addPageCounts(port, counts),
    postPageCounts: () => postPageCounts(port),
    countLeads: order => countLeads(port, order),
    funnel: request => funnel(port, request),
    funnels: request => funnels(port, request),
    dealingSecret: suggested => dealingSecret(port, suggested),
    async close() {
      await captures.idle()
      await due.close()
      await pool.end()
    },
  }
}

function inItsOwnTime({ leads, sent }: ErasedLeads): Erasure {
  return { leads, sent, traces: 'until the server reuses the space' }
}

function rethrow(error: unknown): never {
  throw asStoreError(error)
}

function inStoreErrors(sql: ReturnType<typeof sqlOn>): ReturnType<typeof sqlOn> {
  return (text, parameters) => sql(text, parameters).catch(rethrow)
}
