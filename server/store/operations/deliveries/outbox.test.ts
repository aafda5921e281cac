/** Deliveries with concurrent workers: leases, attempts, pauses, and a clock that's set back. */
import { expect, test } from 'vitest'
import { DEMO_CALLING_HOURS } from '../../../../domain/calling/hours.ts'
import { HOUR, MINUTE } from '../../../../domain/durations.ts'
import { certificateUrl } from '../../../../domain/leads/certificate.ts'
import { contactOf, ERASURE_KEY, maria, saying } from '../../../../tests/support/lead-store.ts'
import { dead, delivered, held, onEachEngine, retry } from '../../../../tests/support/store-engines.ts'
import type { Store } from '../../store.ts'

onEachEngine('the outbox', harness => {
  const { store, capture } = harness
  const leasedIds = async (limit: number, from: Store = store) =>
    (await from.lease({ limit, leaseMs: HOUR })).map(({ leadId }) => leadId)

  test('leases each delivery to only one worker, in order of due time', async () => {
    const ids: string[] = []
    for (let index = 0; index < 30; index++) {
      ids.push((await harness.capture(`person-${index}`)).id)
    }
    // Leads captured in the same millisecond are due at the same time.
    await harness.change('UPDATE outbox SET next_at = (SELECT COUNT(*) FROM leads WHERE leads.id < outbox.id)')
    const workers = [store, await harness.openAnother(), await harness.openAnother()]
    expect(await leasedIds(2)).toEqual(ids.slice(0, 2))
    const leased = await Promise.all([...workers, ...workers, ...workers, ...workers].map(from => leasedIds(5, from)))
    const rest = leased.flat()
    for (let more = await leasedIds(5); more.length > 0; more = await leasedIds(5)) rest.push(...more)
    expect(rest.toSorted()).toEqual(ids.slice(2))
  })

  test('a delivery is due again when its lease expires, with a new token', async () => {
    await capture('ada')
    const first = await harness.leaseOne(1)
    await expect.poll(() => store.nextDue()).toBeLessThanOrEqual(0)
    const second = await harness.leaseOne()
    expect(second.leadId).toBe(first.leadId)
    expect(second.leaseToken).not.toBe(first.leaseToken)
    expect(await store.settle(retry(first))).toBe(false)
    expect(await store.settle(dead(first))).toBe(false)
    expect(await store.find(first.leadId)).toMatchObject({ delivery: { state: 'pending', attempts: 0 } })
    // A late success still counts.
    expect(await store.settle(delivered(first))).toBe(true)
    expect(await store.settle(delivered(second))).toBe(false)
  })

  test('records each attempt', async () => {
    const { id } = await capture('ada')
    expect(await store.settle(retry(await harness.leaseOne(), 0))).toBe(true)
    const again = await harness.leaseOne()
    expect(again.attempts).toBe(1)
    expect(await store.settle(retry(again))).toBe(true)
    const wait = await store.nextDue()
    expect(wait).toBeGreaterThan(HOUR - 60_000)
    expect(wait).toBeLessThanOrEqual(HOUR)
    const attempt = { durationMs: 5, outcome: 'it answered 500', status: 500 }
    expect(await store.find(id)).toMatchObject({
      delivery: { state: 'pending', attempts: 2, finishedAt: null },
      deliveryAttempts: [attempt, attempt],
    })
    const failed = { outcome: 'it answered 500', nextAt: expect.any(Number) }
    expect(await harness.historyOf(id)).toEqual([
      ['delivery failed', { ...failed, attempt: 1 }],
      ['delivery failed', { ...failed, attempt: 2 }],
    ])
  })

  test('a delivery finishes only once, as either delivered or dead', async () => {
    await capture('ada')
    await capture('bob')
    const [ada, bob] = [await harness.leaseOne(), await harness.leaseOne()]
    expect(await Promise.all([store.settle(delivered(ada)), store.settle(dead(bob))])).toEqual([true, true])
    const found = await store.find(ada.leadId)
    expect(found).toMatchObject({
      delivery: { state: 'delivered', attempts: 1, finishedAt: expect.any(Number) },
      deliveryAttempts: [{ at: (found?.delivery?.finishedAt ?? 0) - 5, outcome: 'delivered', status: 200 }],
    })
    const finished = { state: 'dead', finishedAt: expect.any(Number) }
    expect(await store.find(bob.leadId)).toMatchObject({ delivery: finished })
    expect(await store.settle(delivered(bob))).toBe(false)
    expect(await store.nextDue()).toBeNull()
    const nothing = { pending: 0, oldestPendingAgeMs: 0, held: 0, oldestHeldAgeMs: 0, aheadMs: 0 }
    expect(await store.backlog()).toMatchObject({ ...nothing, dead: 1 })
  })

  test('a settlement is recorded completely or not at all', async () => {
    const { id } = await capture('ada')
    const leased = await harness.leaseOne()
    await harness.change('ALTER TABLE history RENAME TO missing')
    await expect(store.settle(delivered(leased))).rejects.toThrow()
    await harness.change('ALTER TABLE missing RENAME TO history')
    const untouched = { delivery: { state: 'pending', attempts: 0 }, deliveryAttempts: [] }
    expect(await store.find(id)).toMatchObject({ ...untouched, history: [{ event: 'received' }] })
  })

  test('an erased lead is never leased, even if its delivery still exists, and doesn’t wake the worker', async () => {
    await capture('ada')
    await harness.change(`UPDATE leads SET state = 'erased'`)
    expect(await leasedIds(10)).toEqual([])
    expect(await store.nextDue()).toBeNull()
  })

  test('a first attempt due further out than any lease could last is rescheduled; a regular retry isn’t', async () => {
    await capture('ada')
    await harness.leaseOne(100 * HOUR)
    await capture('bob')
    await store.settle(retry(await harness.leaseOne(), HOUR))
    expect(await store.rescheduleAfterClockChange()).toBe(0)
    expect(await store.nextDue()).toBeLessThanOrEqual(MINUTE)
    const waits = (await harness.all()).map(({ delivery }) => (delivery?.nextAt ?? 0) - Date.now())
    expect(waits.filter(wait => wait > HOUR / 2)).toHaveLength(1)
  })

  test('pending deliveries are rescheduled once, by as much as the clock was set back', async () => {
    await capture('ada')
    await store.settle(retry(await harness.leaseOne(), 5 * HOUR))
    expect(await store.rescheduleAfterClockChange()).toBe(0)
    await harness.change(`UPDATE clock SET latest_at = latest_at + ${4 * HOUR}`)
    const another = await harness.openAnother()
    const setBack = await Promise.all([store, another].map(each => each.rescheduleAfterClockChange()))
    expect(setBack.filter(ms => ms > 0)).toHaveLength(1)
    const wait = await store.nextDue()
    expect(wait).toBeLessThanOrEqual(HOUR)
    expect(wait).toBeGreaterThan(HOUR / 2)
    expect(await store.rescheduleAfterClockChange()).toBe(0)
  })

  test('the backlog reports the number and age of held and pending leads, and any ahead of the clock', async () => {
    await capture('ada', held)
    await capture('bob')
    await expect.poll(async () => (await store.backlog()).oldestHeldAgeMs).toBeGreaterThan(0)
    await expect.poll(async () => (await store.backlog()).oldestPendingAgeMs).toBeGreaterThan(0)
    expect(await store.backlog()).toMatchObject({ held: 1, pending: 1, dead: 0, aheadMs: 0 })
    await harness.change(`UPDATE leads SET received_at = received_at + ${HOUR}, held_at = held_at + ${HOUR}`)
    const { aheadMs, oldestHeldAgeMs } = await store.backlog()
    expect([aheadMs > HOUR / 2, oldestHeldAgeMs]).toEqual([true, 0])
  })

  test('latestCertificates says whether each recent lead had a certificate, newest first', async () => {
    const url = certificateUrl('a'.repeat(40))
    for (const index of [0, 1, 2]) {
      await harness.capture(`person-${index}`, index === 1 ? {} : { certificate: { kind: 'present', url } })
    }
    expect(await store.latestCertificates(2)).toEqual([true, false])
  })

  test('webhook times cover only delivered leads that weren’t held or resent', async () => {
    const backdate = async (id: string) => {
      await harness.change(`UPDATE leads SET received_at = received_at - ${HOUR} WHERE id = '${id}'`)
      await harness.change(`UPDATE outbox SET created_at = created_at - ${HOUR} WHERE id = '${id}'`)
    }
    const [approved, again, waited] = [await capture('ada', held), await capture('bob'), await capture('carl')]
    for (const { id } of [approved, again]) await backdate(id)
    await harness.deliverAll()
    await store.approve({ ids: [approved.id], by: 'Maria' })
    await store.resend({ ids: [again.id], again: true, by: 'Maria' })
    await harness.deliverAll()
    expect(await store.count({ delivery: 'delivered' })).toBe(3)
    const times = (limit: number, since = 0) => store.webhookTimes({ since, limit })
    const soon = await times(10)
    expect(soon).toHaveLength(1)
    expect(soon[0]).toBeLessThan(HOUR)
    // An hour of webhook downtime shows up.
    await backdate(waited.id)
    const [took] = await times(10)
    expect(took).toBeGreaterThanOrEqual(HOUR)
    expect(await times(10, Date.now() + 60_000)).toEqual([])
    // While the webhook is down, don't scan the whole backlog to find one earlier delivery.
    await Promise.all(Array.from({ length: 30 }, (_, index) => capture(`waits${index}`)))
    expect([await times(1), await times(4)]).toEqual([[], [took]])
  })
})

