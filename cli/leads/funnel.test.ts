import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { campaignKey } from '../../domain/campaign.ts'
import type { PageCounts } from '../../server/store/page-views.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { insertLeads } from '../../tests/support/lead-fixtures.ts'
import { leads } from '../../tests/support/leads-command.ts'
import { storePerTest } from '../../tests/support/store-engines.ts'

const store = storePerTest()

const seen = (differences: Partial<PageCounts> = {}): PageCounts => ({
  ...{ day: '2030-01-15', page: '/', variant: '', campaign: '', asks: true },
  ...{ views: 0, bots: 0, prefetches: 0, declined: 0, thanked: 0 },
  ...differences,
})

async function count(views: readonly PageCounts[], reached: readonly number[] = []): Promise<void> {
  const server = openSqliteStore(store.file)
  const questions = reached.map((each, index) => ({
    ...{ day: '2030-01-15', page: '/', variant: '' },
    ...{ question: index + 1, reached: each },
  }))
  await server.addPageCounts({ views, questions })
  await server.close()
}

const search = campaignKey({ utm_source: 'search', utm_medium: 'cpc', utm_campaign: 'spring', gclid: 'x' })

/** Three newsletter leads (two delivered, one repeat), and one without a campaign. */
async function fill(): Promise<void> {
  insertLeads(store.file, [
    { delivery: 'delivered' },
    { delivery: 'delivered', email: 'bob@example.org' },
    { delivery: null, state: 'repeat' },
    { delivery: 'pending', campaign: {}, page: '/advertorial', email: 'eve@example.org' },
  ])
  await count([
    seen({ campaign: campaignKey({ utm_source: 'news' }), views: 50, declined: 7, bots: 1200 }),
    seen({ campaign: search, views: 1000 }),
    seen({ page: '/advertorial', views: 150, prefetches: 1 }),
    seen({ page: '/privacy', asks: false, views: 5000 }),
  ])
}

test('shows a line per campaign, the total, and what each stage means', async () => {
  await fill()
  const { code, out, err } = await leads(['funnel'], { ...store, terminal: { columns: 80 } })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/^2029-12-18 to 2030-01-16, days in UTC\n\nCAMPAIGN +VIEWED +FINISHED /)
  expect(out).toMatch(/^news +50 +10 +3 +2 +2 +4\.0%$/m)
  expect(out).toMatch(/^No campaign +150 +1 +1 +1 +0 +0\.7%$/m)
  expect(out).toMatch(/^spring · search .* 1,000 +0 +0 +0 +0 +0\.0%$/m)
  expect(out).toMatch(/^Total +1,200 +11 +4 +3 +2 +0\.3%$/m)
  expect(out).toContain('Not included: 1,200 views by bots, 1 page prefetched by browsers.')
  for (const stage of ['viewed', 'finished', 'qualified', 'leads', 'delivered'])
    expect(out).toMatch(new RegExp(`^${stage}  +[a-z]`, 'm'))
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
})

test('--by page also lists pages without questions, which no total includes', async () => {
  await fill()
  const { out } = await leads(['funnel', '--by', 'page'], store)
  expect(out).toMatch(/^\/privacy +5,000 +0/m)
  expect(out).toMatch(/^\/advertorial +150 +1 +1 +1 +0 /m)
  expect(out).toMatch(/^Total +1,200 /m)
})

test('--by day lists days in order, in the operator’s time zone', async () => {
  insertLeads(store.file, [{ receivedAt: Date.parse('2030-01-15T03:00:00Z') }])
  await count([seen({ views: 1 }), seen({ day: '2030-01-14', views: 2 }), seen({ day: '2030-01-13', views: 9 })])
  const env = { TIME_ZONE: 'America/New_York' }
  const { out } = await leads(['funnel', '--by', 'day', '--since', '2030-01-14'], { ...store, env })
  const days = out.match(/^2030-01-1\d +\d.*$/gm)?.map(line => line.replaceAll(/ +/g, ' '))
  expect(days).toEqual([
    expect.stringMatching(/^2030-01-14 2 1 1 1 0 /),
    expect.stringMatching(/^2030-01-15 1 0 0 0 0 /),
  ])
})

