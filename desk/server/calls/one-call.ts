/** Routes for one lead's call, from claim to outcome. */
import { Hono } from 'hono'
import * as v from 'valibot'
import { placeLabel, places } from '../../../domain/calling/area-codes.ts'
import { callbackChoices, callbackOpenings } from '../../../domain/calling/callbacks.ts'
import { createCallingClock } from '../../../domain/calling/hours.ts'
import { callLanguages } from '../../../domain/calling/list.ts'
import {
  callbackOf,
  callOutcomeNames,
  callOutcomes,
  isTry,
  SOMEONE_ELSE,
  UNDO_MS,
} from '../../../domain/calling/outcomes.ts'
import type { SetPlace } from '../../../domain/calling/story.ts'
import type { Claim, WhoseCall } from '../../../domain/calling/whose-call.ts'
import { roleAllows } from '../../../domain/roles.ts'
import type { DeskPerson } from '../../../server/store/facts/desk-people.ts'
import type { LoggedCall } from '../../../server/store/views/call-log.ts'
import { MAX_NOTE_LENGTH } from '../../limits.ts'
import { ApiError, roleRequired } from '../api-error.ts'
import { day, id, reason, requiredText } from '../fields.ts'
import { jsonBody } from '../request-body.ts'
import type { DeskRequest, DeskServices } from '../services.ts'
import { idsOf, type RouteServices } from '../views.ts'

const claimBody = v.object({ takeOver: v.exactOptional(v.boolean()) })
const startBody = v.object({ overrideReason: v.exactOptional(reason) })
const instant = v.pipe(v.number(), v.safeInteger())
const outcomeBody = v.object({
  /** What came of the call, for whom. The first one is what figures count. */
  outcomes: v.pipe(
    v.array(
      v.object({
        outcome: v.picklist(callOutcomeNames),
        callbackAt: v.exactOptional(instant),
        /** The leads it was about. */
        leads: v.pipe(v.array(id), v.maxLength(100)),
        /** For "never call again". */
        asked: v.exactOptional(v.picklist(['person', 'someone else'])),
      }),
    ),
    v.minLength(1),
    v.maxLength(10),
  ),
  note: v.exactOptional(requiredText(MAX_NOTE_LENGTH)),
  /** For a call on another phone: when; null if unknown. Missing: when it was opened here. */
  calledAt: v.exactOptional(v.nullable(instant)),
  /** If a call was left without an outcome hours ago: that one, or another one. */
  which: v.exactOptional(v.picklist(['left', 'another'])),
  /** The number that was called: the lead may be erased during the call. */
  phone: v.exactOptional(requiredText(40)),
  /** The day on which they became a client. */
  client: v.exactOptional(day),
  /** Also claim the next person to call. */
  next: v.exactOptional(v.boolean()),
})
const skipBody = v.object({ leaves: v.exactOptional(v.boolean()) })
const placeBody = v.object({ place: v.nullable(v.picklist([...places.keys()])) })
const languageBody = v.object({ language: v.picklist(callLanguages) })

