/** The audit trail of what left the store: who exported or listed leads. */
import { randomUUID } from 'node:crypto'
import { insert, type SqlPort } from '../sql.ts'

export interface StoredExport {
  readonly at: number
  readonly by: string
  readonly format: string
  /** The filter as JSON, without the search text: that's personal data, and an erasure wouldn't find it here. */
  readonly filter: string
  /** Null if the leads weren't counted. */
  readonly leads: number | null
}

/** `at`: when the person last viewed a list that day. */
export type StoredListView = Pick<StoredExport, 'at' | 'by'> & { readonly leads: number }

const LIST_VIEW = 'list'

export function createExports({ read, transact }: SqlPort) {
  /** Newest first. */
  const recent =
    <R extends object>(comparison: '=' | '<>') =>
    (limit: number) =>
      read<R>(
        `SELECT exported_at AS "at", exported_by AS "by", format, filter, leads FROM exports
         WHERE format ${comparison} '${LIST_VIEW}' ORDER BY exported_at DESC, id LIMIT $1`,
        [limit],
      )
  return {
    /** One row per export. A row per exported lead would add hundreds of thousands of rows that no one reads. */
    async recordExport({ by, format, filter, leads }: Omit<StoredExport, 'at'>) {
      const row = { id: randomUUID(), exportedBy: by, format, filter, leads }
      await transact(tx => insert(tx, 'exports', { ...row, exportedAt: tx.at }))
    },
    recentExports: recent<StoredExport>('<>'),
    /** Counts the phone numbers someone saw in lists that day. One row per person per day, in the exports table. */
    async recordListView({ by, day, leads }: { readonly by: string; readonly day: string; readonly leads: number }) {
      const row = { id: `${LIST_VIEW} ${day} ${by}`, exportedBy: by, format: LIST_VIEW, filter: '{}', leads }
      const then = `ON CONFLICT (id) DO UPDATE SET exported_at = excluded.exported_at, leads = exports.leads + excluded.leads`
      await transact(tx => insert(tx, 'exports', { ...row, exportedAt: tx.at }, then))
    },
    recentListViews: recent<StoredListView>('='),
  }
}
