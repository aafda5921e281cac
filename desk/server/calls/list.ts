/** Routes for the call list: whom to call, the next one, what's unfinished, and calls as a file. */
import { Hono } from 'hono'
import * as v from 'valibot'
import { placeLabel, places } from '../../../domain/calling/area-codes.ts'
import { callGroupNames } from '../../../domain/calling/list.ts'
import { removalNotice } from '../../../domain/do-not-call/do-not-call.ts'
import { roleAllows } from '../../../domain/roles.ts'
import { callBatches, readableCalls } from '../../../server/export/call-formats.ts'
import { createCalendar } from '../../../server/settings/calendar.ts'
import type { LoggedCall } from '../../../server/store/views/call-log.ts'
import { ApiError } from '../api-error.ts'
import { sendCsv } from '../download.ts'
import { day, id } from '../fields.ts'
import { jsonBody, query } from '../request-body.ts'
import type { DeskRequest, DeskServices } from '../services.ts'
import { idsOf, type RouteServices } from '../views.ts'
import { agentsOf, claimLine } from './one-call.ts'

/** How many people each part of the list names. The counts cover everyone. */
const SHOWN = 50

const listQuery = v.object({ only: v.exactOptional(v.picklist(callGroupNames)) })
const undoBody = v.object({ callId: id })
/** `to`: null takes back what one gave. */
const giveBody = v.object({ leads: v.pipe(v.array(id), v.minLength(1), v.maxLength(2 * SHOWN)), to: v.nullable(id) })
const exportQuery = v.object({ since: day, until: day, person: v.exactOptional(id) })

export function createListRoutes(services: RouteServices) {
  const { config, store, reader, now, views, hours } = services
  const { webhookCalls: announce } = config
  const calendar = createCalendar(config.timeZone)

  const listLine =
    (personId: string) =>
    ({ claim, ...call }: ListedCall) => ({ ...call, claim: claim && claimLine(claim, personId) })

  return (
    new Hono<DeskRequest>()
      .get('/', query(listQuery), async context => {
        const { id: personId, name } = context.get('person')
        const { only = null } = context.req.valid('query')
        const dayEnds = calendar.startOf(calendar.daysAfter(calendar.dateOf(now()), 1))
        const list = await reader.callList({ personId, hours: hours(), limit: SHOWN, dayEnds, only })
        await views.list(name, idsOf([...list.mine, ...list.ready, ...list.later]))
        return context.json({
          ...list,
          /** Null, or until when calls are known, after a restore. */
          restoredTo: await reader.restoredTo(),
          /** Open with this person. */
          mine: list.mine.map(listLine(personId)),
          ready: list.ready.map(listLine(personId)),
          later: list.later.map(listLine(personId)),
          /** When the next person can be called, if nobody can be called now. */
          next: list.later.find(({ wait }) => wait?.until)?.wait?.until ?? null,
        })
      })
      /** "You called NAME at 1:12 PM. What happened?" */
      .get('/unfinished', async context => {
        const { id, name } = context.get('person')
        const calls = await store.unfinishedCalls(id)
        await views.list(name, idsOf(calls))
        return context.json({ calls })
      })
      /** Outcomes that this person can undo, newest first. */
      .get('/recent', async context => {
        const { id, name } = context.get('person')
        const calls = await store.recentCalls(id)
        await views.list(name, idsOf(calls.flatMap(({ people }) => people)))
        return context.json({ calls })
      })
      /** Who can make a callback. */
      .get('/colleagues', async context =>
        context.json((await agentsOf(services)).filter(({ id }) => id !== context.get('person').id)),
      )
      .get('/places', context => context.json([...places.keys()].map(id => ({ id, label: placeLabel(id) }))))
      /** Without contact details, so viewers may; with names and numbers for editors, who may export leads. Dates as in 2030-01-31; both are included. `person`: only their calls. */
      .get('/export', query(exportQuery), async context => {
        const { since, until, person } = context.req.valid('query')
        const { name: by, role } = context.get('person')
        const withContacts = roleAllows(role, 'editor')
        const isWanted = ({ personId }: LoggedCall) => person === undefined || personId === person
        const period = { since: calendar.startOf(since), until: calendar.startOf(calendar.daysAfter(until, 1)) }
        const format = readableCalls(calendar, withContacts)
        async function* wanted() {
          for await (const batch of callBatches(reader, period)) yield batch.filter(isWanted)
        }
        if (withContacts) {
          const filter = { calledFrom: since, calledTo: until, ...(person !== undefined && { caller: person }) }
          const leads = new Set<string>()
          for await (const calls of wanted()) for (const call of calls) for (const id of call.leads) leads.add(id)
          await store.recordExport({ by, format: 'csv', filter: JSON.stringify(filter), leads: leads.size })
        }
        async function* lines() {
          yield format.head
          for await (const calls of wanted()) yield await format.lines(reader, calls)
        }
        return sendCsv(services, context, { name: `calls-${since}-to-${until}.csv`, pieces: lines() })
      })
      .post('/next', async context => {
        return context.json({ leadId: await store.callNext({ person: context.get('agent'), hours: hours() }) })
      })
      /** An agent gives a colleague callbacks that they promised; an editor, anyone's. */
      .post('/give', jsonBody(giveBody), async context => {
        const { id, role } = context.get('person')
        const { leads, to: colleague } = context.req.valid('json')
        const person = context.get('agent')
        if (colleague === null) {
          const count = await store.takeCallbacksBack({ leads, person })
          if (count > 0) return context.json({ count })
          throw new ApiError('conflict', 'The callback was made already, or given to someone else.')
        }
        const to = (await agentsOf(services)).find(each => each.id === colleague)
        if (!to) throw new ApiError('conflict', 'This colleague doesn’t make calls anymore.')
        const from = roleAllows(role, 'editor') ? null : id
        const count = await store.giveCallbacks({ leads, person, from, to: { id: to.id, name: to.name } })
        if (count === 0) throw new ApiError('conflict', 'You have no callback here to give.')
        return context.json({ count })
      })
      .post('/undo', jsonBody(undoBody), async context => {
        const person = context.get('agent')
        const undone = await store.undoCall({ ...context.req.valid('json'), person, hours: hours(), announce })
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
          notice: removalNotice(crm, context.get('person').role),
        })
      })
  )
}

type ListedCall = Awaited<ReturnType<DeskServices['reader']['callList']>>['ready'][number]
