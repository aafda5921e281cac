/** Moves everything about calls into the past, on the engines' own clocks, as if this much time had passed. */
import { DEMO_CALLING_HOURS } from '../../domain/calling/hours.ts'
import type { OpenEngine } from './lead-store.ts'

/** `leadId`: only for this lead's number. */
export async function passTime(
  { change, store }: Pick<OpenEngine, 'change' | 'store'>,
  ms: number,
  leadId?: string,
): Promise<void> {
  const ofNumber = leadId === undefined ? '' : `WHERE phone = (SELECT phone FROM leads WHERE id = '${leadId}')`
  const events = `WHERE story_id IN (SELECT id FROM stories ${ofNumber})`
  await change(
    `UPDATE story_events SET at = at - ${ms}, called_at = called_at - ${ms}, callback_at = callback_at - ${ms} ${events};
     UPDATE call_claims SET since = since - ${ms}, expires_at = expires_at - ${ms} ${events};
     UPDATE stories SET stale = 1 ${ofNumber}`,
  )
  await store.planStaleStories(DEMO_CALLING_HOURS)
}
