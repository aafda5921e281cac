import { DatabaseSync } from 'node:sqlite'
import { describe, expect, test } from 'vitest'
import { campaignKey } from '../../domain/campaign.ts'
import type { PageCounts } from '../../server/store/page-views.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { insertLeads, someLead } from '../../tests/support/lead-fixtures.ts'
import { leads } from '../../tests/support/leads-command.ts'
import { storePerTest } from '../../tests/support/store-engines.ts'

const store = storePerTest()

const seen = (differences: Partial<PageCounts> = {}): PageCounts => ({
  ...{ day: '2030-01-15', page: '/', variant: '', campaign: '', asks: true },
  ...{ views: 0, bots: 0, prefetches: 0, declined: 0, thanked: 0 },
  ...differences,
})

async function count(...counts: readonly PageCounts[]): Promise<void> {
  const server = openSqliteStore(store.file)
  await server.addPageCounts({ views: counts, questions: [] })
  await server.close()
}

const news = campaignKey({ utm_source: 'news' })

/** Three newsletter leads (two delivered, one repeat), and one without a campaign. */
async function fill(): Promise<void> {
  insertLeads(store.file, [
    { delivery: 'delivered' },
    { delivery: 'delivered', email: 'bob@example.org' },
    { delivery: null, state: 'repeat' },
    { delivery: 'pending', campaign: {}, page: '/advertorial', email: 'eve@example.org' },
  ])
  await count(
    seen({ campaign: news, views: 50, declined: 7, bots: 1200 }),
    seen({
      campaign: campaignKey({ utm_source: 'search', utm_medium: 'cpc', utm_campaign: 'spring', gclid: 'x' }),
      views: 1000,
    }),
    seen({ page: '/advertorial', views: 150, prefetches: 1 }),
    seen({ page: '/privacy', asks: false, views: 5000 }),
  )
}

test('shows the stages as bars, a line per campaign, and what each stage means', async () => {
  await fill()
  const { code, out, err } = await leads(['funnel'], { ...store, terminal: { columns: 80 } })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^2029-12-18 to 2030-01-16, days in UTC\n\nviewed /)
  expect(out).toContain(
    '\nviewed     1,200    100%  ████████████████████████████████████████\nfinished      11    0.9%  █\n',
  )
  expect(out).toMatch(/^news +50 +10 +3 +2 +2 +4\.0%$/m)
  expect(out).toMatch(/^\(no campaign\) +150 +1 +1 +1 +0 +0\.7%$/m)
  expect(out).toMatch(/^search \/ cpc \/ .* 1,000 +0 +0 +0 +0 +0\.0%$/m)
  expect(out).toContain('Not included: 1,200 views by bots, 1 page prefetched by browsers.')
  for (const stage of ['viewed', 'finished', 'qualified', 'leads', 'delivered'])
    expect(out).toMatch(new RegExp(`^${stage}  +[a-z]`, 'm'))
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})

test('--by page also lists pages without questions, which no total includes', async () => {
  await fill()
  const { out } = await leads(['funnel', '--by', 'page'], store)
  expect(out).toMatch(/^viewed +1,200/m)
  expect(out).toMatch(/^\/privacy +5,000 +0/m)
  expect(out).toMatch(/^\/advertorial +150 +1 +1 +1 +0 /m)
})

test('--by day lists days in order, in the operator’s time zone', async () => {
  insertLeads(store.file, [{ receivedAt: Date.parse('2030-01-15T03:00:00Z') }])
  await count(seen({ views: 1 }), seen({ day: '2030-01-14', views: 2 }), seen({ day: '2030-01-13', views: 9 }))
  const { out } = await leads(['funnel', '--by', 'day', '--since', '2030-01-14'], {
    ...store,
    env: { TIME_ZONE: 'America/New_York' },
  })
  expect(
    out
      .match(/^2030-01-1\d +.*$/gm)
      ?.slice(1)
      .map(line => line.replaceAll(/ +/g, ' ')),
  ).toEqual([expect.stringMatching(/^2030-01-14 2 1 1 1 0 /), expect.stringMatching(/^2030-01-15 1 0 0 0 0 /)])
})

test('as JSON, every group is an object', async () => {
  await fill()
  const { out } = await leads(['funnel', '--json', '--limit', '1'], store)
  expect(JSON.parse(out)).toEqual([
    expect.objectContaining({ campaign: 'search / cpc / spring (click id)', viewed: 1000, leads: 0 }),
    expect.objectContaining({ campaign: '(no campaign)', viewed: 150, leads: 1, prefetches: 1 }),
    expect.objectContaining({ campaign: 'news', viewed: 50, finished: 10, qualified: 3, leads: 2, delivered: 2 }),
  ])
})

test('if leads go straight to a webhook, counts the thank-you page', async () => {
  await count(seen({ views: 10, declined: 2, thanked: 3 }))
  const env = { SITE_LEAD_ENDPOINT: 'https://hooks.example.org/lead' }
  const { out } = await leads(['funnel'], { ...store, env })
  expect(out).toMatch(/^finished +5 /m)
  expect(out).toMatch(/^qualified +3 /m)
  expect(out).toMatch(/^\(no campaign\) +10 +5 +3 +- +- +30\.0%$/m)
  expect(out).not.toMatch(/^leads /m)
})

