/** Every action on a lead records who did it, in the desk and in the terminal, where an erasure keeps it. */
import { expect, test, vi } from 'vitest'
import { DEFAULT_CALLING_HOURS as hours } from '../../../domain/calling/hours.ts'
import type { Contact } from '../../../domain/lead.ts'
import { contactOf, ERASURE_KEY, openLeadStore } from '../../../tests/support/lead-store.ts'
import { dead, held, onEachEngine, type StoreHarness } from '../../../tests/support/store-engines.ts'

vi.mock(import('../../../domain/calling/hours.ts'), async original => {
  const { alwaysOpen } = await import('../../../tests/support/always-open.ts')
  return { ...(await original()), createCallingClock: () => alwaysOpen }
})

const by = 'Maria Lopez'
const person = { id: '1', name: by }
const contacts = [{ email: contactOf('ada').email }]

/** What has to happen before, by someone else, and the action. */
type Action = (harness: StoreHarness, leadId: string) => Promise<() => Promise<unknown>>

const lou = { id: '2', name: 'Lou' }
const called = { hours, outcome: 'no answer', callbackAt: null, note: null } as const

/** Delivers the lead; then, a request not to be called doesn't reach the CRM. */
async function failedStop({ store, deliverAll }: StoreHarness, leadId: string): Promise<readonly string[]> {
  await deliverAll()
  await store.addToDoNotCall({ contacts, by: 'Lou', leadId })
  const leased = await store.lease({ lane: 'stops', limit: 9, leaseMs: 60_000 })
  for (const event of leased) await store.settle(dead(event))
  return leased.map(({ id }) => id)
}

const actions: Readonly<Record<string, Action>> = {
  recordView:
    async ({ store }, id) =>
    () =>
      store.recordView({ id, by, intervalMs: 0 }),
  addNote:
    async ({ store }, leadId) =>
    () =>
      store.addNote({ leadId, by, text: 'a note' }),
  async removeNote({ store }, leadId) {
    const note = await store.addNote({ leadId, by: 'Lou', text: 'a note' })
    return () => store.removeNote({ leadId, by, noteId: note?.id ?? '' })
  },
  async restoreNote(harness, leadId) {
    const { store } = harness
    const note = await store.addNote({ leadId, by: 'Lou', text: 'a note' })
    await store.removeNote({ leadId, by, noteId: note?.id ?? '' })
    return () => store.restoreNote({ leadId, by, noteId: note?.id ?? '' })
  },
  async approve({ store, capture }) {
    const { id } = await capture('bea', held)
    return () => store.approve({ ids: [id], by })
  },
  async reject({ store, capture }) {
    const { id } = await capture('bea', held)
    return () => store.reject({ ids: [id], by, reason: 'a joke' })
  },
  async resend({ store, leaseOne }, id) {
    await store.settle(dead(await leaseOne()))
    return () => store.resend({ ids: [id], by })
  },
  async resendEvents(harness, id) {
    const ids = await failedStop(harness, id)
    return () => harness.store.resendEvents({ ids, by })
  },
  async dismissEvents(harness, id) {
    const ids = await failedStop(harness, id)
    return () => harness.store.dismissEvents({ ids, by })
  },
  erase:
    async ({ store }, id) =>
    () =>
      store.erase({ ids: [id], by, key: ERASURE_KEY }),
  addToDoNotCall:
    async ({ store }) =>
    () =>
      store.addToDoNotCall({ contacts, by }),
  async removeFromDoNotCall({ store }) {
    await store.addToDoNotCall({ contacts, by: 'Lou' })
    return () => store.removeFromDoNotCall({ contacts, by, request: { askedBy: 'person', askedOn: '2030-01-31' } })
  },
  async undoDoNotCall({ store }) {
    await store.addToDoNotCall({ contacts, by })
    return () => store.undoDoNotCall({ contacts, by })
  },
  async claimCall({ store }, leadId) {
    await store.claimCall({ leadId, person: lou, takeOver: false })
    return () => store.claimCall({ leadId, person, takeOver: true })
  },
  startCall:
    async ({ store }, leadId) =>
    () =>
      store.startCall({ leadId, person, hours, overrideReason: null }),
  async withdrawCall({ store }, leadId) {
    await store.startCall({ leadId, person, hours, overrideReason: null })
    return () => store.withdrawCall({ hours, leadId, person })
  },
  async saveCall({ store }, leadId) {
    await store.claimCall({ leadId, person, takeOver: false })
    return () => store.saveCall({ leadId, person, ...called })
  },
  async undoCall({ store }, leadId) {
    await store.claimCall({ leadId, person, takeOver: false })
    const saved = await store.saveCall({ leadId, person, ...called })
    return () => store.undoCall({ hours, attemptId: saved.kind === 'saved' ? saved.attemptId : '', person })
  },
  takeCall:
    async ({ store }, leadId) =>
    () =>
      store.takeCall({ leadId, person, hours }),
  skipCall:
    async ({ store }, leadId) =>
    () =>
      store.skipCall({ leadId, person }),
  setCallPlace:
    async ({ store }, leadId) =>
    () =>
      store.setCallPlace({ leadId, value: 'FL Central', by }),
  setLeadLanguage:
    async ({ store }, leadId) =>
    () =>
      store.setLeadLanguage({ leadId, value: 'es', by }),
  async correctLead({ store }, leadId) {
    const { firstName, lastName, email, phone } = (await store.find(leadId)) as unknown as Contact
    const seen = { firstName, lastName, email, phone }
    const corrected = { ...seen, lastName: 'Byron' }
    return () => store.correctLead({ leadId, person, seen, corrected, reason: 'a typo', consentVersion: null })
  },
}

