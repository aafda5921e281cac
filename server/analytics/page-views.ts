/** In-memory counts of page views and questions reached, until they're stored. */
import { type CampaignKey, NO_CAMPAIGN, OTHER_CAMPAIGNS } from '../../domain/campaign.ts'
import { type CountedVisits, type PageCounts, type QuestionCounts, viewStages } from '../store/page-views.ts'

type Bucket = Pick<PageCounts, 'day' | 'page' | 'variant' | 'asks'>

/** Beyond this, new campaigns are counted together, so made-up ones can't exhaust memory. */
const MAX_COUNTS = 2000

type Stage = (typeof viewStages)[number]
type Writable<T> = { -readonly [Key in keyof T]: T[Key] }

export function createPageViews() {
  let views = new Map<string, Writable<PageCounts>>()
  let questions = new Map<string, Writable<QuestionCounts>>()

  function add({ day, page, variant, asks }: Bucket, wanted: CampaignKey, stage: Stage, count = 1): void {
    const keyOf = (campaign: CampaignKey) => `${day}\n${page}\n${variant}\n${campaign}`
    const isFull = views.size >= MAX_COUNTS && wanted !== NO_CAMPAIGN
    const campaign = isFull && !views.has(keyOf(wanted)) ? OTHER_CAMPAIGNS : wanted
    const none = { views: 0, bots: 0, prefetches: 0, declined: 0, thanked: 0 }
    const counts = views.get(keyOf(campaign)) ?? { day, page, variant, campaign, asks, ...none }
    counts[stage] += count
    views.set(keyOf(campaign), counts)
  }

  function addQuestion({ day, page, variant }: Omit<Bucket, 'asks'>, question: number, count = 1): void {
    const key = `${day}\n${page}\n${variant}\n${question}`
    const counts = questions.get(key) ?? { day, page, variant, question, reached: 0 }
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
      for (const counts of counted.questions) addQuestion(counts, counts.question, counts.reached)
    },
  }
}
