import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { campaignKey } from '../../domain/campaign.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import type { PageCounts } from '../../server/store/visits/page-views.ts'
import { specified } from '../../tests/specification/specified.ts'
import { insertLeads } from '../../tests/support/lead-fixtures.ts'
import { leads } from '../../tests/support/leads-command.ts'
import { storePerTest } from '../../tests/support/store-engines.ts'

const store = storePerTest()

async function count(views: readonly Partial<PageCounts>[], reached: readonly number[] = []): Promise<void> {
  const at = { day: '2030-01-15', page: '/', variant: '' }
  const none = { campaign: '', asks: true, views: 0, bots: 0, prefetches: 0, declined: 0, thanked: 0 }
  const server = openSqliteStore(store.file)
  await server.addPageCounts({
    views: views.map(each => ({ ...at, ...none, ...each })),
    questions: reached.map((each, index) => ({ ...at, campaign: '', question: index + 1, reached: each })),
  })
  await server.close()
}

const json = async (...argv: readonly string[]) => JSON.parse((await leads(['funnel', '--json', ...argv], store)).out)

test('shows a line per campaign or page, the total, and what each stage means', async () => {
  // Three newsletter leads (two delivered, one repeat), and one without a campaign.
  insertLeads(store.file, [
    { delivery: 'delivered' },
    { delivery: 'delivered', email: 'bob@example.org' },
    { delivery: null, state: 'repeat' },
    { delivery: 'pending', campaign: {}, page: '/advertorial', email: 'eve@example.org' },
  ])
  const search = { utm_source: 'search', utm_medium: 'cpc', utm_campaign: 'spring', gclid: 'x' }
  await count([
    { campaign: campaignKey({ utm_source: 'news' }), views: 50, declined: 7, bots: 1200 },
    { campaign: campaignKey(search), views: 1000 },
    { page: '/advertorial', views: 150, prefetches: 1 },
    { page: '/privacy', asks: false, views: 5000 },
  ])
  const { code, out, err } = await leads(['funnel'], { ...store, terminal: { columns: 80 } })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  for (const line of [
    /^2029-12-18 to 2030-01-16 \(UTC\)\n\nCAMPAIGN +VIEWED +FINISHED /,
    /^news +50 +10 +3 +2 +2 +4\.0%$/m,
    /^No campaign +150 +1 +1 +1 +0 +0\.7%$/m,
    /^spring · search .* 1,000 +0 +0 +0 +0 +0\.0%$/m,
    /^Total +1,200 +11 +4 +3 +2 +0\.3%$/m,
    /^Not included: 1,200 views by bots, 1 page prefetched by browsers\.$/m,
    ...['viewed', 'finished', 'qualified', 'leads', 'delivered'].map(stage => new RegExp(`^${stage}  +[a-z]`, 'm')),
  ]) {
    expect(out).toMatch(line)
  }
  for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80)
  expect(await json()).toMatchObject([
    { campaign: 'spring · search / cpc (ad click)', viewed: 1000, leads: 0 },
    { campaign: 'No campaign', viewed: 150, leads: 1, prefetches: 1 },
    { campaign: 'news', viewed: 50, finished: 10, qualified: 3, leads: 2, delivered: 2 },
  ])
  // Pages without questions are listed, but no total includes them.
  const { out: pages } = await leads(['funnel', '--by', 'page'], store)
  for (const line of [/^\/privacy +5,000 +0/m, /^\/advertorial +150 +1 +1 +1 +0 /m, /^Total +1,200 /m])
    expect(pages).toMatch(line)
})

test('--by language names each language', async () => {
  await count([{ views: 10 }, { page: '/es/', views: 4 }])
  expect(await json('--by', 'language')).toMatchObject([
    { language: 'English', viewed: 10 },
    { language: 'Spanish', viewed: 4 },
  ])
})

test('if leads go straight to a webhook, counts visits to the thank-you page; days are in order', async () => {
  await count([
    { views: 10, declined: 2, thanked: 3 },
    { day: '2030-01-14', views: 5 },
  ])
  const env = { SITE_LEAD_ENDPOINT: 'https://hooks.example.org/lead' }
  const { out } = await leads(['funnel'], { ...store, env })
  expect(out).toMatch(/^No campaign +15 +5 +3 +- +- +20\.0%$/m)
  expect(out).not.toMatch(/^leads /m)
  expect(await json('--by', 'day')).toMatchObject([{ day: '2030-01-14', viewed: 5 }, { day: '2030-01-15' }])
})

test('--by variant reports only significant differences, and lists previews separately', async () => {
  const names = { original: 50, plain: 90, bold: 20, large: 55, 'preview:plain': 1 }
  await count(['original', 'plain', 'bold', 'large'].map(variant => ({ variant, views: 1000 })))
  const database = new DatabaseSync(store.file)
  for (const [name, total] of Object.entries(names)) {
    const emails = Array.from({ length: total }, (_, index) => ({ email: `${name}-${index}@example.org` }))
    // `insertLeads` can't set a variant.
    for (const id of insertLeads(store.file, emails))
      database.prepare('UPDATE leads SET variant = ? WHERE id = ?').run(name, id)
  }
  database.close()
  const { out } = await leads(['funnel', '--by', 'variant'], store)
  for (const verdict of [
    'plain: more leads than original (+1.8 to +6.3',
    'bold: fewer leads than original (-4.7 to -1.4',
    'large: no significant difference yet from original (-1.5 to +2.5',
  ]) {
    expect(out).toContain(`\n${verdict} points, 95% confidence).\n`)
  }
  expect(out).toMatch(/^\(preview of plain\) +0 +1 +1 +1/m)
  const rows = (await json('--by', 'variant')) as { variant: string; difference?: object }[]
  const compared = rows.filter(({ difference }) => difference).map(({ variant }) => variant)
  expect(compared.toSorted()).toEqual(['bold', 'large', 'plain'])
})

// An operator can add questions.
specified('shows where people drop off at each of the six questions', async () => {
  await count([{ views: 50, declined: 8 }], [40, 30, 30, 28, 28, 27, 20])
  const { out } = await leads(['funnel', '--by', 'question'], store)
  for (const line of [/^1\. .+ +50 +20 +40\.0%$/m, /^6\. .+ +27 +7 +25\.9%$/m, /^Contact form +12 +12 +100\.0%$/m])
    expect(out).toMatch(line)
  const steps = await json('--by', 'question')
  expect(steps).toHaveLength(7)
  expect(steps[0]).toEqual({ question: 1, reached: 50, left: 20 })
})
