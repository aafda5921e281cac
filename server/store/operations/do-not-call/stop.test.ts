/** A stop is read from the list, by number: nobody is called, nothing is sent, and the CRM is told once about each lead it has. */
import { expect, test } from 'vitest'
import type { DoNotCall } from '../../../../domain/do-not-call/do-not-call.ts'
import { HOUR } from '../../../../domain/durations.ts'
import { DO_NOT_CALL } from '../../../../domain/leads/hold-reasons.ts'
import type { Contact } from '../../../../domain/leads/lead.ts'
import { contactOf, ERASURE_KEY } from '../../../../tests/support/lead-store.ts'
import { dead, delivered, onEachEngine, retry } from '../../../../tests/support/store-engines.ts'
import { asOneRequest } from '../../facts/do-not-call/stops.ts'

const ada = contactOf('ada')
const by = 'Maria'
/** Someone who isn't on the list. Everyone else in these tests has Ada's phone number. */
const bystander = { email: 'bob@example.org', phone: '(555) 010-0198' }
const asked = { askedBy: 'person', askedOn: '2030-01-31' } as const
const stopped = { state: 'accepted', heldReason: null, delivery: { state: 'stopped' } }
const submittedAgain = { state: 'held', heldReason: DO_NOT_CALL, delivery: null }

