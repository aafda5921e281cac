/** Creates or upgrades the tables. If multiple replicas start at once, one does the work and the others wait. */
import pg from 'pg'
import { postgresDdl, STORE_VERSION, schema } from '../schema.ts'
import { StoreUnusable, UpgradeWaits } from '../store-errors.ts'
import { upgradesFrom, verifyCurrent, verifyKnown } from '../upgrade.ts'
import type { UsedSettings } from '../upgrades/used-settings.ts'
import { APPLICATION } from './connections.ts'

/** PostgreSQL's code for `lock_timeout`. */
const LOCK_TIMEOUT = '55P03'

/** Two numbers that nothing else in the database is likely to use for a lock. */
const LOCK = '833243, 2965'

/**
 * Returns true if it created the store. Runs in one transaction, which releases the lock when it ends. Waits up to a minute for
 * another server's upgrade, but only ten seconds for a table in use, because every query queued behind us would wait too.
 */
export async function migrate(client: pg.ClientBase, settings: UsedSettings, onUpgrade = () => {}): Promise<boolean> {
  await client.query(`BEGIN ISOLATION LEVEL READ COMMITTED; SET LOCAL lock_timeout = '60s'`)
  await client.query(`SELECT pg_advisory_xact_lock(${LOCK})`).catch(error => {
    throw error.code === LOCK_TIMEOUT ? new UpgradeWaits('another server is upgrading the store.') : error
  })
  await client.query(`SET LOCAL lock_timeout = '10s'`)
  const version = await versionOf(client)
  if (version < STORE_VERSION) await createOrUpgrade(client, version, settings, onUpgrade)
  await client.query('COMMIT')
  return version === 0
}

async function createOrUpgrade(
  client: pg.ClientBase,
  from: number,
  settings: UsedSettings,
  onUpgrade: () => void,
): Promise<void> {
  if (from === 0) {
    await client.query(
      `CREATE TABLE migrations (step INTEGER PRIMARY KEY, breaking BOOLEAN NOT NULL, taken_at TIMESTAMPTZ NOT NULL);
       ${Object.values(schema(postgresDdl)).join('')}`,
    )
  } else {
    await verifyNoneConnected(client, `application_name <> '${APPLICATION}/${STORE_VERSION}'`, OLDER_CONNECTED)
    onUpgrade()
    for (const upgrade of upgradesFrom(from, postgresDdl, settings)) await client.query(upgrade)
  }
  // Through 0.7.0, servers start with a newer store unless a step is marked as breaking.
  await client.query('INSERT INTO migrations VALUES ($1, true, now())', [STORE_VERSION])
  await createSearchIndexes(client)
}

/** Creates the trigram index for search. If our role isn't allowed to, an administrator can. Without the index, search reads every lead. */
export const SEARCH_INDEX = [
  'CREATE EXTENSION IF NOT EXISTS pg_trgm',
  'CREATE INDEX IF NOT EXISTS leads_search ON leads USING gin (search_text gin_trgm_ops)',
] as const

/** Not permitted, not installed (the code varies by version and distribution), or in a schema that's not on the search path. */
const CANNOT_CREATE = new Set(['42501', '0A000', '58P01', '42704'])

/** For words shorter than a trigram. This index is a tenth the size of the table. */
const SHORT_SEARCH_INDEX = 'CREATE INDEX IF NOT EXISTS leads_short_search ON leads (id) INCLUDE (search_text)'

async function createSearchIndexes(client: pg.ClientBase): Promise<void> {
  await client.query(SHORT_SEARCH_INDEX)
  await client.query('SAVEPOINT search_index')
  try {
    for (const statement of SEARCH_INDEX) await client.query(statement)
  } catch (error) {
    if (!(error instanceof pg.DatabaseError && CANNOT_CREATE.has(error.code ?? ''))) throw error
    await client.query('ROLLBACK TO SAVEPOINT search_index')
  }
}

const PLACE = 'The store in the DATABASE_URL database'

/** 0 if there is no store yet. */
async function versionOf(client: pg.ClientBase): Promise<number> {
  const { rows: found } = await client.query<{ there: boolean }>(
    `SELECT to_regclass('migrations') IS NOT NULL AS there`,
  )
  if (!found[0]?.there) return 0
  const { rows } = await client.query<{ version: number | null }>('SELECT MAX(step) AS version FROM migrations')
  const version = rows[0]?.version ?? 0
  verifyKnown(version, PLACE)
  return version
}

const OLDER_CONNECTED =
  'servers or desks of an older version are connected to the database, and they can’t use it once it’s upgraded. Stop them on every machine; the upgrade starts by itself'
const OTHERS_CONNECTED = 'a server, a desk, or another program has the store open. Stop it first'

/**
 * Refuses while other programs of ours are connected. Can't see those of another role, or all of those behind a pooler, so an
 * upgrade must also drop a table that the older version needs to store a lead.
 */
async function verifyNoneConnected(client: pg.ClientBase, which: string, problem: string): Promise<void> {
  const { rows } = await client.query<{ address: string; connections: number }>(
    `SELECT COALESCE(host(client_addr), 'this machine') AS address, COUNT(*) AS connections FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND application_name LIKE '${APPLICATION}%' AND ${which}
     GROUP BY 1 ORDER BY 1`,
  )
  if (rows.length === 0) return
  const found = rows.map(({ address, connections }) => `${connections} from ${address}`).join(', ')
  throw new UpgradeWaits(`${problem}. Connections: ${found}.`)
}

/** For `restore`, which ends everyone's access. */
export const verifyUnused = (client: pg.ClientBase): Promise<void> =>
  verifyNoneConnected(client, 'true', OTHERS_CONNECTED)

export async function verifyVersion(client: pg.ClientBase): Promise<void> {
  verifyCurrent(await existingVersion(client), PLACE)
}

/** For `restore`: the backup may be from an older version. Never creates a store. */
export async function upgradeExisting(client: pg.ClientBase, settings: UsedSettings): Promise<void> {
  await existingVersion(client)
  await verifyUnused(client)
  await migrate(client, settings)
}

async function existingVersion(client: pg.ClientBase): Promise<number> {
  const version = await versionOf(client)
  if (version === 0) throw new StoreUnusable('There is no store in the DATABASE_URL database yet.')
  return version
}
