/** Today: one screen, one glance. Every number has the filter of the list behind it. */
import type { LeadsFilter } from './leads.ts'

/** `GET /api/today` */
export interface TodayAnswer {
  /** When these figures were taken. */
  readonly at: number
  /** How old they are: all who ask share them, and they are taken anew more seldom while that takes long. */
  readonly ageMs: number
  readonly timeZone: string
  /** The date there: 2030-01-31. */
  readonly today: string
  readonly received: {
    readonly today: Figure
    /** The same stretch of the same weekday a week ago. */
    readonly before: Figure
    /** That whole day. */
    readonly beforeWholeDay: Figure
  }
  /** Of today, in the order of the visit. */
  readonly funnel: FunnelFigures
  /** The last 30 days, the oldest first, today last; `unfinished` is today. */
  readonly days: readonly DayFigures[]
  /** Of the last 30 days, the most leads first; up to ten, and the rest in one line without a filter. */
  readonly campaigns: readonly SourceFigures[]
  readonly pages: readonly SourceFigures[]
  /** Where visitors of the last 30 days left; empty until a page has reported. */
  readonly questions: readonly QuestionFigures[]
  readonly delivery: DeliveryFigures
  readonly waiting: WaitingFigures
}

export interface Figure {
  readonly count: number
  readonly filter: LeadsFilter
}

export interface FunnelFigures {
  /** People who saw a page with the questionnaire: no bots, no prefetches. */
  readonly views: number
  readonly declined: number
  /** Contact forms stored, repeats and held ones included. */
  readonly submitted: Figure
  /** New people among them. */
  readonly leads: number
  readonly delivered: Figure
}

export interface DayFigures {
  readonly day: string
  readonly views: number
  readonly submitted: Figure
  readonly leads: number
  readonly delivered: number
  readonly unfinished: boolean
}

export interface SourceFigures {
  /** A path, or the key of a campaign: empty for visits without one. Null for all the rest. */
  readonly key: string | null
  readonly views: number
  readonly submitted: number
  readonly leads: number
  readonly delivered: number
  readonly filter: LeadsFilter | null
}

export interface QuestionFigures {
  /** The question's text, or "Contact form". */
  readonly name: string
  readonly reached: number
  readonly left: number
}

export interface DeliveryFigures {
  readonly deliveredToday: Figure
  readonly waiting: Figure
  readonly dead: Figure
  readonly oldestWaitingMs: number
  /**
   * From the receipt of a lead to the webhook's yes, of the latest deliveries of the last 24 hours; null without any. Leads
   * that were held or sent again are left out: people took that time.
   */
  readonly timeToWebhook: { readonly p50Ms: number; readonly p95Ms: number; readonly of: number } | null
  /** Null when deliveries go on. */
  readonly paused: { readonly since: number; readonly reason: string; readonly by: string } | null
  /** Whether LEAD_WEBHOOK_URL is set at all. */
  readonly webhook: boolean
}

/** What waits for a person. */
export interface WaitingFigures {
  readonly held: Figure
  readonly oldestHeldMs: number
  readonly dead: Figure
}
