/** What the outbox does with leads that the list closes, and what the CRM hears. Every way to ask and to take back: tests/every-stop.test.ts. */
import { expect, test } from 'vitest'
import { DEMO_CALLING_HOURS } from '../../../../domain/calling/hours.ts'
import type { RemovalRequest } from '../../../../domain/do-not-call/do-not-call.ts'
import { HOUR } from '../../../../domain/durations.ts'
import { contactOf, ERASURE_KEY, maria, saying } from '../../../../tests/support/lead-store.ts'
import { dead, delivered, onEachEngine, retry } from '../../../../tests/support/store-engines.ts'
import { asOneRequest } from '../../facts/do-not-call/stops.ts'
import type { LeasedMessage } from '../deliveries/lease.ts'

const phone = '(555) 210-0199'
const by = 'Maria'
const request: RemovalRequest = { askedBy: 'person', askedOn: '2030-01-31' }
const unsent = (leased: LeasedMessage) => ({ ...dead(leased), status: null, isUnsent: true })

onEachEngine('a lead that the list closes', harness => {
  const { store, testOnce } = harness
  const lease = (lane: 'leads' | 'stops' | 'calls' = 'leads', limit = 9) => store.lease({ lane, limit, leaseMs: HOUR })
  const listed = async () =>
    (await store.queuedEvents({ lane: 'stops', limit: 99 })).map(({ type, state }) => [type, state])
  /** One that the CRM has, and one that waits. */
  async function twoLeads() {
    const sent = await harness.capture('ada', { contact: { ...contactOf('ada'), phone } })
    await harness.deliverAll()
    const waiting = await harness.capture('bob', { contact: { ...contactOf('bob'), phone } })
    return { sent: sent.id, waiting: waiting.id }
  }

  test('a stop in flight that fails after it was taken back isn’t sent again', async () => {
    await twoLeads()
    const order = { ...asOneRequest([{ phone }]), by, source: 'desk' } as const
    await store.addToDoNotCall(order)
    const [stop] = (await lease('stops')) as [LeasedMessage]
    expect((await store.undoDoNotCall(order)).crm).toBe('told')
    expect(await store.settle(retry(stop, 0))).toBe(false)
    expect([await lease('stops'), await listed()]).toEqual([[], [['lead.calls_allowed', 'by hand']]])
    // Stopped again, that's what the CRM is told.
    await store.addToDoNotCall({ ...order, ...asOneRequest([{ phone }]) })
    expect(await listed()).toEqual([['lead.do_not_call', 'pending']])
  })

  test('a stop that someone told the CRM by hand is told again only after it was taken back', async () => {
    const { sent } = await twoLeads()
    const order = { contacts: [{ phone }], by, source: 'desk' } as const
    await store.addToDoNotCall(order)
    for (const stop of await lease('stops')) await store.settle(unsent(stop))
    const [event] = await store.queuedEvents({ lane: 'stops', limit: 9 })
    await store.dismissEvents({ ids: [event?.id ?? ''], by })
    expect((await store.addToDoNotCall({ ...order, contacts: [{ email: 'ada@example.org' }] })).told).toEqual([])
    await store.removeFromDoNotCall({ contacts: [{ phone }, { email: 'ada@example.org' }], by, request })
    expect((await store.addToDoNotCall(order)).told).toEqual([sent])
  })

  test('closed leads that came due first delay nobody, and a removal makes them due', async () => {
    const before = await harness.capture('first', { contact: { ...contactOf('first'), phone } })
    await harness.change(
      `INSERT INTO leads SELECT 'closed-' || copies.n, received_at, state, held_reason, rejected_reason, repeat_of, contact, email, phone,
         person_key, client_address, user_agent, page, campaign, campaign_key, variant, certificate_id, certificate_other, trusted_form,
         consent_version, questionnaire_version, search_text, language, held_at, consent_taken_by, replaced_by, client_on, came_in
       FROM leads, (WITH RECURSIVE copies (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM copies WHERE n < 1500) SELECT n FROM copies) AS copies
       WHERE leads.id = '${before.id}'`,
    )
    await harness.change(
      `INSERT INTO outbox SELECT leads.id, leads.id, 'leads', 'lead.created', '{}', 'pending', 0, 1, 1, NULL, NULL, 0, 0
       FROM leads WHERE leads.id LIKE 'closed-%'`,
    )
    await store.addToDoNotCall({ contacts: [{ phone }], by })
    const { id } = await harness.capture('new', { contact: { ...contactOf('new'), phone: '(555) 210-0100' } })
    expect(await store.backlog()).toMatchObject({ pending: 1 })
    expect((await lease()).map(({ leadId }) => leadId)).toEqual([id])
    // Stops that were put off aren't looked at again until tomorrow, also if the clock is checked.
    for (let due = -1; due <= 0; due = (await store.nextDue()) ?? 1) await lease()
    await store.rescheduleAfterClockChange()
    expect(await harness.rows(`SELECT id FROM outbox WHERE put_off = 1`)).toHaveLength(1501)
    expect(await store.nextDue()).toBeGreaterThan(0)
    await store.removeFromDoNotCall({ contacts: [{ phone }], by, request: null })
    expect([(await store.backlog()).pending, (await lease()).length]).toEqual([1502, 9])
  })

  test('retention erases a closed lead; one that is to be sent waits', async () => {
    const { waiting } = await twoLeads()
    const other = await harness.capture('new', { contact: { ...contactOf('new'), phone: '(555) 210-0100' } })
    await store.addToDoNotCall({ contacts: [{ phone }], by })
    await store.eraseExpired({ before: Date.now() + HOUR, after: '', key: ERASURE_KEY, keepPending: true })
    expect([(await store.find(waiting))?.state, (await store.find(other.id))?.state]).toEqual(['erased', 'accepted'])
  })

  testOnce('a number that only an email on the list stops is forgotten with the last lead that has it', async () => {
    const { sent, waiting } = await twoLeads()
    await store.addToDoNotCall({ contacts: [{ email: 'ada@example.org' }], by })
    await store.erase({ ids: [sent], key: ERASURE_KEY, by })
    expect(await store.leadsOnDoNotCallList([waiting])).toEqual(new Set([waiting]))
    await store.erase({ ids: [waiting], key: ERASURE_KEY, by })
    expect(await harness.rows('SELECT * FROM stopped_numbers')).toEqual([])
  })

  test('a lead that’s being sent while its person’s address is stopped: the CRM hears of the stop, or it isn’t sent', async () => {
    const another = await harness.openAnother()
    for (let round = 0; round < 15; round++) {
      const number = `(555) 010-${1000 + round}`
      const own = { ...contactOf(`p${round}`), phone: number }
      const { id } = await harness.capture(`p${round}`, { contact: own })
      const partner = { ...contactOf(`q${round}`), phone: number }
      const [leased, { told }, captured] = await Promise.all([
        store.lease({ limit: 9, leaseMs: HOUR }),
        another.addToDoNotCall({ contacts: [{ email: own.email }], by }),
        harness.capture(`q${round}`, { contact: partner }),
      ])
      const sent = [...leased, ...(await lease())].map(({ leadId }) => leadId)
      const knows = new Set([
        ...told,
        ...(await another.queuedEvents({ lane: 'stops', limit: 999 })).map(each => each.leadId),
      ])
      for (const lead of sent) expect([round, lead, knows.has(lead)]).toEqual([round, lead, true])
      if (captured.state === 'accepted')
        expect(await store.leadsOnDoNotCallList([captured.id])).toEqual(new Set([captured.id]))
      expect(await store.leadsOnDoNotCallList([id])).toEqual(new Set([id]))
    }
  })

  test('after a wrong number, the CRM hears of a lead that’s still to be sent, because someone else is reached there', async () => {
    const { sent: known, waiting } = await twoLeads()
    await store.claimCall({ leadId: waiting, person: maria, takeOver: false })
    const call = { person: maria, hours: DEMO_CALLING_HOURS, announce: true, ...saying(waiting, 'wrong number') }
    expect(await store.saveCall(call)).toMatchObject({ kind: 'saved', blocked: [] })
    // The number is open, so the lead goes out first.
    expect([await lease('stops'), await lease('calls')]).toEqual([[], []])
    for (const each of await lease()) await store.settle(delivered(each))
    expect([...(await lease('calls')), ...(await lease('stops'))]).toMatchObject([
      { leadId: waiting, type: 'lead.called' },
      { leadId: waiting, type: 'lead.do_not_call' },
    ])
    expect(await store.leadsOnDoNotCallList([known, waiting])).toEqual(new Set())
  })

  test('a stop from the CRM whose answer got lost names its entries again, to log them', async () => {
    const { sent } = await twoLeads()
    const stop = { webhookId: 'one', contacts: [], leadId: sent }
    const entries = ['5552100199', 'ada@example.org']
    expect(await store.stopFromCrm(stop)).toEqual({ kind: 'recorded', entries })
    expect(await store.stopFromCrm(stop)).toEqual({ kind: 'known', entries })
    // The CRM knows, so it isn't told. Once that's taken back, someone tells it.
    expect(await lease('stops')).toEqual([])
    const contacts = [{ phone }, { email: 'ada@example.org' }]
    expect((await store.removeFromDoNotCall({ contacts, by, request })).crm).toBe('told')
    expect(await listed()).toEqual([['lead.calls_allowed', 'by hand']])
  })
})
