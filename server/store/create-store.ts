/** Puts the subjects together over one engine's port. */
import { createAlerts } from './alerts.ts'
import { type CaptureOptions, createCaptures } from './capture.ts'
import { createClock } from './clock.ts'
import { createDeliveryPause } from './delivery-pause.ts'
import { createDeskStore } from './desk/desk-store.ts'
import { type ErasedLeads, eraseLeads, eraseNextBefore, findNotErased } from './erasure/erase.ts'
import { findErased } from './erasure/erased-people.ts'
import type { Erasure } from './erasure/erasure-records.ts'
import { createSuppressions } from './erasure/suppressions.ts'
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
  /** Removes what is left of erased people in the database's files. */
  forget(erased: ErasedLeads, look: boolean): Promise<Erasure>
  /** Ends the connections. Called when nothing is under way. */
  close(): Promise<void>
}

export function createStore({ port, captures: options, due, forget, close }: StoreEngine): Store {
  const captures = createCaptures(port.dialect, { ...options, onDue: due.raise })
  const alerts = createAlerts(port)
  return {
    ...createLeadQueries(port),
    ...createSearch(port),
    ...createOutbox(port),
    ...createPresented(port),
    ...createReview(port, due.raise),
    ...createClock(port),
    ...createDeliveryPause(port, due.raise, alerts.keepAlert),
    ...createSuppressions(port),
    ...createDeskStore(port),
    ...createPageViews(port),
    ...createFunnel(port),
    tally: request => tally(port, request),
    ...alerts,
    capture: captures.capture,
    onDue: due.listen,
    erase: async order => forget(await eraseLeads(port, order), true),
    async eraseBefore(order) {
      const { last, ...erased } = await eraseNextBefore(port, order)
      return { ...(await forget(erased, false)), last }
    },
    notErased: ids => findNotErased(port, ids),
    erasedLeadsOf: request => findErased(port, request),
    async close() {
      await captures.idle()
      await close()
    },
  }
}
