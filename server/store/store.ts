/**
 * The store of leads, as everybody else knows it: named operations over plain data, whichever engine is behind them.
 * Each operation is one atomic step that names the state it expects, so it is right while other processes write too.
 * Arguments and results are what structured clone can carry: an engine may live in another thread.
 */
import type { Certificate } from '../../domain/certificate.ts'
import type { Contact, TrustedFormMode } from '../../domain/lead.ts'
import type { Backlog, DeliveryPause, LeasedDelivery, LeaseOrder, Settlement } from './delivery-records.ts'
import type { DeskStore } from './desk/desk-store.ts'
import type { Erasure, ErasureOrder } from './erasure/erasure-records.ts'
import type { LeadDossier, LeadFilter, LeadRecord, LeadTally, Person, TallyRequest } from './lead-records.ts'
import type { FunnelRequest, FunnelsRequest } from './reports/funnel.ts'
import type { FunnelGroup, FunnelLine } from './reports/kept-counts.ts'
import type { CountingOrder } from './reports/lead-counts.ts'
import type { PageCounts } from './reports/page-counts.ts'

/** All times are by the store’s own clock, never by the caller’s: on several machines no two clocks agree. */
export interface Store extends DeskStore {
  /** Resolves once the lead, its history line and its delivery are on disk; of all three or of none. */
  capture(submission: Submission): Promise<CapturedLead>
  /** Keeps a consent text for good, once, and answers with its version. */
  rememberConsent(presented: string): Promise<string>
  /** The same for the questions as visitors are asked them. */
  rememberQuestionnaire(presented: string): Promise<string>
  /** The versions of all texts that any process ever remembered. */
  presentedVersions(): Promise<{ readonly consents: readonly string[]; readonly questionnaires: readonly string[] }>
  /** Writes something of no meaning: resolves when the store takes leads, rejects with StoreUnavailable when not. */
  probe(): Promise<void>

  /**
   * Takes deliveries that are due, the longest due first: for as long as the lease lasts nobody else gets them. Those of people
   * on the do-not-call list are held instead, unless their leads were asked for by id.
   */
  lease(order: LeaseOrder): Promise<readonly LeasedDelivery[]>
  /**
   * Records how an attempt ended, also when the lead was erased meanwhile. False when nothing was recorded: it was settled by
   * somebody else, or the attempt failed after its lease had passed to somebody else. A late success still counts.
   */
  settle(settlement: Settlement): Promise<boolean>
  /** How long it is until the next delivery comes due, a leased one included; zero or less when it is; null without one. */
  nextDue(): Promise<number | null>
  /**
   * After the clock was set back, what is due now would wait for as long. Brings what is pending forward by as much as the
   * clock is behind the latest time that the store has seen here, and answers with that; 0 when the clock was not set back.
   */
  bringForward(limits: { readonly leaseMs: number }): Promise<number>
  /** Cheap, however much is waiting: it is asked every minute while leads come in. */
  backlog(): Promise<Backlog>
  /**
   * Tells of deliveries that have come due, once for a group of them. What other processes add may be told of late or
   * never, so whoever listens must also look now and then. Answers with the way to stop listening.
   */
  onDue(listener: () => void): () => void

  // While deliveries are paused, by whichever process, none is leased and none comes due; leads are taken all the same.
  /** False when they were paused already: since when stays, a reason takes the place of the one before. */
  pauseDeliveries(order: { readonly reason: string; readonly by: string }): Promise<boolean>
  /** False when they were not paused. A pause that is over is kept among the alerts, with who began and who ended it. */
  resumeDeliveries(order: { readonly by: string }): Promise<boolean>
  deliveryPause(): Promise<DeliveryPause | null>

  /** Something is wrong with what all replicas share. Stands once for each code, whoever raises it how often. */
  raiseAlert(alert: RaisedAlert): Promise<void>
  /** The one of that code that stands; or all that a process left behind when it ended. */
  endAlert(which: { readonly code: string } | { readonly source: string }): Promise<void>
  /** One that is to be told now: for as long as the lease lasts nobody else gets it. */
  leaseAlert(order: { readonly leaseMs: number }): Promise<LeasedAlert | null>
  /** When to tell it again, or never. */
  alertTold(told: {
    readonly id: string
    readonly leasedUntil: number
    readonly nextInMs: number | null
  }): Promise<void>
  /** For the record alone: whoever keeps it here tells it, too. */
  keepAlert(alert: AlertRecord): Promise<void>
  /** Those that stand, and those that ended at that time or later; the newest first. */
  alertsSince(time: number): Promise<readonly AlertRecord[]>

