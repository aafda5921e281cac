/**
 * The story of one phone number: what its events come to. Limits belong to the number, because anyone who picks up hears us. Tries,
 * promises, and answers belong to the leads on it.
 */
import { callsOf, correctionsAmong, countedDials, type MadeCall, type SaidOf } from './made-calls.ts'
import { callOutcomes, isTry, OTHER_LANGUAGE, REDIALED, SOMEONE_ELSE } from './outcomes.ts'
import {
  type CallPromise,
  end,
  type Happening,
  hear,
  isInTime,
  newStanding,
  nextKind,
  PROMISE_MS,
  promise,
  promiseUnreached,
  type Standing,
  submit,
  type Tried,
  takeOver,
  tryAgain,
  waitingSince,
} from './standing.ts'
import type { Agent, StoryEvent } from './story-events.ts'

/** A skipped call isn't offered to the same person again for this long. */
export const SKIP_MS = 15 * 60_000
/** Or, if it was left for someone who speaks their language, for this long. */
const LEAVE_MS = 2 * 60 * 60_000

export interface Call extends MadeCall {
  /** What it came to for each lead that it was about. */
  readonly leads: readonly { readonly leadId: string; readonly outcome: string }[]
  /** For a first call: since when the person had been waiting. */
  readonly waitingSince: number | null
}

/** A callback that was promised, and whether that was kept; null while it's open. */
export interface MadePromise {
  readonly n: number
  readonly leadId: string
  readonly at: number
  readonly by: Agent
  readonly kept: boolean | null
}

export interface Story {
  /** Of everyone on the number. */
  readonly standings: ReadonlyMap<string, Standing>
  /** Leads whose number was corrected, as they were then, with the lead that took their place. */
  readonly replaced: ReadonlyMap<string, { readonly by: string; readonly standing: Standing }>
  /** Oldest first, without those that were undone or taken back. */
  readonly calls: readonly Call[]
  readonly promises: readonly MadePromise[]
  /** When the number was called, latest first, as far as the limits need. */
  readonly dials: readonly number[]
  /** Calls to numbers that the people had before. They count toward three in 24 hours. */
  readonly dialsElsewhere: readonly number[]
  /** Set by an agent; null for the area code's. */
  readonly place: SetPlace | null
  /** Set at a number that someone had before. Until one is set here, calls must be allowed there, too. */
  readonly placeBefore: SetPlace | null
  /** Who skipped it lately. */
  readonly skips: readonly { readonly by: string; readonly until: number }[]
}

export interface SetPlace {
  readonly id: string
  readonly by: string
}

interface Draft {
  readonly standings: Map<string, Standing>
  readonly replaced: Map<string, { readonly by: string; readonly standing: Standing }>
  /** Neither a late outcome nor a stale page brings these back. */
  readonly gone: Set<string>
  readonly calls: Call[]
  readonly promises: Map<string, MadePromise>
  dialsElsewhere: readonly number[]
  place: SetPlace | null
  placeBefore: SetPlace | null
  skips: { readonly by: string; readonly until: number }[]
}

/** What the events come to, oldest first. Without `submitted` events that are long past, the answer is the same for what's open. */
export function tell(events: readonly StoryEvent[]): Story {
  const corrections = correctionsAmong(events)
  const calls = callsOf(events)
  const state: Draft = {
    standings: new Map(),
    replaced: new Map(),
    gone: new Set(),
    calls: [],
    promises: new Map(),
    dialsElsewhere: [],
    place: null,
    placeBefore: null,
    skips: [],
  }
  const callAt = new Map(calls.map(call => [call.n, call]))
  const wordsAt = Map.groupBy(wordsOf(calls, events), ({ n }) => n)
  for (const event of events) {
    const call = callAt.get(event.n)
    const correction = corrections.get(event.n)
    if (call) takeCall(state, call)
    else if (!correction) apply(state, event)
    else if (event.kind === 'replaces' && correction.takenOver)
      apply(state, { ...event, takenOver: correction.takenOver })
    for (const word of wordsAt.get(event.n) ?? []) takeWord(state, word)
  }
  const { gone: _, ...story } = state
  return {
    ...story,
    promises: [...state.promises.values()],
    dials: countedDials(events),
  }
}

/** What was said about one lead. */
interface Word {
  /** Where in the story it counts. */
  readonly n: number
  readonly leadId: string
  readonly said: SaidOf
  readonly call: MadeCall
}

