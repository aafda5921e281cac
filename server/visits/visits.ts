/** Page views from the request to the store: counted in memory, handed over every second, and the rest when we stop. */
import { createCalendar } from '../calendar.ts'
import type { Config } from '../config.ts'
import { createClientAddress } from '../http/client-address.ts'
import type { LoadedFile, Site } from '../http/load-site.ts'
import { describeError, type Log, logOnceAMinute } from '../log.ts'
import type { Store } from '../store/store.ts'
import { createDealing, newSecret } from './dealing.ts'
import { type CountView, createPageViews, type Visit } from './page-views.ts'
import { createTally } from './tally.ts'

const SECOND = 1000
/** What was handed over is summed up this often. */
const POST_EVERY_MS = 10 * SECOND
/** Leads are looked after this often while nothing is left to count. */
const LEADS_EVERY_MS = 60 * SECOND
/** By then almost all leads are delivered, and need not be counted again. */
const REST_MS = 2 * 60 * 60 * SECOND

export type VisitsStore = Pick<Store, 'addPageCounts' | 'postPageCounts' | 'countLeads' | 'dealingSecret'>

export interface Visits {
  /** Counts the view of a page, and tells which variant of it this visitor gets. */
  view(visit: Visit, page: LoadedFile): LoadedFile
  /** As soon as there is a store. */
  start(store: VisitsStore): void
  /** Hands over what is left. */
  stop(): Promise<void>
}

export interface VisitsServices {
  readonly site: Pick<Site, 'byPath' | 'variants'>
  readonly log: Log
  readonly now?: () => number
}

type VisitsConfig = Pick<Config, 'timeZone' | 'publicName' | 'trustProxy'>

export function createVisits(config: VisitsConfig, { site, log, now = Date.now }: VisitsServices): Visits {
  const { timeZone } = config
  const tally = createTally()
  const today = createToday(timeZone, now)
  const dealing = createDealing(createClientAddress(config.trustProxy))
  const rarely = logOnceAMinute(log)
  const asks = (path: string) => site.byPath.get(path)?.sendsLeads === true
  // Looked up every second, and not for every page: at midnight, a view may count for the day that has just ended.
  let day = today()
  const dealt = (visit: Visit, path: string) => {
    const variants = site.variants.get(path)
    return variants?.[dealing.pick(visit, variants.length, day)]
  }
  const variantOf = (visit: Visit, path: string) => dealt(visit, path)?.variant?.name ?? ''
  const views = inBatches(createPageViews({ tally, publicName: config.publicName, asks, variantOf }), () => day)

  let store: VisitsStore | null = null
  let timer = setInterval(everySecond, SECOND).unref()
  let handingOver: Promise<void> | null = null
  let postingDueAt = 0
  let leadsDueAt = 0
  let dealsAlike = site.variants.size === 0

  function countAll(): void {
    views.countWaiting()
    day = today()
  }

  /** False when the store did not take it, and it is kept for the next time. */
  async function handOver(to: VisitsStore): Promise<boolean> {
    countAll()
    const counts = tally.take()
    try {
      if (!dealsAlike) dealing.shareSecret(await to.dealingSecret(newSecret()))
      dealsAlike = true
      await to.addPageCounts(counts)
      return true
    } catch (error) {
      tally.putBack(counts)
      rarely('views_kept', describeError(error))
      return false
    }
  }

  /** Nobody waits for it: should it fail, it is tried again. */
  async function post(to: VisitsStore): Promise<void> {
    try {
      await to.postPageCounts()
      postingDueAt = performance.now() + POST_EVERY_MS
    } catch (error) {
      rarely('views_unposted', describeError(error))
    }
  }

  /** Likewise. */
  async function countLeads(from: VisitsStore): Promise<void> {
    const time = performance.now()
    if (time < leadsDueAt) return
    try {
      const more = await from.countLeads({ timeZone, restMs: REST_MS })
      leadsDueAt = more ? 0 : time + LEADS_EVERY_MS
    } catch (error) {
      leadsDueAt = time + LEADS_EVERY_MS
      rarely('leads_uncounted', describeError(error))
    }
  }

  async function work(on: VisitsStore): Promise<void> {
    // A store that is away need not be asked for more.
    if (!(await handOver(on))) return
    if (performance.now() >= postingDueAt) await post(on)
    await countLeads(on)
  }

  function everySecond(): void {
    countAll()
    if (!store || handingOver) return
    const current = store
    handingOver = work(current).finally(() => {
      handingOver = null
    })
  }

  return {
    view(visit, page) {
      const shown = dealt(visit, page.path ?? '') ?? page
      views.count(visit, shown)
      return shown
    },
    start(opened) {
      store = opened
      clearInterval(timer)
      timer = setInterval(everySecond, SECOND).unref()
      everySecond()
    },
    async stop() {
      clearInterval(timer)
      await handingOver
      if (!store) return
      if (await handOver(store)) await post(store)
    },
  }
}

/** Few enough that what they hold on to is gone again before the memory is tidied up. */
const BATCH = 128

interface Waiting extends Visit {
  readonly page: LoadedFile
}

/**
 * Counts many views at once. Between two requests the processor has so much else to do that it forgets how to count: one by
 * one, each view costs twice as much. Of a request only that is kept which is counted: the rest is large.
 */
function inBatches(
  count: CountView,
  dayOf: () => string,
): { count(visit: Visit, page: LoadedFile): void; countWaiting(): void } {
  let waiting: Waiting[] = []

  function countWaiting(): void {
    const batch = waiting
    waiting = []
    const day = dayOf()
    for (const visit of batch) count(visit, visit.page, day)
  }

  return {
    count({ method, query, header, socketAddress }, page) {
      if (waiting.push({ method, query, header, socketAddress, page }) === BATCH) countWaiting()
    },
    countWaiting,
  }
}

/** Which day it is, without asking the calendar for every page. */
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
