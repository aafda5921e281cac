/** Calls as lines for pages, records, and exports, with corrections and calls without an outcome: evidence, made from the events. */
import { CALL_MS, isRedialed, standingAmong } from '../../../domain/calling/made-calls.ts'
import { NOT_CALLED, REDIALED, UNDO_MS, UNDONE, UNRECORDED } from '../../../domain/calling/outcomes.ts'
import {
  type Dialed,
  type Incoming,
  isStart,
  type Said,
  type StoryEvent,
} from '../../../domain/calling/story-events.ts'
import { namesAmong } from '../../../domain/leads/people.ts'
import { eventsOfCalls } from '../facts/calls/stories.ts'
import { isOfCall } from '../facts/calls/story-rows.ts'
import { chainOf } from '../facts/leads/chains.ts'
import { storedLeads } from '../facts/leads/lead-rows.ts'
import { phoneMarkOfKey } from '../facts/leads/person-keys.ts'
import type { Sql, SqlPort } from '../sql.ts'

export interface LoggedCall {
  readonly id: string
  /** Whose page it was made from. */
  readonly leadId: string
  /** Whom the outcome was about; the same if there's none. */
  readonly leads: readonly string[]
  readonly personId: string
  readonly by: string
  readonly startedAt: number
  /** False: it was made on another phone by this time. */
  readonly timeKnown: boolean
  readonly savedAt: number
  /** The person called us. */
  readonly incoming: boolean
  /** Where we thought the person was: `FL Central or Eastern`. */
  readonly place: string | null
  readonly outcome: string
  readonly callbackAt: number | null
  readonly overrideReason: string | null
  /** The call whose outcome this one undoes. */
  readonly corrects: string | null
}

export interface CallPeriod {
  readonly since: number
  readonly until: number
  /** Where the previous page ended; null for the first page. */
  readonly after: CallPosition | null
  readonly limit: number
}

export interface CallPosition {
  readonly at: number
  readonly storyId: string
  readonly n: number
}

/** The most recent calls that a page shows. */
const SHOWN = 200
/** A call has a dial, an outcome, and perhaps a correction. */
const SHOWN_EVENTS = 3 * SHOWN

export function createCallLog({ read, now }: SqlPort) {
  return {
    /** The latest calls to the lead's number, oldest first. */
    async callLog(leadId: string) {
      const lines = await linesAbout(read, [leadId], SHOWN_EVENTS)
      return lines.toSorted(bySaving).slice(-SHOWN)
    },

    /** All calls to the numbers of these leads, oldest first. */
    callsOfAll: async (leadIds: readonly string[]) => (await linesAbout(read, leadIds)).toSorted(bySaving),

    /** Calls saved in a period, oldest first, starting after `after`. A page may be empty. */
    async savedCalls({ since, until, after, limit }: CallPeriod) {
      const rows = await read<CallPosition>(
        `SELECT at, story_id, n FROM story_events
         WHERE at >= $1 AND at < $2 AND ${isOfCall()} AND (at, story_id, n) > ($3, $4, $5) ORDER BY at, story_id, n LIMIT $6`,
        [since, until, after?.at ?? 0, after?.storyId ?? '', after?.n ?? 0, limit],
      )
      const wanted = new Set(rows.map(({ storyId, n }) => `${storyId} ${n}`))
      const lines = await linesOfStories(read, [...new Set(rows.map(({ storyId }) => storyId))])
      const calls = lines.filter(({ storyId, n }) => wanted.has(`${storyId} ${n}`)).map(({ line }) => line)
      return { calls: calls.toSorted(bySaving), next: rows.length < limit ? null : (rows.at(-1) ?? null) }
    },

    /** Calls that this person made or took without saying what happened, oldest first. */
    async unfinishedCalls(personId: string) {
      const since = (await now()) - CALL_MS
      const rows = await read<{ leadId: string; at: number; incoming: number; contact: string }>(
        `SELECT dialed.lead_id, calls.at, calls.incoming, contact FROM calls
         JOIN story_events AS dialed ON dialed.story_id = calls.story_id AND dialed.n = calls.n
         JOIN leads ON leads.id = dialed.lead_id
         WHERE calls.person_id = $1 AND calls.outcome = '${UNRECORDED}' AND calls.at > $2 AND leads.contact IS NOT NULL ORDER BY calls.at`,
        [personId, since],
      )
      return rows.map(({ contact, incoming, ...call }) => ({ ...call, incoming: incoming === 1, ...nameIn(contact) }))
    },

    /** What this person saved in the last hour and hasn't undone, newest first, with whom it was about. `at`: of the call. */
    async recentCalls(personId: string) {
      const rows = await read<{
        callId: string
        leadId: string
        outcome: string
        at: number
        detail: string | null
      }>(
        `SELECT said.id AS "callId", said.lead_id AS "leadId", said.outcome, said.detail, COALESCE((
             SELECT dial.at FROM story_events AS dial WHERE dial.story_id = said.story_id AND dial.n = said.refers_to), said.at) AS at
         FROM story_events AS said JOIN leads ON leads.id = said.lead_id
         WHERE said.at > $2 AND ${isOfCall('said')} AND said.kind = 'said' AND said.person_id = $1 AND leads.contact IS NOT NULL AND NOT EXISTS (
           SELECT 1 FROM story_events AS undone
           WHERE undone.story_id = said.story_id AND undone.n > said.n AND undone.kind = 'corrected' AND undone.refers_to = said.n)
         ORDER BY said.at DESC, said.n`,
        [personId, (await now()) - UNDO_MS],
      )
      const calls = rows.map(({ detail, ...call }) => {
        const { leads = [] } = JSON.parse(detail ?? '{}') as { readonly leads?: readonly string[] }
        return { ...call, about: leads.length > 0 ? leads : [call.leadId] }
      })
      const leads = await storedLeads(read, [...new Set(calls.flatMap(({ about }) => about))])
      return calls.map(({ about, ...call }) => ({
        ...call,
        people: namesAmong(leads.filter(({ id }) => about.includes(id))),
      }))
    },
  }
}

