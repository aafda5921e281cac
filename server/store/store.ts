/**
 * The store's public interface: operations on plain data, independent of the engine. Timestamps come from the database clock.
 * Each operation is atomic and checks the state it expects, so concurrent writers are safe. Arguments and results must survive
 * structured clone, because an engine may run in another thread.
 */
import { createCallNext } from './operations/calls/call-next.ts'
import { createCalling } from './operations/calls/calling.ts'
import { createIncomingCalls } from './operations/calls/incoming.ts'
import { createOutcomes } from './operations/calls/outcomes.ts'
import { createFailedMessages } from './operations/deliveries/failed-messages.ts'
import { createOutbox } from './operations/deliveries/lease.ts'
import { createSettle } from './operations/deliveries/settle.ts'
import { createUnqueued } from './operations/deliveries/unqueued.ts'
import { createAccounts } from './operations/desk/accounts.ts'
import { createDeskPeople } from './operations/desk/desk-people.ts'
import { createCrmStops } from './operations/do-not-call/crm-stops.ts'
import { createRemovals } from './operations/do-not-call/remove.ts'
import { createDoNotCall } from './operations/do-not-call/stop.ts'
import { createTakeBack } from './operations/do-not-call/take-back.ts'
import { type CaptureOptions, createCaptures } from './operations/leads/capture.ts'
import { createClients } from './operations/leads/clients.ts'
import { createCorrectLead } from './operations/leads/correct-lead.ts'
import { createErasure } from './operations/leads/erasure.ts'
import { createSearchIndex } from './operations/leads/index-leads.ts'
import { createNotes } from './operations/leads/notes.ts'
import { createReview } from './operations/leads/review.ts'
import { createSentLeads } from './operations/leads/sent-leads.ts'
import { createCarryOver } from './operations/upkeep/carry-over.ts'
import { createUpkeep, type EngineHealth } from './operations/upkeep/upkeep.ts'
import type { SqlPort } from './sql.ts'
import { createAdSpend } from './tables/ad-spend.ts'
import { createAlerts } from './tables/alerts.ts'
import { createDeliveryPause } from './tables/delivery-pause.ts'
import { createExports } from './tables/exports.ts'
import { createBackupRecords } from './tables/last-backup.ts'
import { createRollup } from './tables/lead-counts.ts'
import { createPageViews } from './tables/page-views.ts'
import { createPresented } from './tables/presented.ts'
import { createReviewedTexts } from './tables/reviewed-texts.ts'
import { createServedSites } from './tables/served-sites.ts'
import { createStories } from './tables/stories.ts'
import { createToLog } from './tables/to-log.ts'
import { createUnknownCallers } from './tables/unknown-callers.ts'
import { createBacklog } from './views/backlog.ts'
import { createCallList } from './views/call-list.ts'
import { createCallLog } from './views/call-log.ts'
import { createCallStats } from './views/call-stats.ts'
import { createCampaignResults } from './views/campaign-results.ts'
import { createContactHistory } from './views/contact-history.ts'
import { createDeskPeopleView } from './views/desk-people.ts'
import { createDoNotCallList } from './views/do-not-call-list.ts'
import { createEvidence } from './views/evidence.ts'
import { createFunnel } from './views/funnel.ts'
import { createLeadQueries } from './views/leads.ts'
import { createPeopleWithNumber } from './views/people-on-number.ts'
import { createPulse } from './views/pulse.ts'

/** Operations only the engine can provide. */
export interface StoreEngine {
  readonly port: SqlPort
  readonly captures: Pick<CaptureOptions, 'writers' | 'now'>
  inspect(): Promise<EngineHealth>
  /** Closes the connections. Called only when nothing is in flight. */
  close(): Promise<void>
}

export type Store = ReturnType<typeof createStore>

export function createStore({ port, captures: options, inspect, close }: StoreEngine) {
  const due = createDueSignal()
  const captures = createCaptures({ ...options, insist: port.insist, onDue: due.raise })
  const doNotCall = { ...createDoNotCall(port, due.raise), ...createRemovals(port, due.raise) }
  return {
    ...createAccounts(port),
    ...createAdSpend(port),
    ...createAlerts(port),
    ...createBacklog(port),
    ...createCallLog(port),
    ...createCalling(port),
    ...createCallList(port),
    ...createCallNext(port),
    ...createCallStats(port),
    ...createCampaignResults(port),
    ...createCarryOver(port, doNotCall),
    ...createClients(port, due.raise),
    ...createContactHistory(port),
    ...createCorrectLead(port, due.raise),
    ...createCrmStops(port, due.raise),
    ...createDeliveryPause(port, due.raise),
    ...createDeskPeople(port),
    ...createDeskPeopleView(port),
    ...doNotCall,
    ...createTakeBack(port, due.raise),
    ...createErasure(port),
    ...createEvidence(port),
    ...createFailedMessages(port, due.raise),
    ...createFunnel(port),
    ...createRollup(port),
    ...createPulse(port),
    ...createIncomingCalls(port),
    ...createPeopleWithNumber(port),
    ...createUnknownCallers(port),
    ...createLeadQueries(port),
    ...createNotes(port),
    ...createExports(port),
    ...createOutbox(port),
    ...createOutcomes(port, due.raise),
    ...createPageViews(port),
    ...createPresented(port),
    ...createReview(port, due.raise),
    ...createSearchIndex(port),
    ...createSentLeads(port, due.raise),
    ...createReviewedTexts(port),
    ...createServedSites(port),
    ...createSettle(port),
    ...createStories(port),
    ...createUnqueued(port, due.raise),
    ...createUpkeep(port, inspect),
    ...createBackupRecords(port),
    ...createDoNotCallList(port),
    ...createToLog(port),
    capture: captures.capture,
    /** Notifies when this process makes deliveries due, but not when others do, so poll as well. Returns an unsubscribe function. */
    onDue: due.listen,
    /** Waits for in-flight operations, then closes. */
    async close() {
      await captures.idle()
      await close()
    },
  }
}

/** Notifies once for everything that one commit made due. */
function createDueSignal() {
  const listeners = new Set<() => void>()
  let raised = false
  return {
    raise() {
      if (raised) return
      raised = true
      process.nextTick(() => {
        raised = false
        for (const listener of listeners) listener()
      })
    },
    listen(listener: () => void): () => void {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
