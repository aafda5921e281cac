/** The store of the running server, opened for as long as a command works with it. */
import type { Database } from '../server/leads/database.ts'
import { openSqliteDatabase } from '../server/leads/sqlite-database.ts'
import { storeFile } from '../server/leads/store-file.ts'
import type { Surroundings } from './surroundings.ts'

export async function withStore<T>(
  { readConfig, busyTimeoutMs }: Surroundings,
  access: 'read' | 'write',
  work: (database: Database) => Promise<T>,
): Promise<T> {
  const database = openSqliteDatabase(storeFile(readConfig().dataDir), {
    ...(access === 'read' ? { readOnly: true } : { joining: true }),
    ...(busyTimeoutMs === undefined ? {} : { busyTimeoutMs }),
  })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}
