/**
 * How an accepted lead comes into its number's story: as submitted or, if it took another lead's place because the person has another
 * number, with what that one leaves behind. On approval, too: until then, a lead isn't in a story.
 */
import { isReached, NOT_REACHED } from '../../../domain/calling/outcomes.ts'
import type { Standing } from '../../../domain/calling/standing.ts'
import type { Story } from '../../../domain/calling/story.ts'
import type { Caller, TakenOver } from '../../../domain/calling/story-events.ts'
import { DAY } from '../../../domain/durations.ts'
import { replacedBy } from '../leads/chains.ts'
import type { Tx } from '../sql.ts'
import type { LeadToCall } from './people.ts'
import { addEvents, addSubmissions, type NewSubmission, openStory, storyOf } from './stories.ts'

export const BY_VISITOR: Caller = { id: '', name: 'the visitor' }

/** `by`: who corrected the number. */
export interface NewInStory extends NewSubmission {
  readonly by: Caller
}

/** The numbers must be locked. */
export async function enterStories(tx: Tx, leads: readonly NewInStory[]): Promise<void> {
  const submitted: NewSubmission[] = []
  for (const { by, ...lead } of leads) {
    const left = await leftBehind(tx, lead.leadId)
    const asked = left.map(({ lead: { receivedAt } }) => receivedAt)
    const askedAt = Math.min(lead.askedAt ?? lead.at, ...asked)
    const before = left.flatMap(({ standing, story }) => (standing && story ? { standing, story } : []))
    if (before.length === 0) submitted.push({ ...lead, askedAt })
    else {
      const takenOver = takenOverFrom(before, { at: tx.at, desk: lead.desk, language: lead.language })
      const event = { kind: 'replaces', at: tx.at, leadId: lead.leadId, by, takenOver } as const
      await addEvents(tx, await openStory(tx, lead.phone), [event])
    }
  }
  await addSubmissions(tx, submitted)
}

interface Left {
  readonly lead: LeadToCall
  /** Null if it was never in a story. */
  readonly standing: Standing | null
  readonly story: Story | null
}

/** The leads whose place this one took, as they were then. One that was only on hold leaves what it would have taken over itself. */
async function leftBehind(tx: Tx, leadId: string): Promise<readonly Left[]> {
  const left: Left[] = []
  for (const lead of await replacedBy(tx, leadId)) {
    const story = lead.phone === null ? null : ((await storyOf(tx, lead.phone))?.story ?? null)
    const replaced = story?.replaced.get(lead.id)
    left.push({ lead, story, standing: replaced?.standing ?? null })
    if (!replaced) left.push(...(await leftBehind(tx, lead.id)))
  }
  return left
}

type Before = Required<{ readonly [Name in 'standing' | 'story']: NonNullable<Left[Name]> }>

/** Leads of one person become one. */
export function takenOverFrom(
  before: readonly Before[],
  { at, desk, language }: { readonly at: number; readonly desk: boolean; readonly language: string },
): TakenOver {
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
    language,
    askedAt: Math.min(...standings.map(({ askedAt }) => askedAt)),
    isNew: !standings.some(({ outcomes }) => outcomes.some(isReached)),
    promise: promised?.promise
      ? { at: promised.promise.at, place: promised.promise.place, by: promised.promise.by }
      : null,
    answer: isOpen || promised || !answered ? null : answerOf(answered),
    outcomes: [...new Set(standings.flatMap(({ outcomes }) => outcomes))],
    last: last ?? null,
    saved: promised?.saved ?? (isOpen ? null : (answered?.saved ?? null)),
    dials: [...new Set(dials)].filter(dial => dial > at - DAY),
    place: place?.place ?? place?.placeBefore ?? null,
  }
}

/** If the number was why the calling had ended, it starts again. */
const answerOf = ({ answer }: Standing) => (answer === 'wrong number' || answer === NOT_REACHED ? null : answer)
