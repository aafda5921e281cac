/** The Health page: alerts, storage, recent exports, deliveries, mail, what the CRM has to be told, and testing the webhook. */
import { statfsSync } from 'node:fs'
import { Hono } from 'hono'
import * as v from 'valibot'
import { DAY } from '../../domain/durations.ts'
import { describeOutcome } from '../../domain/leads/lead-states.ts'
import { MAX_REASON_LENGTH } from '../../domain/text/text.ts'
import { describeResponse, sendTestLead } from '../../server/delivery/test-lead.ts'
import { mailHost, mailServerOf } from '../../server/mail/mailer.ts'
import { createCalendar } from '../../server/settings/calendar.ts'
import { sendsEvents, webhookOf } from '../../server/settings/config.ts'
import type { DeskPerson } from '../../server/store/facts/desk-people.ts'
import { unqueuedChoices } from '../../server/store/operations/deliveries/unqueued.ts'
import { ApiError } from './api-error.ts'
import { id, text } from './fields.ts'
import { figure } from './figures.ts'
import { type LeadsFilter, storeFilter } from './leads/filter.ts'
import { jsonBody } from './request-body.ts'
import type { DeskRequest, DeskServices } from './services.ts'
import { siteHealth } from './site-health.ts'
import { idsOf, type RouteServices } from './views.ts'

const RECENT_MS = 7 * DAY
const MAX_EXPORTS = 20
const MAX_LIST_VIEWS = 50
const TIMED_DELIVERIES = 2000
const MAX_EVENTS = 100

const eventsBody = v.object({ ids: v.pipe(v.array(id), v.maxLength(MAX_EVENTS)) })
const unqueuedBody = v.object({ choice: v.picklist(unqueuedChoices) })
const pauseBody = v.object({ reason: text(MAX_REASON_LENGTH) })

export function createHealthRoutes(services: RouteServices) {
  const { config, now, store, views } = services

  /** Names whom the CRM hasn't heard of. */
  async function showHealth({ name: by }: DeskPerson) {
    const health = await healthOf(services)
    const named = health.deliveries.events.filter(({ name }) => name !== null)
    await views.list(by, idsOf(named))
    return health
  }

  return (
    new Hono<DeskRequest>()
      .get('/', async context => context.json(await showHealth(context.get('person'))))
      .get('/site', async context => context.json(await siteHealth(services)))
      .post('/pause', jsonBody(pauseBody), async context => {
        await store.pauseDeliveries({ reason: context.req.valid('json').reason, by: context.get('person').name })
        return context.json(await showHealth(context.get('person')))
      })
      .post('/resume', async context => {
        await store.resumeDeliveries({ by: context.get('person').name })
        return context.json(await showHealth(context.get('person')))
      })
      // `ids`: the events that the user saw.
      .post('/events/resend', jsonBody(eventsBody), async context => {
        await store.resendEvents({ ...context.req.valid('json'), by: context.get('person').name })
        return context.json(await showHealth(context.get('person')))
      })
      .post('/events/dismiss', jsonBody(eventsBody), async context => {
        await store.dismissEvents({ ...context.req.valid('json'), by: context.get('person').name })
        return context.json(await showHealth(context.get('person')))
      })
      .post('/unqueued', jsonBody(unqueuedBody), async context => {
        const result = await store.decideUnqueued({ ...context.req.valid('json'), by: context.get('person').name })
        if (result.kind === 'decided') {
          const when = createCalendar(config.timeZone).spoken(result.at, await store.storeTime())
          throw new ApiError('conflict', `${result.by} already decided about these leads ${when}.`)
        }
        return context.json(await showHealth(context.get('person')))
      })
      // The test lead isn't stored.
      .post('/test-lead', async context => {
        const webhook = webhookOf(config)
        if (webhook === null) throw new ApiError('conflict', 'No CRM is connected. Ask your IT person.')
        const sent = await sendTestLead(webhook, now(), 'desk test lead')
        const { durationMs, outcome } = sent
        const delivered = outcome.kind === 'delivered'
        return context.json({ delivered, words: describeResponse(sent), durationMs })
      })
  )
}

