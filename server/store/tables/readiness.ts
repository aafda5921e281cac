/** The row that health checks write. */
import { insert, type Tx } from '../sql.ts'

export const writeReadiness = (tx: Tx) =>
  insert(
    tx,
    'readiness',
    { id: 1, writtenAt: tx.at },
    'ON CONFLICT (id) DO UPDATE SET written_at = excluded.written_at',
  )
