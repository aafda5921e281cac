/** The texts that visitors agreed to, kept once per version for good, and the question whether a version is one of ours. */
import { createHash } from 'node:crypto'
import type { Database } from './database.ts'

/** The version of a consent is the hash of what was presented. */
export function consentVersionOf(presented: string): string {
  return createHash('sha256').update(presented).digest('hex')
}

/** Stores a text once, and returns its version. */
export async function rememberConsent(database: Database, presented: string, now: number): Promise<string> {
  const version = consentVersionOf(presented)
  await database.write(sql =>
    sql(
      `INSERT INTO consents (version, presented, first_seen_at) VALUES ($1, $2, $3)
       ON CONFLICT (version) DO NOTHING`,
      [version, presented, now],
    ),
  )
  return version
}

/** True for the version of a text that was shown to visitors, the current one or an old one. */
export type KnowsConsent = (version: string) => Promise<boolean>

export async function hasConsent(database: Database, version: string): Promise<boolean> {
  const rows = await database.read(sql => sql('SELECT version FROM consents WHERE version = $1', [version]))
  return rows.length > 0
}

/**
 * Known versions are kept in memory; what is not among them is looked up, since another process may have stored it after
 * this one started. A page from before a deploy thus gets through, and one from another server during it as well.
 */
export function createKnowsConsent(lookUp: KnowsConsent): KnowsConsent {
  const known = new Set<string>()
  return async version => {
    if (known.has(version)) return true
    if (!/^[0-9a-f]{64}$/.test(version) || !(await lookUp(version))) return false
    known.add(version)
    return true
  }
}
