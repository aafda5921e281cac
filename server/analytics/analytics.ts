/**
 * Counts visits from the requests themselves, without cookies or scripts, and assigns variants. Stores nothing about visitors.
 * Counts are stored every ten seconds, so a killed process loses at most ten seconds' worth. Also updates the daily rollup.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { isbot } from 'isbot'
import { campaignKey } from '../../domain/campaigns/campaign.ts'
import { ENGLISH, pathWithoutLanguage } from '../../domain/languages.ts'
import { VARIANT_PARAMETER } from '../../domain/visits/variants.ts'
import { createClientAddress } from '../http/client-address.ts'
import { type HttpRequest, type HttpResponse, text } from '../http/handler.ts'
import { clientOf, createRateLimit } from '../http/rate-limit.ts'
import type { LoadedFile, Site } from '../http/site.ts'
import { copyIn } from '../http/site-manifest.ts'
import { createOwnHosts, isFromOwnPage, isPrefetch, leadSource, readCampaign } from '../intake/lead-request.ts'
import { type ReportFailures, repeat } from '../process/timers.ts'
import { createCalendar } from '../settings/calendar.ts'
import type { Config } from '../settings/config.ts'
import type { Store } from '../store/store.ts'
import { createPageViews } from './page-views.ts'

const FLUSH_MS = 10_000
const ROLL_UP_MS = 60_000
/** Per address, every ten minutes. Thousands of visitors on a mobile network can share one address. */
const MAX_REPORTS = 600
/** The receiver accepts no more leads than this from one address, so more thank-you pages than that are fake. */
const MAX_THANKED = 60

type AnalyticsStore = Pick<Store, 'addPageCounts' | 'rollUpLeads' | 'variantSecret'>
type AnalyticsConfig = Pick<Config, 'timeZone' | 'publicHostname' | 'trustProxy'>

export interface AnalyticsServices {
  readonly site: () => Pick<Site, 'byPath' | 'variants' | 'copy'>
  readonly report: ReportFailures
  readonly now?: () => number
}

/** The parts of a request that we need for counting. */
export type Visit = Pick<HttpRequest, 'method' | 'query' | 'header' | 'socketAddress'>

export type Analytics = ReturnType<typeof createAnalytics>

const endings: Readonly<Record<string, 'declined' | 'thanked'>> = { '/decline': 'declined', '/thank-you': 'thanked' }

