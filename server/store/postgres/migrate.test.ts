/** An upgrade of a PostgreSQL store beside servers of the previous version. */
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { rowsOf, runOn } from '../../../tests/support/postgres-server.ts'
import { databaseWithStore } from '../../../tests/support/shared-postgres.ts'
import { STORE_VERSION } from '../schema.ts'
import { UpgradeWaits } from '../store-errors.ts'
import { VERSION_OF_0_7_0 } from '../upgrade.ts'
import { openPostgresStore } from './postgres-store.ts'

test('a store isn’t upgraded while an older version is connected; the same version is no obstacle', async () => {
  const database = await databaseWithStore()
  onTestFinished(database.remove)
  await runOn(database.url, `UPDATE migrations SET step = ${VERSION_OF_0_7_0}`)
  const connect = async (application_name: string) => {
    const client = new pg.Client({ connectionString: database.url, application_name })
    await client.connect()
    return () => client.end()
  }
  const endOlder = await connect('ssdi-advocate')
  const endSame = await connect(`ssdi-advocate/${STORE_VERSION}`)
  onTestFinished(endSame)
  let upgrades = 0
  const open = () => openPostgresStore(database.url, { onUpgrade: () => upgrades++ }).catch((error: unknown) => error)
  const refusal = await open()
  expect(refusal).toBeInstanceOf(UpgradeWaits)
  expect(refusal).toMatchObject({
    message: expect.stringContaining(
      'Stop them on every machine; the upgrade starts by itself. Connections: 1 from 127',
    ),
  })
  expect(upgrades).toBe(0)
  await endOlder()
  // The upgrade itself fails, because this store already has the newest tables.
  expect(await open()).not.toMatchObject({ name: 'StoreUnavailable' })
  expect(upgrades).toBe(1)
})

test('a 0.7.0 server beside an upgraded store can’t store a lead, so it acknowledges none', async () => {
  const database = await databaseWithStore()
  onTestFinished(database.remove)
  // 0.7.0 reads one and writes the other for each lead.
  const found = `SELECT to_regclass('suppressions') AS list, to_regclass('deliveries') AS outbox`
  expect(await rowsOf(database.url, found)).toEqual([{ list: null, outbox: null }])
})
