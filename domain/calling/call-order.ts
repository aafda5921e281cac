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
    else {
      const [rank, key] = placeInLine({ ...next, promisedBy: number.plan.promises[0]?.by.id ?? null }, situation)
      // People whose language the agent doesn't speak come last.
      ready.push([rank + (speaks(number.plan, situation) ? 0 : 4), key, placed])
    }
  }
  const byRank = ready.toSorted(
    ([rank, key, one], [otherRank, otherKey, other]) =>
      rank - otherRank || key - otherKey || (one.leadId < other.leadId ? 1 : -1),
  )
  const until = ({ wait }: Placed<Number>) => wait?.next ?? Number.MAX_SAFE_INTEGER
  return [...byRank.map(([, , placed]) => placed), ...waiting.toSorted((one, other) => until(one) - until(other))]
}

/** Sorts own callbacks for their 15 minutes, other due callbacks, new leads, newest first, then retries, longest wait first. */
export function placeInLine(
  { kind, dueAt, promisedBy }: Pick<NextCall, 'kind' | 'dueAt'> & { readonly promisedBy: string | null },
  { personId, at }: Pick<CallSituation, 'personId' | 'at'>,
): readonly [rank: number, key: number] {
  const isOwn = promisedBy === personId && at < dueAt + RESERVED_MS
  return [{ callback: isOwn ? 0 : 1, new: 2, retry: 3 }[kind], kind === 'new' ? -dueAt : dueAt]
}
