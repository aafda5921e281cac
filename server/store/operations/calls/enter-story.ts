/**
 * How an accepted lead comes into its number's story: as submitted or, if it took another lead's place because the person has another
 * number, with what that one leaves behind. On approval, too: until then, a lead isn't in a story.
 */
import { isReached } from '../../../../domain/calling/outcomes.ts'
import { answerOf, type Standing } from '../../../../domain/calling/standing.ts'
import type { Story } from '../../../../domain/calling/story.ts'
import type { Agent, Replaces, TakenOver } from '../../../../domain/calling/story-events.ts'
import { DAY } from '../../../../domain/durations.ts'
import { storyOf } from '../../facts/calls/stories.ts'
import { replacedBy } from '../../facts/leads/chains.ts'
import { storedLeads } from '../../facts/leads/lead-rows.ts'
import type { Tx } from '../../sql.ts'
import { addEvents, addSubmissions, type NewSubmission, openStory } from '../../tables/stories.ts'

export const BY_VISITOR: Agent = { id: '', name: 'the visitor' }

export interface NewInStory extends NewSubmission {
  /** Who corrected the number. */
  readonly by: Agent
  /** Whose place it took just now. Missing: all that it ever took, because it wasn't in a story before. */
  readonly from?: readonly string[]
}

/** The numbers must be locked. */
export async function enterStories(tx: Tx, leads: readonly NewInStory[]): Promise<void> {
  const submitted: NewSubmission[] = []
  for (const { by, from: given, ...lead } of leads) {
    const { leadId, at, desk, language, spoken } = lead
    const from = given ?? (await replacedBy(tx, leadId))
    const left = await leftBehind(tx, from)
    const askedAt = Math.min(lead.askedAt ?? at, ...left.map(({ receivedAt }) => receivedAt))
    if (left.every(({ inStory }) => inStory === null)) submitted.push({ ...lead, askedAt })
    else {
      const takenOver = takenOverFrom(left, { at: tx.at, desk, spoken, language })
      const event = { kind: 'replaces', at: tx.at, leadId, by, from, takenOver } as const
      await addEvents(tx, await openStory(tx, lead.phone), [event])
    }
  }
  await addSubmissions(tx, submitted)
}

/** What a replacement would have taken over if an outcome hadn't been saved that was undone since. */
export async function takenOverNow(tx: Tx, { from, takenOver }: Pick<Replaces, 'from' | 'takenOver'>) {
  const { desk, spoken = false, language, dials, place } = takenOver
  return { ...takenOverFrom(await leftBehind(tx, from), { at: tx.at, desk, spoken, language }), dials, place }
}

interface Left {
  readonly receivedAt: number
  /** Null if it never was in one. */
  readonly inStory: { readonly standing: Standing; readonly story: Story } | null
}

/** Leads whose place another one took, as they were then. One that was only on hold leaves what it would have taken over itself. */
async function leftBehind(tx: Tx, ids: readonly string[]): Promise<readonly Left[]> {
  const left: Left[] = []
  for (const { id, phone, receivedAt } of await storedLeads(tx, ids)) {
    const story = phone === null ? undefined : (await storyOf(tx, phone))?.story
    const standing = story?.replaced.get(id)?.standing
    left.push({ receivedAt, inStory: story && standing ? { standing, story } : null })
    if (!standing) left.push(...(await leftBehind(tx, await replacedBy(tx, id))))
  }
  return left
}

/** Leads of one person become one. */
function takenOverFrom(
  left: readonly Left[],
  { at, desk, spoken, language }: Pick<NewInStory, 'at' | 'desk' | 'spoken' | 'language'>,
): TakenOver {
  const before = left.flatMap(({ inStory }) => inStory ?? [])
  const standings = before.map(({ standing }) => standing)
  const [promised] = standings
    .filter(({ promise }) => promise !== null)
    .toSorted((one, other) => (one.promise?.at ?? 0) - (other.promise?.at ?? 0))
  const isOpen = standings.some(standing => answerOf(standing) === null)
  const [answered] = standings
  const last = standings.flatMap(standing => standing.last ?? []).toSorted((one, other) => other.at - one.at)[0]
  const place = before.find(({ story }) => story.place !== null || story.placeBefore !== null)?.story
  const dials = before
    .filter(({ standing }) => standing.answer !== 'wrong number')
    .flatMap(({ story }) => [...story.dials, ...story.dialsElsewhere])
  return {
    desk: desk || standings.some(standing => standing.desk),
    ...(spoken && { spoken }),
    language,
    askedAt: Math.min(...standings.map(({ askedAt }) => askedAt)),
    isNew: !standings.some(({ outcomes }) => outcomes.some(isReached)),
    promise: promised?.promise
      ? { at: promised.promise.at, place: promised.promise.place, by: promised.promise.by }
      : null,
    preferred: standings.find(({ preferred }) => preferred !== null)?.preferred ?? null,
    answer: isOpen || promised || !answered ? null : answerOf(answered),
    outcomes: [...new Set(standings.flatMap(({ outcomes }) => outcomes))],
    last: last ?? null,
    dials: [...new Set(dials)].filter(dial => dial > at - DAY),
    place: place?.place ?? place?.placeBefore ?? null,
  }
}
