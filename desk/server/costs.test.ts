/** What clients cost. Each number is as long as the list it opens, on both engines. */
import { describe, expect, test } from 'vitest'
import { campaignKey } from '../../domain/campaign.ts'
import { createTestDesk } from '../../tests/support/desk.ts'
import { bodyOf, deskPerTest } from '../../tests/support/desk-harness.ts'
import { ERASURE_KEY } from '../../tests/support/lead-store.ts'
import { engines, held } from '../../tests/support/store-engines.ts'
import type { Campaigns, Costs } from '../browser/client.ts'

const keyOf = (source: string) => campaignKey({ utm_source: source })
const [news, radio] = [keyOf('news'), keyOf('radio')]

describe.each(engines)('costs, on $name', engine => {
  const harness = deskPerTest(engine)
  const costs = (from: string, to: string) =>
    bodyOf<Costs>(harness.maria.fetch(`/api/costs?${new URLSearchParams({ from, to })}`))
  const count = async (filter: object) =>
    (await bodyOf<{ total: number }>(harness.maria.fetch('/api/leads/count', { body: { filter } }))).total
  const post = (path: string, body: object) => harness.maria.fetch(`/api/costs/${path}`, { body })
  const spend = (campaign: string, month: string, cents: number) =>
    bodyOf(post('spend', { entries: [{ campaign, month, cents }] }))

  test('every number is as long as the list it opens, whatever happened to the leads', async () => {
    const { store } = harness
    const campaigns = [{ utm_source: 'news' }, { utm_source: 'radio' }, {}]
    const ids: string[] = []
    for (let person = 0; person < 24; person++) {
      const onHold = person % 7 === 3 ? held : {}
      // Some submit twice.
      const name = `p${person - (person % 5 === 4 ? 3 : 0)}`
      ids.push(await harness.capture(name, { campaign: campaigns[person % 3] ?? {}, ...onHold }))
    }
    const on = '2026-01-31'
    for (const [index, leadId] of ids.entries()) {
      if (index % 4 === 0) await store.clientFromCrm({ webhookId: `${index}`, leadId, on })
    }
    await store.erase({ ids: [`${ids[8]}`, `${ids[9]}`], key: ERASURE_KEY, by: 'Maria' })
    await harness.change(`INSERT INTO standings (lead_id, story_id, campaign_key, due_at, tries, called, reached, going_ahead,
      wrong_number, never_call) SELECT leads.id, stories.id, leads.campaign_key, 0, 0, 1, 1, 1, 0, 0 FROM leads
      JOIN stories ON stories.phone = leads.phone WHERE leads.state = 'accepted'`)
    const month = (await costs('2020-01', '2020-01')).today.slice(0, 7)
    const { rows, total } = await costs(month, month)
    expect(total.clients).toBeGreaterThan(3)
    expect(total.goingAhead).toBeGreaterThan(3)
    for (const { filter, leads, goingAhead, clients } of [...rows, total]) {
      const lists = [{ state: 'accepted' }, { soFar: 'goingAhead' }, { soFar: 'client' }]
      const lengths = await Promise.all(lists.map(more => count({ ...filter, ...more })))
      expect([filter, lengths]).toEqual([filter, [leads, goingAhead, clients]])
    }
    const days = new URLSearchParams({ from: '2020-01-01', to: '2099-12-31' })
    const page = await bodyOf<Campaigns>(harness.maria.fetch(`/api/campaigns?${days}`))
    for (const { filter, submitted, leads } of page.campaigns) {
      const lengths = [await count({ ...filter }), await count({ ...filter, state: 'accepted' })]
      expect([filter, lengths]).toEqual([filter, [submitted, leads]])
    }
  })

  test('spend is entered by campaign and month, by hand or as a table, with its history', async () => {
    expect(await spend(news, '2030-01', 100_000)).toEqual({ changed: 1 })
    expect(await spend(news, '2030-01', 100_000)).toEqual({ changed: 0 })
    await spend(news, '2030-02', 5000)
    const table = 'utm_source,month,spend\nnews,2030-01,"1,200.00"\nradio,2030-01,7\nradio,2030-02,'
    expect(await bodyOf(post('table', { table }))).toEqual({ changed: 2 })
    const { rows, total, entered } = await costs('2030-01', '2030-02')
    expect(rows.map(({ campaign, cents }) => [campaign, cents])).toEqual([
      [news, 125_000],
      [radio, 700],
    ])
    expect([total.cents, (await costs('2030-02', '2030-02')).total.cents]).toEqual([125_700, 5000])
    expect(entered.filter(({ month }) => month === '2030-01').map(({ cents, by }) => [cents, by])).toEqual([
      [100_000, 'Maria Lopez'],
      [120_000, 'Maria Lopez'],
      [700, 'Maria Lopez'],
    ])
    // What's downloaded can be pasted back, and changes nothing.
    const file = await (await harness.maria.fetch('/api/costs/export?from=2030-01&to=2030-02')).text()
    expect(file).toContain(',news,,,2030-02,50.00,Maria Lopez,')
    expect(await bodyOf(post('table', { table: file }))).toEqual({ changed: 0 })
    const wrong = await post('table', { table: `${table}5\nradio,2030-03,free` })
    expect([wrong.status, (await wrong.json()).message]).toEqual([400, expect.stringContaining('line 5')])
    expect(await costs('2030-01', '2030-02')).toMatchObject({ total: { cents: 125_700 } })
  })

  test('who may enter spend, and which months there are, is checked', async () => {
    const agent = await createTestDesk(harness.store).signedIn('Joe Kim', 'agent')
    const entry = { campaign: news, month: '2030-01', cents: 5 }
    for (const path of ['spend', 'table'])
      expect((await agent.fetch(`/api/costs/${path}`, { body: { entries: [entry], table: 'x' } })).status).toBe(403)
    for (const wrong of [{ cents: -1 }, { cents: 1.5 }, { month: '2030-13' }, { campaign: 'x' }, { campaign: 'other' }])
      expect([wrong, (await post('spend', { entries: [{ ...entry, ...wrong }] })).status]).toEqual([wrong, 400])
    for (const search of ['', '?from=2030-02&to=2030-01', '?from=2030-1&to=2030-02', '?from=2000-01&to=2099-01'])
      expect([search, (await harness.maria.fetch(`/api/costs${search}`)).status]).toEqual([search, 400])
  })
})
