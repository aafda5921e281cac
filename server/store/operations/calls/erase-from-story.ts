/** What an erasure leaves of a story: the calls, without the person. */

import { addEvents, storyOf } from '../../facts/calls/stories.ts'
import type { Tx } from '../../sql.ts'

/**
 * Call after the lead's own columns were erased. While another lead has the number, its story goes on; with the last one, it loses the number.
 * A claim stays: someone may be on the phone.
 */
export async function eraseFromStory(tx: Tx, leadId: string, phone: string, isLast: boolean): Promise<void> {
  await tx(`UPDATE standings SET campaign_key = '' WHERE lead_id = $1`, [leadId])
  const stored = await storyOf(tx, phone)
  if (!stored) return
  const { id, story } = stored
  if (story.standings.has(leadId)) await addEvents(tx, stored, [{ kind: 'erased', at: tx.at, leadId }])
  // A reason may be about the person.
  await tx('UPDATE story_events SET reason = NULL WHERE story_id = $1 AND lead_id = $2', [id, leadId])
  if (!isLast) return
  const nothing =
    'plan = NULL, listed_at = NULL, new_at = NULL, retry_at = NULL, promised_at = NULL, promised_by = NULL'
  await tx(`UPDATE stories SET mark = NULL, phone = NULL, ${nothing} WHERE id = $1`, [id])
  // Keeps the way from an erased lead to its calls.
  if (story.calls.length === 0) return
  const standing = `INSERT INTO standings (lead_id, story_id, campaign_key, due_at, tries, called, reached, going_ahead, wrong_number, never_call)
    VALUES ($1, $2, '', 0, 0, 0, 0, 0, 0, 0) ON CONFLICT (lead_id) DO NOTHING`
  await tx(standing, [leadId, id])
}