/** A word counts where its call was dialed. About someone who came in during the call, it counts where it was saved. */
function wordsOf(calls: readonly MadeCall[], events: readonly StoryEvent[]): readonly Word[] {
  const cameAt = new Map<string, number>()
  for (const event of events) {
    if ((event.kind === 'submitted' || event.kind === 'replaces') && !cameAt.has(event.leadId))
      cameAt.set(event.leadId, event.n)
  }
  return calls.flatMap(call =>
    call.said
      .filter(said => isFollowed(said) || said.callbackAt !== null)
      .flatMap(said =>
        said.leads.map(leadId => {
          const came = cameAt.get(leadId) ?? 0
          return { n: came > call.n && came < said.n ? said.n : call.n, leadId, said, call }
        }),
      ),
  )
}

const isFollowed = ({ outcome }: SaidOf) => !isTry(outcome)

/** Leads on hold have no standing. One whose submission was too long ago to be read gets one from what was said. */
const standingOf = (state: Draft, leadId: string): Standing | null =>
  state.standings.get(leadId) ?? (state.gone.has(leadId) ? null : newStanding(leadId))

/** What's said about a lead that has been replaced goes on with its replacement, maybe once that's approved. */
function change(state: Draft, leadId: string, how: (standing: Standing) => Standing): void {
  const standing = standingOf(state, leadId)
  const replaced = state.replaced.get(leadId)
  if (standing) state.standings.set(leadId, how(standing))
  else if (replaced) state.replaced.set(leadId, { ...replaced, standing: how(replaced.standing) })
}

function changeKnown(state: Draft, leadId: string, changes: Partial<Standing>): void {
  if (state.standings.has(leadId)) change(state, leadId, standing => ({ ...standing, ...changes }))
}

function apply(state: Draft, event: StoryEvent): void {
  switch (event.kind) {
    case 'submitted':
      state.gone.delete(event.leadId)
      change(state, event.leadId, standing => submit(standing, event))
      state.skips = []
      return
    case 'planned':
      changeKnown(state, event.leadId, { notBefore: event.dueAt })
      return
    case 'preferred':
      changeKnown(state, event.leadId, { preferred: event.time })
      return
    case 'language':
      changeKnown(state, event.leadId, { language: event.language })
      return
    case 'replaced':
      state.replaced.set(event.leadId, {
        by: event.replacedBy,
        standing: state.standings.get(event.leadId) ?? newStanding(event.leadId),
      })
      remove(state, event.leadId)
      return
    case 'replaces': {
      const { leadId, takenOver } = event
      state.gone.delete(leadId)
      change(state, leadId, standing => takeOver(standing, takenOver, event))
      addPromise(state, leadId, event)
      state.dialsElsewhere = [...state.dialsElsewhere, ...takenOver.dials]
      state.placeBefore = takenOver.place ?? state.placeBefore
      state.skips = []
      return
    }
    case 'answered':
      for (const leadId of event.leads) {
        settle(state, leadId, event.at)
        const { n, by, place, outcome, callbackAt } = event
        change(state, leadId, standing =>
          callbackAt === null || callbackAt === undefined
            ? end(standing, outcome, null)
            : promise(standing, { n, by, place, callbackAt }, null),
        )
        addPromise(state, leadId, event)
      }
      return
    case 'place':
      state.place = event.place === null ? null : { id: event.place, by: event.by.name }
      state.placeBefore = null
      return
    case 'skipped': {
      const others = state.skips.filter(({ by, until }) => until > event.at && by !== event.by.id)
      state.skips = [...others, { by: event.by.id, until: event.at + (event.leaves ? LEAVE_MS : SKIP_MS) }]
      return
    }
    case 'given':
      give(state, event)
      return
    case 'erased':
    case 'set aside':
      remove(state, event.leadId)
      return
    case 'dialed':
    case 'incoming':
    case 'said':
    case 'taken over':
    case 'corrected':
      return
  }
}

/** Whose turn it is. A promise that was missed by then stays with the one who made it. */
function give(state: Draft, { at, promises, to }: Extract<StoryEvent, { kind: 'given' }>): void {
  for (const [leadId, { promise }] of state.standings)
    if (promise && promises.includes(promise.n)) changeKnown(state, leadId, { promise: { ...promise, by: to } })
  for (const [key, made] of state.promises)
    if (made.kept === null && promises.includes(made.n) && at <= made.at + PROMISE_MS)
      state.promises.set(key, { ...made, by: to })
}

/** An open promise counts with the person's other number, or not at all if they were erased. */
function remove(state: Draft, leadId: string): void {
  for (const [key, promise] of state.promises) {
    if (promise.leadId === leadId && promise.kept === null) state.promises.delete(key)
  }
  state.standings.delete(leadId)
  state.gone.add(leadId)
}

