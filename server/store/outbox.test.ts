/** Deliveries with concurrent workers: leases, attempts, pauses, and a clock that's set back. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { certificateUrl } from '../../domain/certificate.ts'
import { dead, delivered, HOUR, held, onEachEngine, retry } from '../../tests/support/store-engines.ts'
import type { Store } from './store.ts'

onEachEngine('the outbox', harness => {
  const { store, capture } = harness
  const leasedIds = async (limit: number, from: Store = store) =>
    (await from.lease({ limit, leaseMs: HOUR })).map(({ leadId }) => leadId)

  test('leases each delivery to only one worker, in order of due time', async () => {
    const ids: string[] = []
    for (let index = 0; index < 30; index++) {
      ids.push((await harness.capture(`person-${index}`)).id)
      // Leads captured in the same millisecond are due at the same time.
      await sleep(2)
    }
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
    expect(await store.backlog()).toEqual({ ...nothing, dead: 1 })
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
    expect(await store.rescheduleAfterClockChange({ leaseMs: 1000 })).toBe(0)
    expect(await store.nextDue()).toBeLessThanOrEqual(1000)
    const waits = (await harness.all()).map(({ delivery }) => (delivery?.nextAt ?? 0) - Date.now())
    expect(waits.filter(wait => wait > HOUR / 2)).toHaveLength(1)
  })

  test('pending deliveries are rescheduled once, by as much as the clock was set back', async () => {
    await capture('ada')
    await store.settle(retry(await harness.leaseOne(), 5 * HOUR))
    expect(await store.rescheduleAfterClockChange({ leaseMs: 1000 })).toBe(0)
    await harness.change(`UPDATE clock SET latest_at = latest_at + ${4 * HOUR}`)
    const another = await harness.openAnother()
    const setBack = await Promise.all([store, another].map(each => each.rescheduleAfterClockChange({ leaseMs: 1000 })))
    expect(setBack.filter(ms => ms > 0)).toHaveLength(1)
    const wait = await store.nextDue()
    expect(wait).toBeLessThanOrEqual(HOUR)
    expect(wait).toBeGreaterThan(HOUR / 2)
    expect(await store.rescheduleAfterClockChange({ leaseMs: 1000 })).toBe(0)
  })

  test('an old lead that is put on hold has been waiting since then', async () => {
    await capture('ada')
    await harness.change(`UPDATE leads SET received_at = received_at - ${72 * HOUR}`)
    const contacts = [{ email: 'ada@example.org' }]
    await store.addToDoNotCall({ contacts, by: 'Maria' })
    await store.removeFromDoNotCall({ contacts, by: 'Maria', request: null })
    const { held, oldestHeldAgeMs } = await store.backlog()
    expect(held).toBe(1)
    expect(oldestHeldAgeMs).toBeLessThan(HOUR)
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
      await harness.change(`UPDATE deliveries SET created_at = created_at - ${HOUR} WHERE lead_id = '${id}'`)
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
