/** Events for the webhook about leads it already has. */
import { expect, test } from 'vitest'
import { contactOf } from '../../tests/support/lead-store.ts'
import { delivered, HOUR, onEachEngine } from '../../tests/support/store-engines.ts'

onEachEngine('webhook events', harness => {
  const { store, capture } = harness
  const lease = () => store.leaseEvents({ limit: 9, leaseMs: HOUR })
  const stopCalls = (leadId: string) =>
    store.addToDoNotCall({ contacts: [{ email: contactOf('ada').email }], by: 'Maria', leadId })

  test('a request not to be called is leased once, waits for a retry or while deliveries are paused, and ends', async () => {
    const { id: leadId } = await capture('ada')
    await store.settle(delivered(await harness.leaseOne()))
    await stopCalls(leadId)
    await stopCalls(leadId)
    await store.pauseDeliveries({ reason: 'maintenance', by: 'Maria' })
    expect(await lease()).toEqual([])
    await store.resumeDeliveries({ by: 'Maria' })
    const another = await harness.openAnother()
    const leased = (await Promise.all([lease(), another.leaseEvents({ limit: 9, leaseMs: HOUR })])).flat()
    expect(leased).toMatchObject([{ leadId, type: 'lead.do_not_call', attempts: 0, detail: { contact: 'email' } }])
    const [{ id = '' } = {}] = leased
    await store.settleEvent({ id, retryInMs: 0 })
    expect(await lease()).toMatchObject([{ id, attempts: 1 }])
    await store.settleEvent({ id, retryInMs: null })
    expect(await lease()).toEqual([])
  })

  test('there is none for a lead that was never sent', async () => {
    const { id } = await capture('ada')
    await stopCalls(id)
    expect(await lease()).toEqual([])
  })
})