function takeCall(state: Draft, call: MadeCall): void {
  const named = call.said.filter(isFollowed)
  const open = [...state.standings.values()].filter(({ answer }) => answer === null)
  const about = new Map(named.flatMap(said => said.leads.map(leadId => [leadId, said] as const)))
  const unnamed = open.filter(({ leadId }) => !about.has(leadId))
  // What someone said who called us is about them only.
  const rest = call.incoming ? unnamed.filter(({ leadId }) => leadId === call.leadId) : unnamed
  const missed = missedWith(call)
  const concerned = [...about.keys(), ...(missed === null ? [] : rest.map(({ leadId }) => leadId))]
  const waiting = concerned.flatMap(leadId => state.standings.get(leadId) ?? []).filter(isFirstCallOf)
  const isFirst = !call.incoming && waiting.length > 0 && state.calls.at(-1)?.outcome !== REDIALED
  state.calls.push({
    ...call,
    leads: concerned
      .filter(leadId => !state.gone.has(leadId))
      .map(leadId => ({ leadId, outcome: about.get(leadId)?.outcome ?? missed ?? call.outcome })),
    waitingSince: isFirst ? Math.min(...waiting.map(standing => waitingSince(standing, call.at))) : null,
  })
  if (call.outcome === REDIALED) return
  state.skips = call.outcome === OTHER_LANGUAGE ? [{ by: call.by.id, until: call.at + LEAVE_MS }] : []
  if (missed !== null) for (const { leadId } of rest) takeTry(state, leadId, { ...call, outcome: missed })
  // One call in the window keeps everyone's promise. What came of it is about others.
  else if (!call.incoming)
    for (const { leadId, promise } of rest)
      if (promise && isInTime(promise, call.at)) takeTry(state, leadId, { ...call, outcome: null })
}

/** What the call was to those whom no outcome names. Null: nothing, it's about others. */
function missedWith({ said, outcome, incoming }: MadeCall): string | null {
  // Nobody was reached, or nobody has said yet.
  if (!said.some(isFollowed)) return outcome
  const tried = said.find(each => isTry(each.outcome))
  // Someone whom we don't know wants no calls to this number.
  const isAnyone = said.some(each => each.leads.length === 0 && callOutcomes[each.outcome].stops === 'who asked')
  return tried?.outcome ?? (isAnyone && !incoming ? SOMEONE_ELSE : null)
}

const isFirstCallOf = (standing: Standing) => standing.isNew && nextKind(standing) === 'new'

/** Without an outcome, a dial is a try: nobody has said that the person was reached. Someone who calls us wasn't tried by us. */
function takeTry(state: Draft, leadId: string, call: Tried & Pick<MadeCall, 'incoming'>): void {
  const promise = state.standings.get(leadId)?.promise
  if (!call.incoming && promise && isInTime(promise, call.at)) settle(state, leadId, call.at)
  change(state, leadId, standing => (call.incoming ? hear(standing, call) : tryAgain(standing, call)))
}

function takeWord(state: Draft, { leadId, said, call }: Word): void {
  const { outcome, callbackAt } = said
  settle(state, leadId, call.at)
  const heard = { at: call.at, outcome, by: call.by }
  change(state, leadId, standing => {
    if (callbackAt === null) return end(standing, outcome, heard)
    const promised = { ...said, callbackAt }
    return isTry(outcome) ? promiseUnreached(standing, promised) : promise(standing, promised, heard)
  })
  addPromise(state, leadId, said)
}

/** If it was made right there. */
function addPromise(state: Draft, leadId: string, { n }: Pick<Happening, 'n'>): void {
  const made = state.standings.get(leadId)?.promise
  if (made?.n === n) state.promises.set(keyOf(made), { ...made, kept: null })
}

const keyOf = ({ n, leadId }: Pick<CallPromise, 'n' | 'leadId'>) => `${n} ${leadId}`

/** A call, or an answer, settles whether a promise was kept. */
function settle(state: Draft, leadId: string, at: number): void {
  const promise = state.standings.get(leadId)?.promise
  const made = promise && state.promises.get(keyOf(promise))
  if (made?.kept === null) state.promises.set(keyOf(made), { ...made, kept: at <= made.at + PROMISE_MS })
}

/** Everyone whom we still want to reach. */
export const openStandings = ({ standings }: Pick<Story, 'standings'>): readonly Standing[] =>
  [...standings.values()].filter(({ answer }) => answer === null)
