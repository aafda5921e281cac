/** Erasing deletes personal data but keeps the proof of consent, which can still be found by email or phone. */
import { spawnSync } from 'node:child_process'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { DEFAULT_CALLING_HOURS } from '../../../../domain/calling/hours.ts'
import { HOUR } from '../../../../domain/durations.ts'
import { certificateUrl } from '../../../../domain/leads/certificate.ts'
import type { Contact } from '../../../../domain/leads/lead.ts'
import {
  captureLead,
  contactOf,
  ERASURE_KEY,
  maria,
  openLeadStore,
  saying,
} from '../../../../tests/support/lead-store.ts'
import { CONSENT, dead, delivered, onEachEngine, retry } from '../../../../tests/support/store-engines.ts'
import { schema, sqliteDdl } from '../../schema.ts'
import { StoreUnusable } from '../../store-errors.ts'
import type { Submission } from './capture.ts'

/**
 * Before you add a new table here, decide what erasing a lead does to it. Only `leads`, `notes`, and the tables of calls have
 * personal data.
 */
const knownTables = `ad_spend alerts attempts call_claims call_leads calls clock consents corrections crm_messages delivery_pause desk_challenges desk_invitations
  desk_passkeys desk_people desk_people_history desk_sessions do_not_call do_not_call_history erased_people erasure_keys exports history
  last_backup lead_counts leads notes outbox page_counts question_counts promises questionnaires readiness reviewed_texts reviewed_translations rolled_up_days store_identity
  sent_leads served_sites standings stopped_numbers stories story_events to_log unknown_callers unqueued_decision unqueued_leads variant_secret`

test('every table has been reviewed for erasure', () => {
  expect(Object.keys(schema(sqliteDdl)).toSorted()).toEqual([...knownTables.split(/\s+/), 'lead_search'].toSorted())
})

/** The lead columns that survive erasure. */
const keptColumns = `id received_at state held_reason held_at repeat_of replaced_by page variant certificate_id certificate_other trusted_form
  consent_version consent_taken_by questionnaire_version language client_on came_in`

test('erasing a lead with a value in every column keeps only these columns', async () => {
  const leads = openLeadStore()
  const id = await captureLead(leads.store, { name: 'ada', certificateId: 'c'.repeat(40) })
  await leads.store.indexLeads({ limit: 1 })
  // A captured lead never has both kinds of certificate, or a rejection reason.
  await leads.change(
    `UPDATE leads SET certificate_other = 'https://cert.trustedform.com/new', rejected_reason = 'a joke'`,
  )
  const before = leads.rows('SELECT * FROM leads')[0] ?? {}
  expect(await leads.store.erase({ ids: [id], key: ERASURE_KEY, by: 'Maria' })).toEqual({
    leads: 1,
    sent: [],
    inLog: false,
  })
  const after = leads.rows('SELECT * FROM leads')[0] ?? {}
  for (const [column, value] of Object.entries(after)) {
    if (column === 'state') expect(value).toBe('erased')
    else if (keptColumns.split(/\s+/).includes(column)) expect([column, value]).toEqual([column, before[column]])
    else {
      expect([column, value]).toEqual([column, { campaign: '{}', campaign_key: '' }[column] ?? null])
      expect([column, before[column]]).not.toEqual([column, null])
    }
  }
  await leads.remove()
})

test('erasing a lead keeps its calls without the number, notes, and reasons, and the claim of someone on the phone', async () => {
  const leads = openLeadStore()
  onTestFinished(() => leads.remove())
  const { store } = leads
  const id = await captureLead(store, { name: 'ada' })
  const hours = { ...DEFAULT_CALLING_HOURS, days: [] }
  const start = { leadId: id, person: maria, hours, overrideReason: 'Ada is up at night' }
  await store.setCallPlace({ leadId: id, value: 'FL Central', by: 'Maria' })
  await store.startCall(start)
  await store.saveCall({ person: maria, hours, ...saying(id, 'no answer'), note: 'Ada’s leg' })
  await store.startCall(start)
  const before = leads.rows('SELECT * FROM story_events ORDER BY n')
  await store.erase({ ids: [id], key: ERASURE_KEY, by: 'Maria' })
  const after = leads.rows('SELECT * FROM story_events ORDER BY n')
  expect(after.slice(0, -1)).toEqual(before.map(event => ({ ...event, reason: null })))
  expect(after.at(-1)).toMatchObject({ kind: 'erased', lead_id: id })
  expect(leads.rows('SELECT mark, phone, plan FROM stories')).toEqual([{ mark: null, phone: null, plan: null }])
  expect(leads.rows('SELECT * FROM notes')).toEqual([])
  expect(leads.rows('SELECT dialed FROM call_claims')).toEqual([{ dialed: 1 }])
})

