/** Brings the tables up to date. Any number of replicas may start at once: one does the work, the others wait for it. */
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Migration, migrations } from '../migrations/steps.ts'
import { StoreUnavailable, StoreUnusable } from '../store-errors.ts'

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
    const taken = await stepsTaken(client)
    if (taken < migrations.length) await takeSteps(client, taken)
    return taken === 0
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

async function takeSteps(client: pg.ClientBase, taken: number): Promise<void> {
  await client.query('BEGIN')
  try {
    await client.query(
      'CREATE TABLE IF NOT EXISTS migrations (step INTEGER PRIMARY KEY, breaking BOOLEAN NOT NULL, taken_at TIMESTAMPTZ NOT NULL)',
    )
    for (const [index, migration] of migrations.entries()) {
      if (index < taken) continue
      await client.query(forPostgres(migration))
      await client.query('INSERT INTO migrations VALUES ($1, $2, now())', [index + 1, migration.breaking ?? false])
    }
    await client.query('COMMIT')
  } catch (error) {
    await client.query('ROLLBACK').catch(() => {})
    throw error
  }
}

/**
 * How many steps the database has taken. More than this program knows are fine as long as it can live with them: during an
 * upgrade, old replicas go on beside new ones.
 */
async function stepsTaken(client: pg.ClientBase): Promise<number> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('migrations') IS NOT NULL AS there`,
  )
  if (!found[0]?.there) return 0
  const { rows } = await client.query<{ step: number; breaking: boolean }>('SELECT step, breaking FROM migrations')
  const beyond = rows.find(({ step, breaking }) => breaking && step > migrations.length)
  if (beyond) {
    throw new StoreUnusable(
      `The database was changed by a newer version of this program (step ${beyond.step}; this one knows ${migrations.length}). Install that version.`,
    )
  }
  return rows.length
}

export async function verifyVersion(client: pg.ClientBase): Promise<void> {
  const taken = await stepsTaken(client)
  if (taken === 0) throw new StoreUnusable('There is no store in the database that DATABASE_URL names yet.')
  if (taken < migrations.length) {
    throw new StoreUnusable('The store is of an older version. Start the server once to bring it up to date.')
  }
}

/** Texts are compared byte by byte, as ids and keys must be and as SQLite does, whatever language the database speaks. */
function forPostgres({ sql, postgres }: Migration): string {
  return (postgres ?? sql).replaceAll(/\bTEXT\b/g, 'TEXT COLLATE "C"')
}