onEachEngine('events in the outbox', harness => {
  const { store, capture } = harness
  const request = { lane: 'stops', limit: 9, leaseMs: HOUR } as const
  const queued = () => store.queuedEvents({ lane: 'stops', limit: 9 })
  /** Returns the ID of a delivered lead whose person has asked not to be called. */
  async function stopDelivered(): Promise<string> {
    const { id } = await capture('ada')
    await harness.deliverAll()
    await store.addToDoNotCall({ contacts: [{ email: 'ada@example.org' }], by: 'Maria', leadId: id })
    return id
  }

  test('each is leased by one worker, waits for its retry, and ends with a line in the history', async () => {
    const leadId = await stopDelivered()
    const another = await harness.openAnother()
    const leased = (await Promise.all([store.lease(request), another.lease(request)])).flat()
    expect(leased).toMatchObject([
      { leadId, type: 'lead.do_not_call', attempts: 0, detail: { contact: 'email' }, lead: null },
    ])
    const [first] = leased as [(typeof leased)[number]]
    expect(await store.settle(retry(first, 0))).toBe(true)
    const [again] = await store.lease(request)
    expect(again).toMatchObject({ id: first.id, attempts: 1 })
    // A late failure doesn't count, a late success does.
    expect(await store.settle(retry(first))).toBe(false)
    expect(await store.settle(delivered(first))).toBe(true)
    expect([await queued(), await store.lease(request)]).toEqual([[], []])
    expect((await harness.historyOf(leadId)).at(-1)).toMatchObject(['event delivered', { attempt: 2 }])
    expect(await store.find(leadId)).toMatchObject({ delivery: { state: 'delivered' }, deliveryAttempts: [{}] })
  })

  test('one that failed is kept for years, shown, and sent again or dismissed by a person', async () => {
    const leadId = await stopDelivered()
    await store.settle(dead((await store.lease(request))[0] as never))
    await harness.change(`UPDATE outbox SET created_at = 0, next_at = 0`)
    expect(await store.lease(request)).toEqual([])
    const [failed] = await queued()
    expect(failed).toMatchObject({ leadId, state: 'dead', attempts: 1 })
    expect((await store.backlog()).events).toMatchObject({ deadStops: 1, deadCalls: 0, pending: 0 })
    const ids = [failed?.id ?? '', leadId]
    expect([await store.resendEvents({ ids, by: 'Joe' }), await store.resendEvents({ ids, by: 'Joe' })]).toEqual([1, 0])
    expect((await store.backlog()).events).toMatchObject({ deadStops: 0, pending: 1 })
    expect(await queued()).toMatchObject([{ state: 'pending', failedWith: 'gone' }])
    await store.settle(dead((await store.lease(request))[0] as never))
    expect([await store.dismissEvents({ ids, by: 'Joe' }), await queued()]).toEqual([1, []])
    const events = (await harness.historyOf(leadId)).map(([event]) => event)
    expect(events.slice(-4)).toEqual(['event failed', 'event resent', 'event failed', 'event dismissed'])
    expect(await store.find(leadId)).toMatchObject({ delivery: { state: 'delivered' } })
  })

  test('a pause of a month and a clock that was set back lose none', async () => {
    await stopDelivered()
    await store.pauseDeliveries({ reason: '', by: 'Maria' })
    await harness.change(`UPDATE outbox SET created_at = created_at - ${30 * 24 * HOUR}`)
    expect([await store.lease(request), await store.nextDue()]).toEqual([[], null])
    await store.rescheduleAfterClockChange()
    await harness.change(`UPDATE clock SET latest_at = latest_at + ${24 * HOUR} WHERE id = 1`)
    await harness.change(`UPDATE outbox SET next_at = next_at + ${24 * HOUR}`)
    await store.rescheduleAfterClockChange()
    await store.resumeDeliveries({ by: 'Maria' })
    expect(await store.lease(request)).toHaveLength(1)
  })

  test('a full lane of leads doesn’t delay them, nor they the leads', async () => {
    await stopDelivered()
    await capture('bob', { contact: { ...contactOf('bob'), phone: '(555) 010-0101' } })
    await harness.leaseOne()
    expect(await store.lease(request)).toHaveLength(1)
    expect(await store.nextDue()).toBeGreaterThan(0)
  })
})

