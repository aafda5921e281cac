/** Guarantees of both engines for deliveries with concurrent workers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { certificateUrl } from '../../../domain/certificate.ts'
import { contactOf } from '../../../tests/support/lead-store.ts'
import { CONSENT, dead, delivered, HOUR, held, onEachEngine, retry } from '../../../tests/support/store-scene.ts'
import type { Store } from '../store.ts'

onEachEngine('delivering', scene => {
  const { store } = scene

  test('leases each delivery to one worker, oldest due time first', async () => {
    const ids = []
    for (let index = 0; index < 30; index++) ids.push(await scene.captureInTurn(`person-${index}`))
    const workers = [store, await scene.open.again(), await scene.open.again()]
    const first = await store.lease({ limit: 2, leaseMs: HOUR })
    expect(first.map(({ leadId }) => leadId)).toEqual(ids.slice(0, 2))
    const leased = await Promise.all(
      Array.from({ length: 12 }, (_, index) => (workers[index % 3] as Store).lease({ limit: 5, leaseMs: HOUR })),
    )
    const rest = leased.flat().map(({ leadId }) => leadId)
    for (;;) {
      const more = await store.lease({ limit: 5, leaseMs: HOUR })
      if (more.length === 0) break
      rest.push(...more.map(({ leadId }) => leadId))
    }
    expect(rest.toSorted()).toEqual(ids.slice(2))
  })

  test('a lease contains everything needed to send the lead', async () => {
    const questionnaireVersion = await store.saveQuestionnaire('How old are you?')
    const { id } = await scene.capture('ada', {
      page: '/advertorial',
      campaign: { utm_source: 'tv', gclid: 'ü' },
      certificate: { kind: 'present', url: certificateUrl('c'.repeat(40)) },
      trustedForm: 'on',
      questionnaireVersion,
    })
    expect(await scene.leaseOne()).toMatchObject({
      leadId: id,
      webhookId: `lead_${id}`,
      leaseToken: expect.any(String),
      attempts: 0,
      receivedAt: (await store.find(id))?.receivedAt,
      repeatOf: null,
      contact: contactOf('ada'),
      page: '/advertorial',
      campaign: { utm_source: 'tv', gclid: 'ü' },
      clientAddress: '192.0.2.1',
      userAgent: 'test',
      certificate: { url: certificateUrl('c'.repeat(40)), formKnown: true },
      trustedForm: 'on',
      consentVersion: scene.consentVersion,
      consentPresented: CONSENT,
      questionnaireVersion,
      questionnairePresented: 'How old are you?',
    })
  })

  test('a delivery is due again when its lease expires, with a new token', async () => {
    await scene.capture('ada')
    const first = await scene.leaseOne(1)
    await expect.poll(() => store.nextDue()).toBeLessThanOrEqual(0)
    const second = await scene.leaseOne()
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
    const { id } = await scene.capture('ada')
    expect(await store.settle(retry(await scene.leaseOne(), 0))).toBe(true)
    const again = await scene.leaseOne()
    expect(again.attempts).toBe(1)
    expect(await store.settle(retry(again))).toBe(true)
    const wait = await store.nextDue()
    expect(wait).toBeGreaterThan(HOUR - 60_000)
    expect(wait).toBeLessThanOrEqual(HOUR)
    expect(await store.find(id)).toMatchObject({
      delivery: { state: 'pending', attempts: 2, finishedAt: null },
      deliveryAttempts: [
        { durationMs: 5, outcome: 'it answered 500', status: 500 },
        { durationMs: 5, outcome: 'it answered 500', status: 500 },
      ],
    })
    const { history } = (await store.find(id)) ?? { history: [] }
    expect(history.map(({ event }) => event)).toEqual(['received', 'delivery failed', 'delivery failed'])
    expect(JSON.parse(history[2]?.detail ?? '')).toEqual({
      attempt: 2,
      outcome: 'it answered 500',
      nextAt: expect.any(Number),
    })
  })

  test('a delivery ends as delivered or dead, once', async () => {
    await scene.capture('ada')
    await scene.capture('bob')
    const [ada, bob] = [await scene.leaseOne(), await scene.leaseOne()]
    expect(await Promise.all([store.settle(delivered(ada)), store.settle(dead(bob))])).toEqual([true, true])
    const found = await store.find(ada.leadId)
    expect(found).toMatchObject({
      delivery: { state: 'delivered', attempts: 1, finishedAt: expect.any(Number) },
      deliveryAttempts: [{ at: (found?.delivery?.finishedAt ?? 0) - 5, outcome: 'delivered', status: 200 }],
    })
    expect(await store.find(bob.leadId)).toMatchObject({
      delivery: { state: 'dead', finishedAt: expect.any(Number) },
    })
    expect(await store.settle(delivered(bob))).toBe(false)
    expect(await store.nextDue()).toBeNull()
    expect(await store.backlog()).toEqual({
      pending: 0,
      oldestPendingAgeMs: 0,
      dead: 1,
      held: 0,
      oldestHeldAgeMs: 0,
      aheadMs: 0,
    })
  })

  test('a settlement is recorded completely or not at all', async () => {
    const { id } = await scene.capture('ada')
    const leased = await scene.leaseOne()
    await scene.open.change('ALTER TABLE history RENAME TO missing')
    await expect(store.settle(delivered(leased))).rejects.toThrow()
    await scene.open.change('ALTER TABLE missing RENAME TO history')
    expect(await store.find(id)).toMatchObject({
      delivery: { state: 'pending', attempts: 0 },
      deliveryAttempts: [],
      history: [{ event: 'received' }],
    })
  })

  test('an erased lead is never leased, even if its delivery is still there, and doesn’t wake the worker', async () => {
    await scene.capture('ada')
    await scene.open.change(`UPDATE leads SET state = 'erased'`)
    expect(await store.lease({ limit: 10, leaseMs: HOUR })).toEqual([])
    expect(await store.nextDue()).toBeNull()
  })

  test('a first attempt that has waited longer than any lease is rescheduled; a regular retry isn’t', async () => {
    await scene.capture('ada')
    await scene.leaseOne(100 * HOUR)
    await scene.capture('bob')
    await store.settle(retry(await scene.leaseOne(), HOUR))
    expect(await store.rescheduleAfterClockChange({ leaseMs: 1000 })).toBe(0)
    expect(await store.nextDue()).toBeLessThanOrEqual(1000)
    const waits = (await scene.all()).map(({ delivery }) => (delivery?.nextAt ?? 0) - Date.now())
    expect(waits.filter(wait => wait > HOUR / 2)).toHaveLength(1)
  })

  test('pending deliveries move once, by as much as the clock was set back', async () => {
    await scene.capture('ada')
    await store.settle(retry(await scene.leaseOne(), 5 * HOUR))
    expect(await store.rescheduleAfterClockChange({ leaseMs: 1000 })).toBe(0)
    await scene.open.change(`UPDATE clock SET latest_at = latest_at + ${4 * HOUR}`)
    const another = await scene.open.again()
    const setBack = await Promise.all([store, another].map(each => each.rescheduleAfterClockChange({ leaseMs: 1000 })))
    expect(setBack.filter(ms => ms > 0)).toHaveLength(1)
    const wait = await store.nextDue()
    expect(wait).toBeLessThanOrEqual(HOUR)
    expect(wait).toBeGreaterThan(HOUR / 2)
    expect(await store.rescheduleAfterClockChange({ leaseMs: 1000 })).toBe(0)
  })

  test('the backlog counts held leads, pending deliveries, and their age, and notices leads ahead of the clock', async () => {
    await scene.capture('ada', held)
    await scene.capture('bob')
    await expect.poll(async () => (await store.backlog()).oldestHeldAgeMs).toBeGreaterThan(0)
    await expect.poll(async () => (await store.backlog()).oldestPendingAgeMs).toBeGreaterThan(0)
    expect(await store.backlog()).toMatchObject({ held: 1, pending: 1, dead: 0, aheadMs: 0 })
    await scene.open.change(`UPDATE leads SET received_at = received_at + ${HOUR}`)
    const { aheadMs, oldestHeldAgeMs } = await store.backlog()
    expect([aheadMs > HOUR / 2, oldestHeldAgeMs]).toEqual([true, 0])
  })

  test('latestCertificates lists whether recent leads had a certificate, newest first', async () => {
    for (const [index, id] of ['a', null, 'b'].entries()) {
      await scene.capture(
        `person-${index}`,
        id === null ? {} : { certificate: { kind: 'present', url: `https://cert.trustedform.com/${id.repeat(40)}` } },
      )
      await sleep(2)
    }
    expect(await store.latestCertificates(2)).toEqual([true, false])
  })
})
