/** The Health page: settings, alerts, storage, recent exports, pausing deliveries, and testing the webhook. */
import { readFileSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { maxLength, object, pipe, string, trim } from 'valibot'
import { type Config, currentSettings } from '../../server/config.ts'
import { describeResponse, sendTestLead } from '../../server/delivery/test-lead.ts'
import { type LaunchNotes, MANIFEST_FILE, type SiteManifest } from '../../server/http/site-manifest.ts'
import {
  expiringOn,
  expiryNotice,
  idOf,
  isKnown,
  type LaunchPoint,
  openOn,
  sentenceOf,
} from '../../server/launch/findings.ts'
import { launchSettings } from '../../server/launch/launch-watch.ts'
import { settingFindings } from '../../server/launch/settings.ts'
import { MAX_REASON_LENGTH } from '../limits.ts'
import { ApiError } from './api-error.ts'
import { jsonBody } from './request-body.ts'
import type { DeskRequest, DeskServices } from './services.ts'

const DAY = 24 * 3_600_000
const RECENT_MS = 7 * DAY
const MAX_EXPORTS = 20
const MAX_LIST_VIEWS = 50

const pauseBody = object({ reason: pipe(string(), trim(), maxLength(MAX_REASON_LENGTH)) })

export function createHealthRoutes(services: DeskServices) {
  const { config, now, store } = services
  return (
    new Hono<DeskRequest>()
      .get('/', async context => context.json(await healthOf(services)))
      .post('/pause', jsonBody(pauseBody), async context => {
        await store.pauseDeliveries({ reason: context.req.valid('json').reason, by: context.get('person').name })
        return context.json(await healthOf(services))
      })
      .post('/resume', async context => {
        await store.resumeDeliveries({ by: context.get('person').name })
        return context.json(await healthOf(services))
      })
      // The test lead isn't stored.
      .post('/test-lead', async context => {
        const { webhookFormat: format, webhookSecrets: secrets, webhookUrl: url } = config
        if (url === null) throw new ApiError('conflict', 'No webhook to test: LEAD_WEBHOOK_URL is not set.')
        const sent = await sendTestLead({ url, format, secrets }, now(), 'desk test lead')
        const { durationMs, outcome } = sent
        const delivered = outcome.kind === 'delivered'
        return context.json({ delivered, words: describeResponse(sent), durationMs })
      })
  )
}

async function healthOf({ config, now, reader, store }: DeskServices) {
  const at = now()
  const [alerts, backlog, pause, backup, exports, listViews, figures] = await Promise.all([
    store.alertsSince(at - RECENT_MS),
    store.backlog(),
    store.deliveryPause(),
    store.lastBackup(),
    store.recentExports(MAX_EXPORTS),
    store.recentListViews(MAX_LIST_VIEWS),
    storeFigures({ config, reader }, at),
  ])
  return {
    /** Secrets show only whether they're set. */
    settings: currentSettings(config),
    /** Null if the site was never built on this machine. */
    launch: launchPoints(readLaunchNotes(), config, at),
    alerts: {
      active: alerts.filter(({ endedAt }) => endedAt === null),
      resolved: alerts.filter(({ endedAt }) => endedAt !== null),
    },
    store: figures,
    deliveries: {
      pause,
      waiting: backlog.pending,
      dead: backlog.dead,
      /** Only the host, because the path often contains a secret. */
      webhook: config.webhookUrl && new URL(config.webhookUrl).host,
    },
    backup,
    exports,
    listViews,
  }
}

async function storeFigures({ config, reader }: Pick<DeskServices, 'config' | 'reader'>, at: number) {
  const [bytes, leads, leadsLast7Days, leadsLast30Days] = await Promise.all([
    reader.storeBytes(),
    reader.count({}),
    reader.count({ since: at - 7 * DAY }),
    reader.count({ since: at - 30 * DAY }),
  ])
  const embedded = config.databaseUrl === null
  return {
    engine: embedded ? ('SQLite' as const) : ('PostgreSQL' as const),
    bytes,
    leads,
    leadsLast7Days,
    leadsLast30Days,
    bytesPerMonth: leadsLast30Days === 0 ? null : Math.round((bytes / leads) * leadsLast30Days),
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

export function launchPoints(notes: LaunchNotes | null, config: Config, at: number) {
  if (notes === null) return null
  const points = [...notes.points, ...settingFindings(launchSettings(config))].filter(
    point => !notes.justified.includes(idOf(point)),
  )
  const today = new Date(at).toISOString().slice(0, 10)
  return {
    open: openOn(points, today).map(point => describePoint(point, sentenceOf)),
    soon: expiringOn(points, today).map(point => describePoint(point, expiryNotice)),
  }
}

const describePoint = (point: LaunchPoint, sentence: (point: LaunchPoint) => string) => ({
  code: point.code,
  words: canDescribe(point) ? sentence(point) : `${point.code}: ${point.subject}`,
})

/** A site built by an older version may have findings that this version can't describe. */
function canDescribe(point: LaunchPoint): boolean {
  if (!isKnown(point)) return false
  const needsDetail = sentenceOf({ ...point, detail: 'a' }) !== sentenceOf({ ...point, detail: 'b' })
  return point.detail !== undefined || !needsDetail
}

/** The launch check's findings from the last build. */
function readLaunchNotes(folder = join(import.meta.dirname, '../../built')): LaunchNotes | null {
  try {
    return (JSON.parse(readFileSync(join(folder, MANIFEST_FILE), 'utf8')) as SiteManifest).launch ?? null
  } catch {
    return null
  }
}