test('says what to do if nothing was counted or an option is wrong', async () => {
  const { code, out, err } = await leads(['funnel', '--since', 'today'], store)
  expect({ code, out }).toEqual({ code: 0, out: '' })
  expect(err).toBe(
    'No views counted (2030-01-16).\nThe server counts views while it runs. Use --since to go further back.\n',
  )
  expect(await leads(['funnel', '--by', 'campagne'], store)).toMatchObject({
    code: 2,
    err: expect.stringContaining('Did you mean campaign?'),
  })
  expect(await leads(['funnel', '--limit', '0'], store)).toMatchObject({ code: 2 })
})

test('truncates the table at the default limit and says so', async () => {
  await count(
    ...Array.from({ length: 40 }, (_, index) => seen({ campaign: campaignKey({ utm_source: `s${index}` }), views: 1 })),
  )
  const { err } = await leads(['funnel'], store)
  expect(err).toBe('15 more. Use --limit to see them.\n')
})

test('a campaign’s name can’t control the terminal', async () => {
  await count(seen({ campaign: campaignKey({ utm_source: '\u001b[2J\u202eevil' }), views: 1 }))
  const { out } = await leads(['funnel'], store)
  for (const character of ['\u001b', '\u202e']) expect(out).not.toContain(character)
})

describe('variants', () => {
  const variant = (name: string, views: number) => seen({ variant: name, views })
  /** `insertLeads` can't set a variant. */
  async function leadsOf(name: string, count: number): Promise<void> {
    const ids = insertLeads(
      store.file,
      Array.from({ length: count }, (_, index) => ({
        email: `${name}-${index}@example.org`,
        receivedAt: someLead.receivedAt,
      })),
    )
    const database = new DatabaseSync(store.file)
    for (const id of ids) database.prepare('UPDATE leads SET variant = ? WHERE id = ?').run(name, id)
    database.close()
  }

  test('reports a difference only if it’s statistically significant', async () => {
    await count(...['original', 'plain', 'bold', 'large'].map(name => variant(name, 1000)))
    await leadsOf('original', 50)
    await leadsOf('plain', 90)
    await leadsOf('bold', 20)
    await leadsOf('large', 55)
    const { out } = await leads(['funnel', '--by', 'variant'], store)
    expect(out).toContain('\nplain: more leads than original (+1.8 to +6.3 points, 95% confidence).\n')
    expect(out).toContain('\nbold: fewer leads than original (-4.7 to -1.4 points, 95% confidence).\n')
    expect(out).toContain(
      '\nlarge: no significant difference yet from original (-1.5 to +2.5 points, 95% confidence).\n',
    )
    const { out: json } = await leads(['funnel', '--by', 'variant', '--json'], store)
    const rows = JSON.parse(json) as { variant: string; difference?: object }[]
    expect(rows.filter(({ difference }) => !difference)).toMatchObject([{ variant: 'original' }])
  })
})

test('a campaign is named by the parts it has', async () => {
  const campaigns = [{ utm_campaign: 'spring' }, { utm_source: 'radio', utm_campaign: 'show' }, { gclid: 'x' }]
  await count(...campaigns.map(campaign => seen({ campaign: campaignKey(campaign), views: 1 })))
  const { out } = await leads(['funnel'], store)
  for (const name of ['(no source) / spring', 'radio / show', '(click id)']) expect(out).toContain(`\n${name} `)
})

test('shows at which question people leave', async () => {
  const server = openSqliteStore(store.file)
  const reached = [40, 30, 30, 28, 28, 27, 20]
  await server.addPageCounts({
    views: [seen({ views: 50, declined: 8 })],
    questions: reached.map((count, index) => ({
      ...{ day: '2030-01-15', page: '/', variant: '' },
      ...{ question: index + 1, reached: count },
    })),
  })
  await server.close()
  const { out } = await leads(['funnel'], store)
  expect(out).toMatch(/^1\. .+ +40 +10 +25\.0%$/m)
  expect(out).toMatch(/^6\. .+ +27 +7 +25\.9%$/m)
  expect(out).toMatch(/^Contact form +12 +12 +100%$/m)
  const { out: json } = await leads(['funnel', '--by', 'question', '--json'], store)
  expect(JSON.parse(json)).toHaveLength(7)
  expect(JSON.parse(json)[0]).toEqual({ question: 1, reached: 40, left: 10 })
})

test('leads from a preview are listed separately, and not compared', async () => {
  insertLeads(store.file, [{}])
  new DatabaseSync(store.file).exec(`UPDATE leads SET variant = 'preview:plain'`)
  await count(seen({ variant: 'original', views: 9 }), seen({ variant: 'plain', views: 9 }))
  const { out } = await leads(['funnel', '--by', 'variant'], store)
  expect(out).toMatch(/^\(preview of plain\) +0 +1 +1 +1/m)
  expect(out).not.toMatch(/preview.*original/)
})