test('as JSON, every group is an object', async () => {
  await fill()
  const { out } = await leads(['funnel', '--json'], store)
  expect(JSON.parse(out)).toEqual([
    expect.objectContaining({ campaign: 'spring · search / cpc (ad click)', viewed: 1000, leads: 0 }),
    expect.objectContaining({ campaign: 'No campaign', viewed: 150, leads: 1, prefetches: 1 }),
    expect.objectContaining({ campaign: 'news', viewed: 50, finished: 10, qualified: 3, leads: 2, delivered: 2 }),
  ])
})

test('if leads go straight to a webhook, counts the thank-you page', async () => {
  await count([seen({ views: 10, declined: 2, thanked: 3 })])
  const env = { SITE_LEAD_ENDPOINT: 'https://hooks.example.org/lead' }
  const { out } = await leads(['funnel'], { ...store, env })
  expect(out).toMatch(/^No campaign +10 +5 +3 +- +- +30\.0%$/m)
  expect(out).not.toMatch(/^leads /m)
})

test('says what to do if nothing was counted', async () => {
  const err = 'No views counted (2030-01-16).\nThe server counts views while it runs. Use --since to go further back.\n'
  expect(await leads(['funnel', '--since', 'today'], store)).toEqual({ code: 0, out: '', err })
})

test('a campaign’s name can’t control the terminal', async () => {
  await count([seen({ campaign: campaignKey({ utm_source: '\u001b[2J\u202eevil' }), views: 1 })])
  const { out } = await leads(['funnel'], store)
  for (const character of ['\u001b', '\u202e']) expect(out).not.toContain(character)
})

test('--by variant reports only significant differences, and lists previews separately', async () => {
  const names = { original: 50, plain: 90, bold: 20, large: 55, 'preview:plain': 1 }
  await count(['original', 'plain', 'bold', 'large'].map(variant => seen({ variant, views: 1000 })))
  const database = new DatabaseSync(store.file)
  for (const [name, total] of Object.entries(names)) {
    const emails = Array.from({ length: total }, (_, index) => ({ email: `${name}-${index}@example.org` }))
    // `insertLeads` can't set a variant.
    for (const id of insertLeads(store.file, emails))
      database.prepare('UPDATE leads SET variant = ? WHERE id = ?').run(name, id)
  }
  database.close()
  const { out } = await leads(['funnel', '--by', 'variant'], store)
  const confidence = 'points, 95% confidence).\n'
  expect(out).toContain(`\nplain: more leads than original (+1.8 to +6.3 ${confidence}`)
  expect(out).toContain(`\nbold: fewer leads than original (-4.7 to -1.4 ${confidence}`)
  expect(out).toContain(`\nlarge: no significant difference yet from original (-1.5 to +2.5 ${confidence}`)
  expect(out).toMatch(/^\(preview of plain\) +0 +1 +1 +1/m)
  const { out: json } = await leads(['funnel', '--by', 'variant', '--json'], store)
  const rows = JSON.parse(json) as { variant: string; difference?: object }[]
  const compared = rows.filter(({ difference }) => difference).map(({ variant }) => variant)
  expect(compared.toSorted()).toEqual(['bold', 'large', 'plain'])
})

test('shows where people drop off', async () => {
  await count([seen({ views: 50, declined: 8 })], [40, 30, 30, 28, 28, 27, 20])
  const { out } = await leads(['funnel', '--by', 'question'], store)
  expect(out).toMatch(/^1\. .+ +40 +10 +25\.0%$/m)
  expect(out).toMatch(/^6\. .+ +27 +7 +25\.9%$/m)
  expect(out).toMatch(/^Contact form +12 +12 +100\.0%$/m)
  const steps = JSON.parse((await leads(['funnel', '--by', 'question', '--json'], store)).out)
  expect(steps).toHaveLength(7)
  expect(steps[0]).toEqual({ question: 1, reached: 40, left: 10 })
})
