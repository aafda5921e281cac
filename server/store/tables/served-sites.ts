/** Which site each server shows, because with several servers, each publishes for itself. */
import { HOUR, MINUTE } from '../../../domain/durations.ts'
import { insert, type SqlPort } from '../sql.ts'

/** Long enough for each server to fetch an edit and publish it. */
const LATE_MS = 10 * MINUTE
const FORGOTTEN_MS = HOUR

export interface ServedSite {
  /** The server: its hostname and port. */
  readonly source: string
  /** A hash of the words, the settings, and the release. */
  readonly site: string
  readonly publishedAt: number
}

export function createServedSites({ read, transact, now }: SqlPort) {
  return {
    /** Call this every minute. */
    recordServedSite: (served: ServedSite) =>
      transact(async tx => {
        // A time in the future is from before the clock was set back.
        const forgotten = 'DELETE FROM served_sites WHERE source <> $1 AND (seen_at < $2 OR seen_at > $3)'
        await tx(forgotten, [served.source, tx.at - FORGOTTEN_MS, tx.at + FORGOTTEN_MS])
        await insert(
          tx,
          'served_sites',
          { ...served, seenAt: tx.at },
          'ON CONFLICT (source) DO UPDATE SET site = excluded.site, published_at = excluded.published_at, seen_at = excluded.seen_at',
        )
      }),
    /** The servers that still show an older site than another one has for a while. */
    async serversBehind(): Promise<readonly ServedSite[]> {
      const [at, all] = await Promise.all([
        now(),
        read<ServedSite>('SELECT source, site, published_at FROM served_sites ORDER BY published_at DESC, source'),
      ])
      const [newest] = all
      if (!newest || newest.publishedAt > at - LATE_MS) return []
      return all.filter(({ site }) => site !== newest.site)
    },
  }
}
