/**
 * The store's public interface: named operations over plain data, independent of the engine.
 * Each operation is one atomic step that names the state it expects, so it is safe under concurrent writers.
 * Arguments and results are what structured clone can carry: an engine may live in another thread.
 */
import { type AccountStore, createAccounts } from './accounts.ts'
import { type AlertStore, createAlerts } from './alerts.ts'
import { type BulkJobStore, createBulkJobs } from './bulk-jobs.ts'
import { type CaptureOptions, type CaptureStore, createCaptures } from './capture.ts'
import { type CarryOverStore, createCarryOver } from './carry-over.ts'
import { createDeliveryPause, type DeliveryPauseStore } from './delivery-pause.ts'
import { createDoNotCall, type DoNotCallStore } from './do-not-call.ts'
import { createErasure, type ErasureStore } from './erasure.ts'
import { createFunnel, type FunnelStore } from './funnel.ts'
import { createHistory, type HistoryStore } from './history.ts'
import { createLeadQueries, type LeadQueries } from './leads.ts'
import { createNotes, type NoteStore } from './notes.ts'
import { createOutbox, type OutboxStore } from './outbox.ts'
import { createPageViews, type PageViewStore } from './page-views.ts'
import { createPresented, type PresentedStore } from './presented.ts'
import { createReview, type ReviewStore } from './review.ts'
import { createSearch, type SearchStore } from './search.ts'
import type { SqlPort } from './sql.ts'
import { createUpkeep, type UpkeepStore } from './upkeep.ts'

/** Timestamps come from the database clock; host clocks drift. */
export interface Store
  extends AccountStore,
    AlertStore,
    BulkJobStore,
    CaptureStore,
    CarryOverStore,
    DeliveryPauseStore,
    DoNotCallStore,
    ErasureStore,
    FunnelStore,
    HistoryStore,
    LeadQueries,
    NoteStore,
    OutboxStore,
    PageViewStore,
    PresentedStore,
    ReviewStore,
    SearchStore,
    UpkeepStore {
  /**
   * Notifies when deliveries become due, once per group. Best effort: what other processes add may be missed, so also poll.
   * Returns a function that stops listening.
   */
  onDue(listener: () => void): () => void

  /** Waits for in-flight operations, then closes. */
  close(): Promise<void>
}

/** What only the engine can do. */
export interface StoreEngine {
  readonly port: SqlPort
  readonly captures: Omit<CaptureOptions, 'onDue'>
  readonly due: { raise(): void; listen(listener: () => void): () => void }
  /** Ends the connections. Called when nothing is under way. */
  close(): Promise<void>
}

/** Assembles the store's modules on one engine. */
export function createStore({ port, captures: options, due, close }: StoreEngine): Store {
  const captures = createCaptures(port.dialect, { ...options, onDue: due.raise })
  const alerts = createAlerts(port)
  const doNotCall = createDoNotCall(port)
  return {
    ...createAccounts(port),
    ...alerts,
    ...createBulkJobs(port),
    ...createCarryOver(port, doNotCall),
    ...createDeliveryPause(port, due.raise, alerts.keepAlert),
    ...doNotCall,
    ...createErasure(port),
    ...createFunnel(port),
    ...createHistory(port),
    ...createLeadQueries(port),
    ...createNotes(port),
    ...createOutbox(port),
    ...createPageViews(port),
    ...createPresented(port),
    ...createReview(port, due.raise),
    ...createSearch(port),
    ...createUpkeep(port),
    capture: captures.capture,
    onDue: due.listen,
    async close() {
      await captures.idle()
      await close()
    },
  }
}
