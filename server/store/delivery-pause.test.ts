/** Pausing deliveries, on both engines and for every server. */
import { expect, test } from 'vitest'
import { captureLead } from '../../tests/support/lead-store.ts'
import { delivered, onEachEngine } from '../../tests/support/store-scene.ts'

const order = { limit: 9, leaseMs: 60_000 }
const byAda = { reason: 'the CRM is being moved', by: 'ada@desk' }

onEachEngine('a delivery pause', scene => {
  const { store } = scene

  const leasedIds = async (from = store) => (await from.lease(order)).map(({ leadId }) => leadId)

  test('stops leases on every server while leads are still accepted', async () => {
    const before = await captureLead(store, { name: 'ada' })
    const elsewhere = await scene.open.again()
    expect(await elsewhere.pauseDeliveries(byAda)).toBe(true)
    const during = await captureLead(store, { name: 'grace' })
    for (const each of [store, elsewhere]) {
      expect([await leasedIds(each), await each.nextDue()]).toEqual([[], null])
      expect(await each.backlog()).toMatchObject({ pending: 2 })
    }
    let notified = 0
    elsewhere.onDue(() => notified++)
    expect(await elsewhere.resumeDeliveries({ by: 'bob@desk' })).toBe(true)
    await expect.poll(() => notified).toBeGreaterThan(0)
    expect(await store.nextDue()).toBeLessThanOrEqual(0)
    expect((await leasedIds()).toSorted()).toEqual([before, during].toSorted())
  })

  test('has a start time, a reason, and an author until it ends', async () => {
    expect(await store.deliveryPause()).toBeNull()
    await store.pauseDeliveries(byAda)
    await scene.open.change('UPDATE delivery_pause SET paused_at = paused_at - 3600000')
    const pause = await (await scene.open.again()).deliveryPause()
    expect(pause).toEqual({ since: expect.any(Number), ageMs: expect.any(Number), ...byAda })
    expect(pause?.ageMs).toBeGreaterThanOrEqual(3_600_000)
    expect(pause?.ageMs).toBeLessThan(3_700_000)
    await store.resumeDeliveries({ by: 'bob@desk' })
    expect([await store.deliveryPause(), await store.resumeDeliveries({ by: 'bob@desk' })]).toEqual([null, false])
    expect(await store.leaseAlert({ leaseMs: 1000 })).toBeNull()
    expect(await (await scene.open.again()).alertsSince(0)).toMatchObject([
      {
        text: `Deliveries were paused by ${byAda.by}, and resumed by bob@desk.`,
        startedAt: pause?.since,
        endedAt: expect.any(Number),
      },
    ])
  })

  test('keeps its start time and takes the new reason when it is requested again', async () => {
    await store.pauseDeliveries(byAda)
    await scene.open.change('UPDATE delivery_pause SET paused_at = 1000')
    expect(await store.pauseDeliveries({ reason: '', by: 'bob@desk' })).toBe(false)
    expect(await store.deliveryPause()).toMatchObject({ since: 1000, ...byAda })
    const other = { reason: 'the receiver is down', by: 'bob@desk' }
    expect(await store.pauseDeliveries(other)).toBe(false)
    expect(await store.deliveryPause()).toMatchObject({ since: 1000, ...other })
  })

  test('lets deliveries in progress finish', async () => {
    await captureLead(store, { name: 'ada' })
    const leased = await scene.leaseOne()
    await store.pauseDeliveries(byAda)
    expect(await store.settle(delivered(leased))).toBe(true)
  })
})
