/** Events for the webhook about leads it already has. */
import { expect, test } from 'vitest'
import { DEFAULT_CALLING_HOURS } from '../../domain/calling/hours.ts'
import { contactOf, ERASURE_KEY } from '../../tests/support/lead-store.ts'
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

  test('isn’t delayed by a clock that was set back', async () => {
    const { id } = await capture('ada')
    await store.settle(delivered(await harness.leaseOne()))
    await stopCalls(id)
    await store.rescheduleAfterClockChange({ leaseMs: HOUR })
    await harness.change(`UPDATE clock SET latest_at = latest_at + ${24 * HOUR} WHERE id = 1`)
    await harness.change(`UPDATE webhook_events SET next_at = next_at + ${24 * HOUR}`)
    await store.rescheduleAfterClockChange({ leaseMs: HOUR })
    expect(await lease()).toHaveLength(1)
  })

  test('after an erasure, only a request not to be called is still sent', async () => {
    const { id } = await capture('ada')
    await store.settle(delivered(await harness.leaseOne()))
    const person = { id: '1', name: 'Maria' }
    await store.claimCall({ leadId: id, person, takeOver: false })
    const call = { leadId: id, person, hours: DEFAULT_CALLING_HOURS, callbackAt: null, note: null, announce: true }
    await store.saveCall({ ...call, outcome: 'never call again' })
    await store.erase({ ids: [id], key: ERASURE_KEY, by: 'Maria' })
    expect(new Set((await lease()).map(({ type }) => type))).toEqual(new Set(['lead.do_not_call']))
  })

  test('there is none for a lead that was never sent', async () => {
    const { id } = await capture('ada')
    await stopCalls(id)
    expect(await lease()).toEqual([])
  })
})