onEachEngine('the do-not-call list', harness => {
  const { store, historyOf, testOnce } = harness
  const capture = (contact: Partial<Contact> = {}) => harness.capture('ada', { contact: { ...ada, ...contact } })
  const stop = (...contacts: readonly DoNotCall[]) => store.addToDoNotCall({ contacts, by })
  const remove = (...contacts: readonly DoNotCall[]) => store.removeFromDoNotCall({ contacts, by, request: asked })
  const undoCall = (callId: string) => store.undoDoNotCall({ callId, by })
  const sent = async (id: string) => (await store.find(id))?.sentToCrm
  const leasedIds = async () => (await store.lease({ limit: 9, leaseMs: HOUR })).map(({ leadId }) => leadId)
  const leaseStops = () => store.lease({ lane: 'stops', limit: 9, leaseMs: HOUR })
  const toldIds = async () => (await store.queuedEvents({ lane: 'stops', limit: 99 })).map(({ leadId }) => leadId)
  /** Two leads with Ada's number, both delivered: one with her email, one with another. */
  async function twoDelivered() {
    const ids = [(await capture()).id, (await capture({ email: 'corrected@example.org' })).id]
    await harness.deliverAll()
    return ids
  }

  test.each<[string, DoNotCall]>([
    ['a phone number', { phone: '555.210.0199' }],
    ['an email', { email: ' ADA@example.org' }],
  ])('%s closes every lead with the number, in every process, and tells the CRM about each', async (_, contact) => {
    const ids = await twoDelivered()
    const other = await capture(bystander)
    const another = await harness.openAnother()
    expect(await another.addToDoNotCall({ contacts: [contact], by })).toMatchObject({
      added: [expect.any(String)],
      told: ids,
    })
    expect(await stop(contact)).toMatchObject({ added: [], told: [] })
    expect(await store.leadsOnDoNotCallList([...ids, other.id])).toEqual(new Set(ids))
    expect(await toldIds()).toEqual(ids)
    // Future leads, too: with the number, and, for an email, with any other number.
    expect(await store.find((await capture({ firstName: 'Eda' })).id)).toMatchObject(submittedAgain)
    expect((await capture(bystander)).state).toBe('repeat')
  })

  testOnce('an email stops the numbers of its leads, past and future, and no further', async () => {
    await stop({ email: ada.email })
    expect((await capture({ phone: '(555) 010-0101' })).state).toBe('held')
    // The number now has a lead with the address. Another person's lead with it is closed; their other number isn't.
    expect((await capture({ ...bystander, phone: '(555) 010-0101' })).state).toBe('held')
    expect((await capture(bystander)).state).toBe('accepted')
    expect((await remove({ email: ada.email })).removed).toEqual([ada.email])
    expect((await capture({ phone: '(555) 010-0101', firstName: 'Eda' })).state).toBe('accepted')
  })

  test('each entry that closes a lead is named, the lead’s own first', async () => {
    const [, corrected = ''] = await twoDelivered()
    await store.addToDoNotCall({ contacts: [{ email: ada.email }], by, source: 'web' })
    await store.addToDoNotCall({ contacts: [{ phone: ada.phone }], by: 'Joe', source: 'call' })
    expect(await store.doNotCallEntriesOf(corrected)).toMatchObject([
      { contact: 'phone', isOwn: true, by: 'Joe', source: 'call' },
      { contact: 'email', isOwn: false, entry: ada.email, by, source: 'web' },
    ])
  })

  test('the CRM hears of a lead once, although both contacts are stopped one after the other', async () => {
    const [id = ''] = await twoDelivered()
    await store.addToDoNotCall({ contacts: [{ phone: ada.phone }, { email: ada.email }], by, leadId: id })
    const leased = await leaseStops()
    expect(leased).toMatchObject([{ type: 'lead.do_not_call', lead: null }, {}])
    for (const each of leased) await store.settle(delivered(each))
    await stop({ email: 'corrected@example.org' })
    expect(await toldIds()).toEqual([])
    expect((await historyOf(id)).at(-1)).toEqual([
      'event delivered',
      { type: 'lead.do_not_call', attempt: 1, outcome: 'delivered' },
    ])
    // Taken back and stopped again, it's news.
    await remove({ email: 'corrected@example.org' })
    expect((await remove({ phone: ada.phone }, { email: ada.email })).crm).toBe('told')
    await stop({ phone: ada.phone })
    expect(await toldIds()).toHaveLength(2)
  })

  test('a lead with a listed address closes its number: the CRM hears of whom it has there', async () => {
    await stop({ email: 'eve@example.org' })
    const ids = await twoDelivered()
    expect(await toldIds()).toEqual([])
    expect((await capture({ firstName: 'Eve', email: 'Eve@example.org' })).state).toBe('held')
    expect(await toldIds()).toEqual(ids)
  })

  testOnce('a stop from the CRM isn’t sent back for the lead it names', async () => {
    const [id = '', other] = await twoDelivered()
    await store.addToDoNotCall({ contacts: [{ phone: ada.phone }], by: 'crm', leadId: id, source: 'crm' })
    expect(await toldIds()).toEqual([other])
  })

  test('leads that were never sent aren’t mentioned, and come back when the stop is taken back', async () => {
    const ids = [(await capture()).id, (await capture({ firstName: 'Carl' })).id]
    const failed = await harness.leaseOne()
    await store.settle({ ...dead(failed), status: null })
    await harness.change('DELETE FROM attempts; UPDATE outbox SET attempts = 0')
    const order = { ...asOneRequest([{ phone: ada.phone }]), by, leadId: ids[0] as string, source: 'desk' } as const
    expect([(await store.addToDoNotCall(order)).told, await leasedIds()]).toEqual([[], []])
    for (const id of ids) expect(await store.find(id)).toMatchObject(stopped)
    expect(await store.backlog()).toMatchObject({ pending: 0, dead: 0, held: 0 })
    expect(await store.undoDoNotCall(order)).toMatchObject({ removed: ['5552100199'], kept: [], crm: null })
    expect(await store.backlog()).toMatchObject({ pending: 1, dead: 1 })
    expect(await leasedIds()).toEqual(ids.filter(id => id !== failed.leadId))
  })

  testOnce('another entry keeps a lead stopped', async () => {
    const { id } = await capture()
    await stop({ phone: ada.phone })
    await stop({ email: ada.email })
    await remove({ phone: ada.phone })
    expect(await store.find(id)).toMatchObject(stopped)
    await remove({ email: ada.email })
    expect(await store.find(id)).toMatchObject({ delivery: { state: 'pending' } })
  })

  test('an unsent stop is withdrawn with its entry; one in flight can’t be', async () => {
    await twoDelivered()
    const [one, other] = [1, 2].map(() => ({ ...asOneRequest([{ phone: ada.phone }]), by, source: 'desk' as const }))
    if (!one || !other) return
    await store.addToDoNotCall(one)
    expect(await store.undoDoNotCall(one)).toMatchObject({ crm: 'not told' })
    expect(await toldIds()).toEqual([])
    await store.addToDoNotCall(other)
    await store.lease({ lane: 'stops', limit: 1, leaseMs: HOUR })
    expect(await store.undoDoNotCall(other)).toMatchObject({ crm: 'told' })
    expect(await toldIds()).toHaveLength(1)
  })

  test.each([
    ['delivered', delivered, { state: 'delivered' }],
    ['retry', retry, { state: 'stopped' }],
    ['dead', dead, { state: 'stopped' }],
  ] as const)(
    'a lead in flight isn’t retried; the stop follows an attempt that ends as %s',
    async (_, settlement, delivery) => {
      const { id } = await capture()
      const leased = await harness.leaseOne()
      expect(await stop({ email: ada.email })).toMatchObject({ told: [id] })
      // The stop doesn't overtake the lead.
      expect(await leaseStops()).toEqual([])
      expect(await store.settle(settlement(leased))).toBe(true)
      expect(await store.find(id)).toMatchObject({ state: 'accepted', delivery, deliveryAttempts: [{}] })
      expect(await leasedIds()).toEqual([])
      expect(await leaseStops()).toMatchObject([{ leadId: id }])
    },
  )

  test('a worker that was killed may have sent the lead: the CRM is told, and the lead isn’t sent again', async () => {
    const { id } = await capture()
    await store.lease({ limit: 9, leaseMs: -1 })
    expect(await stop({ email: ada.email })).toMatchObject({ told: [id] })
    expect([await sent(id), await leasedIds()]).toEqual(['maybe', []])
    const erased = await store.erase({ ids: [id], key: ERASURE_KEY, by })
    expect(erased.sent).toMatchObject([{ id, attempts: 0, inFlight: false }])
    expect(await toldIds()).toEqual([id])
  })

  test('the final check, before a lead is sent, finds entries that a capture or an approval couldn’t see', async () => {
    const [one, other] = [await capture(), await capture(bystander)]
    await harness.change(`INSERT INTO do_not_call (contact, added_at, n) VALUES ('5552100199', 0, 0)`)
    expect(await leasedIds()).toEqual([other.id])
    expect(await store.find(one.id)).toMatchObject({ ...stopped, deliveryAttempts: [] })
    expect([await sent(one.id), await toldIds()]).toEqual(['no', []])
  })

  test('if the final check fails, the lead isn’t leased', async () => {
    const { id } = await capture()
    await harness.change('ALTER TABLE stopped_numbers RENAME TO missing')
    await expect(leasedIds()).rejects.toThrow()
    await harness.change('ALTER TABLE missing RENAME TO stopped_numbers')
    expect([await sent(id), await leasedIds()]).toEqual(['no', [id]])
  })

  testOnce('a stop is accepted for a lead that was just erased, and the CRM is told', async () => {
    const [id = ''] = await twoDelivered()
    await store.erase({ ids: [id], key: ERASURE_KEY, by })
    await store.addToDoNotCall({ contacts: [{ email: ada.email }], by, leadId: id })
    expect(await toldIds()).toEqual([id])
  })

  test('a lead can’t be approved or resent until the person is removed from the list, at someone’s request', async () => {
    const rejected = await harness.capture('ada', { contact: ada, holdReason: 'many from one address' })
    const [mine, other] = [await capture({ firstName: 'Eda' }), await capture(bystander)]
    await harness.deliverAll()
    await stop({ email: ada.email })
    expect(await store.approve({ ids: [rejected.id], by })).toBe(0)
    expect(await store.resend({ ids: [mine.id, other.id], again: true, by })).toBe(1)
    expect(await remove({ email: ada.email })).toMatchObject({ removed: [ada.email] })
    const removal = await harness.rows(`SELECT asked_by, asked_on FROM do_not_call_history WHERE event = 'removed'`)
    expect(removal).toEqual([{ asked_by: 'person', asked_on: '2030-01-31' }])
    expect(await store.approve({ ids: [rejected.id], by })).toBe(1)
    expect(await store.resend({ ids: [mine.id], again: true, by })).toBe(1)
  })

  testOnce('earlier leads are closed; a new one needs review, also if the first was closed', async () => {
    const closed = await harness.capture('ada', { contact: ada, holdReason: 'many from one address' })
    await stop({ phone: ada.phone })
    const inReview = async () => [
      (await store.page({ filter: { state: 'held' }, order: 'newest first', limit: 9, after: null })).map(
        ({ id }) => id,
      ),
      (await store.backlog()).held,
    ]
    expect(await inReview()).toEqual([[], 0])
    const again = await capture()
    expect(again.state).toBe('held')
    expect(await inReview()).toEqual([[again.id], 1])
    expect((await capture()).state).toBe('repeat')
    await remove({ phone: ada.phone })
    expect(await inReview()).toEqual([[again.id, closed.id], 2])
  })

  testOnce('Undo works for an hour. After that, someone has to say who asked', async () => {
    const order = { ...asOneRequest([{ phone: ada.phone }]), by, source: 'desk' } as const
    await store.addToDoNotCall(order)
    for (const column of ['do_not_call SET added_at = added_at', 'do_not_call_history SET at = at']) {
      await harness.change(`UPDATE ${column} - ${HOUR}`)
    }
    expect(await store.undoDoNotCall(order)).toMatchObject({ removed: [], kept: [{ by }] })
    expect(await store.doNotCallList({ after: '', limit: 9 })).toHaveLength(1)
  })

  test('Undo takes back one’s own entry, but none that a colleague added or confirmed', async () => {
    const { id } = await capture()
    const [phone, email] = [{ phone: ada.phone }, { email: ada.email }]
    const order = (who: string, ...contacts: readonly DoNotCall[]) => ({
      leadId: id,
      ...asOneRequest(contacts),
      by: who,
      source: 'desk' as const,
    })
    const [marias, joes] = [order('Maria', phone), order('Joe', phone, email)]
    await store.addToDoNotCall(marias)
    await store.addToDoNotCall(joes)
    const kept = { contact: 'phone', by: 'Maria' }
    expect(await store.undoDoNotCall({ ...joes, by: 'Maria' })).toMatchObject({ removed: [] })
    expect(await store.undoDoNotCall(joes)).toMatchObject({ removed: [ada.email], kept: [kept] })
    expect(await store.doNotCallEntriesOf(id)).toMatchObject([kept])
    expect(await store.undoDoNotCall(joes)).toMatchObject({ removed: [], kept: [kept] })
    expect(await store.undoDoNotCall(marias)).toMatchObject({ removed: ['5552100199'], kept: [] })
    const events = (await historyOf(id)).map(([event]) => event)
    expect(events).toEqual(expect.arrayContaining(['suppressed', 'confirmed do not call', 'undid do not call']))
  })

  test('the first request taken back, the entry stands for the second, whatever the clocks say', async () => {
    const { id } = await capture()
    const contacts = [{ phone: ada.phone }]
    await store.addToDoNotCall({ contacts, by: 'Maria', source: 'call', callId: 'one', leadId: id })
    await store.addToDoNotCall({ contacts, by: 'Maria', source: 'call', callId: 'two', leadId: id })
    await store.addToDoNotCall({ contacts, by: 'CRM', source: 'crm' })
    // The second server's clock is an hour behind, and the third one's a year.
    await harness.change(`UPDATE do_not_call_history SET at = at - ${HOUR} WHERE n = 2`)
    await harness.change(`UPDATE do_not_call_history SET at = 1000 WHERE n = 3`)
    expect(await undoCall('one')).toMatchObject({ removed: [], kept: [{ by: 'Maria', source: 'call' }] })
    expect(await undoCall('one')).toMatchObject({ removed: [], kept: [{ by: 'Maria', source: 'call' }] })
    expect(await undoCall('two')).toMatchObject({ removed: [], kept: [{ by: 'CRM', source: 'crm', at: 1000 }] })
    expect(await store.doNotCallEntriesOf(id)).toMatchObject([{ by: 'CRM', source: 'crm' }])
    // A later stop is a new one: what was taken back before isn't a reason for it.
    await remove({ phone: ada.phone })
    await store.addToDoNotCall({ contacts, by: 'Joe', source: 'call', callId: 'three', leadId: id })
    expect(await undoCall('three')).toMatchObject({ removed: ['5552100199'], kept: [] })
  })

  test('a colleague who confirms an entry while it’s being undone keeps it on the list', async () => {
    const another = await harness.openAnother()
    const ids = [(await capture()).id, (await capture({ firstName: 'Eda' })).id] as const
    const contacts = [{ phone: ada.phone }]
    for (let round = 0; round < 10; round++) {
      const marias = { leadId: ids[0], ...asOneRequest(contacts), by: 'Maria', source: 'desk' } as const
      await store.addToDoNotCall(marias)
      await Promise.all([store.undoDoNotCall(marias), another.addToDoNotCall({ leadId: ids[1], contacts, by: 'Joe' })])
      expect(await store.doNotCallEntriesOf(ids[1])).toHaveLength(1)
      await store.removeFromDoNotCall({ contacts, by: 'Maria', request: null })
    }
  })

  test('a lead that comes in while its number is being stopped is held or stopped, never sent', async () => {
    const another = await harness.openAnother()
    for (let round = 0; round < 10; round++) {
      const phone = `(555) 010-01${10 + round}`
      const [captured] = await Promise.all([
        capture({ phone, firstName: `Eda${round}` }),
        another.addToDoNotCall({ contacts: [{ phone }], by }),
      ])
      const lead = await store.find(captured.id)
      const { state, delivery } = { state: lead?.state, delivery: lead?.delivery?.state ?? null }
      expect([state, delivery]).toEqual(state === 'held' ? ['held', null] : ['accepted', 'stopped'])
    }
    expect(await leasedIds()).toEqual([])
  })

  test('an erased person stays on the list until they’re removed from it', async () => {
    await stop({ phone: ada.phone }, { email: 'bob@example.org' })
    await store.erase({ ids: [(await capture()).id], key: ERASURE_KEY, by })
    const list = await store.doNotCallList({ after: '', limit: 9 })
    expect(list).toMatchObject([{ contact: '5552100199' }, { contact: 'bob@example.org' }])
    expect(await store.doNotCallList({ after: '5552100199', limit: 9 })).toHaveLength(1)
    expect((await capture()).state).toBe('held')
    expect(await remove({ phone: ada.phone }, { email: 'carl@example.org' })).toMatchObject({ removed: ['5552100199'] })
    expect((await capture({ firstName: 'Eda' })).state).toBe('accepted')
  })

  test('a request that’s sent again, because its answer was lost, is recorded once, also if it was taken back since', async () => {
    const { id } = await capture()
    const order = {
      ...asOneRequest([{ phone: ada.phone }, { email: ada.email }]),
      by,
      leadId: id,
      source: 'desk' as const,
    }
    const recorded = () => harness.rows('SELECT contact FROM do_not_call_history')
    const { added } = await store.addToDoNotCall(order)
    expect(await store.addToDoNotCall(order)).toMatchObject({ added })
    expect([added, (await recorded()).length]).toEqual([['5552100199', ada.email], 2])
    await store.undoDoNotCall(order)
    await store.addToDoNotCall(order)
    expect(await store.doNotCallList({ after: '', limit: 9 })).toEqual([])
    // Another request is evidence of its own.
    await store.addToDoNotCall({ ...order, ...asOneRequest([{ phone: ada.phone }]) })
    expect(await recorded()).toHaveLength(5)
  })

  testOnce('a lead’s history says whether the email or phone was listed, but not the address or number', async () => {
    const { id } = await capture()
    const request = { leadId: id, contacts: [{ email: ada.email }, { phone: ada.phone }], by, source: 'desk' as const }
    await store.addToDoNotCall(request)
    expect(await store.removeFromDoNotCall({ ...request, request: asked })).toMatchObject({
      removed: ['5552100199', ada.email],
    })
    const lines = await historyOf(id)
    expect(lines).toContainEqual(['suppressed', { contact: 'email', by, source: 'desk' }])
    expect(lines).toContainEqual(['unsuppressed', { contact: 'phone', by, source: 'desk', ...asked }])
    expect(JSON.stringify(lines)).not.toContain('ada@')
  })
})
