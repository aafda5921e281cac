/**
 * Raises alerts about launch blockers on a live site, because figures expire while the server runs. It does nothing else: an
 * expired figure must not take the site down.
 */
import { existsSync, realpathSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, resolve, sep } from 'node:path'
import { DAYS_AHEAD, expiringOn, idOf, type LaunchPoint, openOn } from '../../domain/launch/findings.ts'
import { type LaunchSettings, settingFindings } from '../../domain/launch/settings.ts'
import type { LaunchNotes } from '../http/site-manifest.ts'
import type { Config } from '../settings/config.ts'
import { LAUNCH_CHECK } from '../settings/leads-command.ts'
import type { AlertCode, Alerts } from './alerts.ts'

interface LaunchWatchOptions {
  /** Changes when another site is built. */
  readonly launch: () => LaunchNotes
  readonly settings: LaunchSettings
  readonly alerts: Alerts
}

/** Returns a function that runs the checks. It does nothing on plain http: a site on http isn't public yet. */
export function createLaunchWatch({ launch, settings, alerts }: LaunchWatchOptions): () => void {
  if (!settings.siteUrl.startsWith('https:')) return () => {}
  function report(code: AlertCode, found: readonly LaunchPoint[], text: string): void {
    // Leaves out the names of people quoted in testimonials.
    const ids = found.map(point => (point.code.includes('testimonial') ? point.code : idOf(point)))
    const [count, names] = [found.length, [...new Set(ids)].join(', ')]
    const message = `${text} (${names}). To see what to change: ${LAUNCH_CHECK}`
    if (count > 0) alerts.raise(code, message, { detail: { count, names }, size: count })
  }

  return () => {
    const { points: found, justified } = launch()
    const points = [...found, ...settingFindings(settings)].filter(point => !justified.includes(idOf(point)))
    const today = new Date().toISOString().slice(0, 10)
    const open = openOn(points, today)
    const soon = expiringOn(points, today)
    const blockers = `${open.length} launch ${open.length === 1 ? 'blocker' : 'blockers'}`
    report('launch_blockers', open, `The site is live with ${blockers}`)
    report('launch_blockers_soon', soon, `Figures expire, or legal rules are due for review, within ${DAYS_AHEAD} days`)
  }
}

export function launchSettings(config: Config): LaunchSettings {
  return { ...config, temporaryStore: config.databaseUrl === null ? temporaryDisk(config.dataDir) : null }
}

/** Linux file system magic numbers (`man statfs`). */
const TEMPORARY = new Map([
  [0x01021994, 'is kept in memory (tmpfs)'],
  [0x858458f6, 'is kept in memory (ramfs)'],
  [0x794c7630, 'is inside a container and is deleted with it (overlayfs)'],
])

/** Why a restart would delete this folder; null if the disk is permanent. The folder may not exist yet. */
export function temporaryDisk(folder: string): string | null {
  let existing = resolve(folder)
  while (!existsSync(existing)) existing = dirname(existing)
  const real = realpathSync(existing)
  if ([tmpdir(), '/tmp', '/var/tmp', '/run'].some(temporary => `${real}${sep}`.startsWith(temporary + sep))) {
    return `${folder} is for temporary files`
  }
  const kind = process.platform === 'linux' ? TEMPORARY.get(statfsSync(real).type) : undefined
  return kind === undefined ? null : `${folder} ${kind}`
}
