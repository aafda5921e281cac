/** Whether the database takes writes, found out by writing. */
import { type Database, DatabaseUnavailable } from './database.ts'

/** Probes may come often, and each look costs a trip to the disk: one answer serves for a while. */
const LASTS_MS = 2000

export function createReadiness(database: Database): () => Promise<boolean> {
  // By a clock that never goes back: when the machine's is set back, an old answer would serve for just as long.
  const now = () => performance.now()
  let lookedAt = Number.NEGATIVE_INFINITY
  let answer = Promise.resolve(false)
  return () => {
    if (now() - lookedAt >= LASTS_MS) {
      lookedAt = now()
      answer = takesWrites(database, Date.now())
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
