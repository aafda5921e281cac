/** Connections to PostgreSQL: a pool that goes to whichever of the named hosts takes writes, and recovers by itself. */
import pg from 'pg'
import { isConnectionError, NotThePrimary } from './errors.ts'

/** Enough for the captures, the deliveries under way and a probe; the rest of the server's waits stay short in line. */
const POOL_SIZE = 12

/** A server that answers nothing within this time is gone: its connection is dropped, never cancelled (see errors.ts). */
export const QUERY_TIMEOUT_MS = 5000
const CONNECT_TIMEOUT_MS = 3000

/**
 * Several processors for one question would be taken from the captures. And a database that has just been filled or restored has
 * no statistics yet: it takes a day for a third of all leads, and reads through all of them where an index has the answer.
 */
const FOR_QUESTIONS = 'SET max_parallel_workers_per_gather = 0; SET jit = off; SET enable_seqscan = off'

export interface Connections {
  readonly pool: pg.Pool
  /** How many are named. */
  readonly hosts: number
  /** A connection outside the pool, to whichever host is there first. The caller ends it. */
  single(): Promise<pg.Client>
  /** By the database's clock, as last compared with it: ids are made here, and must fit the times made there. */
  now(): number
}

/** How far the database's clock is ahead of ours, and how its commits are kept. */
interface Greeting {
  readonly standby: boolean
  readonly now: string
  readonly commit: string
}

/** `giveUpAfterMs`: for questions alone. PostgreSQL itself ends what takes longer; a commit must never be ended so. */
export function connectTo(url: string, patienceMs = QUERY_TIMEOUT_MS, giveUpAfterMs = 0): Connections {
  const hosts = oneUrlPerHost(url)
  let host = 0
  let clockAhead = 0

  const settings = (): pg.ClientConfig => ({
    application_name: 'ssdi-advocate',
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    query_timeout: patienceMs,
    ...(giveUpAfterMs > 0 ? { statement_timeout: giveUpAfterMs } : {}),
    keepAlive: true,
    // A transaction that we lost sight of must not hold its locks for ever.
    idle_in_transaction_session_timeout: 30_000,
  })

  /** `pg` knows one host for all its clients: each new one goes to the host that worked last. */
  class HostClient extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      super({ ...config, connectionString: hosts[host] })
      // Whoever uses it is told by the failed query. Unheard, the event would end the process.
      this.on('error', () => {})
    }

    /** The pool passes a callback, we ourselves do not. */
    override connect(): Promise<this>
    override connect(callback: (error: Error | null) => void): void
    override connect(callback?: (error: Error | null) => void): Promise<this> | undefined {
      const tried = host
      const connecting = super.connect().catch(error => {
        passOver(tried)
        throw error
      })
      if (!callback) return connecting.then(() => this)
      connecting.then(() => callback(null), callback)
      return undefined
    }
  }

  function passOver(tried: number): void {
    if (host === tried) host = (tried + 1) % hosts.length
  }

  async function greet(client: pg.ClientBase): Promise<void> {
    const tried = host
    const sentAt = Date.now()
    const { rows } = await client.query<Greeting>(
      `SELECT pg_is_in_recovery() AS standby, floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint AS now,
         current_setting('synchronous_commit') AS commit`,
    )
    const [greeting] = rows
    if (!greeting || greeting.standby) {
      passOver(tried)
      throw new NotThePrimary()
    }
    clockAhead = Number(greeting.now) - (sentAt + Date.now()) / 2
    // What the server or the role is set to may be weaker than what we promise, never stronger than it allows.
    if (/^(off|local)$/.test(greeting.commit)) await client.query('SET synchronous_commit = on')
    if (giveUpAfterMs > 0) await client.query(FOR_QUESTIONS)
  }

  const pool = new pg.Pool({ ...settings(), Client: HostClient, max: POOL_SIZE, onConnect: greet })
  // An idle connection that breaks is replaced when the next one is needed.
  pool.on('error', () => {})

  return {
    pool,
    hosts: hosts.length,
    async single() {
      for (let tries = 1; ; tries++) {
        const client = new HostClient({ ...settings(), query_timeout: 0 })
        try {
          await client.connect()
          await greet(client)
          return client
        } catch (error) {
          void client.end()
          if (!isConnectionError(error) || tries >= hosts.length) throw error
        }
      }
    },
    now: () => Math.round(Date.now() + clockAhead),
  }
}

/** `postgres://user@one:5432,two:5432/leads` names a primary and its standbys: one address for each. */
export function oneUrlPerHost(url: string): readonly [string, ...string[]] {
  const [, before = '', hosts = '', after = ''] = /^(\w+:\/\/(?:[^@/]*@)?)([^/?]*)(.*)$/s.exec(url) ?? []
  const [first = '', ...others] = hosts.split(',').map(host => `${before}${host}${after}`)
  return [first, ...others]
}