test('if another program is reading the store, the person stays in the log until it’s emptied', async () => {
  const leads = openLeadStore()
  onTestFinished(() => leads.remove())
  // In another process: closing the file in this one would drop SQLite's locks.
  const isInLog = () => spawnSync('grep', ['--quiet', 'zebedee', `${leads.file}-wal`]).status === 0
  const [ada, zebedee] = [
    await captureLead(leads.store, { name: 'ada' }),
    await captureLead(leads.store, { name: 'zebedee' }),
  ]
  const erase = (id: string) => leads.store.erase({ ids: [id], key: ERASURE_KEY, by: 'Maria' })
  const backup = new DatabaseSync(leads.file, { readOnly: true })
  backup.exec('BEGIN; SELECT COUNT(*) FROM leads')
  expect(await erase(zebedee)).toMatchObject({ leads: 1, inLog: true })
  expect(isInLog()).toBe(true)
  const other = await leads.openAnother()
  for (const store of [leads.store, other]) expect(await store.emptyLog()).toBe(false)
  expect(await other.health()).toMatchObject({ erasedInLog: true })
  backup.exec('COMMIT')
  // A server or `doctor`, in either order.
  expect(await other.health()).toMatchObject({ erasedInLog: false })
  expect(isInLog()).toBe(false)
  expect(await leads.store.emptyLog()).toBe(true)
  expect(await erase(ada)).toMatchObject({ inLog: false })
  backup.close()
})

