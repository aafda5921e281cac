/** A process that opens stores when it is told to, writes its name into them, and says how it went. */
import { openSqliteDatabase } from '../../server/leads/sqlite-database.ts'

export interface Opening {
  readonly file: string
  /** In milliseconds since the epoch: the same moment for several processes. */
  readonly at: number
  readonly name: string
}

process.on('message', async ({ file, at, name }: Opening) => {
  // A timer would be late by another bit in each process.
  while (Date.now() < at);
  try {
    const database = openSqliteDatabase(file)
    await database.write(sql => sql('INSERT INTO consents VALUES ($1, $2, $3)', [name, 'I agree', at]))
    await database.close()
    process.send?.('opened')
  } catch (error) {
    process.send?.(String(error))
  }
})
process.send?.('ready')
