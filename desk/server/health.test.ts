import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { readConfig } from '../../server/config.ts'
import { type DeskUnderTest, deskOver, type Visitor } from '../../tests/support/desk.ts'
import { submissionOf } from '../../tests/support/lead-store.ts'
import { engines, type OpenEngine } from '../../tests/support/store-engines.ts'
import { MisbehavingWebhook } from '../../tests/support/webhook.ts'
import type { Health } from '../browser/client.ts'
import { launchPoints } from './health.ts'

describe.each(engines)('health, on $name', engine => {
  let open: OpenEngine
  let desk: DeskUnderTest
  let maria: Visitor

  beforeEach(async () => {
    open = await engine.open()
    desk = deskOver(open.store)
    maria = await desk.signedIn('Maria Lopez', 'editor')
  })
  afterEach(() => open.remove())

  const health = async () => (await (await maria.ask('/api/health')).json()) as Health
  /** The request that every view makes, for any role. */
  const isPaused = async () => (await (await desk.signedIn('Lou Looker', 'viewer')).ask('/api/pulse')).json()

  test('shows settings, alerts, storage, and the last backup', async () => {
    const consent = await open.store.saveConsentText(JSON.stringify({ text: 'I agree', button: 'Call me' }))
    await open.store.capture(submissionOf('Zebulon', consent))
    await open.store.saveAlert({
      id: 'a',
      code: 'lead_flood',
      text: 'Many.',
      source: 'x',
      startedAt: Date.now() - 2,
      endedAt: Date.now(),
    })
    await open.store.raiseAlert({ id: 'b', code: 'deliveries_stuck', text: 'Stuck.', worse: false })
    const before = await health()
    expect(before).toMatchObject({
      alerts: { active: [{ code: 'deliveries_stuck', text: 'Stuck.' }], resolved: [{ code: 'lead_flood' }] },
      store: { leads: 1, leadsLast7Days: 1, leadsLast30Days: 1, bytesPerMonth: before.store.bytes },
      deliveries: { pause: null, waiting: 1, dead: 0, webhook: null },
      backup: null,
    })
    expect(before.store.bytes).toBeGreaterThan(10_000)
    expect(before.settings).toContainEqual({ name: 'TIME_ZONE', value: 'America/New_York' })
    await open.store.recordBackup({ leads: 1 })
    expect((await health()).backup).toEqual({ madeAt: expect.any(Number), leads: 1 })
    await open.store.recordBackup({ leads: 2 })
    expect((await health()).backup?.leads).toBe(2)
  })

  test('pausing and resuming deliveries records who did it', async () => {
    const paused = await maria.ask('/api/health/pause', { body: { reason: ' the CRM is being moved ' } })
    expect(((await paused.json()) as Health).deliveries.pause).toMatchObject({
      by: 'Maria Lopez',
      reason: 'the CRM is being moved',
    })
    expect(await isPaused()).toMatchObject({ paused: true })
    const resumed = await maria.ask('/api/health/resume', { body: {} })
    const { alerts, deliveries } = (await resumed.json()) as Health
    expect(deliveries.pause).toBeNull()
    expect(await isPaused()).toMatchObject({ paused: false })
    expect(alerts.resolved).toMatchObject([
      { text: 'Deliveries were paused by Maria Lopez, and resumed by Maria Lopez.' },
    ])
    expect((await maria.ask('/api/health/pause', { body: { reason: 'x'.repeat(201) } })).status).toBe(400)
  })
})

test('the launch checklist describes pages and settings in sentences', () => {
  const notes = {
    points: [
      { code: 'sample_testimonial', subject: 'Ada L.' },
      { code: 'placeholder_text', subject: '/privacy', detail: '[address]' },
      { code: 'legal_draft', subject: 'Terms of Use' },
    ],
    justified: ['legal_draft:Terms of Use'],
  } as const
  const points = launchPoints(notes, readConfig({ TRUSTEDFORM: 'on' }), Date.UTC(2030, 0, 1))
  expect(points?.open.map(({ words }) => words)).toEqual(
    expect.arrayContaining([
      'Sample testimonials are shown: Ada L.. Fake testimonials are illegal (16 CFR 465.2). Replace them with real ones, or remove them.',
      'Placeholder text: “[address]” on /privacy.',
      'LEAD_WEBHOOK_URL is not set: leads are stored, but no one receives them.',
    ]),
  )
  expect(points?.open.filter(({ code }) => code === 'legal_draft' || code === 'trusted_form_off')).toEqual([])
})

test('a figure that expires soon says how long it is valid', () => {
  const figure = { code: 'figure_expired', subject: 'benefit', detail: '$4,018', from: '2030-01-15' } as const
  const points = launchPoints({ points: [figure], justified: [] }, readConfig({}), Date.UTC(2030, 0, 1))
  expect(points?.soon).toEqual([{ code: 'figure_expired', words: 'benefit ($4,018) is valid through Jan 14, 2030.' }])
})

test('findings of an older version are shown by their code', () => {
  const points = [
    { code: 'placeholder_text', subject: '/privacy' },
    { code: 'no_longer_known', subject: '/terms' },
  ] as const
  const open = launchPoints({ points: points as never, justified: [] }, readConfig({}), Date.UTC(2030, 0, 1))?.open
  const words = open?.map(point => point.words) ?? []
  expect(words).toEqual(expect.arrayContaining(['placeholder_text: /privacy', 'no_longer_known: /terms']))
  expect(words.filter(sentence => sentence.includes('undefined'))).toEqual([])
})

test('a test lead is sent to the webhook but not stored, and the response reports the result', async () => {
  const open = await (engines[0] as (typeof engines)[0]).open()
  const webhook = new MisbehavingWebhook()
  await webhook.up()
  const send = async (env: Readonly<Record<string, string>>) => {
    const maria = await deskOver(open.store, { env }).signedIn('Maria Lopez', 'editor')
    const answer = await maria.ask('/api/health/test-lead', { body: {} })
    return [answer.status, await answer.json()]
  }
  const env = { LEAD_WEBHOOK_URL: webhook.url }
  const responded = { delivered: true, words: expect.stringContaining('Responded with status 200') }
  expect(await send(env)).toMatchObject([200, responded])
  expect(webhook.deliveries.map(({ query }) => query['firstName'])).toEqual(['Test'])
  webhook.behave = () => ({ status: 500 })
  expect(await send(env)).toMatchObject([200, { delivered: false, words: expect.stringContaining('retried later') }])
  expect(await send({})).toMatchObject([409, { message: expect.stringContaining('LEAD_WEBHOOK_URL') }])
  expect(await open.store.count({})).toBe(0)
  await webhook.down()
  await open.remove()
})
