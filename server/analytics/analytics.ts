/**
 * Counts visits from the requests themselves, without cookies or scripts, and assigns variants. Nothing about the visitor is
 * kept. The counts go to the store every ten seconds, so a process that is killed loses the views of the last ten; the
 * daily rollup of leads is kept up to date here as well.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { isbot } from 'isbot'
import { campaignKey } from '../../domain/campaign.ts'
import { VARIANT_PARAMETER } from '../../domain/variants.ts'
import { createCalendar } from '../calendar.ts'
import type { Config } from '../config.ts'
import { createClientAddress } from '../http/client-address.ts'
import { type Answer, type HttpRequest, text } from '../http/handler.ts'
import type { LoadedFile, Site } from '../http/load-site.ts'
import { clientOf, createRateLimit } from '../http/rate-limit.ts'
import { createOwnHosts, isFormOfOwnPage, isPrefetch, leadSource, readCampaign } from '../intake/lead-request.ts'
import { describeError, type Log, logOnceAMinute } from '../log.ts'
import type { Store } from '../store/store.ts'
import { createPageViews } from './page-views.ts'

const FLUSH_MS = 10_000
const ROLL_UP_MS = 60_000
/** After an upgrade there may be years to roll up: views are stored in between. */
const LONGEST_ROLL_UP_MS = 5000
/** Reports of one address in ten minutes: a mobile network may have one address for thousands of visitors. */
const MOST_REPORTS = 600

type AnalyticsStore = Pick<Store, 'addPageCounts' | 'rollUpLeads' | 'variantSecret'>
type AnalyticsConfig = Pick<Config, 'timeZone' | 'publicName' | 'trustProxy'>

export interface AnalyticsServices {
  readonly site: Pick<Site, 'byPath' | 'variants' | 'words'>
  readonly log: Log
  readonly now?: () => number
}

/** What a request says about a visit. */
export type Visit = Pick<HttpRequest, 'method' | 'query' | 'header' | 'socketAddress'>

export type Analytics = ReturnType<typeof createAnalytics>

const endings: Readonly<Record<string, 'declined' | 'thanked'>> = { '/decline': 'declined', '/thank-you': 'thanked' }

