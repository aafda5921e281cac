/**
 * Accepted leads that came in while there was no webhook, so they were never queued. If one is set later, nothing is sent by itself:
 * an editor decides, and the decision is recorded.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isStopped } from '../do-not-call/stops.ts'
import { addHistory } from '../leads/history.ts'
import { isAccepted } from '../leads/states.ts'
import { BATCH_PAUSE_MS, insertAll, type Sql, type SqlPort } from '../sql.ts'
import { recordDecision } from '../upkeep/alerts.ts'
import { queueLeads } from './messages.ts'

export const unqueuedChoices = ['all', 'never called', 'none'] as const
export type UnqueuedChoice = (typeof unqueuedChoices)[number]

const BATCH = 200

export function markUnqueued(sql: Sql, leads: readonly { readonly id: string }[]): Promise<void> {
  return insertAll(
    sql,
    'unqueued_leads',
    leads.map(({ id }) => ({ leadId: id })),
  )
}

const neverCalled = 'NOT EXISTS (SELECT 1 FROM standings WHERE standings.lead_id = leads.id AND called = 1)'

const decisions: Readonly<Record<UnqueuedChoice, string>> = {
  all: 'to send all leads that had come in without a webhook',
  'never called': 'to send the leads that had come in without a webhook and were never called',
  none: 'not to send the leads that had come in without a webhook',
}

export function createUnqueued({ read, transact }: SqlPort, onDue: () => void) {
  /** Decides about the next leads. Null if there are none. */
  const decideBatch = (choice: UnqueuedChoice, by: string) =>
    transact(async tx => {
      const next = await tx<{ id: string }>('SELECT lead_id AS id FROM unqueued_leads ORDER BY lead_id LIMIT $1', [
        BATCH,
      ])
      if (next.length === 0) return null
      const ids = next.map(({ id }) => id)
      const wanted = choice === 'never called' ? neverCalled : 'true'
      const chosen =
        choice === 'none'
          ? []
          : await tx<{ id: string; receivedAt: number }>(
              `SELECT id, received_at FROM leads WHERE id = ANY($1) AND ${isAccepted}
                 AND NOT ${isStopped('leads.phone')} AND ${wanted} ORDER BY id ${tx.dialect.lockLeads}`,
              [ids],
            )
      await tx(`DELETE FROM unqueued_leads WHERE lead_id = ANY($1)`, [ids])
      await queueLeads(tx, chosen, tx.at)
      const event = { kind: 'put into the outbox again', was: 'none', by } as const
      await addHistory(tx, ...chosen.map(({ id }) => ({ leadId: id, event })))
      return chosen.length
    })

  return {
    /** How many leads were never queued. */
    async unqueuedLeads() {
      const [row] = await read<{ total: number }>('SELECT COUNT(*) AS total FROM unqueued_leads')
      return row?.total ?? 0
    },
    /** Carries out an editor's decision. Returns how many leads were queued. Safe to repeat if it's interrupted. */
    async decideUnqueued({ choice, by }: { readonly choice: UnqueuedChoice; readonly by: string }) {
      // Recorded among the alerts, like a pause. First, because a part of the leads may be sent before an interruption.
      const text = `${by} decided ${decisions[choice]}.`
      await transact(tx => recordDecision(tx, { code: 'leads_not_queued', source: by, text }))
      let queued = 0
      for (let more = await decideBatch(choice, by); more !== null; more = await decideBatch(choice, by)) {
        queued += more
        if (more > 0) onDue()
        await sleep(BATCH_PAUSE_MS)
      }
      return queued
    },
  }
}
