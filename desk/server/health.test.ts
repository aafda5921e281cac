import { describe, expect, test } from 'vitest'
import { createTestDesk, type DeskClient } from '../../tests/support/desk.ts'
import { bodyOf, type DeskHarness, deskPerTest } from '../../tests/support/desk-harness.ts'
import { seenAlert } from '../../tests/support/lead-store.ts'
import { dead, deliverAll, engines } from '../../tests/support/store-engines.ts'
import { MisbehavingWebhook } from '../../tests/support/webhook.ts'
import type { Health } from '../browser/client.ts'

const harness = {} as DeskHarness
const health = () => bodyOf<Health>(harness.maria.fetch('/api/health'))

describe('health', () => {
  deskPerTest(undefined, harness)

  test('pausing and resuming deliveries records who did it', async () => {
    const { desk, maria } = harness
    const viewer = await desk.signedIn('Lou Looker', 'viewer')
    const pause = (reason: string) => maria.fetch('/api/health/pause', { body: { reason } })
    const paused = await bodyOf<Health>(pause(' the CRM is being moved '))
    expect(paused.deliveries.pause).toMatchObject({ by: 'Maria Lopez', reason: 'the CRM is being moved' })
    expect(await bodyOf(viewer.fetch('/api/pulse'))).toMatchObject({ paused: true })
    const { alerts, deliveries } = await bodyOf<Health>(maria.fetch('/api/health/resume', { body: {} }))
    expect(deliveries.pause).toBeNull()
    expect(await bodyOf(viewer.fetch('/api/pulse'))).toMatchObject({ paused: false })
    const text = 'Deliveries were paused by Maria Lopez and resumed by Maria Lopez.'
    expect(alerts.resolved).toMatchObject([{ text }])
    expect((await pause('x'.repeat(201))).status).toBe(400)
  })

  test('says whether the site answers, and what expires within two months', async () => {
    const site = new MisbehavingWebhook()
    await site.up()
    const url = new URL(site.url).origin
    const from = '2030-02-20'
    const launch = {
      points: [{ code: 'figure_expired' as const, subject: 'benefit', detail: '$4,018', from }],
      justified: [],
    }
    const desk = createTestDesk(harness.store, { env: { SITE_URL: url }, launch, now: () => Date.UTC(2030, 0, 1) })
    const ann = await desk.signedIn('Ann Advisor', 'editor')
    const ask = () => bodyOf(ann.fetch('/api/health/site'))
    const expiring = ['benefit ($4,018) is valid through Feb 19, 2030.']
    expect(await ask()).toEqual({ url, problem: null, expiring })
    site.behave = () => ({ status: 502 })
    expect(await ask()).toMatchObject({ problem: 'answers with an error (502)' })
    await site.down()
    expect(await ask()).toMatchObject({ problem: 'doesn’t answer' })
  })

  test('a test lead is sent to the webhook but not stored, and the response reports the result', async () => {
    const webhook = new MisbehavingWebhook()
    await webhook.up()
    const send = async (env: Readonly<Record<string, string>>) => {
      const ann = await createTestDesk(harness.store, { env }).signedIn('Ann Advisor', 'editor')
      const response = await ann.fetch('/api/health/test-lead', { body: {} })
      return [response.status, await response.json()]
    }
    const env = { LEAD_WEBHOOK_URL: webhook.url }
    const responded = { delivered: true, words: expect.stringContaining('Responded with status 200') }
    expect(await send(env)).toMatchObject([200, responded])
    expect(webhook.deliveries.map(({ query }) => query['firstName'])).toEqual(['Test'])
    webhook.behave = () => ({ status: 500 })
    expect(await send(env)).toMatchObject([200, { delivered: false, words: expect.stringContaining('retried later') }])
    expect(await send({})).toMatchObject([409, { message: 'No CRM is connected. Ask your IT person.' }])
    expect(await harness.store.count({})).toBe(0)
    await webhook.down()
  })
})

describe.each(engines)('health, on $name', engine => {
  deskPerTest(engine, harness)

  test('shows alerts, storage, and the last backup', async () => {
    const { capture, store } = harness
    await capture('Zebulon')
    const over = seenAlert({ code: 'lead_flood', seenAgoMs: 600_000 })
    await store.refreshAlerts([seenAlert({ code: 'deliveries_stuck', text: 'Stuck.' }), over])
    await store.endUnseenAlerts()
    const before = await health()
    expect(before).toMatchObject({
      alerts: { active: [{ code: 'deliveries_stuck', text: 'Stuck.' }], resolved: [{ code: 'lead_flood' }] },
      store: { leads: { count: 1 }, leadsLast7Days: { count: 1 }, bytesPerMonth: before.store.bytes },
      deliveries: { pause: null, waiting: { count: 1 }, dead: { count: 0 }, timeToWebhook: null, webhook: null },
      backup: null,
    })
    await deliverAll(store)
    expect((await health()).deliveries).toMatchObject({ waiting: { count: 0 }, timeToWebhook: { of: 1 } })
    const id = await capture('Yolanda')
    await deliverAll(store, dead)
    await store.resend({ ids: [id], by: 'Joe' })
    expect((await health()).deliveries).toMatchObject({ dead: { count: 0 }, retried: { leads: 1, outcome: 'gone' } })
    await deliverAll(store)
    expect((await health()).deliveries.retried).toBeNull()
    await harness.change(
      `WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 101)
       INSERT INTO outbox (id, lead_id, lane, type, detail, state, attempts, next_at, created_at)
       SELECT 'letter' || n, '${id}', 'mail', 'mail.visitor', '{}', 'dead', 9, 1, n FROM numbers`,
    )
    const { mail } = await health()
    expect([mail.failed, mail.letters.length]).toEqual([101, 100])
    expect(before.store.bytes).toBeGreaterThan(10_000)
    for (const sameDisk of [true, false]) {
      await store.recordBackup({ leads: 2, sameDisk })
      expect((await health()).backup).toEqual({ madeAt: expect.any(Number), leads: 2, sameDisk })
    }
  })

  test('of two editors who decide about leads from before a webhook, the second is told who decided, and when', async () => {
    const { capture, desk, maria, store } = harness
    const joe = await desk.signedIn('Joe', 'editor')
    await Promise.all([1, 2, 3].map(index => capture(`p${index}`, { deliver: false })))
    const decide = (editor: DeskClient, choice: string) => editor.fetch('/api/health/unqueued', { body: { choice } })
    const answers = await Promise.all([decide(maria, 'all'), decide(joe, 'all'), decide(maria, 'none')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    for (const answer of [...answers.filter(({ status }) => status === 409), await decide(joe, 'none')])
      expect(await answer.json()).toMatchObject({
        message: expect.stringMatching(/^(Maria Lopez|Joe) already decided about these leads .*\d+:\d\d [AP]M\.$/),
      })
    expect(await store.unqueuedLeads()).toBe(0)
  })
})
