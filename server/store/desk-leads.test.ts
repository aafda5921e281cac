/** The desk's operations on leads, on both engines. */
import { expect, test } from 'vitest'
import { campaignKey, NO_CAMPAIGN } from '../../domain/campaign.ts'
import { ERASURE_KEY } from '../../tests/support/lead-store.ts'
import { held, onEachEngine } from '../../tests/support/store-scene.ts'
import type { NewJob } from './bulk-jobs.ts'
import type { Submission } from './capture.ts'
import type { LeadFilter } from './lead-records.ts'

onEachEngine('leads in the desk', scene => {
  const { store, deliverAll } = scene

  const capture = async (name: string, differences: Partial<Submission> = {}) =>
    (await scene.capture(name, differences)).id
  /** The history without the `received` event. */
  const linesOf = async (id: string) =>
    ((await store.find(id))?.history ?? [])
      .filter(({ event }) => event !== 'received')
      .map(({ event, detail }) => [event, JSON.parse(detail) as unknown])

  test('repeated views by one person are recorded once per interval, and views of a missing lead not at all', async () => {
    const id = await capture('ada')
    const view = (by: string, restMs: number) => store.recordView({ id, by, restMs })
    expect([await view('Maria', 60_000), await view('Maria', 60_000), await view('Joe', 60_000)]).toEqual([
      true,
      false,
      true,
    ])
    expect(await view('Maria', -1)).toBe(true)
    expect(await store.recordView({ id: 'no-such-lead', by: 'Maria', restMs: 0 })).toBe(false)
    expect(await linesOf(id)).toEqual(
      expect.arrayContaining([
        ['looked', { by: 'Maria' }],
        ['looked', { by: 'Joe' }],
        ['looked', { by: 'Maria' }],
      ]),
    )
  })

  test('notes are kept until they’re removed or their lead is erased, and never appear in history', async () => {
    const id = await capture('ada')
    const note = await store.addNote({ leadId: id, by: 'Maria', text: 'calls back <b>at nine</b>' })
    const other = await store.addNote({ leadId: id, by: 'Joe', text: 'second' })
    expect(await store.notesOf(id)).toEqual(
      expect.arrayContaining([
        { ...note, by: 'Maria', text: 'calls back <b>at nine</b>' },
        { ...other, text: 'second' },
      ]),
    )
    const removal = { leadId: id, noteId: other?.id ?? '', by: 'Joe' }
    expect([await store.removeNote(removal), await store.removeNote(removal)]).toEqual([true, false])
    await store.erase({ ids: [id], key: ERASURE_KEY, by: 'Maria' })
    expect(await store.notesOf(id)).toEqual([])
    expect(await store.addNote({ leadId: id, by: 'Maria', text: 'too late' })).toBeNull()
    const lines = await linesOf(id)
    expect(lines).toContainEqual(['erased', { cancelledDelivery: 'pending', by: 'Maria' }])
    expect(JSON.stringify(lines)).not.toContain('nine')
  })

  test('history names who approved, rejected, and resent a lead', async () => {
    const [first, second] = [await capture('ada', held), await capture('bob', held)]
    expect(await store.reject({ ids: [first], reason: 'a joke', by: 'Maria' })).toBe(1)
    expect(await store.release({ ids: [first, second], by: 'Joe' })).toBe(2)
    await deliverAll()
    expect(await store.redeliver({ ids: [first, second], by: 'Joe' })).toBe(0)
    expect(await store.redeliver({ ids: [first], again: true, by: 'Joe' })).toBe(1)
    expect(await store.redeliver({ ids: [], by: 'Maria' })).toBe(0)
    const lines = await linesOf(first)
    expect(lines).toContainEqual(['rejected', { heldReason: held.holdReason, by: 'Maria' }])
    expect(lines).toContainEqual(['released', { heldReason: held.holdReason, was: 'rejected', by: 'Joe' }])
    expect(lines).toContainEqual(['put into the outbox again', { was: 'delivered', by: 'Joe' }])
  })

  test('a campaign filter finds exactly the leads counted under that campaign', async () => {
    const long = 'x'.repeat(80)
    const campaigns: readonly Readonly<Record<string, string>>[] = [
      {},
      { ref: 'friend' },
      { utm_source: 'news' },
      { utm_source: 'news', gclid: '1' },
      { utm_source: 'news', utm_medium: 'cpc', utm_campaign: 'say "hi", \\ {you}' },
      { utm_source: 'newsletter' },
      { utm_source: 'tv', utm_campaign: long },
      { utm_term: '"utm_source":"news"' },
    ]
    const keys: string[] = []
    for (const [index, campaign] of campaigns.entries()) {
      await capture(`n${index}`, { campaign })
      keys.push(campaignKey(campaign))
    }
    for (const key of new Set(keys)) {
      const leads = await store.page({ filter: { campaignKey: key }, order: 'newest first', limit: 50, after: null })
      expect([key, leads.map(lead => campaignKey(lead.campaign))]).toEqual([key, keys.filter(each => each === key)])
    }
    expect(await store.countUpTo({ filter: { campaignKey: NO_CAMPAIGN }, max: 2 })).toBe(2)
    expect(await store.countUpTo({ filter: {}, max: 100 })).toBe(campaigns.length)
  })

  test('counts match the leads the filter finds, whichever tables are read', async () => {
    await capture('ada', held)
    await capture('bob', { page: '/advertorial' })
    const erased = await capture('eve')
    await deliverAll()
    await store.erase({ ids: [erased], key: ERASURE_KEY, by: 'test' })
    const newest = await capture('joe')
    const { receivedAt: since } = (await store.find(newest)) as { receivedAt: number }
    await store.indexLeads({ limit: 10 })
    const parts: readonly LeadFilter[] = [
      {},
      { since },
      { until: since },
      { page: '/' },
      { state: 'erased' },
      { search: 'o' },
    ]
    for (const delivery of [undefined, 'pending', 'delivered', 'dead', 'none'] as const) {
      for (const part of parts) {
        const filter = { ...part, ...(delivery && { delivery }) }
        const { length } = await store.page({ filter, order: 'newest first', limit: 50, after: null })
        expect([filter, await store.count(filter)]).toEqual([filter, length])
        expect([filter, await store.countUpTo({ filter, max: 50 })]).toEqual([filter, length])
      }
    }
    expect(await store.count({ delivery: 'delivered' })).toBe(2)
  })

  test('a job resumes where it stopped, in any desk, and reports its counts', async () => {
    const ids = await Promise.all(Array.from({ length: 60 }, (_, index) => capture(`n${index}`, held)))
    const order: NewJob = { action: 'reject', by: 'Maria', leadIds: ids, skipped: 3, reason: 'jokes', again: false }
    const { id } = await store.startJob(order)
    const first = await store.leaseJob({ leaseMs: 60_000 })
    expect(first).toMatchObject({ id, action: 'reject', by: 'Maria', reason: 'jokes', again: false })
    const other = await scene.open.again()
    expect(await other.leaseJob({ leaseMs: 60_000 })).toBeNull()
    const outcomes = (first?.leadIds ?? []).map(leadId => ({ leadId, outcome: 'changed' as const }))
    await store.settleJobLeads({ jobId: id, outcomes })
    // Reported twice, counted once.
    await store.settleJobLeads({ jobId: id, outcomes: outcomes.slice(0, 5) })
    const second = await other.leaseJob({ leaseMs: 60_000 })
    const [skipped, ...failed] = second?.leadIds ?? []
    expect([...(first?.leadIds ?? []), ...(second?.leadIds ?? [])]).toEqual(ids.toSorted())
    await other.settleJobLeads({
      jobId: id,
      outcomes: [
        { leadId: skipped ?? '', outcome: 'skipped' },
        ...failed.map(leadId => ({ leadId, outcome: 'failed' as const })),
      ],
    })
    expect(await store.leaseJob({ leaseMs: -1 })).toMatchObject({ id, leadIds: [] })
    await store.finishJob({ id, message: null })
    expect(await store.leaseJob({ leaseMs: 60_000 })).toBeNull()
    const figures = { total: 63, changed: 50, skipped: 4, failed: 9, message: null, by: 'Maria' }
    expect(await store.job(id)).toMatchObject({ ...figures, finishedAt: expect.any(Number) })
    expect(await store.job('no-such-job')).toBeNull()
  })

  test('the change mark moves with leads, deliveries, and the pause, and with nothing else', async () => {
    const other = await scene.open.again()
    const id = await capture('ada')
    const moves = async (change: () => Promise<unknown>) => {
      const before = await other.pulse()
      await change()
      return (await other.pulse()).mark !== before.mark
    }
    expect(await moves(() => capture('bob', held))).toBe(true)
    expect(await moves(deliverAll)).toBe(true)
    expect(await moves(() => store.addNote({ leadId: id, by: 'Maria', text: 'Called' }))).toBe(true)
    expect(await moves(() => store.pauseDeliveries({ reason: '', by: 'Maria' }))).toBe(true)
    expect((await other.pulse()).paused).toBe(true)
    expect(await moves(() => store.resumeDeliveries({ by: 'Maria' }))).toBe(true)
    expect(await moves(() => store.probe())).toBe(false)
    expect(await moves(() => store.recordView({ id, by: 'Maria', restMs: 0 }))).toBe(false)
    expect(await moves(() => store.recordExport({ by: 'Joe', format: 'csv', filter: '{}', leads: 1 }))).toBe(false)
    expect(await moves(() => store.recordListView({ by: 'Joe', day: '2030-01-31', leads: 50 }))).toBe(false)
  })

  test('webhook times cover delivered leads only', async () => {
    await capture('ada')
    await capture('bob', held)
    await deliverAll()
    const times = await store.webhookTimes({ since: 0, limit: 10 })
    expect(times).toHaveLength(1)
    expect(times[0]).toBeGreaterThanOrEqual(0)
    expect(await store.webhookTimes({ since: Date.now() + 60_000, limit: 10 })).toEqual([])
    // While the webhook is down, don't scan the whole backlog to find the one delivery before it.
    await Promise.all(Array.from({ length: 30 }, (_, index) => capture(`waits${index}`)))
    expect(await store.webhookTimes({ since: 0, limit: 1 })).toEqual([])
    expect(await store.webhookTimes({ since: 0, limit: 4 })).toEqual(times)
  })

  test('webhook times leave out leads that were held for review', async () => {
    const hour = 3_600_000
    const anHourAgo = async (id: string) => {
      await scene.open.change(`UPDATE leads SET received_at = received_at - ${hour} WHERE id = '${id}'`)
      await scene.open.change(`UPDATE deliveries SET created_at = created_at - ${hour} WHERE lead_id = '${id}'`)
    }
    const [released, again, waited] = [await capture('ada', held), await capture('bob'), await capture('carl')]
    for (const id of [released, again]) await anHourAgo(id)
    await deliverAll()
    await store.release({ ids: [released], by: 'Maria' })
    await store.redeliver({ ids: [again], again: true, by: 'Maria' })
    await deliverAll()
    expect(await store.count({ delivery: 'delivered' })).toBe(3)
    const soon = await store.webhookTimes({ since: 0, limit: 10 })
    expect(soon).toHaveLength(1)
    expect(soon[0]).toBeLessThan(hour)
    // An hour of webhook downtime shows up.
    await anHourAgo(waited)
    const [took] = await store.webhookTimes({ since: 0, limit: 10 })
    expect(took).toBeGreaterThanOrEqual(hour)
  })
})
