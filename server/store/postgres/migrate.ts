/** Brings the tables up to date. Any number of replicas may start at once: one does the work, the others wait for it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { OLDEST_VERSION, STORE_VERSION, TOO_OLD, upgradesFrom } from '../migrations/upgrades.ts'
import { schema } from '../schema.ts'
import { postgresWords } from '../schema-words.ts'
import { StoreUnavailable, StoreUnusable } from '../store-errors.ts'
import { createSearchIndex } from './search-index.ts'

/** Two numbers that nobody else in the database is likely to lock. */
const LOCK = '833243, 2965'
const LOCK_POLL_MS = 100
const LOCK_PATIENCE_MS = 60_000

/** A table that others are using is waited for this long; then the start fails, rather than everybody who stands in line. */
const TABLE_PATIENCE_MS = 10_000

/** True when the store was made by this call. */
export async function migrate(client: pg.ClientBase): Promise<boolean> {
  await lock(client)
  try {
    await client.query(`SET lock_timeout = ${TABLE_PATIENCE_MS}`)
    const version = await versionOf(client)
    if (version < STORE_VERSION) await upgrade(client, version)
    return version === 0
  } finally {
    // When the connection is gone, so is its lock.
    await client.query(`SELECT pg_advisory_unlock(${LOCK})`).catch(() => {})
  }
}

/** Asked again and again: a session that waits inside the lock would hold up an index that is built concurrently. */
async function lock(client: pg.ClientBase): Promise<void> {
  const giveUpAt = performance.now() + LOCK_PATIENCE_MS
  for (;;) {
    const { rows } = await client.query<{ locked: boolean }>(`SELECT pg_try_advisory_lock(${LOCK}) AS locked`)
    if (rows[0]?.locked) return
    if (performance.now() >= giveUpAt) {
      throw new StoreUnavailable('another server has been bringing the database up to date for a minute.')
    }
    await sleep(LOCK_POLL_MS)
  }
}

async function upgrade(client: pg.ClientBase, from: number): Promise<void> {
  const steps = from === 0 ? [{ to: STORE_VERSION, sql: schema(postgresWords) }] : upgradesFrom(from, postgresWords)
  await client.query('BEGIN')
  try {
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (step INTEGER PRIMARY KEY, breaking BOOLEAN NOT NULL, taken_at TIMESTAMPTZ NOT NULL)',
    )
    for (const { to, sql } of steps) {
      await client.query(sql)
      // Breaking: a server of before that is started again refuses the store.
      await client.query('INSERT INTO migrations VALUES ($1, true, now())', [to])
    }
    await createSearchIndex(client)
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/** 0 where there is no store yet. */
async function versionOf(client: pg.ClientBase): Promise<number> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('migrations') IS NOT NULL AS there`,
  )
  if (!found[0]?.there) return 0
  const { rows } = await client.query<{ version: number; breaking: number }>(
    `SELECT COALESCE(MAX(step), 0) AS version, COALESCE(MAX(step) FILTER (WHERE breaking), 0) AS breaking FROM migrations`,
  )
  const { version = 0, breaking = 0 } = rows[0] ?? {}
  // Newer steps that are not breaking are fine: during a rolling upgrade, old replicas go on beside new ones.
  if (breaking > STORE_VERSION) {
    throw new StoreUnusable(
      `The database was upgraded by a newer version of this program (${breaking}; this one knows ${STORE_VERSION}). Install that version.`,
    )
  }
  if (version !== 0 && version < OLDEST_VERSION)
    throw new StoreUnusable(`The store in the database is older than 0.5.3. ${TOO_OLD}`)
  return version
}

export async function verifyVersion(client: pg.ClientBase): Promise<void> {
  const version = await versionOf(client)
  if (version === 0) throw new StoreUnusable('There is no store in the database that DATABASE_URL names yet.')
  if (version < STORE_VERSION) {
    throw new StoreUnusable('The store has an older version. Start the server once to upgrade it.')
  }
}