export function createOneCallRoutes(services: RouteServices) {
  const { config, store, views, hours } = services
  const { webhookCalls: announce } = config

  async function stateOf(leadId: string, { id: personId, name }: DeskPerson) {
    const state = await store.callState({ leadId, personId, hours: hours() })
    if (!state) throw new ApiError('not found', 'There’s no one to call: this person’s data was erased.')
    await views.refresh(name, leadId)
    const shown = state.people.flatMap(({ leads, otherNumbers }) => [...leads, ...idsOf(otherNumbers)])
    await views.list(
      name,
      shown.filter(id => id !== leadId),
    )
    const { at, chosen, place, how, areaCode: _, whose, people, placeBefore, ...rest } = state
    /** Calls to the number, oldest first. Corrections are separate entries. */
    const calls = (await store.callLog(leadId)).map(call => ({
      ...call,
      canUndo: canUndo(call, personId, at),
    }))
    const situation = situationOf({ whose, calls })
    const incoming = situation.kind === 'started' && situation.incoming
    const clock = createCallingClock(hours())
    return {
      ...rest,
      at,
      /** What this person can do with the call. `block` says why nobody can dial now. */
      situation,
      /** Null: unknown, so someone has to set it. */
      place,
      /** The place that a colleague set; null for the area code's. One of `/places`. */
      chosenPlace: chosen?.id ?? null,
      /** Completes "6:51 AM, Hawaii, …". */
      placeHow: placeWords(how, chosen, placeBefore),
      callbackChoices: place ? callbackChoices(place, at, clock) : [],
      /** When calls are allowed there, for "Pick a time": in words, and the next two weeks. */
      allowedHours: place ? clock.describe(place) : null,
      openings: place ? callbackOpenings(place, at, clock, { incoming }) : [],
      people,
      calls,
    }
  }

  return new Hono<DeskRequest>()
    .get('/:id', async context => context.json(await stateOf(context.req.param('id'), context.get('person'))))
    .post('/:id/claim', jsonBody(claimBody), async context => {
      const { takeOver = false } = context.req.valid('json')
      return context.json(
        await store.claimCall({ leadId: context.req.param('id'), person: context.get('agent'), takeOver }),
      )
    })
    .post('/:id/renew', async context => {
      const renewed = await store.renewClaim({ leadId: context.req.param('id'), personId: context.get('person').id })
      return context.json({ claim: renewed && claimLine(renewed, renewed.personId) })
    })
    .post('/:id/skip', jsonBody(skipBody), async context => {
      const request = { leadId: context.req.param('id'), person: context.get('agent') }
      await store.skipCall({ ...request, ...context.req.valid('json') })
      return context.json({})
    })
    .post('/:id/start', jsonBody(startBody), async context => {
      const { role } = context.get('person')
      const { overrideReason = null } = context.req.valid('json')
      if (overrideReason !== null && !roleAllows(role, 'editor')) throw roleRequired('editor')
      const request = {
        leadId: context.req.param('id'),
        person: context.get('agent'),
        hours: hours(),
        overrideReason,
      }
      return context.json(await store.startCall(request))
    })
    .post('/:id/withdraw', async context => {
      await store.withdrawCall({ leadId: context.req.param('id'), person: context.get('agent'), hours: hours() })
      return context.json({})
    })
    .post('/:id/outcome', jsonBody(outcomeBody), async context => {
      const { outcomes, note = null, next = false, ...more } = context.req.valid('json')
      const isWrong = outcomes.some(({ outcome, callbackAt }) =>
        callbackAt === undefined ? callbackOf(outcome) === 'required' : callbackOf(outcome) === 'none',
      )
      if (isWrong) throw new ApiError('bad request', 'Choose when to call back.')
      const about = outcomes.flatMap(({ leads }) => leads)
      // Only someone else's answer leaves something to say about others.
      const isAlone = outcomes.some(({ outcome }, index) => isTry(outcome) && (outcome !== SOMEONE_ELSE || index > 0))
      if (outcomes.length > 1 && (isAlone || new Set(about).size < about.length))
        throw new ApiError('bad request', 'A call has one outcome for each person.')
      const person = context.get('agent')
      const leadId = context.req.param('id')
      const saved = await store.saveCall({ leadId, person, hours: hours(), outcomes, note, announce, ...more })
      // One response type, so the client can tell them apart by `kind`.
      const refusedOrSaved =
        saved.kind === 'saved'
          ? {
              kind: saved.kind,
              callId: saved.callId,
              call: saved.call,
              next: saved.next,
              /** False: a colleague reached the person after this call, so the callback isn't planned. */
              isScheduled: saved.isScheduled,
              /** Something went on the do-not-call list. */
              isListed: saved.blocked.length > 0,
              nextLeadId: next ? await store.callNext({ person, hours: hours() }) : null,
            }
          : saved
      return context.json(refusedOrSaved)
    })
    .post('/:id/place', jsonBody(placeBody), async context => {
      const leadId = context.req.param('id')
      const { name: by } = context.get('person')
      await store.setCallPlace({ leadId, value: context.req.valid('json').place, by })
      return context.json(await stateOf(leadId, context.get('person')))
    })
    .post('/:id/language', jsonBody(languageBody), async context => {
      const leadId = context.req.param('id')
      const { name: by } = context.get('person')
      await store.setLeadLanguage({ leadId, value: context.req.valid('json').language, by })
      return context.json(await stateOf(leadId, context.get('person')))
    })
}

export const claimLine = ({ personId, name, since, expiresAt, dialed }: Claim, viewerId: string) => ({
  name,
  since,
  expiresAt,
  dialed: dialed === 1,
  mine: personId === viewerId,
})

/** Who can make a callback. */
export const agentsOf = async ({ reader }: Pick<DeskServices, 'reader'>) =>
  (await reader.deskPeople())
    .filter(({ role, passkeys }) => passkeys > 0 && roleAllows(role, 'agent'))
    .map(({ id, name, languages }) => ({ id, name, languages }))

interface CallFacts {
  readonly whose: WhoseCall
  readonly calls: readonly (LoggedCall & { readonly atOldNumber: boolean; readonly canUndo: boolean })[]
}

/** What the page has to show: one of these at a time. */
export function situationOf({ whose, calls }: CallFacts) {
  if (whose.kind === 'started') {
    const { at: startedAt, incoming } = whose.call
    return { kind: 'started', startedAt, incoming } as const
  }
  if (whose.kind === 'left' && whose.since !== null)
    return { kind: 'left', startedAt: whose.call.at, since: whose.since } as const
  if (whose.kind === 'open') return { kind: 'open', since: whose.since } as const
  if (whose.kind === 'taken') return { kind: 'taken', by: whose.by.name, since: whose.by.since } as const
  const undone = new Set(calls.map(({ corrects }) => corrects))
  const [saved] = calls
    .filter(({ id, atOldNumber, canUndo }) => canUndo && !atOldNumber && !undone.has(id))
    .toSorted((one, other) => other.savedAt - one.savedAt)
  return saved ? ({ kind: 'saved', callId: saved.id, at: saved.savedAt } as const) : ({ kind: 'free' } as const)
}

function placeWords(how: string, chosen: SetPlace | null, before: SetPlace | null): string {
  const words = chosen ? `set by ${chosen.by}` : how
  return before ? `${words}; at their old number, ${before.by} set ${placeLabel(before.id)}` : words
}

/** One's own outcome, for an hour. The store decides whether it was undone already. */
const canUndo = ({ personId, savedAt, outcome }: LoggedCall, viewerId: string, at: number): boolean =>
  personId === viewerId && savedAt > at - UNDO_MS && Object.hasOwn(callOutcomes, outcome)