export function createAnalytics(config: AnalyticsConfig, { site, report, now = Date.now }: AnalyticsServices) {
  const { timeZone } = config
  const calendar = createCalendar(timeZone)
  const today = () => calendar.dateOf(now())
  const clientAddress = createClientAddress(config.trustProxy)
  const pageViews = createPageViews()
  const ownHosts = createOwnHosts(config.publicHostname)
  const reports = createRateLimit({ hardLimit: MAX_REPORTS })
  const finished = {
    declined: createRateLimit({ hardLimit: MAX_REPORTS }),
    thanked: createRateLimit({ hardLimit: MAX_THANKED }),
  }

  let store: AnalyticsStore | null = null
  let stopWork: () => Promise<unknown> = async () => {}
  // Use a local secret until we've read the shared one from the store.
  let secret = newSecret()
  let hasSharedSecret = false

  const addressOf = ({ socketAddress, header }: Visit) => clientAddress(socketAddress, header('x-forwarded-for'))
  const hasQuestionnaire = (path: string) => site().byPath.get(path)?.sendsLeads === true
  const variantNamed = (path: string, name: string | null) =>
    site()
      .variants.get(path)
      ?.find(({ variant }) => variant?.name === name)
  const previewOf = (path: string, query: string) =>
    query.includes(VARIANT_PARAMETER)
      ? variantNamed(path, new URLSearchParams(query).get(VARIANT_PARAMETER))
      : undefined
  const assigned = (request: Visit, path: string) => {
    const variants = site().variants.get(path)
    return variants?.[pickVariant(secret, addressOf(request), today(), variants.length)]
  }

  /** The questionnaire page that this request came from; null for other pages and for previews. */
  function cameFrom({ header }: Visit): string | null {
    const url = URL.parse(header('referer') ?? '')
    if (!url || !ownHosts(header)(url.host) || !hasQuestionnaire(url.pathname)) return null
    return previewOf(url.pathname, url.search.slice(1)) ? null : url.pathname
  }

  /** A visit that ends on /decline or /thank-you counts toward the page it started on, according to the Referer. */
  function countView(request: Visit, shown: LoadedFile): void {
    if (!isPerson(request)) return
    const { header, query } = request
    const page = shown.variant?.of ?? shown.path ?? ''
    const ending = endings[pathWithoutLanguage(page)]
    const start = ending ? cameFrom(request) : null
    if (!ending || start === null) {
      const bucket = { day: today(), page, variant: shown.variant?.name ?? '', asks: hasQuestionnaire(page) }
      const campaign = query === '' ? {} : readCampaign(query)
      pageViews.add(bucket, campaignKey(campaign), 'views')
    } else if (!isReload(request) && finished[ending].count(addressOf(request)).kind !== 'refuse') {
      const bucket = { day: today(), page: start, variant: assigned(request, start)?.variant?.name ?? '', asks: true }
      const { campaign } = leadSource(header('referer'), ownHosts(header))
      pageViews.add(bucket, campaignKey(campaign), ending)
    }
  }

  function countQuestions(request: Visit): void {
    const page = cameFrom(request)
    const query = new URLSearchParams(request.query)
    const [from, to] = [Number(query.get('from')), Number(query.get('to'))]
    const last = copyIn(site().copy, ENGLISH).questions.length + 1
    const isPlausible = Number.isInteger(from) && Number.isInteger(to) && from >= 0 && to <= last
    if (page === null || !isPlausible || !isPerson(request)) return
    // Use the variant the page reports: the assignment changes at midnight.
    const variant = variantNamed(page, query.get(VARIANT_PARAMETER))?.variant?.name ?? ''
    const { campaign } = leadSource(request.header('referer'), ownHosts(request.header))
    for (let question = from + 1; question <= to; question++) {
      pageViews.addQuestion({ day: today(), page, variant }, campaignKey(campaign), question)
    }
  }

  /** If the store fails, the counts are kept for next time. */
  async function flush(to: AnalyticsStore): Promise<void> {
    const counted = pageViews.take()
    try {
      if (!hasSharedSecret) secret = await to.variantSecret(newSecret())
      hasSharedSecret = true
      if (counted.views.length + counted.questions.length > 0) await to.addPageCounts(counted)
    } catch (error) {
      pageViews.putBack(counted)
      throw error
    }
  }

  async function rollUp(on: AnalyticsStore): Promise<void> {
    // After an upgrade, there may be years of leads to roll up.
    while (store && (await on.rollUpLeads({ timeZone })));
  }

  return {
    /** Counts a page view. Returns the variant for this visitor. */
    view(request: Visit, page: LoadedFile): LoadedFile {
      const preview = previewOf(page.path ?? '', request.query)
      if (preview) return preview
      const shown = assigned(request, page.path ?? '') ?? page
      countView(request, shown)
      return shown
    },
    /** Handles a page's report of how far the visitor got. */
    progress(request: HttpRequest): HttpResponse {
      if (request.method !== 'POST') return text(405, 'Method not allowed. Use POST.\n', { allow: 'POST' })
      if (!isFromOwnPage(request.header, ownHosts(request.header))) return text(403, 'Only for our own pages.\n')
      if (reports.count(addressOf(request)).kind === 'refuse') return text(429, 'Too many reports.\n')
      countQuestions(request)
      return { status: 204, headers: { 'cache-control': 'no-store' }, body: '' }
    },
    /** Called once the store is open. */
    start(opened: AnalyticsStore): void {
      store = opened
      const stops = [
        repeat(FLUSH_MS, () => flush(opened), report('views_kept')),
        repeat(ROLL_UP_MS, () => rollUp(opened), report('leads_uncounted')),
      ]
      stopWork = () => Promise.all(stops.map(stop => stop()))
    },
    /** Stores the remaining counts. */
    async stop(): Promise<void> {
      const last = store
      store = null
      await stopWork()
      if (last) await flush(last).catch(error => report('views_kept')(error, 1))
    },
  }
}

/** Reloading the last page doesn't count as finishing again. */
function isReload({ header }: Visit): boolean {
  return /\b(max-age=0|no-cache)\b/.test(header('cache-control') ?? '')
}

/** The relevant part of a User-Agent comes first, and searching a long one is slow. */
const MAX_USER_AGENT = 300

/** Not a bot that identifies itself, nor a prefetching browser, whose visitor may never see the page. */
function isPerson({ method, header }: Visit): boolean {
  const userAgent = (header('user-agent') ?? '').slice(0, MAX_USER_AGENT)
  return !isPrefetch(header) && method !== 'HEAD' && userAgent !== '' && !isbot(userAgent)
}

const newSecret = () => randomBytes(32).toString('hex')

/**
 * Which of `count` variants a visitor gets: the same one all day, on every server. No one can find out later who got which one,
 * because the address is hashed with the day and a secret, and the hash isn't stored.
 */
export function pickVariant(secret: string, address: string, day: string, count: number): number {
  const hash = createHmac('sha256', secret).update(`${day} ${clientOf(address)}`)
  return hash.digest().readUInt32BE() % count
}
