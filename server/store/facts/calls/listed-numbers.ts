/** The numbers on the call list. */
import type { Placed } from '../../../../domain/calling/call-order.ts'
import { type NumberToCall, placeOf } from '../../../../domain/calling/may-we-call.ts'
import { LISTED_MS } from '../../../../domain/calling/standing.ts'
import type { Claim } from '../../../../domain/calling/whose-call.ts'
import type { Parameter, Sql } from '../../sql.ts'
import { isStopped } from '../do-not-call/stops.ts'
import { type PlanRow, planOfRow } from './story-rows.ts'

/** A number on the list. */
export interface ListedNumber extends NumberToCall {
  readonly storyId: string
  readonly phone: string
}

export type Listed = Placed<ListedNumber>

/** SQL: the number is on the list. */
export const isListed = `listed_at > $1 AND phone IS NOT NULL AND NOT ${isStopped('stories.phone')}`

/** The numbers on the list, or those that meet an SQL condition on their stories. */
export async function openNumbers(
  sql: Sql,
  at: number,
  claims: ReadonlyMap<string, Claim>,
  condition = 'true',
  ...parameters: readonly Parameter[]
): Promise<readonly ListedNumber[]> {
  const rows = await sql<ListedRow>(
    `SELECT id AS story_id, phone, plan FROM stories WHERE ${isListed} AND ${condition}`,
    [at - LISTED_MS, ...parameters],
  )
  return rows.map(row => {
    const { storyId, phone } = row
    const claim = claims.get(storyId)
    return {
      storyId,
      phone,
      ...planAndPlace(row),
      closed: null,
      claim: claim ? { id: claim.personId, name: claim.name } : null,
    }
  })
}

type ListedRow = Pick<PlanRow, 'plan'> & { readonly storyId: string; readonly phone: string }
type PlanAndPlace = Pick<NumberToCall, 'plan' | 'place'>

/** By story. Parsing all plans takes about half the time of a list of 5,000, and most stay as they were. */
const remembered = new Map<string, PlanAndPlace & { readonly text: string | null }>()
const MOST_REMEMBERED = 20_000

function planAndPlace(row: ListedRow): PlanAndPlace {
  const { storyId, phone, plan: text } = row
  const known = remembered.get(storyId)
  if (known?.text === text) return { plan: known.plan, place: known.place }
  const plan = planOfRow(row)
  const made = { plan, place: placeOf(phone, plan) }
  if (remembered.size >= MOST_REMEMBERED) remembered.clear()
  remembered.set(storyId, { ...made, text })
  return made
}
