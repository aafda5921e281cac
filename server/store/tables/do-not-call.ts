/** The entries of the do-not-call list, and the numbers that emails among them stop. Why an entry is there: do-not-call-history.ts. */
import type { StandingRequest } from '../facts/do-not-call/requests.ts'
import type { StoppedNumber } from '../facts/do-not-call/stops.ts'
import { insert, insertAll, type Row, type Tx } from '../sql.ts'

/** `n`: the request in its history that the entry stands for. */
interface NewEntry extends Row {
  readonly contact: string
  readonly n: number
  readonly addedAt: number
  readonly source: string | null
  readonly requestId: string | null
}

export const addEntries = (tx: Tx, entries: readonly NewEntry[]) => insertAll(tx, 'do_not_call', entries)

/** This request is now what the entry stands for. */
export const standFor = (tx: Tx, { entry, n, at, source, requestId }: StandingRequest) =>
  tx('UPDATE do_not_call SET n = $2, added_at = $3, source = $4, request_id = $5 WHERE contact = $1', [
    entry,
    n,
    at,
    source,
    requestId,
  ])

/** Returns the numbers that emails among them stopped. */
export async function deleteEntries(tx: Tx, entries: readonly string[]): Promise<readonly string[]> {
  await tx('DELETE FROM do_not_call WHERE contact = ANY($1)', [entries])
  const stopped = 'DELETE FROM stopped_numbers WHERE email = ANY($1) RETURNING phone'
  return (await tx<{ phone: string }>(stopped, [entries])).map(({ phone }) => phone)
}

/** Returns those that these emails didn't stop before. */
export async function stopNumbers(tx: Tx, numbers: readonly StoppedNumber[]): Promise<readonly string[]> {
  const stopped: string[] = []
  for (const { phone, email } of numbers) {
    const added = await insert(tx, 'stopped_numbers', { phone, email }, 'ON CONFLICT DO NOTHING RETURNING 1')
    if (added.length > 0) stopped.push(phone)
  }
  return stopped
}

/** Once no lead has the number. */
export const forgetStoppedNumber = (tx: Tx, phone: string) =>
  tx('DELETE FROM stopped_numbers WHERE phone = $1', [phone])