export function createAnalytics(config: AnalyticsConfig, { site, log, now = Date.now }: AnalyticsServices) {
  const { timeZone } = config
  const today = createToday(timeZone, now)
  const clientAddress = createClientAddress(config.trustProxy)
  const pageViews = createPageViews()
  const ownHosts = createOwnHosts(config.publicName)
  const reports = createRateLimit({ softLimit: MOST_REPORTS, hardLimit: MOST_REPORTS })
  const logSometimes = logOnceAMinute(log)

  let store: AnalyticsStore | null = null
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | null = null
  let rollUpDueAt = 0
  // Until the secret of all servers is read from the store, this server assigns by its own.
  let secret = newSecret()
  let sharesSecret = site.variants.size === 0

  const addressOf = ({ socketAddress, header }: Visit) => clientAddress(socketAddress, header('x-forwarded-for'))
  const asks = (path: string) => site.byPath.get(path)?.sendsLeads === true
  const variantNamed = (path: string, name: string | null) =>
    site.variants.get(path)?.find(({ variant }) => variant?.name === name)
  const previewOf = (path: string, query: string) =>
    query.includes(VARIANT_PARAMETER)
      ? variantNamed(path, new URLSearchParams(query).get(VARIANT_PARAMETER))
      : undefined
  const assigned = (request: Visit, path: string) => {
    const variants = site.variants.get(path)
    return variants?.[pickVariant(secret, addressOf(request), today(), variants.length)]
  }

  /** The page with the questionnaire where this request comes from; null for any other, and for a preview. */
  function cameFrom({ header }: Visit): string | null {
    const url = URL.parse(header('referer') ?? '')
    if (!url || !ownHosts(header)(url.host) || !asks(url.pathname)) return null
    return previewOf(url.pathname, url.search.slice(1)) ? null : url.pathname
  }

  /** A visit that ends on /decline or /thank-you counts for the page where it began, which the Referer names. */
  function countView(request: Visit, shown: LoadedFile): void {
    const { header, query } = request
    const page = shown.variant?.of ?? shown.path ?? ''
    const ending = endings[page]
    const start = ending && visitorKind(request) === 'views' ? cameFrom(request) : null
    if (!ending || start === null) {
      const place = { day: today(), page, variant: shown.variant?.name ?? '', asks: asks(page) }
      const campaign = query === '' ? {} : readCampaign(new URLSearchParams(query))
      pageViews.add(place, campaignKey(campaign), visitorKind(request))
    } else if (!isReload(request)) {
      const place = { day: today(), page: start, variant: assigned(request, start)?.variant?.name ?? '', asks: true }
      const { campaign } = leadSource(header('referer'), ownHosts(header))
      pageViews.add(place, campaignKey(campaign), ending)
    }
  }

  function countQuestions(request: Visit): void {
    const page = cameFrom(request)
    const query = new URLSearchParams(request.query)
    const [from, to] = [Number(query.get('from')), Number(query.get('to'))]
    const last = site.words.questions.length + 1
    const isPlausible = Number.isInteger(from) && Number.isInteger(to) && from >= 0 && to <= last
    if (page === null || !isPlausible || visitorKind(request) !== 'views') return
    // The variant as the page itself names it: by now, it may be past midnight.
    const variant = variantNamed(page, query.get(VARIANT_PARAMETER))?.variant?.name ?? ''
    for (let question = from + 1; question <= to; question++) {
      pageViews.addQuestion({ day: today(), page, variant }, question)
    }
  }

  /** False when the store did not take the counts; they are kept for the next time. */
  async function flush(to: AnalyticsStore): Promise<boolean> {
    const counted = pageViews.take()
    try {
      if (!sharesSecret) secret = await to.variantSecret(newSecret())
      sharesSecret = true
      if (counted.views.length + counted.questions.length > 0) pageViews.learnNames(await to.addPageCounts(counted))
      return true
    } catch (error) {
      pageViews.putBack(counted)
      logSometimes('views_kept', describeError(error))
      return false
    }
  }

  /** Nobody waits for it: when it fails, it is tried again. */
  async function rollUp(on: AnalyticsStore): Promise<void> {
    if (performance.now() < rollUpDueAt) return
    const pauseAt = performance.now() + LONGEST_ROLL_UP_MS
    rollUpDueAt = performance.now() + ROLL_UP_MS
    try {
      while (store && (await on.rollUpLeads({ timeZone }))) {
        if (performance.now() < pauseAt) continue
        rollUpDueAt = 0
        return
      }
    } catch (error) {
      logSometimes('leads_uncounted', describeError(error))
    }
  }

  function work(): void {
    if (!store || working) return
    const current = store
    working = (async () => {
      if (await flush(current)) await rollUp(current)
    })().finally(() => {
      working = null
    })
  }

  return {
    /** Counts the view of a page. Returns the variant that this visitor gets. */
    view(request: Visit, page: LoadedFile): LoadedFile {
      const preview = previewOf(page.path ?? '', request.query)
      if (preview) return preview
      const shown = assigned(request, page.path ?? '') ?? page
      countView(request, shown)
      return shown
    },
    /** Takes the report of a page that is left: which question was reached. */
    progress(request: HttpRequest): Answer {
      if (request.method !== 'POST') return text(405, 'Only POST is answered here.\n', { allow: 'POST' })
      if (!isFormOfOwnPage(request.header, ownHosts(request.header))) return text(403, 'Only for our own pages.\n')
      if (reports.count(addressOf(request)).kind === 'too many') return text(429, 'Too many reports.\n')
      countQuestions(request)
      return { status: 204, headers: { 'cache-control': 'no-store' }, body: '' }
    },
    /** Called once the store is open. */
    start(opened: AnalyticsStore): void {
      store = opened
      timer = setInterval(work, FLUSH_MS).unref()
      work()
    },
    /** Stores what is left. */
    async stop(): Promise<void> {
      clearInterval(timer)
      const last = store
      store = null
      await working
      if (last) await flush(last)
    },
  }
}

/** Which day it is, without asking the calendar for every request. */
function createToday(timeZone: string, now: () => number): () => string {
  const calendar = createCalendar(timeZone)
  let [day, since, until] = ['', 0, 0]
  return () => {
    const time = now()
    if (time < since || time >= until) {
      day = calendar.dateOf(time)
      since = calendar.startOf(day)
      until = calendar.startOf(calendar.daysAfter(day, 1))
    }
    return day
  }
}

/** Nobody is declined twice by reloading the page. */
function isReload({ header }: Visit): boolean {
  return /\b(max-age=0|no-cache)\b/.test(header('cache-control') ?? '')
}

/** What matters is at the beginning of a User-Agent, and searching a long one takes time. */
const LONGEST_USER_AGENT = 300

/** Whether a view is by a person, by a browser that fetches ahead, or by a bot that says so. */
function visitorKind({ method, header }: Visit): 'views' | 'bots' | 'prefetches' {
  if (isPrefetch(header)) return 'prefetches'
  const userAgent = (header('user-agent') ?? '').slice(0, LONGEST_USER_AGENT)
  return method === 'HEAD' || userAgent === '' || isbot(userAgent) ? 'bots' : 'views'
}

const newSecret = () => randomBytes(32).toString('hex')

/**
 * Which of `count` variants a visitor gets: the same all day, from any server. Nobody can tell afterwards who got which: the
 * address is hashed with the day and a secret, and the hash is not stored.
 */
export function pickVariant(secret: string, address: string, day: string, count: number): number {
  return (
    createHmac('sha256', secret)
      .update(`${day} ${clientOf(address)}`)
      .digest()
      .readUInt32BE() % count
  )
}
