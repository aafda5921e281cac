/**
 * PostgreSQL connections and transactions. The pool connects to the host that accepts writes and reconnects after an
 * outage. Transactions are retried after a collision and succeed only if the commit is confirmed.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { STORE_VERSION } from '../schema.ts'
import { inTransaction, type Parameter, rowsFrom, type Sql, type Tx } from '../sql.ts'
import { StoreUnavailable } from '../store-errors.ts'
import { dialect } from './dialect.ts'
import { IS_STANDBY, isCollision, isConnectionError } from './errors.ts'

/** Enough for captures, deliveries in flight, and a health check. */
const POOL_SIZE = 12

/** Connections are named after the program and its store version, so an upgrade can see the older ones. Through 0.7.0: no version. */
export const APPLICATION = 'ssdi-advocate'

/** Query timeout. We drop the connection instead of canceling, because a canceled commit would succeed without its standby. */
export const QUERY_TIMEOUT_MS = 5000

/** Otherwise, a transaction whose connection we lost would hold its locks forever. Set here, because PgBouncer refuses it at startup. */
const SESSION_SETTINGS = `SET idle_in_transaction_session_timeout = '30s'`
const NO_LIMIT = 0

/**
 * Parallel workers would take CPU time from captures. And a newly filled or restored database has no statistics yet, so its
 * planner expects a single day to hold a third of all leads and scans the table instead of using an index.
 */
const READER_SETTINGS = 'SET max_parallel_workers_per_gather = 0; SET jit = off; SET enable_seqscan = off'

export type Connections = ReturnType<typeof connectTo>

/** The database clock, in milliseconds, because the replicas' clocks differ. */
export const NOW = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/** bigint and numeric, the types of counts and sums. Without this, `pg` returns them as strings. */
const NUMBER_TYPES = new Set([20, 1700])
const types: pg.CustomTypesConfig = {
  getTypeParser: ((oid: number, format?: 'text') =>
    NUMBER_TYPES.has(oid) ? Number : pg.types.getTypeParser(oid, format)) as typeof pg.types.getTypeParser,
}

/** Longer than ours, which drops the connection: without it, the statement would go on in the database. Commits aren't affected. */
const STATEMENT_TIMEOUT_FACTOR = 1.2

/** `statementTimeoutMs`: for readers. PostgreSQL cancels queries that take longer, before we drop the connection. */
export function connectTo(url: string, timeoutMs = QUERY_TIMEOUT_MS, statementTimeoutMs = 0) {
  const hosts = oneUrlPerHost(url)
  let host = 0
  let clockAhead = 0

  const settings: pg.ClientConfig = {
    application_name: `${APPLICATION}/${STORE_VERSION}`,
    types,
    connectionTimeoutMillis: timeoutMs,
    query_timeout: timeoutMs,
    keepAlive: true,
  }

  /** `pg` supports only one host per pool, so each new client connects to the last host that worked. */
  class HostClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: hosts[host] })
      // The failed query reports the error. Without a listener, the event would crash the process.
      this.on('error', () => {})
    }

    /** The pool passes a callback; our own calls don't. */
    override connect(): Promise<this>
    override connect(callback: (error: Error | null) => void): void
    override connect(callback?: (error: Error | null) => void): Promise<this> | undefined {
      const tried = host
      const connecting = super.connect().catch(error => {
        skipHost(tried)
        throw error
      })
      if (!callback) return connecting.then(() => this)
      connecting.then(() => callback(null), callback)
      return undefined
    }
  }

  function skipHost(tried: number): void {
    if (host === tried) host = (tried + 1) % hosts.length
  }

  async function checkHost(client: pg.ClientBase, limitMs: number): Promise<void> {
    const tried = host
    await client.query(`${SESSION_SETTINGS}; SET statement_timeout = ${Math.round(limitMs)}`)
    const sentAt = Date.now()
    const { rows } = await client.query<{ standby: boolean; now: number }>(
      `SELECT pg_is_in_recovery() AS standby, ${NOW} AS now`,
    )
    const [row] = rows
    if (!row || row.standby) {
      skipHost(tried)
      throw new StoreUnavailable(IS_STANDBY)
    }
    clockAhead = leastDifference(row.now - Date.now(), row.now - sentAt)
    if (statementTimeoutMs > 0) await client.query(READER_SETTINGS)
  }

  const limitMs = statementTimeoutMs || timeoutMs * STATEMENT_TIMEOUT_FACTOR
  const onConnect = (client: pg.ClientBase) => checkHost(client, limitMs)
  const pool = new pg.Pool({ ...settings, Client: HostClient, max: POOL_SIZE, onConnect })
  // An idle connection that breaks is replaced when the next one is needed.
  pool.on('error', () => {})

  return {
    pool,
    /** Uses a connection outside the pool, without a timeout, to the first host that accepts writes. */
    async single<T>(work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
      for (let tries = 1; ; tries++) {
        const client = new HostClient({ ...settings, query_timeout: 0 })
        let connected = false
        try {
          await client.connect()
          await checkHost(client, NO_LIMIT)
          connected = true
          return await work(client)
        } catch (error) {
          if (connected || !isConnectionError(error) || tries >= hosts.length) throw error
        } finally {
          await client.end().catch(() => {})
        }
      }
    },
    /** The database clock, estimated from the last comparison. IDs we create must match timestamps that the database creates. */
    now: () => Math.round(Date.now() + clockAhead),
  }
}

