/** Routes for calling people: the list, the next person, and one lead's call from claim to outcome. */
import { Hono } from 'hono'
import {
  array,
  boolean,
  exactOptional,
  isoDate,
  maxLength,
  minLength,
  nonEmpty,
  nullable,
  number,
  object,
  picklist,
  pipe,
  safeInteger,
  string,
  trim,
} from 'valibot'
import { placeLabel, places } from '../../domain/calling/area-codes.ts'
import { callbackChoices, callbackOpenings } from '../../domain/calling/callbacks.ts'
import { createCallingClock } from '../../domain/calling/hours.ts'
import { callGroupNames, callLanguages, type WaitReason } from '../../domain/calling/list.ts'
import { callOutcomeNames, callOutcomes, UNDO_MS } from '../../domain/calling/outcomes.ts'
import type { SetPlace } from '../../domain/calling/story.ts'
import type { Claim, WhoseCall } from '../../domain/calling/whose-call.ts'
import { removalNotice } from '../../domain/do-not-call.ts'
import { roleAllows } from '../../domain/roles.ts'
import { callBatches, readableCalls } from '../../server/export/call-formats.ts'
import { createCalendar } from '../../server/settings/calendar.ts'
import type { CallAttempt } from '../../server/store/calls/attempts.ts'
import type { DeskPerson } from '../../server/store/people/desk-people.ts'
import { MAX_NOTE_LENGTH, MAX_REASON_LENGTH } from '../limits.ts'
import { ApiError, roleRequired } from './api-error.ts'
import { sendCsv } from './download.ts'
import { createIncomingNumbers, createIncomingRoutes } from './incoming.ts'
import { storeFilter } from './leads/filter.ts'
import { createPhonePeopleRoutes } from './phone-people.ts'
import { jsonBody, query } from './request-body.ts'
import type { DeskRequest, DeskServices } from './services.ts'
import type { RouteServices } from './views.ts'

/** How many people each part of the list names. The counts cover everyone. */
const SHOWN = 50

const text = (max: number) => pipe(string(), trim(), nonEmpty(), maxLength(max))
const date = pipe(string(), isoDate())
const listQuery = object({ only: exactOptional(picklist(callGroupNames)) })
const claimBody = object({ takeOver: exactOptional(boolean()) })
const startBody = object({ overrideReason: exactOptional(text(MAX_REASON_LENGTH)) })
const instant = pipe(number(), safeInteger())
const outcomeBody = object({
  /** What came of the call, for whom. The first one is what figures count. */
  outcomes: pipe(
    array(
      object({
        outcome: picklist(callOutcomeNames),
        callbackAt: exactOptional(instant),
        /** The leads it was about. */
        leads: pipe(array(text(100)), maxLength(100)),
        /** For "never call again". */
        asked: exactOptional(picklist(['person', 'whoever answered'])),
      }),
    ),
    minLength(1),
    maxLength(10),
  ),
  note: exactOptional(text(MAX_NOTE_LENGTH)),
  /** For a call on another phone: when; null if unknown. Missing: when it was opened here. */
  calledAt: exactOptional(nullable(instant)),
  /** If a call was left without an outcome hours ago: that one, or another one. */
  which: exactOptional(picklist(['left', 'another'])),
  /** The number that was called: the lead may be erased during the call. */
  phone: exactOptional(text(40)),
  /** Also claim the next person to call. */
  next: exactOptional(boolean()),
})
const skipBody = object({ leaves: exactOptional(boolean()) })
const giveBody = object({ to: text(100) })
const undoBody = object({ attemptId: text(100) })
const placeBody = object({ place: nullable(picklist([...places.keys()])) })
const exportQuery = object({ since: date, until: date, person: exactOptional(text(100)) })
const languageBody = object({ language: picklist(callLanguages) })

