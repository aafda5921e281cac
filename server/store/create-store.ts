/** Puts the subjects together over one engine's port. */
import { createAlerts } from './alerts.ts'
import { type CaptureOptions, createCaptures } from './capture.ts'
import { createCarryOver } from './carry-over.ts'
import { createClock } from './clock.ts'
import { createDeliveryPause } from './delivery-pause.ts'
import { createDeskStore } from './desk/desk-store.ts'
import { createDoNotCall } from './do-not-call.ts'
import { createErasure } from './erasure.ts'
import { createFunnel } from './funnel.ts'
import { createLeadQueries } from './leads.ts'
import { createOutbox } from './outbox.ts'
import { createPageViews } from './page-views.ts'
import { createPresented } from './presented.ts'
import { createReview } from './review.ts'
import { createSearch } from './search.ts'
import type { SqlPort } from './sql.ts'
import type { Store } from './store.ts'
import { tally } from './tally.ts'

/** What only the engine can do. */
export interface StoreEngine {
  readonly port: SqlPort
  readonly captures: Omit<CaptureOptions, 'onDue'>
  readonly due: { raise(): void; listen(listener: () => void): () => void }
  /** Ends the connections. Called when nothing is under way. */
  close(): Promise<void>
}

export function createStore({ port, captures: options, due, close }: StoreEngine): Store {
  const captures = createCaptures(port.dialect, { ...options, onDue: due.raise })
  const alerts = createAlerts(port)
  const doNotCall = createDoNotCall(port)
  return {
    ...createLeadQueries(port),
    ...createSearch(port),
    ...createOutbox(port),
    ...createPresented(port),
    ...createReview(port, due.raise),
    ...createClock(port),
    ...createDeliveryPause(port, due.raise, alerts.keepAlert),
    ...createErasure(port),
    ...doNotCall,
    ...createCarryOver(port, doNotCall),
    ...createDeskStore(port),
    ...createPageViews(port),
    ...createFunnel(port),
    tally: request => tally(port, request),
    ...alerts,
    capture: captures.capture,
    onDue: due.listen,
    async close() {
      await captures.idle()
      await close()
    },
  }
}
