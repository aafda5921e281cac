/** What goes when a person is erased, what stays, and how it is found again. */
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { certificateUrl } from '../../domain/certificate.ts'
import type { Contact } from '../../domain/lead.ts'
import { captureLead, contactOf, ERASURE_KEY, openLeadStore, submissionOf } from '../../tests/faults/lead-store.ts'
import { engines, type OpenEngine } from '../../tests/support/store-engines.ts'
import type { Submission } from './capture.ts'
import { erasurePolicy } from './erasure.ts'
import type { LeasedDelivery, Settlement } from './outbox.ts'
import { DO_NOT_CALL } from './repeats.ts'
import type { Store } from './store.ts'
import { StoreUnusable } from './store-errors.ts'

test('the policy covers every table and every column of leads', async () => {
  const leads = openLeadStore()
  const tables = leads.rows(
    `SELECT name FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite%' AND name NOT LIKE 'lead_search%'`,
  )
  expect(tables.map(({ name }) => String(name)).toSorted()).toEqual(Object.keys(erasurePolicy).toSorted())
  const columns = leads.rows(`SELECT name FROM pragma_table_info('leads')`)
  expect(columns.map(({ name }) => String(name)).toSorted()).toEqual(Object.keys(erasurePolicy.leads).toSorted())
  await leads.remove()
})

test('of a lead with a value in every column, only the columns listed as kept stay', async () => {
  const leads = openLeadStore()
  const id = await captureLead(leads.store, { name: 'ada', certificateId: 'c'.repeat(40) })
  await leads.store.indexLeads({ limit: 1 })
  // A lead has a certificate of the one form or of another, never both, and few are rejected.
  leads.exec(`UPDATE leads SET certificate_other = 'https://cert.trustedform.com/new', rejected_reason = 'a joke'`)
  const before = leads.rows('SELECT * FROM leads')[0] ?? {}
  expect(await leads.store.erase({ ids: [id], key: ERASURE_KEY, by: 'Maria' })).toEqual({ leads: 1, sent: [] })
  const after = leads.rows('SELECT * FROM leads')[0] ?? {}
  for (const [column, fate] of Object.entries(erasurePolicy.leads)) {
    const expected = { kept: before[column], erased: null, emptied: column === 'campaign' ? '{}' : '' }[fate]
    expect([column, after[column]]).toEqual([column, column === 'state' ? 'erased' : expected])
    if (fate === 'erased') expect([column, before[column]]).not.toEqual([column, null])
  }
  await leads.remove()
})

