/**
 * Counts visits and assigns variants while requests are answered; adds the counts to the store every ten seconds, and keeps
 * the daily rollup of leads up to date. A process that is killed loses the views of the last ten seconds.
 */
import { createHmac, randomBytes } from 'node:crypto'
import { VARIANT_PARAMETER } from '../../domain/variants.ts'
import { createCalendar } from '../calendar.ts'
import type { Config } from '../config.ts'
import { type ClientAddress, createClientAddress } from '../http/client-address.ts'
import { type Handler, text } from '../http/handler.ts'
import type { LoadedFile, Site } from '../http/load-site.ts'
import { clientOf, createRateLimit } from '../http/rate-limit.ts'
import { createOwnHosts, isFormOfOwnPage } from '../intake/lead-source.ts'
import { describeError, type Log, logOnceAMinute } from '../log.ts'
import type { Store } from '../store/store.ts'
import { createPageViews, type Place, type Visit, visitorKind } from './page-views.ts'

const FLUSH_MS = 10_000
const ROLL_UP_MS = 60_000
/** After an upgrade there may be years to roll up: views are stored in between. */
const LONGEST_ROLL_UP_MS = 5000
/** Reports of one address in ten minutes: a mobile network may have one address for thousands of visitors. */
const MOST_REPORTS = 600

export type AnalyticsStore = Pick<Store, 'addPageCounts' | 'rollUpLeads' | 'variantSecret'>

export interface Analytics {
  /** Counts the view of a page. Returns the variant that this visitor gets. */
  view(request: Visit, page: LoadedFile): LoadedFile
  /** Takes the report of a page that is left: which question was reached. */
  readonly progress: Handler
  /** Called once the store is open. */
  start(store: AnalyticsStore): void
  /** Stores what is left. */
  stop(): Promise<void>
}

export interface AnalyticsServices {
  readonly site: Pick<Site, 'byPath' | 'variants' | 'words'>
  readonly log: Log
  readonly now?: () => number
}

type AnalyticsConfig = Pick<Config, 'timeZone' | 'publicName' | 'trustProxy'>

const endings: Readonly<Record<string, 'declined' | 'thanked'>> = { '/decline': 'declined', '/thank-you': 'thanked' }

export function createAnalytics(config: AnalyticsConfig, { site, log, now = Date.now }: AnalyticsServices): Analytics {
  const { timeZone } = config
  const today = createToday(timeZone, now)
  const clientAddress = createClientAddress(config.trustProxy)
  const assignment = createVariantAssignment(clientAddress)
  const pageViews = createPageViews(config.publicName)
  const ownHosts = createOwnHosts(config.publicName)
  const reports = createRateLimit({ softLimit: MOST_REPORTS, hardLimit: MOST_REPORTS })
  const logSometimes = logOnceAMinute(log)

  let store: AnalyticsStore | null = null
  let timer: NodeJS.Timeout | undefined
  let working: Promise<void> | null = null
  let rollUpDueAt = 0
  let sharesSecret = site.variants.size === 0

  const asks = (path: string) => site.byPath.get(path)?.sendsLeads === true
  const variantNamed = (path: string, name: string | null) =>
    site.variants.get(path)?.find(({ variant }) => variant?.name === name)
  const previewOf = (path: string, query: string) =>
    query.includes(VARIANT_PARAMETER)
      ? variantNamed(path, new URLSearchParams(query).get(VARIANT_PARAMETER))
      : undefined
  const assigned = (request: Visit, path: string) => {
    const variants = site.variants.get(path)
    return variants?.[assignment.pick(request, variants.length, today())]
  }

  /** The page with the questionnaire where this request comes from; null for any other, and for a preview. */
  function cameFrom({ header }: Visit): string | null {
    const url = URL.parse(header('referer') ?? '')
    if (!url || !ownHosts(header)(url.host) || !asks(url.pathname)) return null
    return previewOf(url.pathname, url.search.slice(1)) ? null : url.pathname
  }

  function countView(request: Visit, shown: LoadedFile): void {
    const page = shown.variant?.of ?? shown.path ?? ''
    const ending = endings[page]
    const start = ending && visitorKind(request) === 'views' ? cameFrom(request) : null
    if (ending && start !== null) {
      const variant = assigned(request, start)?.variant?.name ?? ''
      pageViews.countEnding(request, { day: today(), page: start, variant, asks: true }, ending)
    } else {
      pageViews.countView(request, { day: today(), page, variant: shown.variant?.name ?? '', asks: asks(page) })
    }
  }

  /** False when the store did not take the counts; they are kept for the next time. */
  async function flush(to: AnalyticsStore): Promise<boolean> {
    const counted = pageViews.take()
    try {
      if (!sharesSecret) assignment.shareSecret(await to.variantSecret(newSecret()))
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
    view(request, page) {
      const preview = previewOf(page.path ?? '', request.query)
      if (preview) return preview
      const shown = assigned(request, page.path ?? '') ?? page
      countView(request, shown)
      return shown
    },
    progress(request) {
      if (request.method !== 'POST') return text(405, 'Only POST is answered here.\n', { allow: 'POST' })
      if (!isFormOfOwnPage(request.header, ownHosts(request.header))) return text(403, 'Only for our own pages.\n')
      const address = clientAddress(request.socketAddress, request.header('x-forwarded-for'))
      if (reports.count(address).kind === 'too many') return text(429, 'Too many reports.\n')
      const place = placeOf(request)
      const query = new URLSearchParams(request.query.slice(0, 200))
      const [from, to] = [Number(query.get('from')), Number(query.get('to'))]
      const last = site.words.questions.length + 1
      const isPlausible = Number.isInteger(from) && Number.isInteger(to) && from >= 0 && from < to && to <= last
      if (place && isPlausible && visitorKind(request) === 'views') pageViews.countQuestions(place, from, to)
      return { status: 204, headers: { 'cache-control': 'no-store' }, body: '' }
    },
    start(opened) {
      store = opened
      timer = setInterval(work, FLUSH_MS).unref()
      work()
    },
    async stop() {
      clearInterval(timer)
      const last = store
      store = null
      await working
      if (last) await flush(last)
    },
  }

  function placeOf(request: Visit): Place | null {
    const page = cameFrom(request)
    if (page === null) return null
    // As the page itself names it: by now, it may be past midnight.
    const named = variantNamed(page, new URLSearchParams(request.query).get(VARIANT_PARAMETER))
    return { day: today(), page, variant: named?.variant?.name ?? '', asks: true }
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

/**
 * A visitor gets the same variant all day, from any server, and nobody can tell afterwards who got which: the address is
 * hashed with the day and a secret, and the hash is not stored.
 */
interface VariantAssignment {
  /** Which of `count` variants, from 0. */
  pick(visitor: Visit, count: number, day: string): number
  /** The secret of all servers. Until it is known, for the first moments, this server assigns by its own. */
  shareSecret(secret: string): void
}

const newSecret = () => randomBytes(32).toString('hex')

export function createVariantAssignment(clientAddress: ClientAddress): VariantAssignment {
  let secret = newSecret()
  return {
    pick({ socketAddress, header }, count, day) {
      const address = clientOf(clientAddress(socketAddress, header('x-forwarded-for')))
      return createHmac('sha256', secret).update(`${day} ${address}`).digest().readUInt32BE() % count
    },
    shareSecret(shared) {
      secret = shared
    },
  }
}