onEachEngine('leads that came in without a webhook', harness => {
  const { store, capture } = harness
  const phone = (last: number) => ({ contact: { ...contactOf(`p${last}`), phone: `(555) 010-010${last}` } })

  test('wait for an editor’s decision, which is recorded, and never for the outbox', async () => {
    const first = await capture('p1', { ...phone(1), deliver: false })
    const second = await capture('p2', { ...phone(2), deliver: false })
    const held = await capture('p3', { ...phone(3), holdReason: 'a link in the name' })
    await store.approve({ ids: [held.id], by: 'Maria', deliver: false })
    await capture('p4', phone(4))
    expect([await store.unqueuedLeads(), (await store.backlog()).pending]).toEqual([3, 1])
    expect(await store.find(first.id)).toMatchObject({ state: 'accepted', delivery: null })
    await store.addToDoNotCall({ contacts: [{ phone: '(555) 010-0102' }], by: 'Maria' })
    await store.erase({ ids: [held.id], key: ERASURE_KEY, by: 'Maria' })
    expect(await store.decideUnqueued({ choice: 'all', by: 'Maria' })).toMatchObject({ queued: 1 })
    expect([await store.unqueuedLeads(), (await store.backlog()).pending]).toEqual([0, 2])
    expect(await store.find(second.id)).toMatchObject({ delivery: null })
    expect(await harness.historyOf(first.id)).toEqual([['put into the outbox again', { was: 'none', by: 'Maria' }]])
    const text = 'Maria decided to send all leads that had come in without a webhook.'
    expect(await store.alertsSince(0)).toMatchObject([{ text, endedAt: expect.any(Number) }])
  })

  test.each([
    ['never called', 1],
    ['none', 0],
  ] as const)('%s', async (choice, queued) => {
    const { id } = await capture('p1', { ...phone(1), deliver: false })
    await capture('p2', { ...phone(2), deliver: false })
    await store.claimCall({ leadId: id, person: maria, takeOver: false })
    const call = { leadId: id, person: maria, hours: DEMO_CALLING_HOURS, callbackAt: null, note: null }
    await store.saveCall({ ...call, ...saying(call.leadId, 'not interested') })
    expect(await store.decideUnqueued({ choice, by: 'Maria' })).toMatchObject({ queued })
    expect([await store.unqueuedLeads(), (await store.backlog()).pending]).toEqual([0, queued])
  })
})

