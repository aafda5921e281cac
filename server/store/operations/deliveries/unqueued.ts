/**
 * Accepted leads that came in while there was no webhook, so they were never queued. If one is set later, nothing is sent by itself:
 * an editor decides, and the decision is recorded.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { isStopped } from '../../facts/do-not-call/stops.ts'
import { isAccepted } from '../../facts/leads/states.ts'
import { BATCH_PAUSE_MS, type SqlPort, type Tx } from '../../sql.ts'
import { recordDecision } from '../../tables/alerts.ts'
import { addHistory } from '../../tables/history.ts'
import { queueLeads } from '../../tables/outbox.ts'
import { finishDecision, removeUnqueued, saveDecision } from '../../tables/unqueued-leads.ts'

export const unqueuedChoices = ['all', 'never called', 'none'] as const
export type UnqueuedChoice = (typeof unqueuedChoices)[number]

const BATCH = 200

const neverCalled = 'NOT EXISTS (SELECT 1 FROM standings WHERE standings.lead_id = leads.id AND called = 1)'

const decisions: Readonly<Record<UnqueuedChoice, string>> = {
  all: 'to send all leads that had come in without a webhook',
  'never called': 'to send the leads that had come in without a webhook and were never called',
  none: 'not to send the leads that had come in without a webhook',
}

/** Two editors, or two processes that carry out the same decision, wait for each other. */
const lockDecision = (tx: Tx) => tx.dialect.lockKeys(tx, ['unqueued leads'])

interface Decision {
  readonly choice: UnqueuedChoice
  readonly by: string
  readonly at: number
  readonly done: number
}

const decision = 'SELECT choice, decided_by AS "by", decided_at AS at, done FROM unqueued_decision'
const some = 'SELECT lead_id AS id FROM unqueued_leads ORDER BY lead_id LIMIT $1'

export function createUnqueued({ read, transact }: SqlPort, onDue: () => void) {
  /** Returns how many were queued. Null if there's nothing to do. */
  const carryOutBatch = () =>
    transact(async tx => {
      await lockDecision(tx)
      const [decided] = await tx<Decision>(`${decision} WHERE done = 0`)
      if (!decided) return null
      const { choice, by } = decided
      const next = await tx<{ id: string }>(some, [BATCH])
      if (next.length === 0) {
        await finishDecision(tx)
        return null
      }
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
      await removeUnqueued(tx, ids)
      await queueLeads(tx, chosen, tx.at)
      const event = { kind: 'put into the outbox again', was: 'none', by } as const
      await addHistory(tx, ...chosen.map(({ id }) => ({ leadId: id, event })))
      return chosen.length
    })

  /** Also at each start of the server, because the process that took the decision may have been stopped. */
  async function carryOutUnqueued(): Promise<number> {
    let queued = 0
    for (let more = await carryOutBatch(); more !== null; more = await carryOutBatch()) {
      queued += more
      if (more > 0) onDue()
      await sleep(BATCH_PAUSE_MS)
    }
    return queued
  }

  return {
    /** How many leads were never queued. */
    async unqueuedLeads() {
      const [row] = await read<{ total: number }>('SELECT COUNT(*) AS total FROM unqueued_leads')
      return row?.total ?? 0
    },
    carryOutUnqueued,
    /** Carries out an editor's decision, unless another one is being carried out, or was carried out since the editor looked. */
    async decideUnqueued({ choice, by }: { readonly choice: UnqueuedChoice; readonly by: string }) {
      const earlier = await transact(async tx => {
        await lockDecision(tx)
        const [decided] = await tx<Decision>(decision)
        const left = await tx(some, [1])
        if (decided && (decided.done === 0 || left.length === 0)) return decided
        await saveDecision(tx, choice, by)
        // Among the alerts, like a pause.
        await recordDecision(tx, { code: 'leads_not_queued', source: by, text: `${by} decided ${decisions[choice]}.` })
        return null
      })
      return earlier
        ? ({ kind: 'decided', by: earlier.by, at: earlier.at } as const)
        : ({ kind: 'carried out', queued: await carryOutUnqueued() } as const)
    },
  }
}
