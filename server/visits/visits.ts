/** Page views from the request to the store: counted in memory, handed over every second, and the rest when we stop. */
import { createCalendar } from '../calendar.ts'
import type { Config } from '../config.ts'
import { createClientAddress } from '../http/client-address.ts'
import type { HttpRequest } from '../http/handler.ts'
import type { LoadedFile, Site } from '../http/load-site.ts'
import { describeError, type Log, logOnceAMinute } from '../log.ts'
import type { Store } from '../store/store.ts'
import { createDealing, newSecret } from './dealing.ts'
import { createPageViews } from './page-views.ts'
import { createTally } from './tally.ts'

const SECOND = 1000
/** Leads are looked after this often while nothing is left to count. */
const LEADS_EVERY_MS = 60 * SECOND
/** By then almost all leads are delivered, and need not be counted again. */
const REST_MS = 2 * 60 * 60 * SECOND

export type VisitsStore = Pick<Store, 'addPageCounts' | 'countLeads' | 'dealingSecret'>

export interface Visits {
  /** Which variant of a page this visitor gets. */
  fileFor(request: HttpRequest, page: LoadedFile): LoadedFile
  /** A page was answered with. */
  seen(request: HttpRequest, page: LoadedFile): void
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
  const dealing = createDealing({ today, clientAddress: createClientAddress(config.trustProxy) })
  const rarely = logOnceAMinute(log)
  const asks = (path: string) => site.byPath.get(path)?.sendsLeads === true
  const variantOf = (request: HttpRequest, path: string) => {
    const variants = site.variants.get(path)
    return variants?.[dealing.pick(request, variants.length)]?.variant?.name ?? ''
  }
  const count = createPageViews({ tally, today, publicName: config.publicName, asks, variantOf })

  let store: VisitsStore | null = null
  let timer: NodeJS.Timeout | undefined
  let handingOver: Promise<void> | null = null
  let leadsDueAt = 0
  let dealsAlike = site.variants.size === 0

  async function handOver(to: VisitsStore): Promise<void> {
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
    fileFor(request, page) {
      const variants = site.variants.get(page.path ?? '')
      return variants?.[dealing.pick(request, variants.length)] ?? page
    },
    seen: (request, { path, variant }) =>
      count(request, { path: variant?.of ?? path ?? '', variant: variant?.name ?? '' }),
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
