/** The order of the call list. */
import { type CallBlock, type CallSituation, mayWeCall, type NumberToCall, RESERVED_MS, speaks } from './may-we-call.ts'
import { type NextCall, nextCall } from './plan.ts'

export type Placed<Number extends NumberToCall> = Number &
  NextCall & {
    /** Null: can be called now. */
    readonly wait: CallBlock | null
  }

/** People to call now, best first, then everyone else by when they can be called. */
export function orderCalls<Number extends NumberToCall>(
  numbers: readonly Number[],
  situation: CallSituation,
): readonly Placed<Number>[] {
  const ready: (readonly [rank: number, key: number, Placed<Number>])[] = []
  const waiting: Placed<Number>[] = []
  for (const number of numbers) {
    const next = nextCall(number.plan, number.place, situation)
    if (next === null) continue
    const wait = mayWeCall('offer', number, situation)
    const placed = { ...number, ...next, wait }
    if (wait) waiting.push(placed)
    else ready.push([rankOf(placed, situation), next.kind === 'new' ? -next.dueAt : next.dueAt, placed])
  }
  const byRank = ready.toSorted(
    ([rank, key, one], [otherRank, otherKey, other]) =>
      rank - otherRank || key - otherKey || (one.leadId < other.leadId ? 1 : -1),
  )
  const until = ({ wait }: Placed<Number>) => wait?.next ?? Number.MAX_SAFE_INTEGER
  return [...byRank.map(([, , placed]) => placed), ...waiting.toSorted((one, other) => until(one) - until(other))]
}

/**
 * Own callbacks for their 15 minutes, other due callbacks, new leads, newest first, then retries, longest wait first. People whose
 * language the agent doesn't speak come last.
 */
function rankOf({ plan, kind, dueAt }: Placed<NumberToCall>, situation: CallSituation): number {
  const isOwn = plan.promises[0]?.by.id === situation.personId && situation.at < dueAt + RESERVED_MS
  const rank = { callback: isOwn ? 0 : 1, new: 2, retry: 3 }[kind]
  return rank + (speaks(plan, situation) ? 0 : 4)
}
