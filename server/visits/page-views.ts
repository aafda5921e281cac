/**
 * Counts the views of pages from the requests themselves: no cookie, no script, no request more, and nothing about the
 * visitor is kept. A visit that ends on /decline or /thank-you is counted for the page it began on, which the Referer names.
 */
import { campaignKey } from '../../domain/campaign.ts'
import type { HttpRequest } from '../http/handler.ts'
import type { LoadedFile } from '../http/load-site.ts'
import { leadSource } from '../intake/lead-source.ts'
import { createOwnHosts } from '../intake/own-pages.ts'
import { createCampaignOf, createCountsByQuery } from './counts-by-query.ts'
import type { Counted, Counts, Tally } from './tally.ts'
import { createVisitorKind } from './visitor-kind.ts'

/** What a request tells about a visit. */
export type Visit = Pick<HttpRequest, 'method' | 'query' | 'header' | 'socketAddress'>

export interface PageViewServices {
  readonly tally: Tally
  readonly publicName: string | null
  /** Whether a path is that of a page with the questionnaire. */
  readonly asks: (path: string) => boolean
  /** The variant that this visitor gets of another page. */
  readonly variantOf: (visit: Visit, path: string) => string
}

/** How a visit ends. */
const endings: Readonly<Record<string, Counted>> = { '/decline': 'declined', '/thank-you': 'thanked' }

const counted = { person: 'views', bot: 'bots', prefetch: 'prefetches' } as const

/** What is the same for every view of a page, or of one of its variants. */
interface CountedPage {
  readonly ending: Counted | undefined
  readonly countsFor: (query: string, day: string) => Counts
}

/** `day`: which it is in the operator's time zone. */
export type CountView = (visit: Visit, page: LoadedFile, day: string) => void

export function createPageViews({ tally, publicName, asks, variantOf }: PageViewServices): CountView {
  const kindOf = createVisitorKind()
  const ownHosts = createOwnHosts(publicName)
  const campaignOf = createCampaignOf()
  const pages = new Map<LoadedFile, CountedPage>()

  function countedPage(file: LoadedFile): CountedPage {
    const path = file.variant?.of ?? file.path ?? ''
    const place = { page: path, variant: file.variant?.name ?? '', asks: asks(path) }
    const page = { ending: endings[path], countsFor: createCountsByQuery(tally, place, campaignOf) }
    pages.set(file, page)
    return page
  }

  /** Whether it was one that began on a page with the questionnaire. */
  function countEnding(visit: Visit, ending: Counted, day: string): boolean {
    const { page, campaign } = leadSource(visit.header('referer'), ownHosts(visit.header))
    if (!asks(page)) return false
    // Nobody is declined twice by looking at the page again.
    if (!isReload(visit)) {
      const variant = variantOf(visit, page)
      tally.countsOf({ day, page, variant, campaign: campaignKey(campaign), asks: true })[ending] += 1
    }
    return true
  }

  return (visit, file, day) => {
    const page = pages.get(file) ?? countedPage(file)
    const kind = kindOf(visit)
    if (page.ending && kind === 'person' && countEnding(visit, page.ending, day)) return
    page.countsFor(visit.query, day)[counted[kind]] += 1
  }
}

function isReload({ header }: Visit): boolean {
  return /\b(max-age=0|no-cache)\b/.test(header('cache-control') ?? '')
}
