/** Transactions that are tried again when they collide, and that end well only when the commit was confirmed. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import type { Row, Sql } from '../sql.ts'
import { CommitNotConfirmed, isCollision, isConnectionError } from './errors.ts'

/** In milliseconds, by the database's clock: the replicas' clocks differ. */
export const NOW = 'floor(extract(epoch FROM clock_timestamp()) * 1000)::bigint'

/** The same transaction collides ten times in a row only when something else is wrong. */
const MOST_TRIES = 10

/**
 * A role or a pooler may turn synchronous commits off behind our back: each transaction sees to it itself. What is
 * stronger, such as waiting for a standby to apply it, stays. With any other isolation, a statement would not see what
 * was committed while an earlier one waited for its locks.
 */
const BEGIN = `BEGIN ISOLATION LEVEL READ COMMITTED; SELECT set_config('synchronous_commit', 'on', true)
  WHERE current_setting('synchronous_commit') IN ('off', 'local')`

export function sqlOn(client: Pick<pg.ClientBase, 'query'>): Sql {
  return async (text, parameters = []) => (await client.query<Row>(text, [...parameters])).rows
}

export async function transact<T>(pool: pg.Pool, change: (sql: Sql) => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries++) {
    try {
      return await once(pool, change)
    } catch (error) {
      if (!isCollision(error) || tries === MOST_TRIES) throw error
    }
  }
}

const PAUSE_MS = 100

/**
 * For captures, with a visitor waiting: also tries again when the connection breaks, until the time is up. Whether a commit
 * that was under way then happened is not known, so `attempt` tells the change that it may have.
 */
export async function transactPatiently<T>(
  pool: pg.Pool,
  patienceMs: number,
  change: (sql: Sql, attempt: number) => Promise<T>,
): Promise<T> {
  const giveUpAt = performance.now() + patienceMs
  for (let attempt = 1; ; attempt++) {
    try {
      return await once(pool, sql => change(sql, attempt))
    } catch (error) {
      if (!(isConnectionError(error) || isCollision(error)) || performance.now() >= giveUpAt) throw error
      await sleep(PAUSE_MS)
    }
  }
}

async function once<T>(pool: pg.Pool, change: (sql: Sql) => Promise<T>): Promise<T> {
  return withConnection(pool, async client => {
    await client.query(BEGIN)
    const result = await change(sqlOn(client))
    await commit(client)
    return result
  })
}

export async function withConnection<T>(pool: pg.Pool, work: (client: pg.ClientBase) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    const result = await work(client)
    client.release()
    return result
  } catch (error) {
    // Whatever state the connection is in, the server rolls back when it ends, and nothing waits for that.
    client.release(true)
    throw error
  }
}

/**
 * When the wait for a synchronous standby is broken off, PostgreSQL answers with success and a warning. So whatever
 * warning comes with a commit counts as a commit that is not confirmed.
 */
async function commit(client: pg.ClientBase): Promise<void> {
  let warned = false
  const onNotice = (notice: { readonly severity?: string | undefined }) => {
    warned ||= notice.severity === 'WARNING'
  }
  client.on('notice', onNotice)
  try {
    await client.query('COMMIT')
  } finally {
    client.off('notice', onNotice)
  }
  if (warned) throw new CommitNotConfirmed()
}