/**
 * Of the differences that the clocks may have, the smallest: hosts that are synchronized have none. Half of a slow answer's time would
 * put leads ahead of the database's clock by chance, after what follows them.
 */
const leastDifference = (least: number, most: number) => Math.min(Math.max(0, least), most)

/** `postgres://user@one:5432,two:5432/leads` lists a primary and its standbys. Returns one URL for each. */
function oneUrlPerHost(url: string): readonly [string, ...string[]] {
  const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^/?]*@)?)([^/?]*)(.*)$/s.exec(url) ?? []
  const [first = '', ...others] = hosts.split(',').map(host => `${before}${host}${after}`)
  return [first, ...others]
}

/** Ten collisions in a row mean that something else is wrong. */
const MAX_TRIES = 10
const PAUSE_MS = 100

/**
 * A role or a pooler may turn synchronous commits off, so each transaction turns them on. Stronger settings, such as waiting for a
 * standby to apply the commit, are kept. At any other isolation level, a statement wouldn't see changes committed while an
 * earlier one waited for its locks.
 */
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SELECT set_config('synchronous_commit', 'on', true)
  WHERE current_setting('synchronous_commit') IN ('off', 'local'); SELECT ${NOW} AS now`

/** The driver takes lists as they are. */
export const bind = (parameters: readonly Parameter[]) =>
  parameters.map(value => (Array.isArray(value) && typeof value[0] === 'object' ? JSON.stringify(value) : value))

export function sqlOn(client: Pick<pg.ClientBase, 'query'>): Sql {
  const sql = async <R>(text: string, parameters: readonly Parameter[] = []) => {
    const { fields, rows } = await client.query<unknown[]>({ text, values: bind(parameters), rowMode: 'array' })
    return rowsFrom<R>(
      fields.map(({ name }) => name),
      rows,
    )
  }
  return Object.assign(sql, { dialect })
}

/**
 * Finding what an earlier attempt stored isn't enough: with a standby, its commit may not have been replicated yet. So we write
 * something, because our own commit waits for all earlier ones.
 */
const WAIT_FOR_EARLIER =
  'INSERT INTO readiness VALUES (1, 0) ON CONFLICT (id) DO UPDATE SET written_at = readiness.written_at'

/** With `timeoutMs`, because a visitor is waiting, also retries if the connection breaks. Then, an earlier `attempt` may have been committed. */
export async function transact<T>(
  pool: pg.Pool,
  change: (tx: Tx, attempt: number) => Promise<T>,
  timeoutMs = 0,
): Promise<T> {
  const deadline = performance.now() + timeoutMs
  let mayBeStored = false
  for (let attempt = 1; ; attempt++) {
    try {
      return await transactOnce(pool, async tx => {
        if (mayBeStored) await tx(WAIT_FOR_EARLIER)
        return change(tx, attempt)
      })
    } catch (error) {
      const inTime = performance.now() < deadline
      if (isCollision(error) ? attempt >= MAX_TRIES && !inTime : !(isConnectionError(error) && inTime)) throw error
      mayBeStored ||= isConnectionError(error)
      if (inTime) await sleep(PAUSE_MS)
    }
  }
}

async function transactOnce<T>(pool: pg.Pool, change: (tx: Tx) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    // Multiple statements in one query return a list of results.
    const results = (await client.query(BEGIN)) as unknown as readonly pg.QueryResult<{ now: number }>[]
    const result = await change(inTransaction(sqlOn(client), results.at(-1)?.rows[0]?.now ?? Date.now()))
    await commit(client)
    client.release()
    return result
  } catch (error) {
    // Just close the connection. The server rolls back no matter what state the transaction is in, and we don't have to wait.
    client.release(true)
    throw error
  }
}

/** The code of a notice that isn't a warning. */
const SUCCESS = '00000'

/**
 * If the wait for a synchronous standby is interrupted, PostgreSQL reports success with a warning. So a commit with any warning
 * counts as unconfirmed.
 */
async function commit(client: pg.ClientBase): Promise<void> {
  let warned = false
  const onNotice = ({ code }: { readonly code?: string | undefined }) => {
    // The severity is in the database's language.
    warned ||= code !== SUCCESS
  }
  client.on('notice', onNotice)
  try {
    await client.query('COMMIT')
  } finally {
    client.off('notice', onNotice)
  }
  if (warned) throw new StoreUnavailable('the database’s standby isn’t confirming commits.')
}
