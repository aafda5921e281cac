/**
 * Says what stands between the site and the public that it is already served to: when the server starts, and once a day,
 * since the day of a figure passes while it runs. It only says so; a date that passes must never take a site down.
 */
import { idOf, type LaunchPoint, openOn, soonOn } from '../../launch/findings.ts'
import { type LaunchSettings, settingFindings } from '../../launch/settings.ts'
import type { AlertCode } from '../alerts/alert-kinds.ts'
import type { Alerts } from '../alerts/alerts.ts'
import type { LaunchNotes } from '../http/site-manifest.ts'

const DAY = 24 * 60 * 60_000
const DAYS_AHEAD = 30
/** A line of a log is read by people, too; `npm run launch-check` names the rest. */
const MOST_NAMES = 40

interface LaunchWatchOptions {
  readonly launch: LaunchNotes
  readonly settings: LaunchSettings
  readonly alerts: Alerts
  readonly now?: () => number
  readonly every?: (look: () => void, ms: number) => void
}

/** Nothing to say of a site on http: the public cannot see it yet. */
export function watchLaunch(options: LaunchWatchOptions): void {
  const { launch, settings, alerts, now = Date.now, every = everyUnreferenced } = options
  if (!settings.siteUrl.startsWith('https:')) return
  const points = [...launch.points, ...settingFindings(settings)].filter(
    point => !launch.justified.includes(idOf(point)),
  )

  const known = new Map<AlertCode, number>()

  function tell(code: AlertCode, found: readonly LaunchPoint[], text: string): void {
    if (found.length === 0) {
      known.delete(code)
      alerts.clear(code)
      return
    }
    const names = namesOf(found)
    alerts.raise(code, `${text} (${names}). \`npm run launch-check\` says what to change.`, {
      detail: { count: found.length, names },
      worse: found.length > (known.get(code) ?? 0),
    })
    known.set(code, found.length)
  }

  function look(): void {
    const today = new Date(now()).toISOString().slice(0, 10)
    const open = openOn(points, today)
    const soon = soonOn(points, today, DAYS_AHEAD)
    tell(
      'launch_blockers',
      open,
      `The site is live with ${open.length} launch ${open.length === 1 ? 'blocker' : 'blockers'}`,
    )
    tell('launch_blockers_soon', soon, `Figures on the site expire within ${DAYS_AHEAD} days`)
  }

  look()
  every(look, DAY)
}

/** People who are quoted are not named: alerts and logs go further than the page does. */
function namesOf(points: readonly LaunchPoint[]): string {
  const names = [...new Set(points.map(point => (point.code.includes('testimonial') ? point.code : idOf(point))))]
  return [...names.slice(0, MOST_NAMES), ...(names.length > MOST_NAMES ? ['…'] : [])].join(', ')
}

function everyUnreferenced(look: () => void, ms: number): void {
  setInterval(look, ms).unref()
}
