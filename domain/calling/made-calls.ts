/** A number's calls, from its events: each dial, incoming call, or call on another phone, with what was said about whom. */
import { DAY, MINUTE } from '../durations.ts'
import { type CallOutcomeName, REDIALED, UNRECORDED } from './outcomes.ts'
import { type Agent, type Corrected, type Dialed, isStart, type Said, type StoryEvent } from './story-events.ts'

/** How long a dialed call belongs to its agent if nobody says what happened. Then, the person is back on the list. */
export const CALL_MS = 4 * 60 * MINUTE
/** A dropped call may be dialed again within this time, once. */
export const REDIAL_MS = 10 * MINUTE
/** A dial that is taken back within this time doesn't count, once in 24 hours. */
export const TAKE_BACK_MS = 30_000
/** More than the limits need. */
const DIALS = 3

/** What was said about some of the people. */
export interface SaidOf {
  readonly n: number
  readonly by: Agent
  readonly outcome: CallOutcomeName
  readonly callbackAt: number | null
  /** In whose time it was promised. */
  readonly place: string | null
  readonly leads: readonly string[]
}

/** One call: dialed here, made on another phone, or taken when the person called us. */
export interface MadeCall {
  readonly n: number
  readonly at: number
  readonly by: Agent
  /** The lead whose page it was made from. */
  readonly leadId: string
  readonly place: string | null
  readonly incoming: boolean
  /** The first outcome, or that there's none. Figures count this one. */
  readonly outcome: string
  readonly said: readonly SaidOf[]
}

/** Undone outcomes and dials that were taken back, by what they correct. */
export const correctionsAmong = (events: readonly StoryEvent[]): ReadonlyMap<number, Corrected> =>
  new Map(events.flatMap(event => (event.kind === 'corrected' ? [[event.corrects, event]] : [])))

/** Without what was undone or taken back. */
export function standingAmong(events: readonly StoryEvent[]): readonly StoryEvent[] {
  const corrections = correctionsAmong(events)
  return events.filter(({ n }) => !corrections.has(n))
}

/** In the order of the story: an outcome stands where its call was dialed. One without a dial stands where it was saved. */
export function callsOf(events: readonly StoryEvent[]): readonly MadeCall[] {
  const standing = standingAmong(events)
  const outcomes = standing.filter(event => event.kind === 'said')
  const starts = standing.filter(isStart)
  const started = new Set(starts.map(({ n }) => n))
  const first = new Map(outcomes.map(said => [said.id, said]))
  /** An outcome whose dial isn't known stands for its call. */
  const placeOf = ({ n, dial, with: saved }: Said): number => {
    if (dial !== null && started.has(dial)) return dial
    return first.get(saved ?? '')?.n ?? n
  }
  const byPlace = Map.groupBy(outcomes, placeOf)
  const dials = starts.filter(start => start.kind === 'dialed')
  const calls = starts.map((start): MadeCall => {
    const said = byPlace.get(start.n) ?? []
    const { n, at, by, leadId, place } = start
    const incoming = start.kind === 'incoming'
    const unsaid = !incoming && isRedialed(start, dials) ? REDIALED : UNRECORDED
    const outcome = said[0]?.outcome ?? unsaid
    return { n, at, by, leadId, place, incoming, outcome, said: said.map(saidOf) }
  })
  for (const [n, said] of byPlace) {
    const [one] = said
    if (!one || started.has(n)) continue
    const { by, leadId, place, outcome } = one
    calls.push({ n, at: timeOf(one), by, leadId, place, incoming: false, outcome, said: said.map(saidOf) })
  }
  return calls.toSorted((one, other) => one.n - other.n)
}

const timeOf = ({ calledAt, at }: Said) => calledAt ?? at

const saidOf = ({ n, by, outcome, callbackAt, place, leads }: Said): SaidOf => ({
  n,
  by,
  outcome,
  callbackAt,
  place,
  leads,
})

/** The same person dialed again within ten minutes: the call was dropped, and the next dial has the outcome. */
export function isRedialed({ n, by, at }: Dialed, dials: readonly Dialed[]): boolean {
  const next = dials.find(dial => dial.n > n)
  return next !== undefined && next.by.id === by.id && next.at < at + REDIAL_MS
}

/** When the number was called, latest first, as far as the limits need: with dials that were taken back too late or too often. */
export function countedDials(events: readonly StoryEvent[]): readonly number[] {
  const corrections = correctionsAmong(events)
  const dials: number[] = []
  let lastFree = Number.NEGATIVE_INFINITY
  for (const event of events) {
    const correction = corrections.get(event.n)
    if (event.kind === 'said' && event.dial === null && event.with === null && !correction) dials.push(timeOf(event))
    if (event.kind !== 'dialed') continue
    const isFree = correction && isFreeToTakeBack(event.at, correction.at, lastFree)
    if (isFree) lastFree = event.at
    else dials.push(event.at)
  }
  return dials.toSorted((one, other) => other - one).slice(0, DIALS)
}

function isFreeToTakeBack(dialedAt: number, takenBackAt: number, lastFree: number): boolean {
  return takenBackAt < dialedAt + TAKE_BACK_MS && dialedAt >= lastFree + DAY
}

/** Whether the person may dial again although the last call was just now: once, within ten minutes, because it was dropped. */
export function mayRedial(calls: readonly MadeCall[], personId: string, at: number): boolean {
  const ours = calls.filter(({ incoming }) => !incoming)
  const last = ours.at(-1)
  const isOwn = last?.outcome === UNRECORDED && last.by.id === personId
  return isOwn && last.at <= at && at < last.at + REDIAL_MS && ours.at(-2)?.outcome !== REDIALED
}

/** The person's last call without an outcome, if any. */
export const unfinishedCallOf = (calls: readonly MadeCall[], personId: string): MadeCall | null =>
  calls.findLast(({ by, outcome }) => by.id === personId && outcome === UNRECORDED) ?? null