async function healthOf({ config, now, reader, store }: DeskServices) {
  const at = now()
  const mailServer = mailServerOf(config)
  const [alerts, backlog, times, pause, backup, exports, listViews, figures, unqueued, events, failedLetters, retried] =
    await Promise.all([
      store.alertsSince(at - RECENT_MS),
      store.backlog(),
      reader.webhookTimes({ since: at - DAY, limit: TIMED_DELIVERIES }),
      store.deliveryPause(),
      store.lastBackup(),
      store.recentExports(MAX_EXPORTS),
      store.recentListViews(MAX_LIST_VIEWS),
      storeFigures({ config, reader }, at),
      reader.unqueuedLeads(),
      eventsToTell(reader),
      reader.failedLetters({ limit: MAX_EVENTS }),
      reader.retriedLeads(),
    ])
  return {
    alerts: {
      active: alerts.filter(({ endedAt }) => endedAt === null),
      resolved: alerts.filter(({ endedAt }) => endedAt !== null),
    },
    store: figures,
    deliveries: {
      pause,
      waiting: figure(backlog.pending, { delivery: 'pending' }),
      oldestWaitingMs: backlog.oldestPendingAgeMs,
      dead: figure(backlog.dead, { delivery: 'dead' }),
      /** Sent again after they failed: by a retry, or because someone resent them. */
      retried: retried && { ...retried, outcome: describeOutcome(retried.outcome) },
      timeToWebhook: percentilesOf(times),
      /** Only the host, because the path often contains a secret. */
      webhook: config.webhookUrl && new URL(config.webhookUrl).host,
      /** Came in while there was no webhook, so nobody decided yet whether to send them. */
      unqueued: config.webhookUrl === null ? 0 : unqueued,
      /** What the CRM hasn't heard of, oldest first. Without a webhook that takes JSON, someone has to tell it. */
      events,
      sendsEvents: sendsEvents(config),
    },
    mail: {
      server: mailServer && mailHost(mailServer),
      waiting: backlog.letters.pending,
      failed: backlog.letters.dead + backlog.letters.refused,
      /** The oldest of those that failed. */
      letters: failedLetters,
    },
    backup,
    exports,
    listViews,
  }
}

async function eventsToTell(reader: DeskServices['reader']) {
  const [stops, calls] = await Promise.all(
    (['stops', 'calls'] as const).map(lane => reader.queuedEvents({ lane, limit: MAX_EVENTS })),
  )
  const events = [...(stops ?? []), ...(calls ?? [])]
  const leads = new Map((await reader.leadsWithIds(events.map(({ leadId }) => leadId))).map(lead => [lead.id, lead]))
  return events.map(({ id, leadId, type, state, createdAt, failedWith }) => {
    const { firstName = null, lastName = null } = leads.get(leadId) ?? {}
    // Null once erased: the CRM knows the lead by its ID.
    const name = firstName === null ? null : `${firstName} ${lastName}`
    return { id, leadId, type, state, createdAt, name, failedWith: failedWith && describeOutcome(failedWith) }
  })
}

/** In the last 24 hours. Excludes leads that were on hold or resent. */
function percentilesOf(times: readonly number[]) {
  const sorted = times.toSorted((a, b) => a - b)
  const percentile = (part: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0
  return sorted.length === 0 ? null : { p50Ms: percentile(0.5), p95Ms: percentile(0.95), of: sorted.length }
}

async function storeFigures({ config, reader }: Pick<DeskServices, 'config' | 'reader'>, at: number) {
  const calendar = createCalendar(config.timeZone)
  const today = calendar.dateOf(at)
  const counted = async (filter: LeadsFilter) => figure(await reader.count(storeFilter(filter, calendar)), filter)
  const lastDays = (days: number) => counted({ from: calendar.daysAfter(today, 1 - days), to: today })
  const [bytes, leads, leadsLast7Days, leadsLast30Days] = await Promise.all([
    reader.storeBytes(),
    counted({}),
    lastDays(7),
    lastDays(30),
  ])
  const embedded = config.databaseUrl === null
  return {
    engine: embedded ? ('SQLite' as const) : ('PostgreSQL' as const),
    bytes,
    leads,
    leadsLast7Days,
    leadsLast30Days,
    bytesPerMonth: leadsLast30Days.count === 0 ? null : Math.round((bytes / leads.count) * leadsLast30Days.count),
    freeBytes: embedded ? freeBytesIn(config.dataDir) : null,
  }
}

function freeBytesIn(folder: string): number | null {
  try {
    const { bavail, bsize } = statfsSync(folder)
    return bavail * bsize
  } catch {
    return null
  }
}
