/**
 * What's next for a number: a pure function of its story. What depends on the clock, the settings, or the staff is applied when a plan
 * is read, in may-we-call.ts, so a change of calling hours needs no replanning.
 */
import { type Place, placeKey } from './area-codes.ts'
import { earliestTry, nextTry } from './call-limits.ts'
import type { CallingClock } from './hours.ts'
import type { CallKind } from './list.ts'
import { CALL_MS } from './made-calls.ts'
import { type CallPromise, nextKind, type Standing } from './standing.ts'
import { openStandings, type Story } from './story.ts'

/** A first call or another try, whose time isn't promised. */
export interface PlannedCall {
  readonly kind: 'new' | 'retry'
  /** Whose page to open. */
  readonly leadId: string
  /** New: when the person submitted, or would like the call. Retry: no earlier than this; `tried` and the place say when. */
  readonly notBefore: number
  /** For a first call: since when someone has been waiting. */
  readonly waitingSince: number
  /** `notBefore` is when the person would like the first call. */
  readonly isPreferred: boolean
  /** When it was tried. Empty: `notBefore` is exact. */
  readonly tried: readonly number[]
}

export interface Plan {
  /** The newest lead, the first one that someone would like later, and the first try. */
  readonly calls: readonly PlannedCall[]
  /** The earliest ones. */
  readonly promises: readonly CallPromise[]
  /** Of the people to call. */
  readonly languages: readonly string[]
  /** When the last of them said yes to calls on the phone; null if any of them sent the form. If calling has ended, of everyone. */
  readonly spokenAt: number | null
  readonly dials: Story['dials']
  readonly dialsElsewhere: Story['dialsElsewhere']
  readonly place: Story['place']
  readonly placeBefore: Story['placeBefore']
  readonly skips: Story['skips']
}

/** A list reads thousands of plans. More promises than this can't matter before the first ones are over. */
const MOST_PROMISES = 4

export function planOf(story: Story): Plan {
  const { dials, dialsElsewhere, place, placeBefore, skips } = story
  const open = openStandings(story).filter(standing => nextKind(standing) !== null)
  const fresh = open.filter(standing => nextKind(standing) === 'new')
  const [newest] = fresh.filter(({ preferred }) => !preferred).toSorted((one, other) => other.listedAt - one.listedAt)
  const [preferred] = fresh
    .flatMap(standing => (standing.preferred ? [{ ...standing, from: standing.preferred.from }] : []))
    .toSorted((one, other) => one.from - other.from)
  const [retry] = open
    .filter(standing => nextKind(standing) === 'retry')
    .map(plannedRetry)
    .toSorted((one, other) => one.notBefore - other.notBefore)
  const longest = Math.min(...fresh.filter(standing => !standing.preferred).map(({ askedAt }) => askedAt))
  return {
    calls: [
      ...(newest ? [firstCall(newest.leadId, newest.listedAt, longest, false)] : []),
      ...(preferred ? [firstCall(preferred.leadId, preferred.from, preferred.from, true)] : []),
      ...(retry ? [retry] : []),
    ],
    promises: open
      .flatMap(({ promise }) => promise ?? [])
      .toSorted((one, other) => one.at - other.at)
      .slice(0, MOST_PROMISES),
    languages: [...new Set(open.map(({ language }) => language))].toSorted(),
    spokenAt: lastSpoken(open.length > 0 ? open : [...story.standings.values()]),
    dials,
    dialsElsewhere,
    place,
    placeBefore,
    skips,
  }
}

function lastSpoken(standings: readonly Standing[]): number | null {
  const spoken = standings.flatMap(({ spokenAt }) => spokenAt ?? [])
  return spoken.length === 0 || spoken.length < standings.length ? null : Math.max(...spoken)
}

const firstCall = (leadId: string, notBefore: number, waitingSince: number, isPreferred: boolean): PlannedCall => ({
  kind: 'new',
  leadId,
  notBefore,
  waitingSince,
  isPreferred,
  tried: [],
})

function plannedRetry({ leadId, tried, notBefore, askedAt }: Standing): PlannedCall {
  const retry = { kind: 'retry', leadId, waitingSince: askedAt, isPreferred: false } as const
  if (notBefore !== null) return { ...retry, notBefore, tried: [] }
  const earliest = earliestTry(tried)
  // After the last try, which has no outcome yet.
  if (earliest === null) return { ...retry, notBefore: (tried.at(-1) ?? 0) + CALL_MS, tried: [] }
  return { ...retry, notBefore: earliest, tried }
}

/** When one lead's next call is due, at the earliest. */
export function dueOf(standing: Standing): number {
  const kind = nextKind(standing)
  if (kind === 'callback') return standing.promise?.at ?? 0
  return kind === 'retry' ? plannedRetry(standing).notBefore : (standing.preferred?.from ?? standing.listedAt)
}

export interface NextCall {
  readonly kind: CallKind
  readonly leadId: string
  readonly dueAt: number
  /** For a first call: since when someone has been waiting. */
  readonly waitingSince: number
}

interface When {
  readonly at: number
  readonly clock: CallingClock
}

/** The next call as of now, in the person's place. Null if there is none. A promise that's due comes first, then first calls. */
export function nextCall(
  { calls, promises: [promise] }: Plan,
  place: Place | null,
  { at, clock }: When,
): NextCall | null {
  const promised = promise
    ? { kind: 'callback' as const, leadId: promise.leadId, dueAt: promise.at, waitingSince: promise.at }
    : null
  if (promised && promised.dueAt <= at) return promised
  // A new lead is due even if the clock was set back after it arrived.
  const first = calls.find(({ kind, notBefore, isPreferred }) => kind === 'new' && (!isPreferred || notBefore <= at))
  if (first) return nextOf({ ...first, dueAt: first.notBefore })
  const [soonest] = calls
    .map(call => ({ ...call, dueAt: call.tried.length > 0 ? dueTry(call.tried, place, clock) : call.notBefore }))
    .toSorted((one, other) => one.dueAt - other.dueAt)
  if (promised && (!soonest || promised.dueAt <= soonest.dueAt)) return promised
  return soonest ? nextOf(soonest) : null
}

const nextOf = ({ kind, leadId, dueAt, waitingSince }: NextCall): NextCall => ({ kind, leadId, dueAt, waitingSince })

// Finding another time of day takes longer than everything else about a call, and a list asks again every half a minute.
const dueTries = new WeakMap<CallingClock, Map<string, number>>()
const MOST_TRIES = 20_000

function dueTry(tried: readonly number[], place: Place | null, clock: CallingClock): number {
  const known = dueTries.get(clock) ?? new Map<string, number>()
  dueTries.set(clock, known)
  const key = `${placeKey(place)} ${tried.join()}`
  const due = known.get(key) ?? nextTry(tried, place, clock) ?? earliestTry(tried) ?? 0
  if (known.size >= MOST_TRIES) known.clear()
  known.set(key, due)
  return due
}
