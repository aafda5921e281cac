/**
 * Counts the views of pages from the requests themselves: no cookie, no script, no request more, and nothing about the
 * visitor is kept. A visit that ends on /decline or /thank-you is counted for the page it began on, which the Referer names.
 */
import { type CampaignKey, campaignKey, clickIds, NO_CAMPAIGN } from '../../domain/campaign.ts'
import type { HttpRequest } from '../http/handler.ts'
import { leadSource, readCampaign } from '../intake/lead-source.ts'
import { createOwnHosts } from '../intake/own-pages.ts'
import type { Counted, Tally } from './tally.ts'
import { createVisitorKind } from './visitor-kind.ts'

export interface SeenPage {
  readonly path: string
  /** Empty where there is only one. */
  readonly variant: string
}

export interface PageViewServices {
  readonly tally: Tally
  /** Which day it is in the operator's time zone. */
  readonly today: () => string
  readonly publicName: string | null
  /** Whether a path is that of a page with the questionnaire. */
  readonly asks: (path: string) => boolean
  /** The variant that this visitor gets of another page. */
  readonly variantOf: (request: HttpRequest, path: string) => string
}

/** How a visit ends. */
const endings: Readonly<Record<string, Counted>> = { '/decline': 'declined', '/thank-you': 'thanked' }

const counted = { person: 'views', bot: 'bots', prefetch: 'prefetches' } as const

const MOST_REMEMBERED = 1000

export function createPageViews(services: PageViewServices): (request: HttpRequest, seen: SeenPage) => void {
  const { tally, today, publicName, asks, variantOf } = services
  const kindOf = createVisitorKind()
  const ownHosts = createOwnHosts(publicName)
  const campaignOf = createCampaignOf()

  function add({ path, variant }: SeenPage, campaign: CampaignKey, what: Counted): void {
    tally.add({ day: today(), page: path, variant, campaign, asks: asks(path) }, what)
  }

  return (request, seen) => {
    const kind = kindOf(request)
    const ending = kind === 'person' ? endings[seen.path] : undefined
    if (ending) {
      const { page, campaign } = leadSource(request.header('referer'), ownHosts(request.header))
      if (asks(page)) {
        // Nobody is declined twice by looking at the page again.
        if (!isReload(request)) add({ path: page, variant: variantOf(request, page) }, campaignKey(campaign), ending)
        return
      }
    }
    add(seen, campaignOf(request.query), counted[kind])
  }
}

function isReload({ header }: HttpRequest): boolean {
  return /\b(max-age=0|no-cache)\b/.test(header('cache-control') ?? '')
}

const CLICK_ID = new RegExp(`((?:^|&)(?:${clickIds.join('|')})=)[^&]+`, 'g')

/** A campaign sends the same address to everybody, apart from the ids of clicks, of which only their presence counts. */
function createCampaignOf(): (query: string) => CampaignKey {
  const known = new Map<string, CampaignKey>()
  return asked => {
    if (asked === '') return NO_CAMPAIGN
    let key = known.get(asked)
    if (key !== undefined) return key
    const query = asked.replace(CLICK_ID, '$1x')
    key = known.get(query)
    if (key === undefined) {
      key = campaignKey(readCampaign(new URLSearchParams(query)))
      if (known.size === MOST_REMEMBERED) known.clear()
      known.set(query, key)
    }
    return key
  }
}
