/** What an agent says about a call until it's saved: what there is to ask, what's missing, and the request. It survives a reload. */
import { placeId } from '../../../../domain/calling/area-codes.ts'
import {
  type CallOutcomeName,
  callbackOf,
  callOutcomes,
  isTry,
  SOMEONE_ELSE,
  tickedAtFirst,
} from '../../../../domain/calling/outcomes.ts'
import type { CallOutcomeRequest, CallState } from '../../client.ts'
import { saveDraft, useDraft } from '../../drafts.ts'
import { useSession } from '../../session.ts'
import { startedCall } from './situation.tsx'

export type Person = CallState['people'][number]
/** Leads that look like one person are ticked together. */
export const keyOf = ({ leads }: Person): string => leads[0] ?? ''

export type Asked = NonNullable<CallOutcomeRequest['outcomes'][number]['asked']>

/** What someone else on the number said in the same call. */
export interface OtherOutcome {
  readonly outcome: CallOutcomeName
  readonly callbackAt: number | null
}

export interface Said {
  readonly outcome: CallOutcomeName | null
  readonly callbackAt: number | null
  /** Whom it was about, by key; null for those ticked at first. */
  readonly ticked: ReadonlySet<string> | null
  readonly others: ReadonlyMap<string, OtherOutcome>
  readonly asked: Asked
  /** Someone else said when to call the person asked for. */
  readonly saidWhen: boolean
  readonly which: NonNullable<CallOutcomeRequest['which']> | null
  /** The day on which they became a client. */
  readonly client: string | null
  /** For a call on another phone. Undefined: when it was opened here. Null: unknown. */
  readonly calledAt: CallOutcomeRequest['calledAt']
}

const nothingSaid: Said = {
  outcome: null,
  callbackAt: null,
  ticked: null,
  others: new Map(),
  asked: 'person',
  saidWhen: false,
  which: null,
  client: null,
  calledAt: undefined,
}

/** Of this call: another one, also with the same person, starts empty. `key`: the draft's. */
export function useSaid(leadId: string, { situation, place }: CallState) {
  const { name } = useSession()
  const began = 'startedAt' in situation ? situation.startedAt : 'since' in situation ? situation.since : 0
  const key = `${name} said ${leadId} ${began}`
  const [text, setText] = useDraft(key)
  const where = place && placeId(place)
  const say = (changes: Partial<Said>) => setText(before => draftOf({ ...saidIn(before, where), ...changes }, where))
  return { said: saidIn(text, where), say, forget: () => setText(''), key }
}

const draftOf = ({ ticked, others, ...said }: Said, where: string | null): string =>
  JSON.stringify({ ...said, ticked: ticked && [...ticked], others: [...others], where })

/** A time was chosen for one place, so it's none for another. */
function saidIn(draft: string, place: string | null): Said {
  if (draft === '') return nothingSaid
  const { ticked, others, where, ...said } = JSON.parse(draft)
  const callbackAt = where === place ? said.callbackAt : null
  return { ...said, callbackAt, ticked: ticked && new Set(ticked), others: new Map(others) }
}

/** Someone who answered for another person was added, and wants to apply: so far, that's what they said in this call. */
export function sayOfAdded(key: string, leadId: string): void {
  saveDraft(key, text => {
    const { where = null } = text === '' ? {} : JSON.parse(text)
    const said = saidIn(text, where)
    const others = new Map(said.others).set(leadId, { outcome: 'going ahead', callbackAt: null })
    return draftOf({ ...said, outcome: SOMEONE_ELSE, others }, where)
  })
}

/** What the form asks about an outcome, and whom it's about unless the agent says otherwise. Null without an outcome. */
export function questionsAbout(state: CallState, { outcome, asked, ticked, saidWhen }: Said) {
  if (outcome === null) return null
  const { stops } = callOutcomes[outcome]
  const callback = callbackOf(outcome)
  const who = stops === 'who asked'
  // If nobody was reached, it's about everyone on the number.
  const isAboutSomeone = !isTry(outcome) && !(who && asked === 'someone else')
  const first = tickedAtFirst(state.people, outcome)
  return {
    outcome,
    client: outcome === 'going ahead' || outcome === 'call back',
    time: callback === 'required' || (callback === 'possible' && saidWhen),
    who,
    // Also about one person, if they aren't ticked at first: someone who was reached at a number that's wrong now.
    whom:
      outcome === SOMEONE_ELSE
        ? state.people.length > 1
        : isAboutSomeone && (state.people.length > 1 || first.length === 0),
    isAboutSomeone,
    // Someone else answered for the person asked for.
    ticked: (isAboutSomeone ? ticked : null) ?? new Set(first.map(keyOf)),
  }
}

export type Questions = NonNullable<ReturnType<typeof questionsAbout>>

/** The call wasn't dialed here. */
export const isElsewhere = (state: CallState, { which }: Said): boolean =>
  startedCall(state) === null && which !== 'left'

interface Missing {
  readonly text: string
  /** How the names of its fields begin. */
  readonly field: 'which' | 'outcome' | 'client' | 'callback' | 'about'
}

export function whatIsMissing(state: CallState, said: Said, asks: Questions | null): Missing | null {
  if (state.situation.kind === 'left' && said.which === null)
    return { field: 'which', text: 'Choose which call it was.' }
  if (asks === null) return { field: 'outcome', text: 'Choose what happened.' }
  const { time, whom, isAboutSomeone, ticked } = asks
  if (asks.client && said.client === '') return { field: 'client', text: 'Choose on which day they became a client.' }
  const others = whom ? [...said.others.values()] : []
  const isPending = others.some(other => other.outcome === 'call back' && other.callbackAt === null)
  if ((time && said.callbackAt === null) || isPending) return { field: 'callback', text: 'Choose when to call back.' }
  return isAboutSomeone && ticked.size === 0 ? { field: 'about', text: 'Choose who this call was about.' } : null
}

export function requestOf(
  state: CallState,
  said: Said,
  { outcome, time, who, whom, isAboutSomeone, ticked, ...asks }: Questions,
): Pick<CallOutcomeRequest, 'outcomes' | 'phone' | 'calledAt' | 'which' | 'client'> {
  const { callbackAt, others, asked, which, calledAt, client } = said
  const leadsOf = (keys: ReadonlySet<string>) =>
    state.people.filter(person => keys.has(keyOf(person))).flatMap(({ leads }) => leads)
  const first = {
    outcome,
    leads: who && !isAboutSomeone ? [] : leadsOf(ticked),
    ...(time && callbackAt !== null && { callbackAt }),
    ...(who && { asked }),
  }
  const rest = (whom ? [...others] : [])
    .filter(([key]) => !ticked.has(key) && leadsOf(new Set([key])).length > 0)
    .map(([key, other]) => ({
      outcome: other.outcome,
      leads: leadsOf(new Set([key])),
      ...(other.callbackAt !== null && { callbackAt: other.callbackAt }),
    }))
  return {
    outcomes: [first, ...rest],
    // The lead may be erased during the call, but a request to stop still counts.
    phone: state.phone,
    ...(isElsewhere(state, said) && calledAt !== undefined && { calledAt }),
    ...(which !== null && { which }),
    ...(asks.client && client && { client }),
  }
}