describe.each(engines)('erasing on $name', engine => {
  const CONSENT = JSON.stringify({ text: 'I agree', button: 'Call me' })
  const HOUR = 3_600_000
  let open: OpenEngine
  let store: Store
  let consentVersion: string
  beforeEach(async () => {
    open = await engine.open()
    store = open.store
    consentVersion = await store.rememberConsent(CONSENT)
  })
  afterEach(() => open.remove())

  const ada = contactOf('ada')
  const capture = (contact: Partial<Contact> = {}, differences: Partial<Submission> = {}) =>
    store.capture({ ...submissionOf('ada', consentVersion), contact: { ...ada, ...contact }, ...differences })
  const erase = (...ids: readonly string[]) => store.erase({ ids, key: ERASURE_KEY, by: 'Maria' })
  const leaseOne = async (): Promise<LeasedDelivery> => {
    const [leased] = await store.lease({ limit: 1, leaseMs: HOUR })
    if (!leased) throw new Error('nothing is due')
    return leased
  }
  const ended = ({ leadId, leaseToken }: LeasedDelivery, result: Settlement['result']): Settlement => {
    const attempt = { leadId, leaseToken, durationMs: 5, status: result === 'delivered' ? 200 : 500 }
    if (result === 'delivered') return { ...attempt, result }
    return result === 'dead'
      ? { ...attempt, result, reason: 'gone' }
      : { ...attempt, result, reason: '500', retryInMs: 0 }
  }

  test('leaves nothing of the person, and the proof of consent with its certificate', async () => {
    const certificate = { kind: 'present', url: certificateUrl('f'.repeat(40)) } as const
    const { id } = await capture({}, { campaign: { utm_term: 'ada' }, certificate })
    const repeat = await capture()
    expect((await store.leadsOfPerson({ id })).map(lead => lead.id)).toEqual([id, repeat.id])
    expect(await erase(id, repeat.id)).toMatchObject({ leads: 2, sent: [] })
    const lead = await store.find(id)
    expect(lead).toMatchObject({
      state: 'erased',
      firstName: null,
      email: null,
      phone: null,
      clientAddress: null,
      certificate: { url: certificate.url },
      campaign: {},
      delivery: null,
      consentVersion,
      consentPresented: CONSENT,
    })
    expect(JSON.stringify(lead)).not.toMatch(/\bada\b|Lovelace|192\.0\.2\.1/i)
    expect(await store.leadsOfPerson({ email: ada.email })).toEqual([])
    expect(await erase(id)).toMatchObject({ leads: 0 })
    expect((await capture()).state).toBe('accepted')
  })

  test('an erased person’s consent is found by their phone or email, and by nobody else’s', async () => {
    const { id } = await capture()
    const other = await capture({ email: 'ADA@example.org', phone: '(555) 010-0198' })
    await erase(id, other.id)
    const found = async (person: { email: string } | { phone: string }, key: string | null = ERASURE_KEY) =>
      store.erasedLeadsOf({ person, key })
    expect(await found({ phone: '+1 555 210 0199' })).toEqual({ ids: [id], underOtherKeys: 0 })
    expect((await found({ email: ' Ada@EXAMPLE.org' })).ids.toSorted()).toEqual([id, other.id].toSorted())
    expect(await found({ phone: '(555) 010-0197' })).toEqual({ ids: [], underOtherKeys: 0 })
    expect(await found({ phone: ada.phone }, 'another key')).toEqual({ ids: [], underOtherKeys: 2 })
    expect(await found({ phone: ada.phone }, null)).toEqual({ ids: [], underOtherKeys: 2 })
  })

  test('another key is refused unless the operator says that the old one is lost', async () => {
    const [first, second] = [await capture(), await capture({ firstName: 'Bob' })]
    await erase(first.id)
    const order = { ids: [second.id], key: 'another key', by: 'Maria' }
    await expect(store.erase(order)).rejects.toThrow(StoreUnusable)
    expect(await store.find(second.id)).toMatchObject({ state: 'accepted' })
    expect(await store.erase({ ...order, newKey: true })).toMatchObject({ leads: 1 })
    const asked = { person: { phone: ada.phone }, key: 'another key' }
    expect(await store.erasedLeadsOf(asked)).toEqual({ ids: [second.id], underOtherKeys: 1 })
  })

  test('reports which leads were sent before: delivered, attempted, in progress, or never', async () => {
    const ids = []
    for (const firstName of ['Ada', 'Bob', 'Carl', 'Dora']) ids.push((await capture({ firstName })).id)
    const [delivered, tried] = [await leaseOne(), await leaseOne()]
    await store.settle(ended(delivered, 'delivered'))
    await store.settle(ended(tried, 'dead'))
    const underWay = await leaseOne()
    const { sent } = await erase(...ids)
    expect(sent).toHaveLength(3)
    expect(sent).toEqual(
      expect.arrayContaining([
        { id: delivered.leadId, deliveredAt: expect.any(Number), attempts: 1, underWay: false },
        { id: tried.leadId, deliveredAt: null, attempts: 1, underWay: false },
        { id: underWay.leadId, deliveredAt: null, attempts: 0, underWay: true },
      ]),
    )
  })

  test('a delivery in progress is recorded as it ended, and is not retried', async () => {
    const [first, second] = [await capture(), await capture({ firstName: 'Bob' })]
    const [one, two] = [await leaseOne(), await leaseOne()]
    const arriving = one.leadId === first.id ? one : two
    const failing = one.leadId === first.id ? two : one
    await erase(first.id, second.id)
    expect((await store.find(first.id))?.history.at(-1)?.detail).toBe('{"cancelledDelivery":"under way","by":"Maria"}')
    expect(await store.settle(ended(arriving, 'delivered'))).toBe(true)
    expect(await store.settle(ended(arriving, 'delivered'))).toBe(false)
    expect(await store.settle(ended(failing, 'retry'))).toBe(true)
    expect(await store.find(first.id)).toMatchObject({
      state: 'erased',
      delivery: { state: 'delivered', finishedAt: expect.any(Number) },
      deliveryAttempts: [{ outcome: 'delivered', status: 200 }],
    })
    expect(await store.find(second.id)).toMatchObject({ delivery: null, deliveryAttempts: [{ outcome: '500' }] })
    expect((await store.find(second.id))?.history.at(-1)).toMatchObject({
      event: 'delivery failed',
      detail: expect.stringContaining('afterErasure'),
    })
    expect(await store.nextDue()).toBeNull()
    expect(await store.lease({ limit: 9, leaseMs: HOUR })).toEqual([])
    expect(await store.backlog()).toMatchObject({ pending: 0, dead: 0 })
  })

  test('expired leads are erased by the store’s clock, a few at a time, and never while they are to be delivered', async () => {
    const ids: string[] = []
    for (let person = 0; person < 25; person++) ids.push((await capture({ firstName: `P${person}` })).id)
    const order = { key: ERASURE_KEY, days: 0, after: '' }
    await open.change(`UPDATE deliveries SET state = 'delivered' WHERE lead_id <> '${ids[3]}'`)
    expect(await store.eraseExpired({ ...order, days: 1 })).toEqual({ leads: 0, undelivered: 0, last: null })
    // Until the clock has moved on: what came in this millisecond is not older than now.
    while ((await store.storeTime()) <= ((await store.newestLeadAt()) ?? 0));
    const batches = [await store.eraseExpired(order)]
    for (let last = batches[0]?.last; last; last = batches.at(-1)?.last) {
      batches.push(await store.eraseExpired({ ...order, after: last }))
    }
    expect(batches.map(({ leads }) => leads)).toEqual([5, 5, 5, 5, 4])
    expect(batches.reduce((sum, { undelivered }) => sum + undelivered, 0)).toBe(1)
    expect(await store.find(`${ids[3]}`)).toMatchObject({ state: 'accepted', delivery: { state: 'pending' } })
    expect(await store.eraseExpired(order)).toMatchObject({ leads: 0, last: null })
    expect((await store.find(`${ids[0]}`))?.history.at(-1)?.detail).toContain('"because":"retention"')
  })

  test('the key tells whether an erased lead was a certain person’s', async () => {
    const { id } = await capture()
    await erase(id)
    const asked = { id, email: 'ADA@example.org', phone: ada.phone, key: ERASURE_KEY, by: 'test' }
    expect(await store.wasErasedPerson(asked)).toBe(true)
    expect(await store.wasErasedPerson({ ...asked, phone: '(555) 010-0198' })).toBe(false)
    expect(await store.wasErasedPerson({ ...asked, key: 'another key' })).toBeNull()
  })

  test('finds which of the given leads are not erased', async () => {
    const [first, second] = [await capture(), await capture({ firstName: 'Bob' })]
    await erase(first.id)
    expect(await store.notErased([first.id, second.id, 'nobody'])).toEqual([second.id])
  })

  describe('a person on the do-not-call list', () => {
    test.each([{ phone: '555.210.0199' }, { email: ' ADA@example.org' }])(
      '%j is held, by every process',
      async contact => {
        expect(await (await open.again()).suppress({ contacts: [contact], by: 'Maria' })).toMatchObject({ added: 1 })
        expect(await store.suppress({ contacts: [contact], by: 'Maria' })).toMatchObject({ added: 0 })
        const { id, state } = await capture()
        expect(state).toBe('held')
        expect(await store.find(id)).toMatchObject({ heldReason: DO_NOT_CALL, delivery: null })
        expect((await capture()).state).toBe('repeat')
        expect((await capture({ phone: '(555) 010-0198', email: 'bob@example.org' })).state).toBe('accepted')
      },
    )

    test('is held although an earlier lead of theirs was accepted; a later one reopens no delivery', async () => {
      const { id } = await capture()
      await store.settle(ended(await leaseOne(), 'dead'))
      await store.suppress({ contacts: [{ phone: ada.phone }], by: 'Maria' })
      expect(await store.find(id)).toMatchObject({ state: 'held', heldReason: DO_NOT_CALL, delivery: null })
      expect(await store.find((await capture()).id)).toMatchObject({ state: 'repeat', delivery: null })
      expect(await store.lease({ limit: 9, leaseMs: 60_000 })).toEqual([])
    })

    test('is no longer delivered: pending and failed leads are held, delivered ones stay', async () => {
      const ids = []
      for (const firstName of ['Ada', 'Bob', 'Carl']) ids.push((await capture({ firstName })).id)
      const leased = [await leaseOne(), await leaseOne()]
      await store.settle(ended(leased[0] as LeasedDelivery, 'delivered'))
      await store.settle(ended(leased[1] as LeasedDelivery, 'dead'))
      // Only now: of leads of one millisecond, any may be leased first.
      const bystander = await capture({ phone: '(555) 010-0198', email: 'bob@example.org' })
      const arrived = leased[0]?.leadId ?? ''
      const waiting = ids.filter(id => id !== arrived)
      const { held, underWay } = await store.suppress({ contacts: [{ phone: ada.phone }], by: 'Maria' })
      expect([held.toSorted(), underWay]).toEqual([waiting.toSorted(), []])
      for (const id of held) {
        expect(await store.find(id)).toMatchObject({ state: 'held', heldReason: DO_NOT_CALL, delivery: null })
        expect((await store.find(id))?.history.at(-1)).toMatchObject({
          event: 'held',
          detail: expect.stringContaining('cancelledDelivery'),
        })
      }
      expect(await store.find(arrived)).toMatchObject({ state: 'accepted', delivery: { state: 'delivered' } })
      expect((await store.lease({ limit: 9, leaseMs: 60_000 })).map(({ leadId }) => leadId)).toEqual([bystander.id])
      expect(await store.suppress({ contacts: [{ phone: ada.phone }], by: 'Maria' })).toEqual({
        added: 0,
        held: [],
        underWay: [],
      })
      expect(await store.release({ ids: held, by: 'Maria' })).toBe(held.length)
    })

    test.each(['delivered', 'dead'] as const)(
      'and whose lead is under way is not sent another one; it ends as %s and is recorded as that',
      async result => {
        const { id } = await capture()
        const leased = await leaseOne()
        expect(await store.suppress({ contacts: [{ email: ada.email }], by: 'Maria' })).toEqual({
          added: 1,
          held: [id],
          underWay: [id],
        })
        expect(await store.find(id)).toMatchObject({ state: 'held', delivery: null })
        expect(await store.settle(ended(leased, result))).toBe(true)
        const lead = await store.find(id)
        expect(lead).toMatchObject(
          result === 'delivered'
            ? { state: 'accepted', heldReason: null, delivery: { state: 'delivered' } }
            : { state: 'held', heldReason: DO_NOT_CALL, delivery: null },
        )
        expect(lead?.deliveryAttempts).toHaveLength(1)
        expect(lead?.history.at(-1)?.detail).toContain('afterHold')
        expect(await store.nextDue()).toBeNull()
      },
    )

    test('stays held when everything is released, and is released by id', async () => {
      await store.suppress({ contacts: [{ phone: ada.phone }], by: 'Maria' })
      const listed = await capture()
      const odd = await capture({ phone: '(555) 010-0198' }, { holdReason: 'a link in the name' })
      expect(await store.release({ ids: 'all held', by: 'Maria' })).toBe(1)
      expect(await store.find(odd.id)).toMatchObject({ state: 'accepted' })
      expect(await store.find(listed.id)).toMatchObject({ state: 'held' })
      expect(await store.release({ ids: [listed.id], by: 'Maria' })).toBe(1)
    })

    test('stays on the list when they are erased, until removed', async () => {
      await store.suppress({ contacts: [{ phone: ada.phone }, { email: 'bob@example.org' }], by: 'Maria' })
      await erase((await capture()).id)
      expect(await store.suppressions({ after: '', limit: 9 })).toEqual([
        { contact: '5552100199', addedAt: expect.any(Number) },
        { contact: 'bob@example.org', addedAt: expect.any(Number) },
      ])
      expect(await store.suppressions({ after: '5552100199', limit: 9 })).toHaveLength(1)
      expect((await capture()).state).toBe('held')
      expect(
        await store.unsuppress({ contacts: [{ phone: ada.phone }, { email: 'carl@example.org' }], by: 'Maria' }),
      ).toBe(1)
      expect((await capture({ firstName: 'Eda' })).state).toBe('accepted')
    })
  })
})
