/**
 * The store of leads, as everybody else knows it: named operations over plain data, whichever engine is behind them.
 * Each operation is one atomic step that names the state it expects, so it is right while other processes write too.
 * Arguments and results are what structured clone can carry: an engine may live in another thread.
 */
import type { AlertStore } from './alerts.ts'
import type { CaptureStore } from './capture.ts'
import type { CarryOverStore } from './carry-over.ts'
import type { ClockStore } from './clock.ts'
import type { DeliveryPauseStore } from './delivery-pause.ts'
import type { DeskStore } from './desk/desk-store.ts'
import type { DoNotCallStore } from './do-not-call.ts'
import type { ErasureStore } from './erasure.ts'
import type { FunnelStore } from './funnel.ts'
import type { LeadTally, TallyRequest } from './lead-records.ts'
import type { LeadQueries } from './leads.ts'
import type { OutboxStore } from './outbox.ts'
import type { PageViewStore } from './page-views.ts'
import type { PresentedStore } from './presented.ts'
import type { ReviewStore } from './review.ts'
import type { SearchStore } from './search.ts'

/** All times are by the store’s own clock, never by the caller’s: on several machines no two clocks agree. */
export interface Store
  extends CaptureStore,
    PresentedStore,
    OutboxStore,
    DeliveryPauseStore,
    ReviewStore,
    AlertStore,
    ClockStore,
    PageViewStore,
    FunnelStore,
    LeadQueries,
    SearchStore,
    ErasureStore,
    DoNotCallStore,
    CarryOverStore,
    DeskStore {
  /**
   * Notifies when deliveries become due, once per group. Best effort: what other processes add may be missed, so also poll.
   * Answers with a function that stops listening.
   */
  onDue(listener: () => void): () => void

  /** How many leads there are of each state and delivery, apart by what is asked for, in no order. */
  tally(request: TallyRequest): Promise<readonly LeadTally[]>

  /** Finishes what is under way. */
  close(): Promise<void>
}
