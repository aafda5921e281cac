/** Every action on a lead records who did it, in the desk and in the terminal, where an erasure keeps it. */
import { expect, test } from 'vitest'
import { DEMO_CALLING_HOURS as hours } from '../../../../domain/calling/hours.ts'
import type { Contact } from '../../../../domain/leads/lead.ts'
import { contactOf, ERASURE_KEY, openLeadStore, saying } from '../../../../tests/support/lead-store.ts'
import { dead, held, onSqlite, type StoreHarness } from '../../../../tests/support/store-engines.ts'
import { asOneRequest } from '../../facts/do-not-call/stops.ts'
import type { Store } from '../../store.ts'

const by = 'Maria Lopez'
const person = { id: '1', name: by }
const lou = { id: '2', name: 'Lou' }
const contacts = [{ email: contactOf('ada').email }]
const call = { person, hours, overrideReason: null } as const
const called = (leadId: string) => ({ person, hours, ...saying(leadId, 'no answer') })
const request = { askedBy: 'person', askedOn: '2030-01-31' } as const

/** `id`: of the note, event, or call that was there before. */
const actions: Readonly<Record<string, (store: Store, leadId: string, id: string) => Promise<unknown>>> = {
  recordView: (store, id) => store.recordView({ id, by, intervalMs: 0 }),
  recordDownload: (store, leadId) => store.recordDownload({ leadId, by }),
  addNote: (store, leadId) => store.addNote({ leadId, by, text: 'a note' }),
  removeNote: (store, leadId, noteId) => store.removeNote({ leadId, by, noteId }),
  restoreNote: (store, leadId, noteId) => store.restoreNote({ leadId, by, noteId }),
  approve: (store, _, heldId) => store.approve({ ids: [heldId], by }),
  reject: (store, _, heldId) => store.reject({ ids: [heldId], by, reason: 'a joke' }),
  resend: (store, id) => store.resend({ ids: [id], by }),
  resendEvents: (store, _, eventId) => store.resendEvents({ ids: [eventId], by }),
  dismissEvents: (store, _, eventId) => store.dismissEvents({ ids: [eventId], by }),
  erase: (store, id) => store.erase({ ids: [id], by, key: ERASURE_KEY }),
  addToDoNotCall: store => store.addToDoNotCall({ contacts, by }),
  removeFromDoNotCall: store => store.removeFromDoNotCall({ contacts, by, request }),
  restoreRemovals: store => store.restoreRemovals({ contacts, by, removedBy: 'Lou' }),
  undoDoNotCall: store => store.undoDoNotCall({ requestId: 'mine', by }),
  claimCall: (store, leadId) => store.claimCall({ leadId, person, takeOver: true }),
  startCall: (store, leadId) => store.startCall({ leadId, ...call }),
  withdrawCall: (store, leadId) => store.withdrawCall({ leadId, person, hours }),
  saveCall: (store, leadId) => store.saveCall(called(leadId)),
  undoCall: (store, _, callId) => store.undoCall({ callId, person, hours }),
  takeCall: (store, leadId) => store.takeCall({ leadId, person, hours }),
  skipCall: (store, leadId) => store.skipCall({ leadId, person }),
  giveCallbacks: (store, leadId) => store.giveCallbacks({ leads: [leadId], person, from: null, to: person }),
  takeCallbacksBack: (store, leadId) => store.takeCallbacksBack({ leads: [leadId], person }),
  markClient: (store, leadId) => store.markClient({ leadId, on: '2030-01-31', by }),
  undoClient: (store, leadId) => store.undoClient({ leadId, by }),
  setCallPlace: (store, leadId) => store.setCallPlace({ leadId, value: 'FL Central', by }),
  setLeadLanguage: (store, leadId) => store.setLeadLanguage({ leadId, value: 'es', by }),
  async correctLead(store, leadId) {
    const { firstName, lastName, dateOfBirth = '', email, phone } = (await store.find(leadId)) as unknown as Contact
    const seen = { firstName, lastName, dateOfBirth, email, phone }
    const corrected = { ...seen, lastName: 'Byron' }
    return store.correctLead({ leadId, person, seen, corrected, reason: 'a typo', spoken: null })
  },
}

const addNote = async ({ store }: StoreHarness, leadId: string) =>
  (await store.addNote({ leadId, by: 'Lou', text: 'a note' }))?.id ?? ''
const captureHeld = async ({ capture }: StoreHarness) => (await capture('bea', held)).id
/** Delivers the lead; then, a request not to be called doesn't reach the CRM. */
async function failToStop({ store, deliverAll }: StoreHarness, leadId: string): Promise<string> {
  await deliverAll()
  await store.addToDoNotCall({ contacts, by: 'Lou', leadId })
  const [event] = await store.lease({ lane: 'stops', limit: 9, leaseMs: 60_000 })
  if (event) await store.settle(dead(event))
  return event?.id ?? ''
}
const saveCall = async ({ store }: StoreHarness, leadId: string) => {
  await store.claimCall({ leadId, person, takeOver: false })
  const saved = await store.saveCall(called(leadId))
  return saved.kind === 'saved' ? saved.callId : ''
}

async function promise({ store }: StoreHarness, leadId: string) {
  await store.claimCall({ leadId, person: lou, takeOver: false })
  return store.saveCall({ person: lou, hours, ...saying(leadId, 'call back', Date.now() + 3 * 60 * 60_000) })
}

async function goAhead({ store }: StoreHarness, leadId: string) {
  await store.claimCall({ leadId, person: lou, takeOver: false })
  return store.saveCall({ person: lou, hours, ...saying(leadId, 'going ahead') })
}

