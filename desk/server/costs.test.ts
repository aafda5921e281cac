/** What clients cost, on both engines. figures.test.ts compares the numbers with their lists. */
import { describe, expect, test } from 'vitest'
import { campaignKey } from '../../domain/campaigns/campaign.ts'
import { createTestDesk } from '../../tests/support/desk.ts'
import { bodyOf, deskPerTest } from '../../tests/support/desk-harness.ts'
import { engines } from '../../tests/support/store-engines.ts'
import type { Costs } from '../browser/client.ts'

const keyOf = (source: string) => campaignKey({ utm_source: source })
const [news, radio] = [keyOf('news'), keyOf('radio')]

describe.each(engines)('costs, on $name', engine => {
  const harness = deskPerTest(engine)
  const costs = (from: string, to: string) =>
    bodyOf<Costs>(harness.maria.fetch(`/api/costs?${new URLSearchParams({ from, to })}`))
  const post = (path: string, body: object) => harness.maria.fetch(`/api/costs/${path}`, { body })
  const spend = (campaign: string, month: string, cents: number) =>
    bodyOf(post('spend', { entries: [{ campaign, month, cents }] }))

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
    // What's downloaded can be pasted back, and changes nothing, whatever the campaigns are called.
    const odd = ['say "hi"', 'a;-b', '－c', "'=d", '\te,f\ng'].map(keyOf)
    const entries = odd.map((campaign, index) => ({ campaign, month: '2030-02', cents: index + 1 }))
    expect(await bodyOf(post('spend', { entries }))).toEqual({ changed: 5 })
    const file = await (await harness.maria.fetch('/api/costs/export?from=2030-01&to=2030-02')).text()
    expect(file).toContain(',news,,,2030-02,50.00,Maria Lopez,')
    expect(await bodyOf(post('table', { table: file }))).toEqual({ changed: 0 })
    for (const [more, message] of [
      ['5\nradio,2030-03,free', 'line 5'],
      ['5\nnews,1/2030,7', 'Lines 2 and 5'],
    ] as const) {
      const wrong = await post('table', { table: table + more })
      expect([wrong.status, (await wrong.json()).message]).toEqual([400, expect.stringContaining(message)])
    }
    expect(await costs('2030-01', '2030-02')).toMatchObject({ total: { cents: 125_715 } })
  })

  test('what’s paid is divided by whom the ads brought, and the page says for how many months it was entered', async () => {
    await harness.capture('ada', { campaign: { utm_source: 'news' } })
    await harness.capture('bob')
    const month = new Date(await harness.store.storeTime()).toISOString().slice(0, 7)
    const before = `${Number(month.slice(0, 4)) - 1}${month.slice(4)}`
    await spend(news, before, 10_000)
    await spend(radio, month, 5000)
    const { rows, total, months } = await costs(before, month)
    expect(months).toBe(13)
    expect(rows.map(({ campaign, enteredMonths, paid }) => [campaign, enteredMonths, paid.leads])).toEqual([
      [news, 1, 1],
      [radio, 1, 0],
      ['', 0, 0],
    ])
    expect(total).toMatchObject({ cents: 15_000, enteredMonths: 2, leads: { count: 2 }, paid: { leads: 1 } })
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
