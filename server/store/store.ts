/**
 * The store's public interface: operations on plain data, independent of the engine. Timestamps come from the database clock.
 * Each operation is atomic and checks the state it expects, so concurrent writers are safe. Arguments and results must survive
 * structured clone, because an engine may run in another thread.
 */

import { createCallAttempts } from './calls/attempts.ts'
import { createCallList } from './calls/call-list.ts'
import { createCalling } from './calls/calling.ts'
import { createIncomingCalls } from './calls/incoming.ts'
import { createOutcomes } from './calls/outcomes.ts'
import { createCallStats } from './calls/stats.ts'
import { createStories } from './calls/stories.ts'
import { createBacklog } from './deliveries/backlog.ts'
import { createDeliveryPause } from './deliveries/delivery-pause.ts'
import { createFailedMessages } from './deliveries/failed-messages.ts'
import { createOutbox } from './deliveries/outbox.ts'
import { createSentLeads } from './deliveries/sent-leads.ts'
import { createSettle } from './deliveries/settle.ts'
import { createUnqueued } from './deliveries/unqueued.ts'
import { createCrmStops } from './do-not-call/crm-stops.ts'
import { createDoNotCall } from './do-not-call/do-not-call.ts'
import { createStopRequests } from './do-not-call/requests.ts'
import { createTakeBack } from './do-not-call/take-back.ts'
import { createCampaignResults } from './leads/campaign-results.ts'
import { type CaptureOptions, createCaptures } from './leads/capture.ts'
import { createClients } from './leads/clients.ts'
import { createContactHistory } from './leads/contact-history.ts'
import { createCorrectLead } from './leads/correct-lead.ts'
import { createErasure } from './leads/erasure.ts'
import { createHistory } from './leads/history.ts'
import { createLeadQueries } from './leads/leads.ts'
import { createNotes } from './leads/notes.ts'
import { createPresented } from './leads/presented.ts'
import { createReview } from './leads/review.ts'
import { createSearch } from './leads/search.ts'
import { createAccounts } from './people/accounts.ts'
import { createDeskPeople } from './people/desk-people.ts'
import type { SqlPort } from './sql.ts'
import { createAlerts } from './upkeep/alerts.ts'
import { createCarryOver } from './upkeep/carry-over.ts'
import { createEvidence } from './upkeep/evidence.ts'
import { createReviewedTexts } from './upkeep/reviewed-texts.ts'
import { createServedSites } from './upkeep/served-sites.ts'
import { createToLog } from './upkeep/to-log.ts'
import { createUpkeep, type EngineHealth } from './upkeep/upkeep.ts'
import { createAdSpend } from './visits/ad-spend.ts'
import { createFunnel } from './visits/funnel.ts'
import { createPageViews } from './visits/page-views.ts'

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
  const doNotCall = { ...createDoNotCall(port, due.raise), ...createTakeBack(port, due.raise) }
  return {
    ...createAccounts(port),
    ...createAdSpend(port),
    ...createAlerts(port),
    ...createBacklog(port),
    ...createCallAttempts(port),
    ...createCalling(port),
    ...createCallList(port),
    ...createCallStats(port),
    ...createCampaignResults(port),
    ...createCarryOver(port, doNotCall),
    ...createClients(port, due.raise),
    ...createContactHistory(port),
    ...createCorrectLead(port, due.raise),
    ...createCrmStops(port, due.raise),
    ...createDeliveryPause(port, due.raise),
    ...createDeskPeople(port),
    ...doNotCall,
    ...createErasure(port),
    ...createEvidence(port),
    ...createFailedMessages(port, due.raise),
    ...createFunnel(port),
    ...createHistory(port),
    ...createIncomingCalls(port),
    ...createLeadQueries(port),
    ...createNotes(port),
    ...createOutbox(port),
    ...createOutcomes(port, due.raise),
    ...createPageViews(port),
    ...createPresented(port),
    ...createReview(port, due.raise),
    ...createSearch(port),
    ...createSentLeads(port, due.raise),
    ...createReviewedTexts(port),
    ...createServedSites(port),
    ...createSettle(port),
    ...createStories(port),
    ...createUnqueued(port, due.raise),
    ...createUpkeep(port, inspect),
    ...createStopRequests(port),
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
