/**
 * The store of leads, as everybody else knows it: named operations over plain data, whichever engine is behind them.
 * Each operation is one atomic step that names the state it expects, so it is right while other processes write too.
 * Arguments and results are what structured clone can carry: an engine may live in another thread.
 */
import type { AlertStore } from './alerts.ts'
import type { CaptureStore } from './capture.ts'
import type { ClockStore } from './clock.ts'
import type { DeliveryPauseStore } from './delivery-pause.ts'
import type { DeskStore } from './desk/desk-store.ts'
import type { Erasure, ErasureOrder } from './erasure/erasure-records.ts'
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
    DeskStore {
  /**
   * Notifies when deliveries become due, once per group. Best effort: what other processes add may be missed, so also poll.
   * Answers with a function that stops listening.
   */
  onDue(listener: () => void): () => void

  /** How many leads there are of each state and delivery, apart by what is asked for, in no order. */
  tally(request: TallyRequest): Promise<readonly LeadTally[]>

  erase(order: ErasureOrder): Promise<Erasure>
  /**
   * Erases the next leads of before a time, going on after an id; answers with the last it looked at, or null at the end. Of
   * several servers that do this at once, one gets to it.
   */
  eraseBefore(order: {
    readonly before: number
    readonly after: string
    readonly limit: number
    readonly key: string
  }): Promise<Erasure & { readonly last: string | null }>
  /** Of these leads those that are there and not erased. */
  notErased(ids: readonly string[]): Promise<readonly string[]>
  /**
   * The erased leads of whoever gives this address or number, and how many erased ones could not be compared, since they
   * were erased under another key.
   */
  erasedLeadsOf(request: {
    readonly person: { readonly email: string } | { readonly phone: string }
    readonly key: string | null
  }): Promise<{ readonly ids: readonly string[]; readonly underOtherKeys: number }>

  // Who asked not to be called: their leads are held.
  /** How many were not on the list before. */
  suppress(contacts: readonly DoNotCall[]): Promise<number>
  /**
   * Takes what is still to be delivered of these people out of the outbox, given up or not: their leads are held. What is under
   * way at this moment cannot be called back; it is recorded when it ends, and not tried again.
   */
  withhold(contacts: readonly DoNotCall[]): Promise<Withheld>
  /** Of these leads those whose people are on the list. */
  suppressedLeads(ids: readonly string[]): Promise<readonly string[]>
  /** How many were on the list. */
  unsuppress(contacts: readonly DoNotCall[]): Promise<number>
  /** In the order of their text, going on after one. */
  suppressions(request: { readonly after: string; readonly limit: number }): Promise<readonly Suppression[]>

  /** Finishes what is under way. */
  close(): Promise<void>
}

export type DoNotCall = { readonly email: string } | { readonly phone: string }

/** Ids of leads. */
export interface Withheld {
  readonly held: readonly string[]
  /** Of these, those that are being sent just now. */
  readonly underWay: readonly string[]
}

export interface Suppression {
  /** Ten digits, or an address in small letters. */
  readonly contact: string
  readonly addedAt: number
}