onEachEngine('a decision about leads that were never queued', harness => {
  const { store, capture, change } = harness
  const decided = (by: string) => ({ kind: 'decided', by, at: expect.any(Number) })
  const waiting = async () =>
    Promise.all(Array.from({ length: 250 }, (_, index) => capture(`p${index}`, { deliver: false })))

  test('is one editor’s: the other one is told who decided, and all or nothing is sent', async () => {
    await waiting()
    const another = await harness.openAnother()
    const results = await Promise.all([
      store.decideUnqueued({ choice: 'all', by: 'Maria' }),
      another.decideUnqueued({ choice: 'none', by: 'Bob' }),
      another.decideUnqueued({ choice: 'all', by: 'Cal' }),
    ])
    const done = results.filter(({ kind }) => kind === 'carried out')
    expect(done).toHaveLength(1)
    const [{ text = '' } = {}, ...others] = await store.alertsSince(0)
    const who = ['Maria', 'Bob', 'Cal'].find(name => text.startsWith(name)) ?? ''
    expect(results.filter(({ kind }) => kind !== 'carried out')).toEqual([decided(who), decided(who)])
    expect(others).toEqual([])
    const sent = (await store.backlog()).pending
    expect([await store.unqueuedLeads(), sent]).toEqual([0, who === 'Bob' ? 0 : 250])
    expect(await store.decideUnqueued({ choice: 'all', by: 'Ann' })).toEqual(decided(who))
  })

  test('is finished after a restart, as it was taken', async () => {
    await waiting()
    await change(`INSERT INTO unqueued_decision VALUES (1, 'all', 'Maria', 1, 0)`)
    expect(await store.decideUnqueued({ choice: 'none', by: 'Bob' })).toEqual(decided('Maria'))
    expect(await store.carryOutUnqueued()).toBe(250)
    expect(await store.carryOutUnqueued()).toBe(0)
    expect((await store.backlog()).pending).toBe(250)
  })
})