/** What has to be there before the action. */
const before: Readonly<Record<string, (harness: StoreHarness, leadId: string) => Promise<unknown>>> = {
  removeNote: addNote,
  async restoreNote(harness, leadId) {
    const noteId = await addNote(harness, leadId)
    await harness.store.removeNote({ leadId, by, noteId })
    return noteId
  },
  approve: captureHeld,
  reject: captureHeld,
  resend: async ({ store, leaseOne }) => store.settle(dead(await leaseOne())),
  resendEvents: failToStop,
  dismissEvents: failToStop,
  removeFromDoNotCall: ({ store }) => store.addToDoNotCall({ contacts, by: 'Lou' }),
  async restoreRemovals({ store }) {
    await store.addToDoNotCall({ contacts, by: 'Lou' })
    await store.removeFromDoNotCall({ contacts, by: 'Lou', request })
  },
  undoDoNotCall: ({ store }) => store.addToDoNotCall({ ...asOneRequest(contacts, 'mine'), by, source: 'desk' }),
  claimCall: ({ store }, leadId) => store.claimCall({ leadId, person: lou, takeOver: false }),
  withdrawCall: ({ store }, leadId) => store.startCall({ leadId, ...call }),
  saveCall: ({ store }, leadId) => store.claimCall({ leadId, person, takeOver: false }),
  undoCall: saveCall,
  giveCallbacks: promise,
  async takeCallbacksBack(harness, leadId) {
    await promise(harness, leadId)
    await harness.store.giveCallbacks({ leads: [leadId], person, from: null, to: person })
  },
  markClient: goAhead,
  async undoClient(harness, leadId) {
    await goAhead(harness, leadId)
    await harness.store.markClient({ leadId, on: '2030-01-31', by: 'Lou' })
  },
}

/** Before you add an operation here, decide whether it's an action on a lead. */
const others = {
  // Nobody did these: the server, the worker, retention, and the visitor.
  automatic: `capture correctSentLead preferCallTime stopFromCrm clientFromCrm lease settle rescheduleAfterClockChange eraseExpired emptyLog rollUpLeads indexLeads
    addPageCounts planStaleStories carryOutUnqueued variantSecret saveConsentText recordReviewedTranslation saveReviewedTexts saveQuestionnaire probe recordRetention recordRetentionStop recordBackup recordFailedBackup registerKey
    refreshAlerts endUnseenAlerts nextAlertToSend markAlertSent recordServedSite forgetLogged`,
  // A claim has its person's name and goes away by itself.
  recordedElsewhere: `takeBackRequests removeCaller callNext renewClaim recordExport recordListView carryOver finishRestore pauseDeliveries resumeDeliveries
    decideUnqueued recordUnknownCaller enterSpend`,
  accounts: `invite acceptInvitation addChallenge takeChallenge addPasskey removePasskey countPasskey beginSession endSession setSpokenLanguages recordActivity signOut
    blockDevices changeRole removePerson`,
  reads: `corrections correctionsOfChain restoredTo sentLead stopsOfContacts newestEntries stopRequests countStopRequests mostStopsByOne changedListBy countRemovalsBy requestsToTakeBack invitation passkey passkeysOf session spokenLanguages deskPeople deskChanges alertsSince unfinishedCalls callLog savedCalls
    callStats callTotals campaignCalls campaignResults clientsByCampaign goingAheadByVariant adSpend callsWaiting hasOpenCalls callState recentCalls callsOfLeads callList leadsWithSameNumber callsOfAll recordedEvents doNotCallEvents deliveryPause
    peopleWithNumber leadsOnDoNotCallList doNotCallEntriesOf doNotCallList newestLeadAt notErased erasures newChanges erasedLeadsOf wasErasedPerson installationKeys funnel
    pulse find retriedLeads sentToCrm page count countUpTo leadsWithIds latestCertificates idsStartingWith leadsOfPerson notesOf recentExports
    recentListViews nextDue backlog queuedEvents failedLetters unqueuedLeads webhookTimes questionsReached questionsReachedBy presentedVersions reviewedTexts storeBytes health storeTime retentionTimes
    lastBackup backupStatus storeId unlogged damagedEvidence leadsOfPeople entriesOfChain serversBehind`,
  lifecycle: 'onDue close',
}

test('every operation of the store has been reviewed', async () => {
  const leads = openLeadStore()
  const reviewed = [...Object.keys(actions), ...Object.values(others).flatMap(names => names.split(/\s+/))]
  expect(Object.keys(leads.store).toSorted()).toEqual(reviewed.toSorted())
  await leads.remove()
})

/** Rows that name Maria, in the tables that an erasure keeps. */
const NAMED = [
  `SELECT COUNT(*) AS rows FROM history WHERE detail LIKE '%"by":"${by}"%'`,
  `SELECT COUNT(*) FROM story_events WHERE person_name = '${by}'`,
  `SELECT COUNT(*) FROM do_not_call_history WHERE done_by = '${by}'`,
].join(' UNION ALL ')

onSqlite('an action on a lead', harness => {
  const named = async () => (await harness.rows(NAMED)).map(row => Number(Object.values(row)[0]))

  test.each(Object.entries(actions))('%s records who did it', async (name, act) => {
    const { id } = await harness.capture('ada', { contact: { ...contactOf('ada'), phone: '(212) 555-0101' } })
    const prepared = await before[name]?.(harness, id)
    const earlier = await named()
    await act(harness.store, id, `${prepared}`)
    const later = await named()
    expect(later.some((rows, table) => rows > (earlier[table] ?? 0))).toBe(true)
  })
})