/** Before you add an operation here, decide whether it's an action on a lead. */
const others = {
  // Nobody did these: the server, the worker, retention, and the visitor.
  automatic: `capture correctSentLead preferCallTime stopFromCrm lease settle rescheduleAfterClockChange eraseExpired emptyLog rollUpLeads indexLeads
    addPageCounts planStaleStories variantSecret saveConsentText saveQuestionnaire probe recordRetention recordRetentionStop recordBackup recordFailedBackup registerKey
    refreshAlerts endUnseenAlerts nextAlertToSend markAlertSent leaseJob settleJobLeads finishJob`,
  // A claim has its person's name and goes away by itself; a job runs actions in its starter's name.
  recordedElsewhere: `takeBackWebStops callNext renewClaim startJob recordExport recordListView carryOver finishRestore pauseDeliveries resumeDeliveries
    decideUnqueued recordUnknownCaller`,
  accounts: `invite acceptInvitation addChallenge takeChallenge addPasskey removePasskey beginSession endSession setSpokenLanguages recordActivity signOut
    changeRole removePerson`,
  reads: `corrections sentLead stopsOfContacts webFloods webStops invitation passkey passkeysOf session spokenLanguages deskPeople deskChanges alertsSince job unfinishedCalls callAttempts savedCalls
    callStats campaignCalls callsWaiting hasOpenCalls callState callsOfLeads callList leadsWithSameNumber callsOfAll callChanges doNotCallEvents deliveryPause
    peopleWithNumber leadsOnDoNotCallList doNotCallEntriesOf doNotCallList newestLeadAt notErased erasedLeadsOf wasErasedPerson installationKeys funnel
    pulse find page count countUpTo leadsWithIds latestCertificates idsStartingWith leadsOfPerson notesOf recentExports
    recentListViews nextDue backlog queuedEvents unqueuedLeads webhookTimes questionsReached presentedVersions storeBytes health storeTime retentionTimes
    lastBackup backupStatus`,
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

onEachEngine('an action on a lead', harness => {
  const named = async () => (await harness.rows(NAMED)).map(row => Number(Object.values(row)[0]))

  test.each(Object.entries(actions))('%s records who did it', async (_, prepare) => {
    const { id } = await harness.capture('ada', { contact: { ...contactOf('ada'), phone: '(212) 555-0101' } })
    const act = await prepare(harness, id)
    const before = await named()
    await act()
    const after = await named()
    expect(after.some((rows, table) => rows > (before[table] ?? 0))).toBe(true)
  })
})