onEachEngine('erasing', harness => {
  const { store, historyOf } = harness
  const ada = contactOf('ada')
  const capture = (contact: Partial<Contact> = {}, differences: Partial<Submission> = {}) =>
    harness.capture('ada', { contact: { ...ada, ...contact }, ...differences })
  const erase = (...ids: readonly string[]) => store.erase({ ids, key: ERASURE_KEY, by: 'Maria' })

  test('deletes the person’s data and keeps the proof of consent with its certificate', async () => {
    const certificate = { kind: 'present', url: certificateUrl('f'.repeat(40)) } as const
    const { id } = await capture({}, { campaign: { utm_term: 'ada' }, certificate })
    const repeat = await capture()
    expect((await store.leadsOfPerson({ id })).map(lead => lead.id)).toEqual([id, repeat.id])
    expect(await erase(id, repeat.id)).toEqual({ leads: 2, sent: [], inLog: false })
    const lead = await store.find(id)
    const erased = { state: 'erased', firstName: null, email: null, phone: null, campaign: {}, delivery: null }
    const proof = { consentVersion: harness.consentVersion, consentPresented: CONSENT }
    expect(lead).toMatchObject({ ...erased, ...proof, certificate: { url: certificate.url } })
    expect(JSON.stringify(lead)).not.toMatch(/\bada\b|Lovelace|192\.0\.2\.1/i)
    expect([await store.leadsOfPerson({ email: ada.email }), await store.leadsOfPerson({ id })]).toEqual([[], []])
    expect(await erase(id)).toMatchObject({ leads: 0 })
    expect((await capture()).state).toBe('accepted')
  })

  test('an erased person’s consent can be found by their phone or email, but not by anyone else’s', async () => {
    const { id } = await capture()
    const other = await capture({ email: 'ADA@example.org', phone: '(555) 010-0198' })
    await erase(id, other.id)
    const find = async (person: { email: string } | { phone: string }, key: string | null = ERASURE_KEY) =>
      store.erasedLeadsOf({ person, key })
    expect(await find({ phone: '+1 555 210 0199' })).toEqual({ ids: [id], underOtherKeys: 0 })
    expect((await find({ email: ' Ada@EXAMPLE.org' })).ids.toSorted()).toEqual([id, other.id].toSorted())
    expect(await find({ phone: '(555) 010-0197' })).toEqual({ ids: [], underOtherKeys: 0 })
    expect(await find({ phone: ada.phone }, 'another key')).toEqual({ ids: [], underOtherKeys: 2 })
    expect(await find({ phone: ada.phone }, null)).toEqual({ ids: [], underOtherKeys: 2 })
    const query = { id, email: 'ADA@example.org', phone: ada.phone, key: ERASURE_KEY }
    expect(await store.wasErasedPerson(query)).toBe(true)
    expect(await store.wasErasedPerson({ ...query, phone: '(555) 010-0198' })).toBe(false)
    expect(await store.wasErasedPerson({ ...query, key: 'another key' })).toBeNull()
  })

  test('a different key is refused unless the operator says the old one is lost', async () => {
    const [first, second] = [await capture(), await capture({ firstName: 'Bob' })]
    await erase(first.id)
    const request = { ids: [second.id], key: 'another key', by: 'Maria' }
    await expect(store.erase(request)).rejects.toThrow(StoreUnusable)
    expect(await store.find(second.id)).toMatchObject({ state: 'accepted' })
    expect(await store.erase({ ...request, newKey: true })).toMatchObject({ leads: 1 })
    const query = { person: { phone: ada.phone }, key: 'another key' }
    expect(await store.erasedLeadsOf(query)).toEqual({ ids: [second.id], underOtherKeys: 1 })
  })

  test('reports which leads were already sent: delivered, attempted, or in flight', async () => {
    const ids = []
    for (const firstName of ['Ada', 'Bob', 'Carl', 'Dora']) ids.push((await capture({ firstName })).id)
    const [arrived, tried] = [await harness.leaseOne(), await harness.leaseOne()]
    await store.settle(delivered(arrived))
    await store.settle(dead(tried))
    const inFlight = await harness.leaseOne()
    const { sent } = await erase(...ids)
    expect(sent).toHaveLength(3)
    expect(sent).toEqual(
      expect.arrayContaining([
        { id: arrived.leadId, deliveredAt: expect.any(Number), attempts: 1, inFlight: false },
        { id: tried.leadId, deliveredAt: null, attempts: 1, inFlight: false },
        { id: inFlight.leadId, deliveredAt: null, attempts: 0, inFlight: true },
      ]),
    )
  })

  test('the result of an in-flight delivery is recorded, but the delivery isn’t retried', async () => {
    const [first, second] = [await capture(), await capture({ firstName: 'Bob' })]
    const [one, two] = [await harness.leaseOne(), await harness.leaseOne()]
    const [arriving, failing] = one.leadId === first.id ? [one, two] : [two, one]
    await erase(first.id, second.id)
    expect(await historyOf(first.id)).toEqual([['erased', { cancelledDelivery: 'under way', by: 'Maria' }]])
    expect(await store.settle(delivered(arriving))).toBe(true)
    expect(await store.settle(delivered(arriving))).toBe(false)
    expect(await store.settle(retry(failing, 0))).toBe(true)
    expect(await store.find(first.id)).toMatchObject({
      state: 'erased',
      delivery: { state: 'delivered', finishedAt: expect.any(Number) },
      deliveryAttempts: [{ outcome: 'delivered', status: 200 }],
    })
    const failure = { outcome: 'it answered 500' }
    expect(await store.find(second.id)).toMatchObject({ delivery: null, deliveryAttempts: [failure] })
    expect((await historyOf(second.id)).at(-1)).toEqual(['delivery failed', { ...failure, afterErasure: 'true' }])
    expect(await store.nextDue()).toBeNull()
    expect(await store.backlog()).toMatchObject({ pending: 0, dead: 0 })
  })

  test('retention erases leads received before a given time, but none while its delivery is pending', async () => {
    const ids: string[] = []
    for (let person = 0; person < 6; person++) ids.push((await capture({ firstName: `P${person}` })).id)
    const request = { key: ERASURE_KEY, keepPending: true, before: Date.now() + HOUR, after: '' }
    await harness.change(`UPDATE outbox SET state = 'delivered' WHERE id <> '${ids[3]}'`)
    expect(await store.eraseExpired({ ...request, before: Date.now() - HOUR })).toEqual({ leads: 0, last: null })
    expect(await store.eraseExpired(request)).toEqual({ leads: 5, last: null })
    expect(await store.find(`${ids[3]}`)).toMatchObject({ state: 'accepted', delivery: { state: 'pending' } })
    expect(await store.eraseExpired(request)).toMatchObject({ leads: 0, last: null })
    expect((await store.find(`${ids[0]}`))?.history.at(-1)?.detail).toContain('"because":"retention"')
  })

  test('retention takes a person’s leads together, by the newest, and keeps all if it keeps one', async () => {
    const first = await capture()
    const between = (await store.storeTime()) + 1
    while ((await store.storeTime()) < between) await harness.rows('SELECT 1')
    const last = await capture({ phone: '(212) 555-0187' })
    await harness.change(`UPDATE leads SET replaced_by = '${last.id}' WHERE id = '${first.id}'`)
    await harness.change(`UPDATE outbox SET state = 'delivered' WHERE id = '${first.id}'`)
    const erasedBefore = async (before: number) =>
      (await store.eraseExpired({ key: ERASURE_KEY, keepPending: true, before, after: '' })).leads
    expect([await erasedBefore(between), await erasedBefore(between + HOUR)]).toEqual([0, 0])
    await harness.change(`UPDATE outbox SET state = 'delivered'`)
    expect([await erasedBefore(between), await erasedBefore(between + HOUR)]).toEqual([0, 2])
  })
})
