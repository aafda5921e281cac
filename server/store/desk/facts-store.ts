/** What the desk tells of the store itself. Part of the store's operations. */
import { number } from '../rows.ts'
import type { SqlPort } from '../sql.ts'

export interface DeskFactsStore {
  /** How much the store takes up, as its engine counts it. */
  storeBytes(): Promise<number>
  /** Writes down that a copy of the whole store was made just now. */
  recordBackup(copy: { readonly leads: number }): Promise<void>
  lastBackup(): Promise<BackupMade | null>
}

export interface BackupMade {
  readonly madeAt: number
  readonly leads: number
}

export function createFacts({ read, transact, now, dialect }: SqlPort): DeskFactsStore {
  return {
    async storeBytes() {
      const [row] = await read(dialect.storeBytes)
      return number(row, 'bytes')
    },
    async recordBackup({ leads }) {
      const at = await now()
      await transact(sql =>
        sql(
          `INSERT INTO last_backup (id, made_at, leads) VALUES (1, $1, $2)
           ON CONFLICT (id) DO UPDATE SET made_at = excluded.made_at, leads = excluded.leads`,
          [at, leads],
        ),
      )
    },
    async lastBackup() {
      const [row] = await read('SELECT made_at, leads FROM last_backup')
      return row ? { madeAt: number(row, 'made_at'), leads: number(row, 'leads') } : null
    },
  }
}