export function createCallRoutes(services: RouteServices) {
  const { config, store, reader, now, views } = services
  const { callingHours: hours, webhookCalls: announce } = config
  const clock = createCallingClock(hours)
  const calendar = createCalendar(config.timeZone)
  const numbers = createIncomingNumbers(now)

  async function stateOf(leadId: string, { id: personId, name }: DeskPerson) {
    const state = await store.callState({ leadId, personId, hours })
    if (!state) throw new ApiError('not found', 'There’s no one to call: this person’s data was erased.')
    await views.refresh(name, leadId)
    const shown = state.people.flatMap(({ leads, otherNumbers }) => [
      ...leads,
      ...otherNumbers.map(other => other.leadId),
    ])
    await views.list(
      name,
      shown.filter(id => id !== leadId),
    )
    const { at, chosen, place, how, areaCode: _, whose, people, placeBefore, ...rest } = state
    /** Calls to the number, oldest first. Corrections are separate entries. */
    const attempts = (await store.callAttempts(leadId)).map(attempt => ({
      ...attempt,
      canUndo: canUndo(attempt, personId, at),
    }))
    const situation = situationOf({ whose, attempts })
    const incoming = situation.kind === 'started' && situation.incoming
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
      attempts,
    }
  }

  const colleaguesOf = async (personId: string | null) =>
    (await reader.deskPeople())
      .filter(({ id, role, passkeys }) => id !== personId && passkeys > 0 && roleAllows(role, 'agent'))
      .map(({ id, name }) => ({ id, name }))

  const listLine =
    (personId: string) =>
    ({ promise, wait, claim, ...call }: ListedCall) => ({
      leadId: call.leadId,
      /** Everyone on the number whom we want to reach. */
      people: call.people,
      language: call.language,
      kind: call.kind,
      dueAt: call.kind === 'new' ? call.waitingSince : call.dueAt,
      place: call.place,
      /** The earliest promised callback, which the next call may come before. */
      promise,
      attempts: call.attempts,
      /** `not recorded`: called, outcome unknown. */
      last: call.last,
      wait: wait && { why: wait.why as WaitReason, until: wait.next },
      claim: claim && claimLine(claim, personId),
    })

  return (
    new Hono<DeskRequest>()
      .use(async (_, next) => {
        if (!(await showsCalls({ config, reader }))) throw new ApiError('not found', 'The call list is turned off.')
        await next()
      })
      .get('/', query(listQuery), async context => {
        const { id: personId, name } = context.get('person')
        const { only = null } = context.req.valid('query')
        const dayEnds = calendar.startOf(calendar.daysAfter(calendar.dateOf(now()), 1))
        const list = await reader.callList({ personId, hours, limit: SHOWN, dayEnds, only })
        await views.list(
          name,
          [...list.mine, ...list.ready, ...list.later].map(({ leadId }) => leadId),
        )
        return context.json({
          ...list,
          /** Null, or until when calls are known, after a restore. */
          restoredTo: await reader.restoredTo(),
          /** Open with this person. */
          mine: list.mine.map(listLine(personId)),
          ready: list.ready.map(listLine(personId)),
          later: list.later.map(listLine(personId)),
          /** When the next person can be called, if nobody can be called now. */
          next: list.later.find(({ wait }) => wait?.next)?.wait?.next ?? null,
        })
      })
      /** "You called NAME at 1:12 PM. What happened?" */
      .get('/unfinished', async context => {
        const { id, name } = context.get('person')
        const calls = await store.unfinishedCalls(id)
        await views.list(
          name,
          calls.map(({ leadId }) => leadId),
        )
        return context.json({ calls })
      })
      /** Those that this person can undo, newest first. */
      .get('/recent', async context => {
        const { id, name } = context.get('person')
        const calls = await store.recentCalls(id)
        await views.list(
          name,
          calls.map(({ leadId }) => leadId),
        )
        return context.json({ calls })
      })
      /** Who can make a callback. */
      .get('/colleagues', async context => context.json(await colleaguesOf(context.get('person').id)))
      .get('/places', context => context.json([...places.keys()].map(id => ({ id, label: placeLabel(id) }))))
      /** Without contact details, so viewers may; with names for editors, who may export leads. Dates as in 2030-01-31; both are included. `person`: only their calls. */
      .get('/export', query(exportQuery), async context => {
        const { since, until, person } = context.req.valid('query')
        const { name: by, role } = context.get('person')
        const withNames = roleAllows(role, 'editor')
        const isWanted = ({ personId }: CallAttempt) => person === undefined || personId === person
        const period = { since: calendar.startOf(since), until: calendar.startOf(calendar.daysAfter(until, 1)) }
        const format = readableCalls(calendar, withNames)
        if (withNames) {
          const filter = { calledFrom: since, calledTo: until, ...(person !== undefined && { caller: person }) }
          const leads = await reader.count(storeFilter(filter, calendar))
          await store.recordExport({ by, format: 'csv', filter: JSON.stringify(filter), leads })
        }
        async function* lines() {
          yield format.head
          for await (const batch of callBatches(reader, period))
            yield await format.lines(reader, batch.filter(isWanted))
        }
        return sendCsv(services, context, { name: `calls-${since}-to-${until}.csv`, pieces: lines() })
      })
      .post('/next', async context => {
        const { id, name } = context.get('person')
        return context.json({ leadId: await store.callNext({ person: { id, name }, hours }) })
      })
      .post('/undo', jsonBody(undoBody), async context => {
        const { id, name } = context.get('person')
        const undone = await store.undoCall({ ...context.req.valid('json'), person: { id, name }, hours, announce })
        if (!undone) throw new ApiError('conflict', 'You can undo only your own outcomes, and only for an hour.')
        const { leadId, note, kept, replaced, crm } = undone
        return context.json({
          leadId,
          note,
          /** What stays on the do-not-call list, because someone else asked for it, too. */
          kept: kept.map(({ contact, by }) => ({ contact, by })),
          /** People whose number was corrected since: that stays. */
          replaced,
          /** What to tell the CRM. */
          notice: removalNotice(crm),
        })
      })
      .route('/incoming', createIncomingRoutes(services, numbers))
      .route('/people', createPhonePeopleRoutes(services, numbers))
      .get('/:id', async context => context.json(await stateOf(context.req.param('id'), context.get('person'))))
      .post('/:id/claim', jsonBody(claimBody), async context => {
        const { id, name } = context.get('person')
        const { takeOver = false } = context.req.valid('json')
        return context.json(await store.claimCall({ leadId: context.req.param('id'), person: { id, name }, takeOver }))
      })
      .post('/:id/renew', async context => {
        const renewed = await store.renewClaim({ leadId: context.req.param('id'), personId: context.get('person').id })
        return context.json({ claim: renewed && claimLine(renewed, renewed.personId) })
      })
      /** An agent gives a colleague the callbacks that they promised; an editor, anyone's. */
      .post('/:id/give', jsonBody(giveBody), async context => {
        const { id, name, role } = context.get('person')
        const to = (await colleaguesOf(null)).find(each => each.id === context.req.valid('json').to)
        if (!to) throw new ApiError('conflict', 'This colleague doesn’t make calls anymore.')
        const from = roleAllows(role, 'editor') ? null : id
        const given = await store.giveCallbacks({ leadId: context.req.param('id'), person: { id, name }, from, to })
        if (!given) throw new ApiError('conflict', 'There’s no callback of yours to give.')
        return context.json({})
      })
      .post('/:id/skip', jsonBody(skipBody), async context => {
        const { id, name } = context.get('person')
        const request = { leadId: context.req.param('id'), person: { id, name } }
        await store.skipCall({ ...request, ...context.req.valid('json') })
        return context.json({})
      })
      .post('/:id/start', jsonBody(startBody), async context => {
        const { id, name, role } = context.get('person')
        const { overrideReason = null } = context.req.valid('json')
        if (overrideReason !== null && !roleAllows(role, 'editor')) throw roleRequired('editor')
        const request = { leadId: context.req.param('id'), person: { id, name }, hours, overrideReason }
        return context.json(await store.startCall(request))
      })
      .post('/:id/withdraw', async context => {
        const { id, name } = context.get('person')
        await store.withdrawCall({ leadId: context.req.param('id'), person: { id, name }, hours })
        return context.json({})
      })
      .post('/:id/outcome', jsonBody(outcomeBody), async context => {
        const { id, name } = context.get('person')
        const { outcomes, note = null, next = false, ...more } = context.req.valid('json')
        const isIncomplete = outcomes.some(
          ({ outcome, callbackAt }) => (callOutcomes[outcome].follows === 'callback') !== (callbackAt !== undefined),
        )
        if (isIncomplete) throw new ApiError('bad request', 'Choose when to call back.')
        const about = outcomes.flatMap(({ leads }) => leads)
        const isTry = outcomes.some(({ outcome }) => callOutcomes[outcome].follows === 'retry')
        if (outcomes.length > 1 && (isTry || new Set(about).size < about.length))
          throw new ApiError('bad request', 'A call has one outcome for each person.')
        const person = { id, name }
        const leadId = context.req.param('id')
        const saved = await store.saveCall({ leadId, person, hours, outcomes, note, announce, ...more })
        // One response type, so the client can tell them apart by `kind`.
        const refusedOrSaved =
          saved.kind === 'saved'
            ? {
                kind: saved.kind,
                attemptId: saved.attemptId,
                call: saved.call,
                /** False: a colleague reached the person after this call, so the callback isn't planned. */
                isScheduled: saved.isScheduled,
                /** The same people's leads with other numbers, which this answered, too. */
                alsoAnswered: saved.alsoAnswered,
                nextLeadId: next ? await store.callNext({ person, hours }) : null,
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
  )
}

type ListedCall = Awaited<ReturnType<DeskServices['reader']['callList']>>['ready'][number]

const claimLine = ({ personId, name, since, expiresAt, dialed }: Claim, viewerId: string) => ({
  name,
  since,
  expiresAt,
  dialed: dialed === 1,
  mine: personId === viewerId,
})

interface CallFacts {
  readonly whose: WhoseCall
  readonly attempts: readonly (CallAttempt & { readonly canUndo: boolean })[]
}

/** What the page has to show: one of these at a time. */
export function situationOf({ whose, attempts }: CallFacts) {
  if (whose.kind === 'started') {
    const { at: startedAt, incoming } = whose.call
    return { kind: 'started', startedAt, incoming } as const
  }
  if (whose.kind === 'left' && whose.since !== null)
    return { kind: 'left', startedAt: whose.call.at, since: whose.since } as const
  if (whose.kind === 'open') return { kind: 'open', since: whose.since } as const
  if (whose.kind === 'taken') return { kind: 'taken', by: whose.by.name, since: whose.by.since } as const
  const undone = new Set(attempts.map(({ corrects }) => corrects))
  const [saved] = attempts
    .filter(({ id, canUndo }) => canUndo && !undone.has(id))
    .toSorted((one, other) => other.savedAt - one.savedAt)
  return saved
    ? ({ kind: 'saved', attemptId: saved.id, outcome: saved.outcome, at: saved.savedAt } as const)
    : ({ kind: 'free' } as const)
}

function placeWords(how: string, chosen: SetPlace | null, before: SetPlace | null): string {
  const words = chosen ? `set by ${chosen.by}` : how
  return before ? `${words}; at their old number, ${before.by} set ${placeLabel(before.id)}` : words
}

/** One's own outcome, for an hour. The store decides whether it was undone already. */
const canUndo = ({ personId, savedAt, outcome }: CallAttempt, viewerId: string, at: number): boolean =>
  personId === viewerId && savedAt > at - UNDO_MS && Object.hasOwn(callOutcomes, outcome)

/** Whether there's a Calls page: while the desk calls leads, or still has calls to finish. */
export const showsCalls = async ({ config, reader }: Pick<DeskServices, 'config' | 'reader'>): Promise<boolean> =>
  config.callList || (config.finishCalls && (await reader.hasOpenCalls()))