  find(id: string): Promise<LeadDossier | null>
  /** Up to so many leads in the order of their ids, which is that of their arrival, going on after an id. */
  page(request: PageRequest): Promise<readonly LeadRecord[]>
  count(filter: LeadFilter): Promise<number>
  /** How many leads there are of each state and delivery, apart by what is asked for, in no order. */
  tally(request: TallyRequest): Promise<readonly LeadTally[]>
  /** Whether the latest leads came with a certificate, the newest first. */
  latestCertificates(limit: number): Promise<readonly boolean[]>
  /** In their order, so many at most. */
  idsBeginningWith(request: { readonly beginning: string; readonly limit: number }): Promise<readonly string[]>
  /** All leads of a person that are not erased, the oldest first; by id, its repeats and what it repeats. */
  leadsOfPerson(person: Person): Promise<readonly LeadRecord[]>

  // Changes of many leads go in batches, each an atomic step of its own, so that captures go on in between.
  /**
   * How many were released. Of given ids all must be held or rejected, or none is released and the answer is 0. Nor is one
   * that was rejected, when its person has come again since: that lead is the one to decide about. All that are
   * held are all but those of people on the do-not-call list, which must be named.
   */
  release(which: { readonly ids: readonly string[]; readonly by?: string } | 'all held'): Promise<number>
  /** How many were rejected: kept, and never delivered. All must be held, or none is rejected and the answer is 0. */
  reject(rejection: { readonly ids: readonly string[]; readonly reason: string; readonly by?: string }): Promise<number>
  /**
   * How many were put back into the outbox: accepted leads whose delivery is not due within a minute anyway. Leads of those
   * on the do-not-call list must be named by their ids.
   */
  redeliver(selection: Selection): Promise<number>
  countRedeliverable(selection: Selection): Promise<Redeliverable>
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

  /** Adds what was counted since the last call. Campaigns beyond the first 200 of a day are added to all others. */
  addPageCounts(counts: readonly PageCounts[]): Promise<void>
  /** To be called every few seconds: sums up what was added, which would else become slow to read. */
  postPageCounts(): Promise<void>
  /** Brings the kept counts of leads up to date, a piece at a time. False when nothing is left to do. */
  countLeads(order: CountingOrder): Promise<boolean>
  funnel(request: FunnelRequest): Promise<readonly FunnelLine[]>
  /** Several at once, of the same leads and for little more than one of them. */
  funnels<Group extends FunnelGroup>(
    request: FunnelsRequest<Group>,
  ): Promise<Readonly<Record<Group, readonly FunnelLine[]>>>
  /** The secret by which all servers deal out variants alike: the one that is suggested, unless there is one already. */
  dealingSecret(suggested: string): Promise<string>

  /** Finishes what is under way. */
  close(): Promise<void>
}

/** The facts of one submission, parsed and checked. */
export interface Submission {
  readonly contact: Contact
  readonly page: string
  readonly campaign: Readonly<Record<string, string>>
  /** Which variant of the page the visitor saw; empty where there is only one. */
  readonly variant: string
  readonly clientAddress: string
  readonly userAgent: string
  readonly certificate: Certificate
  /** Whether the form that was sent asks for a certificate. */
  readonly trustedForm: TrustedFormMode
  readonly consentVersion: string
  /** Null when it is not known which questions were asked. */
  readonly questionnaireVersion: string | null
  /** Why an operator should look at it before it is delivered, or null. */
  readonly holdReason: string | null
  /** Whether the webhook is told of it, too, if it repeats a lead that was accepted. */
  readonly announceRepeat: boolean
}

export interface CapturedLead {
  readonly id: string
  readonly state: 'accepted' | 'repeat' | 'held'
}

/** The text is in plain words, without personal data. */
export interface AlertRecord {
  readonly id: string
  readonly code: string
  readonly text: string
  /** The process that met with it; empty when it was found in the store. */
  readonly source: string
  readonly startedAt: number
  /** Null while it stands. */
  readonly endedAt: number | null
}

export type RaisedAlert = Pick<AlertRecord, 'id' | 'code' | 'text'> & {
  /** Worth telling again at once. */
  readonly worse: boolean
}

export interface LeasedAlert extends AlertRecord {
  /** How often it was told before. */
  readonly told: number
  readonly leasedUntil: number
}

export interface PageRequest {
  readonly filter: LeadFilter
  readonly order: 'newest first' | 'oldest first'
  readonly limit: number
  /** The last id of the page before; null for the first page. */
  readonly after: string | null
}

export type Selection = { readonly id: string } | SelectedLeads | LeadFilter

/** Leads by their ids. */
export interface SelectedLeads {
  readonly ids: readonly string[]
  /** Those that were delivered, too; they are left alone otherwise. */
  readonly again?: boolean
  /** They were found, not named: those of people on the do-not-call list are left alone. */
  readonly leaveOutSuppressed?: boolean
  /** Who wants it, for the history. */
  readonly by?: string
}

export interface Redeliverable {
  readonly leads: number
  /** Would be among them, but are left out: their people are on the do-not-call list. */
  readonly suppressed: number
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
