/** What an erasure leaves of a story: the calls, without the person. */
import { isFormerPhone } from '../leads/corrections.ts'
import { phoneMark, phoneMarkOfKey } from '../leads/repeats.ts'
import type { Dialect, Sql } from '../sql.ts'
import { addEvents, storyOf } from './stories.ts'

/**
 * Call after the lead's own columns were erased. While another lead has the number, its story goes on; otherwise, it loses the number.
 * A claim stays: someone may be on the phone.
 */
export async function eraseFromStory(
  sql: Sql,
  dialect: Dialect,
  at: number,
  leadId: string,
  phone: string,
): Promise<void> {
  await sql(`UPDATE requests SET campaign_key = '' WHERE lead_id = $1`, [leadId])
  const stored = await storyOf(sql, dialect, phone)
  if (!stored) return
  const { id, story } = stored
  if (story.requests.has(leadId)) await addEvents(sql, dialect, stored, [{ kind: 'erased', at, leadId }])
  // A reason may be about the person.
  await sql('UPDATE story_events SET reason = NULL WHERE story_id = $1 AND lead_id = $2', [id, leadId])
  const others = `SELECT 1 FROM leads WHERE ${phoneMarkOfKey} = $1 AND phone = $2 LIMIT 1`
  if ((await sql(others, [phoneMark(phone), phone])).length > 0 || (await isFormerPhone(sql, phone))) return
  await sql(`UPDATE stories SET mark = NULL, phone = NULL, kind = NULL, place = NULL, place_by = NULL WHERE id = $1`, [
    id,
  ])
  // Keeps the way from an erased lead to its calls.
  if (story.calls.length === 0) return
  const request = `INSERT INTO requests (lead_id, story_id, campaign_key, due_at, tries, called, reached, going_ahead, wrong_number, never_call)
    VALUES ($1, $2, '', 0, 0, 0, 0, 0, 0, 0) ON CONFLICT (lead_id) DO NOTHING`
  await sql(request, [leadId, id])
}
