/** Call next: whom to call now, and claiming the number, in one step. */
import { orderCalls, placeInLine } from '../../../../domain/calling/call-order.ts'
import { mayWeCall, speaks } from '../../../../domain/calling/may-we-call.ts'
import { LISTED_MS } from '../../../../domain/calling/standing.ts'
import { claimsAt } from '../../facts/calls/claims.ts'
import { type Listed, openNumbers } from '../../facts/calls/listed-numbers.ts'
import { type CallRequest, situationOf } from '../../facts/calls/numbers.ts'
import type { PlanRow } from '../../facts/calls/story-rows.ts'
import type { SqlPort, Tx } from '../../sql.ts'
import { claimNumber } from '../../tables/call-claims.ts'

export function createCallNext({ transact }: SqlPort) {
  return {
    /**
     * Picks whom to call next and claims the number, in one step. Someone who has a call open gets that one. Null if nobody can be
     * called now.
     */
    callNext: ({ person, hours }: Omit<CallRequest, 'leadId'>) =>
      transact(async tx => {
        // One at a time; otherwise, everyone would try to claim the same person.
        await tx.dialect.lockKeys(tx, ['call next'])
        const situation = await situationOf(tx, tx.at, person.id, hours)
        const claims = new Map((await claimsAt(tx, tx.at)).map(claim => [claim.storyId, claim]))
        const own = [...claims.values()].find(({ personId, dialed }) => personId === person.id && dialed === 0)
        if (own) {
          const [open] = await openNumbers(tx, tx.at, claims, 'id = $2', own.storyId)
          if (open && mayWeCall('dial', open, situation) === null && (await claimNumber(tx, own, person)))
            return own.leadId
        }
        const others: Listed[] = []
        for (const ids of inBatches(await dueStories(tx, person.id))) {
          const ordered = orderCalls(await openNumbers(tx, tx.at, claims, 'id = ANY($2)', ids), situation)
          const ready = ordered.filter(({ wait }) => wait === null)
          others.push(...ready.filter(call => !speaks(call.plan, situation)))
          for (const call of ready)
            if (speaks(call.plan, situation) && (await claimNumber(tx, call, person))) return call.leadId
        }
        for (const call of others) if (await claimNumber(tx, call, person)) return call.leadId
        return null
      }),
  }
}

/** The IDs of the stories with a call that may be due, best first. */
async function dueStories(tx: Tx, personId: string): Promise<readonly string[]> {
  const rows = await tx<DueRow>(
    `SELECT id, new_at, retry_at, promised_at, promised_by FROM stories
     WHERE listed_at > $1 AND (promised_at <= $2 OR new_at IS NOT NULL OR retry_at <= $2) ORDER BY id DESC`,
    [tx.at - LISTED_MS, tx.at],
  )
  const placed = rows.map(row => ({ id: row.id, place: placeInLine(dueIn(row, tx.at), { personId, at: tx.at }) }))
  placed.sort(({ place: [rank, key] }, { place: [otherRank, otherKey] }) => rank - otherRank || key - otherKey)
  return placed.map(({ id }) => id)
}

type DueRow = Omit<PlanRow, 'plan' | 'listedAt'> & { readonly id: string }

/** The first call that someone would like later is due then, a try before that. */
function dueIn({ newAt, retryAt, promisedAt, promisedBy }: DueRow, at: number) {
  if (promisedAt !== null && promisedAt <= at) return { kind: 'callback' as const, dueAt: promisedAt, promisedBy }
  const isNew = newAt !== null && (newAt <= at || retryAt === null || retryAt > at)
  return isNew
    ? { kind: 'new' as const, dueAt: newAt, promisedBy }
    : { kind: 'retry' as const, dueAt: retryAt ?? at, promisedBy }
}

/** Usually, someone in the first batch can be called, so the others aren't read. At night, nobody can. */
const BATCH = 1000

function* inBatches(ids: readonly string[]): Generator<readonly string[]> {
  for (let start = 0; start < ids.length; start += BATCH) yield ids.slice(start, start + BATCH)
}
