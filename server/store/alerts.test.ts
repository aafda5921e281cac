/** Alerts, on both engines and with multiple replicas. */
import { expect, test } from 'vitest'
import { HOUR, onEachEngine } from '../../tests/support/store-engines.ts'

onEachEngine('alerts', harness => {
  const { store } = harness
  const waiting = (id: string, worse = false) => ({ id, code: 'held_leads_waiting', text: `${id} waits`, worse })
  const leaseAlert = () => store.leaseAlert({ leaseMs: HOUR })

  test('each code has one open alert, and one replica sends it', async () => {
    const another = await harness.openAnother()
    await Promise.all([store.raiseAlert(waiting('one')), another.raiseAlert(waiting('two'))])
    const leased = await Promise.all([store, another, store].map(each => each.leaseAlert({ leaseMs: HOUR })))
    expect(leased.filter(Boolean)).toMatchObject([
      { code: 'held_leads_waiting', source: '', endedAt: null, timesSent: 0 },
    ])
    expect(await store.alertsSince(0)).toHaveLength(1)
  })

  test('an alert is sent again when its lease expires, it gets worse, a reminder is due, or it’s resolved', async () => {
    await store.raiseAlert(waiting('one'))
    expect(await store.leaseAlert({ leaseMs: 0 })).not.toBeNull()
    const second = await leaseAlert()
    expect([second?.timesSent, await leaseAlert()]).toEqual([0, null])
    await store.markAlertSent({ id: 'one', leasedUntil: second?.leasedUntil ?? 0, nextInMs: 0 })
    const third = await leaseAlert()
    expect(third?.timesSent).toBe(1)
    await store.raiseAlert({ ...waiting('x'), text: 'two wait' })
    expect(await leaseAlert()).toBeNull()
    await store.raiseAlert({ ...waiting('x', true), text: 'five wait' })
    // It got worse while it was being sent, so it's still due.
    await store.markAlertSent({ id: 'one', leasedUntil: third?.leasedUntil ?? 0, nextInMs: HOUR })
    expect(await leaseAlert()).toMatchObject({ id: 'one', text: 'five wait' })
    await store.endAlert({ code: 'held_leads_waiting' })
    const resolved = await leaseAlert()
    expect(resolved).toMatchObject({ id: 'one', endedAt: expect.any(Number) })
    await store.markAlertSent({ id: 'one', leasedUntil: resolved?.leasedUntil ?? 0, nextInMs: null })
    expect(await leaseAlert()).toBeNull()
  })

  test('a process sends its own alerts; others only report that the ones it left open are resolved', async () => {
    const refused = { id: 'one', code: 'leads_refused', text: 'no room', source: 'web-1', startedAt: 1, endedAt: null }
    await store.saveAlert(refused)
    await store.saveAlert({ ...refused, id: 'two', source: 'web-2' })
    await store.saveAlert({ ...refused, id: 'two', source: 'web-2', endedAt: Date.now() })
    expect(await leaseAlert()).toBeNull()
    await store.endAlert({ source: 'web-1' })
    expect(await leaseAlert()).toMatchObject({ id: 'one', source: 'web-1', endedAt: expect.any(Number) })
    expect(await store.alertsSince(Date.now() + HOUR)).toEqual([])
  })

  test('alerts resolved more than 90 days ago are deleted when the next one is resolved', async () => {
    await store.raiseAlert(waiting('one'))
    await store.endAlert({ code: 'held_leads_waiting' })
    await harness.change(`UPDATE alerts SET ended_at = ended_at - ${91 * 24 * HOUR}`)
    await store.raiseAlert(waiting('two'))
    await store.endAlert({ code: 'held_leads_waiting' })
    expect((await store.alertsSince(0)).map(({ id }) => id)).toEqual(['two'])
  })
})
