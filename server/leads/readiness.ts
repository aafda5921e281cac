/** Whether the database takes writes, found out by writing. */
import { type Database, DatabaseUnavailable } from './database.ts'

/** Probes may come often, and each look costs a trip to the disk: one answer serves for a while. */
const LASTS_MS = 2000

export function createReadiness(database: Database, now: () => number = Date.now): () => Promise<boolean> {
  let lookedAt = Number.NEGATIVE_INFINITY
  let answer = Promise.resolve(false)
  return () => {
    if (now() - lookedAt >= LASTS_MS) {
      lookedAt = now()
      answer = takesWrites(database, lookedAt)
    }
    return answer
  }
}

async function takesWrites(database: Database, at: number): Promise<boolean> {
  try {
    await database.write(sql =>
      sql('INSERT INTO readiness (id, written_at) VALUES (1, $1) ON CONFLICT (id) DO UPDATE SET written_at = $1', [at]),
    )
    return true
  } catch (error) {
    if (error instanceof DatabaseUnavailable) return false
    throw error
  }
}
