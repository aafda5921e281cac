/** The doctor's look at what waits: for the webhook, or for the operator. */
import type { Calendar } from '../../server/calendar.ts'
import type { Store } from '../../server/store/store.ts'
import { pauseInWords } from '../leads/pause-words.ts'
import { age, counted } from '../terminal/words.ts'
import { type Finding, findingsAbout } from './finding.ts'

const LONGEST_QUIET_MS = 10 * 60_000

const { ok, warning } = findingsAbout('Backlog')

export async function checkBacklog(store: Store, calendar: Calendar): Promise<readonly Finding[]> {
  const { pending, oldestPendingAgeMs, dead } = await store.backlog()
  const pause = await store.deliveryPause()
  const held = await store.count({ state: 'held' })
  const waiting = `${counted(pending, 'lead')} ${pending === 1 ? 'waits' : 'wait'} for delivery`
  return [
    ...(pause ? [warning(`${pauseInWords(pause, calendar)} They go on with: resume`)] : []),
    pending === 0
      ? ok('No lead waits for delivery.')
      : oldestPendingAgeMs > LONGEST_QUIET_MS && !pause
        ? warning(`${waiting}, the oldest for ${age(oldestPendingAgeMs)}. Is the server running, and the webhook well?`)
        : ok(`${waiting}, the oldest for ${age(oldestPendingAgeMs)}.`),
    dead === 0
      ? ok('No delivery was given up.')
      : warning(
          `${counted(dead, 'delivery was', 'deliveries were')} given up: list --delivery dead, then redeliver --dead.`,
        ),
    held === 0
      ? ok('No lead is held.')
      : warning(`${counted(held, 'lead is', 'leads are')} held for a look: list --state held, then release or reject.`),
  ]
}
