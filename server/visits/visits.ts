/** Page views from the request to the store: counted in memory, handed over every second, and the rest when we stop. */
import { createCalendar } from '../calendar.ts'
import type { Config } from '../config.ts'
import { createClientAddress } from '../http/client-address.ts'
import type { HttpRequest } from '../http/handler.ts'
import type { LoadedFile, Site } from '../http/load-site.ts'
import { describeError, type Log, logOnceAMinute } from '../log.ts'
import type { Store } from '../store/store.ts'
import { createDealing, newSecret } from './dealing.ts'
import { type CountView, createPageViews } from './page-views.ts'
import { createTally } from './tally.ts'

const SECOND = 1000
/** Leads are looked after this often while nothing is left to count. */
const LEADS_EVERY_MS = 60 * SECOND
/** By then almost all leads are delivered, and need not be counted again. */
const REST_MS = 2 * 60 * 60 * SECOND

export type VisitsStore = Pick<Store, 'addPageCounts' | 'countLeads' | 'dealingSecret'>

export interface Visits {
  /** Counts the view of a page, and tells which variant of it this visitor gets. */
  view(request: HttpRequest, page: LoadedFile): LoadedFile
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
  const dealt = (request: HttpRequest, path: string, day: string) => {
    const variants = site.variants.get(path)
    return variants?.[dealing.pick(request, variants.length, day)]
  }
  const variantOf = (request: HttpRequest, path: string, day: string) => dealt(request, path, day)?.variant?.name ?? ''
  const views = inBatches(createPageViews({ tally, publicName: config.publicName, asks, variantOf }))

  let store: VisitsStore | null = null
  let timer: NodeJS.Timeout | undefined
  let handingOver: Promise<void> | null = null
  let leadsDueAt = 0
  let dealsAlike = site.variants.size === 0

  async function handOver(to: VisitsStore): Promise<void> {
    views.countWaiting()
    const counts = tally.take()
    try {
      if (!dealsAlike) dealing.shareSecret(await to.dealingSecret(newSecret()))
      dealsAlike = true
      await to.addPageCounts(counts)
    } catch (error) {
      tally.putBack(counts)
      rarely('views_kept', describeError(error))
    }
  }

  /** Nobody waits for it: should it fail, it is tried again. */
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

  function everySecond(): void {
    if (!store || handingOver) return
    const current = store
    handingOver = handOver(current)
      .then(() => countLeads(current))
      .finally(() => {
        handingOver = null
      })
  }

  return {
    view(request, page) {
      const day = today()
      const shown = dealt(request, page.path ?? '', day) ?? page
      views.count(request, shown, day)
      return shown
    },
    start(opened) {
      store = opened
      timer = setInterval(everySecond, SECOND)
      timer.unref()
      everySecond()
    },
    async stop() {
      clearInterval(timer)
      await handingOver
      if (store) await handOver(store)
    },
  }
}

/** Few enough that what they hold on to is gone again before the memory is tidied up. */
const BATCH = 64

interface Waiting {
  readonly request: HttpRequest
  readonly page: LoadedFile
}

/**
 * Counts several views at once. Between two requests the processor has so much else to do that it forgets how to count:
 * one by one, each view costs twice as much.
 */
function inBatches(count: CountView): { readonly count: CountView; countWaiting(): void } {
  let waiting: Waiting[] = []
  let dayOfWaiting = ''

  function countWaiting(): void {
    const batch = waiting
    waiting = []
    for (const { request, page } of batch) count(request, page, dayOfWaiting)
  }

  return {
    count(request, page, day) {
      if (day !== dayOfWaiting) {
        countWaiting()
        dayOfWaiting = day
      }
      if (waiting.push({ request, page }) === BATCH) countWaiting()
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
