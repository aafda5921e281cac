/** Reminds the operator that what is in the outbox stays there as long as there is no webhook. */
import type { Surroundings } from './surroundings.ts'

export function webhookNote({ readConfig }: Surroundings): string {
  return readConfig().webhookUrl === null ? ' LEAD_WEBHOOK_URL is not set: delivery waits until it is.' : ''
}
