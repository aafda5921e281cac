/** Alerts, on both engines and with multiple processes. */
import { expect, test } from 'vitest'
import { DAY, HOUR, MINUTE } from '../../../domain/durations.ts'
import { seenAlert } from '../../../tests/support/lead-store.ts'
import { onEachEngine } from '../../../tests/support/store-engines.ts'
import type { DueAlert, SeenAlert } from './alerts.ts'

onEachEngine('alerts', harness => {
  const { store } = harness
  const see = (differences: Partial<SeenAlert> = {}, by = store) => by.refreshAlerts([seenAlert(differences)])
  /** Makes everything look older. */
  const pass = (ms: number) =>
    harness.change(
      `UPDATE alerts SET started_at = started_at - ${ms}, seen_at = seen_at - ${ms}, ended_at = ended_at - ${ms}, send_at = send_at - ${ms}`,
    )
  const send = async () => {
    const due = await store.nextAlertToSend()
    if (due) await store.markAlertSent(due)
    return due
  }
  const listed = async () =>
    (await store.alertsSince(0)).map(({ code, source, endedAt }) => [code, source, endedAt === null])

  test('each code and source has one open alert, and one process sends it', async () => {
    const another = await harness.openAnother()
    await Promise.all([see(), see({}, another), see({ source: 'web-1' })])
    expect((await listed()).toSorted()).toEqual([
      ['held_leads_waiting', '', true],
      ['held_leads_waiting', 'web-1', true],
    ])
    const due = await Promise.all([store, another, store, another].map(each => each.nextAlertToSend()))
    const sent = [...due, await store.nextAlertToSend()].filter((alert): alert is DueAlert => alert !== null)
    expect(sent.map(({ source, timesSent }) => [source, timesSent]).toSorted()).toEqual([
      ['', 0],
      ['web-1', 0],
    ])
  })

  test('an alert that ended can be raised again by any process', async () => {
    const another = await harness.openAnother()
    for (const by of [store, another, store]) {
      await see({}, by)
      await pass(4 * MINUTE)
      expect(await another.endUnseenAlerts()).toEqual(['held_leads_waiting'])
    }
    expect(await listed()).toEqual(Array(3).fill(['held_leads_waiting', '', false]))
  })

  test('an alert is resolved once no process has seen the problem for a while, whichever process raised it', async () => {
    const another = await harness.openAnother()
    await see({ source: 'replaced' })
    await see({ code: 'lead_flood', source: 'web-2', lastsMs: 10 * MINUTE })
    await pass(2 * MINUTE)
    expect(await another.endUnseenAlerts()).toEqual([])
    await pass(2 * MINUTE)
    await see({ source: 'web-2' })
    expect(await another.endUnseenAlerts()).toEqual(['held_leads_waiting'])
    expect((await listed()).filter(([, , isOpen]) => isOpen).toSorted()).toEqual([
      ['held_leads_waiting', 'web-2', true],
      ['lead_flood', 'web-2', true],
    ])
  })

  test('an alert lasts as long as the process that sees it says, and a time in the future doesn’t keep it open', async () => {
    await see()
    await see({ lastsMs: HOUR })
    await pass(30 * MINUTE)
    expect(await store.endUnseenAlerts()).toEqual([])
    await pass(-2 * HOUR)
    expect(await store.endUnseenAlerts()).toEqual(['held_leads_waiting'])
  })

  test('an alert is sent again if sending failed, its size doubles, a reminder is due, or it’s resolved', async () => {
    await see({ size: 2 })
    // The process that was about to send it dies.
    expect(await store.nextAlertToSend()).toMatchObject({ timesSent: 0 })
    expect(await send()).toBeNull()
    await pass(MINUTE)
    expect(await send()).toMatchObject({ timesSent: 0, text: 'Leads wait.' })
    await see({ size: 3 })
    expect(await send()).toBeNull()
    await see({ size: 4, text: 'Four wait.' })
    expect(await send()).toMatchObject({ timesSent: 1, text: 'Four wait.' })
    await see({ size: 1 })
    await see({ size: 2 })
    const due = (await store.nextAlertToSend()) as DueAlert
    // The problem gets worse while it's being sent.
    await see({ size: 8 })
    await store.markAlertSent(due)
    expect(await send()).toMatchObject({ timesSent: 3 })
    for (const [hours, timesSent] of [
      [7, null],
      [1, 4],
      [15, null],
      [1, 5],
    ] as const) {
      await pass(hours * HOUR)
      expect((await send())?.timesSent ?? null).toBe(timesSent)
    }
    await store.endUnseenAlerts()
    expect(await send()).toMatchObject({ endedAt: expect.any(Number) })
    await pass(2 * DAY)
    expect(await send()).toBeNull()
  })

  test('what a process sent while it couldn’t reach the store isn’t sent again, but its end is', async () => {
    await see({ code: 'leads_refused', source: 'web-1', timesSent: 1, startedAgoMs: HOUR, seenAgoMs: 4 * MINUTE })
    expect(await send()).toBeNull()
    await store.endUnseenAlerts()
    expect(await send()).toMatchObject({ code: 'leads_refused', timesSent: 1, endedAt: expect.any(Number) })
    // Also if the store had sent it before, and a reminder was due.
    await see()
    await send()
    await pass(HOUR)
    await see({ timesSent: 1 })
    expect(await send()).toBeNull()
    await pass(HOUR)
    expect(await send()).toMatchObject({ timesSent: 2 })
  })

  test('alerts that ended more than a day ago aren’t sent, and those from 90 days ago are deleted', async () => {
    await see()
    await pass(HOUR)
    await store.endUnseenAlerts()
    await pass(2 * DAY)
    expect(await send()).toBeNull()
    expect(await store.alertsSince((await store.storeTime()) - DAY)).toEqual([])
    await pass(89 * DAY)
    await see({ source: 'web-1' })
    await pass(HOUR)
    await store.endUnseenAlerts()
    expect(await listed()).toEqual([['held_leads_waiting', 'web-1', false]])
  })
})