const bySaving = (one: LoggedCall, other: LoggedCall) => one.savedAt - other.savedAt || (one.id < other.id ? -1 : 1)

/** Calls to these leads' numbers, and those about the same people at the numbers that they had before. */
async function linesAbout(sql: Sql, leadIds: readonly string[], limit?: number) {
  const own = await storiesOf(sql, leadIds)
  const chain = await chainOf(sql, leadIds)
  const before = (await storiesOf(sql, chain)).filter(id => !own.includes(id))
  const isAbout = ({ line }: StoryLine) => [line.leadId, ...line.leads].some(id => chain.includes(id))
  const linesBefore = (await linesOfStories(sql, before)).filter(isAbout)
  return [
    ...linesBefore.map(({ line }) => ({ ...line, atOldNumber: true })),
    ...(await linesOfStories(sql, own, limit)).map(({ line }) => ({ ...line, atOldNumber: false })),
  ]
}

/** The stories of these leads' numbers. An erased lead's is known from its calls. */
async function storiesOf(sql: Sql, leadIds: readonly string[]): Promise<readonly string[]> {
  const rows = await sql<{ id: string }>(
    `SELECT stories.id FROM leads JOIN stories ON stories.mark = ${phoneMarkOfKey} AND stories.phone = leads.phone
     WHERE leads.id = ANY($1)
     UNION SELECT story_id FROM standings WHERE lead_id = ANY($1)`,
    [leadIds],
  )
  return rows.map(({ id }) => id)
}

interface StoryLine {
  readonly storyId: string
  readonly n: number
  readonly line: LoggedCall
}

/** `limit`: how many of each story's latest events to read. */
async function linesOfStories(
  sql: Sql,
  ids: readonly string[],
  limit = Number.MAX_SAFE_INTEGER,
): Promise<readonly StoryLine[]> {
  const lines: StoryLine[] = []
  for (const storyId of ids) {
    const events = await eventsOfCalls(sql, storyId, limit)
    lines.push(...linesOf(events).map(({ n, line }) => ({ storyId, n, line })))
  }
  return lines
}

/** `n`: the event that the line is for. */
export function linesOf(events: readonly StoryEvent[]): readonly { readonly n: number; readonly line: LoggedCall }[] {
  const all = new Map(events.map(event => [event.n, event]))
  const standing = standingAmong(events)
  const isStanding = new Set(standing)
  const dials = standing.filter(event => event.kind === 'dialed')
  const isSaid = new Set(standing.map(event => (event.kind === 'said' ? event.dial : null)))
  return events.flatMap(event => {
    const { n } = event
    if (isStart(event)) {
      if (isSaid.has(n) || !isStanding.has(event)) return []
      const isDropped = event.kind === 'dialed' && isRedialed(event, dials)
      return { n, line: lineOf(event, event, isDropped ? REDIALED : UNRECORDED) }
    }
    if (event.kind === 'said') {
      const dial = all.get(event.dial ?? 0)
      // The dial may be older than what was read.
      return event.dial !== null && !dial ? [] : { n, line: lineOf(event, dial, event.outcome) }
    }
    const target = event.kind === 'corrected' ? all.get(event.corrects) : undefined
    if (event.kind !== 'corrected' || !target) return []
    const { at: savedAt, id, by } = event
    if (isStart(target)) return { n, line: { ...lineOf(target, target, NOT_CALLED), id, savedAt, corrects: target.id } }
    if (target.kind !== 'said') return []
    const line = lineOf(target, all.get(target.dial ?? 0), UNDONE)
    const undone = { id, personId: by.id, by: by.name, savedAt, callbackAt: null, overrideReason: null }
    return { n, line: { ...line, ...undone, corrects: target.id } }
  })
}

/** `dial`: how the call began, if that's known. */
function lineOf(made: Said | Dialed | Incoming, dial: StoryEvent | undefined, outcome: string): LoggedCall {
  const start = dial && isStart(dial) ? dial : null
  const said = made.kind === 'said' ? made : null
  const calledAt = said?.calledAt ?? null
  return {
    id: made.id,
    leadId: made.leadId,
    leads: said?.leads ?? [made.leadId],
    personId: made.by.id,
    by: made.by.name,
    startedAt: start?.at ?? calledAt ?? made.at,
    timeKnown: start !== null || calledAt !== null,
    savedAt: made.at,
    incoming: start?.kind === 'incoming',
    place: (start ?? made).place,
    outcome,
    callbackAt: said?.callbackAt ?? null,
    overrideReason: start?.kind === 'dialed' ? start.reason : null,
    corrects: null,
  }
}

function nameIn(contact: string) {
  const { firstName, lastName } = JSON.parse(contact) as Record<'firstName' | 'lastName', string>
  return { firstName, lastName }
}