onEachEngine('a delivery pause', harness => {
  const { store, capture } = harness
  const byAda = { reason: 'the CRM is being moved', by: 'ada@desk' }
  const request = { limit: 9, leaseMs: HOUR }

  test('stops leasing on every server; leads are still accepted, and deliveries in flight finish', async () => {
    await capture('ada')
    const leased = await harness.leaseOne()
    const another = await harness.openAnother()
    expect(await another.pauseDeliveries(byAda)).toBe(true)
    const { id } = await capture('grace')
    for (const each of [store, another]) {
      expect([await each.lease(request), await each.nextDue()]).toEqual([[], null])
      expect(await each.backlog()).toMatchObject({ pending: 2 })
    }
    expect(await store.settle(delivered(leased))).toBe(true)
    let notified = 0
    another.onDue(() => notified++)
    expect(await another.resumeDeliveries({ by: 'bob@desk' })).toBe(true)
    await expect.poll(() => notified).toBeGreaterThan(0)
    expect(await store.nextDue()).toBeLessThanOrEqual(0)
    expect(await store.lease(request)).toMatchObject([{ leadId: id }])
  })

  test('keeps its start time and its latest reason and author until it ends', async () => {
    expect(await store.deliveryPause()).toBeNull()
    await store.pauseDeliveries(byAda)
    await harness.change(`UPDATE delivery_pause SET paused_at = paused_at - ${HOUR}`)
    expect(await store.pauseDeliveries({ reason: '', by: 'eve@desk' })).toBe(false)
    const pause = await (await harness.openAnother()).deliveryPause()
    expect(pause).toEqual({ since: expect.any(Number), ageMs: expect.any(Number), ...byAda })
    expect(pause?.ageMs).toBeGreaterThanOrEqual(HOUR)
    expect(pause?.ageMs).toBeLessThan(2 * HOUR)
    const byEve = { reason: 'the receiver is down', by: 'eve@desk' }
    expect(await store.pauseDeliveries(byEve)).toBe(false)
    expect(await store.deliveryPause()).toMatchObject({ since: pause?.since, ...byEve })
    await store.resumeDeliveries({ by: 'bob@desk' })
    expect([await store.deliveryPause(), await store.resumeDeliveries({ by: 'bob@desk' })]).toEqual([null, false])
    expect(await store.nextAlertToSend()).toBeNull()
    const text = 'Deliveries were paused by eve@desk and resumed by bob@desk.'
    expect(await store.alertsSince(0)).toMatchObject([{ text, startedAt: pause?.since, endedAt: expect.any(Number) }])
  })
})
