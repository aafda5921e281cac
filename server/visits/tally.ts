/** Page views that are counted but not yet in the store. Bounded, whatever visitors send and however long it is away. */
import { type CampaignKey, NO_CAMPAIGN, OTHER_CAMPAIGNS } from '../../domain/campaign.ts'
import type { PageCounts, PlaceOfCount } from '../store/reports/page-counts.ts'

export type Counted = 'views' | 'bots' | 'prefetches' | 'declined' | 'thanked'

/** How often each thing happened at a place. */
export type Counts = Record<Counted, number>

export interface Tally {
  /** What is added to these counts is taken with the rest, for as long as the round is the same. */
  countsOf(place: TallyPlace): Counts
  /** Another one each time that the tally has begun anew. */
  readonly round: number
  /** Everything so far; the tally begins anew. */
  take(): readonly PageCounts[]
  /** Takes back what could not be stored. */
  putBack(counts: readonly PageCounts[]): void
}

type TallyPlace = PlaceOfCount & Pick<PageCounts, 'asks'>

/** A busy second has a few dozen. Beyond this, campaigns are counted together; they would be in the store, too. */
const MOST_PLACES = 1000

type Entry = TallyPlace & Counts

export function createTally(): Tally {
  let entries = new Map<string, Entry>()
  let round = 0

  function entryOf(place: TallyPlace): Entry {
    const known = entries.get(keyOf(place, place.campaign))
    if (known) return known
    const isFull = entries.size >= MOST_PLACES && place.campaign !== NO_CAMPAIGN
    const campaign = isFull ? OTHER_CAMPAIGNS : place.campaign
    const key = keyOf(place, campaign)
    let entry = entries.get(key)
    if (!entry) {
      const { day, page, variant, asks } = place
      entry = { day, page, variant, campaign, asks, views: 0, bots: 0, prefetches: 0, declined: 0, thanked: 0 }
      entries.set(key, entry)
    }
    return entry
  }

  return {
    countsOf: entryOf,
    get round() {
      return round
    },
    take() {
      const taken = [...entries.values()]
      entries = new Map()
      round++
      return taken
    },
    putBack(counts) {
      for (const count of counts) {
        const entry = entryOf(count)
        entry.views += count.views
        entry.bots += count.bots
        entry.prefetches += count.prefetches
        entry.declined += count.declined
        entry.thanked += count.thanked
      }
    },
  }
}

const keyOf = ({ day, page, variant }: PlaceOfCount, campaign: CampaignKey) =>
  `${day}\n${page}\n${variant}\n${campaign}`
