/** The Setup page, for editors: the launch checklist, the site's texts, and the current settings. */
import { Hono } from 'hono'
import { covers, describeCallingHours, readCallingHours } from '../../domain/calling/hours.ts'
import {
  expiringOn,
  expiryNotice,
  groupOf,
  idOf,
  isKnown,
  type LaunchPoint,
  openOn,
  plainSentenceOf,
  reviewLines,
} from '../../domain/launch/findings.ts'
import { settingFindings } from '../../domain/launch/settings.ts'
import { launchSettings } from '../../server/alerts/launch-watch.ts'
import { readPublishingStatus } from '../../server/http/publishing-status.ts'
import { findSite, readSiteFile } from '../../server/http/site-files.ts'
import { type LaunchNotes, type ServerCopy, type SiteText, TEXTS_FILE } from '../../server/http/site-manifest.ts'
import { createCalendar } from '../../server/settings/calendar.ts'
import { type Config, currentSettings } from '../../server/settings/config.ts'
import { SITE } from '../../server/settings/leads-command.ts'
import type { Store } from '../../server/store/store.ts'
import { figure } from './figures.ts'
import { storeFilter } from './leads/filter.ts'
import type { DeskRequest, DeskServices } from './services.ts'
import type { DeskSite } from './site.ts'

export function createSetupRoutes({ config, site, reader, now }: DeskServices) {
  const calendar = createCalendar(config.timeZone)

  /** Days to come on which nobody calls. Callbacks that were promised before stay until they're moved, given, or called. */
  const closedDays = () =>
    Promise.all(
      site()
        .copy.closed.filter(day => day >= calendar.dateOf(now()))
        .toSorted()
        .map(async day => {
          const filter = { callbackFrom: day, callbackTo: day }
          const count = await reader.count(storeFilter(filter, calendar, now()))
          return { day, callbacks: figure(count, filter) }
        }),
    )

  return new Hono<DeskRequest>()
    .get('/', async context =>
      context.json({
        publishing: await publishingOf(site(), reader, calendar.dateOf(now())),
        /** Secrets show only whether they're set. */
        settings: currentSettings(config),
        closedDays: await closedDays(),
        hoursConflict: hoursConflict(config, site().copy),
        launch: launchPoints(site().launch, config, now()),
        notes: (site().launch.notes ?? []).map(({ reason }) => reason),
      }),
    )
    .get('/texts', context => context.json(readTexts()))
}

/** The folder promises callbacks at times when CALLING_HOURS lets nobody call. Null if it doesn't. */
function hoursConflict({ callingHours }: Config, { languages }: ServerCopy): string | null {
  for (const { letter } of Object.values(languages)) {
    const promised = readCallingHours(letter.callback?.hours ?? '')
    if (typeof promised === 'string' || callingHours.anytime || covers(callingHours, promised)) continue
    const [allowed, said] = [callingHours, promised].map(describeCallingHours)
    return `Your site promises callbacks ${said} (callbacks in organization.toml), but calling hours are ${allowed} (the CALLING_HOURS setting). Change one of them.`
  }
  return null
}

/** Empty if an older version published the site. */
function readTexts(): readonly SiteText[] {
  try {
    return JSON.parse(readSiteFile(findSite(), TEXTS_FILE).toString())
  } catch {
    return []
  }
}

/** What's live, and what isn't yet. Null if the site is built with the program. */
async function publishingOf({ publication }: DeskSite, reader: Store, today: string) {
  if (publication === null) return null
  const { at, commit } = publication
  const { errors = [], held = [], history = [] } = readPublishingStatus() ?? {}
  return {
    since: Date.parse(at),
    commit,
    errors,
    held: held.map(text => ({
      ...text,
      command: `${SITE} reviewed ${text.name} --by "Who"`,
      lines: reviewLines(`texts."${text.name}"`, text.version, 'Who', today),
    })),
    history: history.map(({ at: time, ...each }) => ({ at: Date.parse(time), ...each })),
    behind: (await reader.serversBehind()).map(({ source, publishedAt }) => ({ source, publishedAt })),
  }
}

/** `daysAhead`: of what expires soon. */
export function launchPoints(notes: LaunchNotes, config: Config, at: number, daysAhead?: number) {
  const points = [...notes.points, ...settingFindings(launchSettings(config))].filter(
    point => !notes.justified.includes(idOf(point)),
  )
  const today = new Date(at).toISOString().slice(0, 10)
  return {
    open: openOn(points, today).map(point => describePoint(point, plainSentenceOf)),
    soon: expiringOn(points, today, daysAhead).map(point => describePoint(point, expiryNotice)),
  }
}

const describePoint = (point: LaunchPoint, sentence: (point: LaunchPoint) => string) => ({
  code: point.code,
  /** Who can do something about it. */
  group: groupOf(point),
  words: canDescribe(point) ? sentence(point) : `${point.code}: ${point.subject}`,
})

/** A site built by an older version may have findings that this version can't describe. */
function canDescribe(point: LaunchPoint): boolean {
  if (!isKnown(point)) return false
  const needsDetail = plainSentenceOf({ ...point, detail: 'a' }) !== plainSentenceOf({ ...point, detail: 'b' })
  return point.detail !== undefined || !needsDetail
}
