/** The Setup page, for editors: the launch checklist and the current settings. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Hono } from 'hono'
import { type Config, currentSettings } from '../../server/config.ts'
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
import type { DeskRequest, DeskServices } from './services.ts'

export function createSetupRoutes({ config, now }: DeskServices) {
  return new Hono<DeskRequest>().get('/', context =>
    context.json({
      /** Secrets show only whether they're set. */
      settings: currentSettings(config),
      /** Null if the site was never built on this machine. */
      launch: launchPoints(readLaunchNotes(), config, now()),
    }),
  )
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
