/** Gathers how the service stands: what is set, what is wrong, and what grows. */
import { statfsSync } from 'node:fs'
import { idOf, isKnown, type LaunchPoint, openOn, sentenceOf, soonOn } from '../../../launch/findings.ts'
import { settingFindings } from '../../../launch/settings.ts'
import type { Config } from '../../../server/config.ts'
import { settingsInForce } from '../../../server/config.ts'
import type { LaunchNotes } from '../../../server/http/site-manifest.ts'
import { launchSettings } from '../../../server/launch/launch-settings.ts'
import type { HealthAnswer, LaunchOpenPoint, StoreFigures } from '../../api/health.ts'
import type { DeskServices } from '../services.ts'
import { readLaunchNotes } from './launch-notes.ts'

const DAY = 24 * 3_600_000
const LATELY_MS = 7 * DAY
const DAYS_AHEAD = 30

export async function healthOf({ config, now, reader, store }: DeskServices): Promise<HealthAnswer> {
  const at = now()
  const [alerts, backlog, pause, backup, figures] = await Promise.all([
    store.alertsSince(at - LATELY_MS),
    store.backlog(),
    store.deliveryPause(),
    store.lastBackup(),
    storeFigures({ config, reader }, at),
  ])
  return {
    settings: settingsInForce(config),
    launch: launchPoints(readLaunchNotes(), config, at),
    alerts: {
      standing: alerts.filter(({ endedAt }) => endedAt === null),
      ended: alerts.filter(({ endedAt }) => endedAt !== null),
    },
    store: figures,
    deliveries: {
      pause,
      waiting: backlog.pending,
      dead: backlog.dead,
      webhook: config.webhookUrl && new URL(config.webhookUrl).host,
    },
    backup,
  }
}

async function storeFigures(
  { config, reader }: Pick<DeskServices, 'config' | 'reader'>,
  at: number,
): Promise<StoreFigures> {
  const [bytes, leads, leadsLast7Days, leadsLast30Days] = await Promise.all([
    reader.storeBytes(),
    reader.count({}),
    reader.count({ since: at - 7 * DAY }),
    reader.count({ since: at - 30 * DAY }),
  ])
  const embedded = config.databaseUrl === null
  return {
    engine: embedded ? 'SQLite' : 'PostgreSQL',
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

export function launchPoints(notes: LaunchNotes | null, config: Config, at: number): HealthAnswer['launch'] {
  if (notes === null) return null
  const points = [...notes.points, ...settingFindings(launchSettings(config))].filter(
    point => !notes.justified.includes(idOf(point)),
  )
  const today = new Date(at).toISOString().slice(0, 10)
  return { open: openOn(points, today).map(inWords), soon: soonOn(points, today, DAYS_AHEAD).map(inWords) }
}

const inWords = (point: LaunchPoint): LaunchOpenPoint => ({
  code: point.code,
  words: isOfThisVersion(point) ? sentenceOf(point) : `${point.code}: ${point.subject}`,
  from: point.from ?? null,
})

/** What an older version has built may name what is not known any more, and lack what the sentence is made of. */
function isOfThisVersion(point: LaunchPoint): boolean {
  if (!isKnown(point)) return false
  const needsDetail = sentenceOf({ ...point, detail: 'a' }) !== sentenceOf({ ...point, detail: 'b' })
  return point.detail !== undefined || !needsDetail
}
