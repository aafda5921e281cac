/** In-memory counts of page views and questions reached, until they're stored. */
import { type CampaignKey, NO_CAMPAIGN, OTHER_CAMPAIGNS } from '../../domain/campaigns/campaign.ts'
import { viewStages } from '../store/facts/visits/funnel-days.ts'
import type { CountedVisits, PageCounts, QuestionCounts } from '../store/tables/page-views.ts'

type Bucket = Pick<PageCounts, 'day' | 'page' | 'variant' | 'asks'>

/** Beyond this, new campaigns are counted together, so made-up ones can't exhaust memory. */
const MAX_COUNTS = 2000

type Stage = (typeof viewStages)[number]
type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

export function createPageViews() {
  let views = new Map<string, Writable<PageCounts>>()
  let questions = new Map<string, Writable<QuestionCounts>>()

  /** Falls back to one shared row if there are too many campaigns. */
  function keyIn(counts: Map<string, unknown>, keyOf: (campaign: CampaignKey) => string, wanted: CampaignKey) {
    const isFull = counts.size >= MAX_COUNTS && wanted !== NO_CAMPAIGN
    const campaign = isFull && !counts.has(keyOf(wanted)) ? OTHER_CAMPAIGNS : wanted
    return { campaign, key: keyOf(campaign) }
  }

  function add({ day, page, variant, asks }: Bucket, wanted: CampaignKey, stage: Stage, count = 1): void {
    const { campaign, key } = keyIn(views, each => `${day}\n${page}\n${variant}\n${each}`, wanted)
    const none = { views: 0, declined: 0, thanked: 0 }
    const counts = views.get(key) ?? { day, page, variant, campaign, asks, ...none }
    counts[stage] += count
    views.set(key, counts)
  }

  function addQuestion(bucket: Omit<Bucket, 'asks'>, wanted: CampaignKey, question: number, count = 1): void {
    const { day, page, variant } = bucket
    const { campaign, key } = keyIn(questions, each => `${day}\n${page}\n${variant}\n${question}\n${each}`, wanted)
    const counts = questions.get(key) ?? { day, page, variant, campaign, question, reached: 0 }
    counts.reached += count
    questions.set(key, counts)
  }

  return {
    add,
    addQuestion,
    /** Returns everything counted so far and starts over. */
    take(): CountedVisits {
      const taken = { views: [...views.values()], questions: [...questions.values()] }
      views = new Map()
      questions = new Map()
      return taken
    },
    /** Adds back counts that couldn't be stored. */
    putBack(counted: CountedVisits): void {
      for (const counts of counted.views) {
        for (const stage of viewStages) if (counts[stage] > 0) add(counts, counts.campaign, stage, counts[stage])
      }
      for (const counts of counted.questions) addQuestion(counts, counts.campaign, counts.question, counts.reached)
    },
  }
}
