/**
 * Counts page views from the requests themselves, in memory: no cookie, no script, and nothing about the visitor is kept. A
 * visit that ends on /decline or /thank-you counts for the page where it began, which the Referer names.
 */
import { isbot } from 'isbot'
import { type CampaignKey, campaignKey, NO_CAMPAIGN, OTHER_CAMPAIGNS } from '../../domain/campaign.ts'
import type { HttpRequest } from '../http/handler.ts'
import { createOwnHosts, isPrefetch, leadSource, readCampaign } from '../intake/lead-source.ts'
import type { CountedVisits, PageCounts, QuestionCounts } from '../store/page-views.ts'

/** What a request says about a visit. */
export type Visit = Pick<HttpRequest, 'method' | 'query' | 'header' | 'socketAddress'>

/** Which page, and which variant of it, is seen on which day. */
export interface Place {
  readonly day: string
  readonly page: string
  readonly variant: string
  /** Whether the page has the questionnaire. */
  readonly asks: boolean
}

export interface PageViews {
  countView(visit: Visit, place: Place): void
  /** A view of /decline or /thank-you that came from a page with the questionnaire. */
  countEnding(visit: Visit, place: Place, ending: 'declined' | 'thanked'): void
  /** Somebody got from one question to another. */
  countQuestions(place: Place, from: number, to: number): void
  /** Everything counted so far; counting starts over. */
  take(): CountedVisits
  /** Takes back what could not be stored. */
  putBack(counted: CountedVisits): void
  /** Campaigns that have a name in the store: they are never counted with the others. */
  learnNames(names: readonly CampaignKey[]): void
}

/** Beyond this, new campaigns are counted together: visitors must not be able to fill the memory. */
const MOST_COUNTS = 2000
/** Longer queries are nobody's campaign, and parsing them takes time. */
const LONGEST_QUERY = 2048

type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

export function createPageViews(publicName: string | null): PageViews {
  const ownHosts = createOwnHosts(publicName)
  let views = new Map<string, Writable<PageCounts>>()
  let questions = new Map<string, Writable<QuestionCounts>>()
  let names: ReadonlySet<CampaignKey> = new Set()

  function countsOf({ day, page, variant, asks }: Place, campaign: CampaignKey): Writable<PageCounts> {
    const keyOf = (counted: CampaignKey) => `${day}\n${page}\n${variant}\n${counted}`
    const isFull = views.size >= MOST_COUNTS && campaign !== NO_CAMPAIGN && !names.has(campaign)
    const counted = isFull && !views.has(keyOf(campaign)) ? OTHER_CAMPAIGNS : campaign
    let counts = views.get(keyOf(counted))
    if (!counts) {
      counts = {
        day,
        page,
        variant,
        campaign: counted,
        asks,
        views: 0,
        bots: 0,
        prefetches: 0,
        declined: 0,
        thanked: 0,
      }
      views.set(keyOf(counted), counts)
    }
    return counts
  }

  function questionOf({ day, page, variant }: Omit<Place, 'asks'>, question: number): Writable<QuestionCounts> {
    const key = `${day}\n${page}\n${variant}\n${question}`
    let counts = questions.get(key)
    if (!counts) {
      counts = { day, page, variant, question, reached: 0 }
      questions.set(key, counts)
    }
    return counts
  }

  return {
    countView(visit, place) {
      const { query } = visit
      const campaign =
        query === '' ? NO_CAMPAIGN : campaignKey(readCampaign(new URLSearchParams(query.slice(0, LONGEST_QUERY))))
      countsOf(place, campaign)[visitorKind(visit)] += 1
    },
    countEnding(visit, place, ending) {
      // Nobody is declined twice by reloading the page.
      if (isReload(visit)) return
      const { campaign } = leadSource(visit.header('referer'), ownHosts(visit.header))
      countsOf(place, campaignKey(campaign))[ending] += 1
    },
    countQuestions(place, from, to) {
      for (let question = from + 1; question <= to; question++) questionOf(place, question).reached += 1
    },
    take() {
      const taken = { views: [...views.values()], questions: [...questions.values()] }
      views = new Map()
      questions = new Map()
      return taken
    },
    putBack(counted) {
      for (const { campaign, ...count } of counted.views) {
        const counts = countsOf(count, campaign)
        for (const stage of ['views', 'bots', 'prefetches', 'declined', 'thanked'] as const)
          counts[stage] += count[stage]
      }
      for (const { question, reached, ...place } of counted.questions) questionOf(place, question).reached += reached
    },
    learnNames(known) {
      names = new Set(known)
    },
  }
}

function isReload({ header }: Visit): boolean {
  return /\b(max-age=0|no-cache)\b/.test(header('cache-control') ?? '')
}

/** What matters is at the beginning of a User-Agent, and searching a long one takes time. */
const LONGEST_USER_AGENT = 300

/** Whether a view is by a person, by a browser that fetches ahead, or by a bot that says so. */
export function visitorKind({ method, header }: Pick<Visit, 'method' | 'header'>): 'views' | 'bots' | 'prefetches' {
  if (isPrefetch(header)) return 'prefetches'
  const userAgent = (header('user-agent') ?? '').slice(0, LONGEST_USER_AGENT)
  return method === 'HEAD' || userAgent === '' || isbot(userAgent) ? 'bots' : 'views'
}
