/** Page views and leads, counted together, on either engine and by several servers. */
import { setTimeout as sleep } from 'node:timers/promises'
import { beforeEach, expect, test } from 'vitest'
import { campaignKey, NO_CAMPAIGN, OTHER_CAMPAIGNS } from '../../../domain/campaign.ts'
import { ERASURE_KEY } from '../../../tests/faults/lead-store.ts'
import { createCalendar } from '../../calendar.ts'
import { onEachEngine } from '../contract/scene.ts'
import type { Store } from '../store.ts'
import { type FunnelGroup, type FunnelLine, funnelGroups } from './kept-counts.ts'
import type { PageCounts } from './page-counts.ts'

const timeZone = 'America/New_York'
const today = createCalendar(timeZone).dateOf(Date.now())
const news = campaignKey({ utm_source: 'news' })
const tv = campaignKey({ utm_source: 'tv' })

const seen = (differences: Partial<PageCounts> = {}): PageCounts => ({
  day: today,
  page: '/',
  variant: '',
  campaign: NO_CAMPAIGN,
  asks: true,
  views: 1,
  bots: 0,
  prefetches: 0,
  declined: 0,
  thanked: 0,
  ...differences,
})

onEachEngine('the funnel', scene => {
  let store: Store
  beforeEach(() => {
    store = scene.store
  })

  const { capture } = scene
  const funnel = async (by: FunnelGroup, since = '2000-01-01', until = '2999-12-31') =>
    new Map((await store.funnel({ by, since, until, timeZone })).map(line => [line.key, line]))
  const line = async (by: FunnelGroup, key: string): Promise<Partial<FunnelLine>> => (await funnel(by)).get(key) ?? {}
  const countAll = async (zone = timeZone) => {
    // Ids go by the millisecond: the leads of this one are left for the next time.
    await sleep(2)
    while (await store.countLeads({ timeZone: zone, restMs: 0 }));
  }
  const deliverAll = async () => {
    for (const { leadId, leaseToken } of await store.lease({ limit: 100, leaseMs: 60_000 })) {
      await store.settle({ leadId, leaseToken, durationMs: 1, status: 200, result: 'delivered' })
    }
  }

  test('views of several servers add up, each where it belongs', async () => {
    const other = await scene.open.again()
    await store.addPageCounts([seen({ views: 3, bots: 2 }), seen({ campaign: news, views: 5, declined: 2 })])
    await other.addPageCounts([seen({ views: 4, prefetches: 1 }), seen({ campaign: news, page: '/advertorial' })])
    await store.addPageCounts([])
    for (const post of [async () => {}, () => store.postPageCounts()]) {
      await post()
      expect(await line('campaign', NO_CAMPAIGN)).toMatchObject({ views: 7, bots: 2, prefetches: 1 })
      expect(await line('campaign', news)).toMatchObject({ views: 6, declined: 2 })
      expect(await line('page', '/')).toMatchObject({ views: 12, declined: 2, asks: true })
      expect(await line('day', today)).toMatchObject({ views: 13 })
    }
  })

  test('while servers note views and post them, each view is there once at every look', async () => {
    const other = await scene.open.again()
    let [added, noted, looking] = [0, 0, true]
    const note = async () => {
      for (; added < 300; noted++) {
        added++
        await (added % 2 ? store : other).addPageCounts([seen({ campaign: news })])
      }
    }
    const post = async (by: Store) => {
      for (; looking; await sleep(1)) await by.postPageCounts()
    }
    const look = async () => {
      for (; noted < 300; await sleep(1)) {
        const before = noted
        const [views = 0, asPage = 0] = [(await line('campaign', news)).views, (await line('page', '/')).views]
        expect(views).toBeGreaterThanOrEqual(before)
        expect(asPage).toBeGreaterThanOrEqual(views)
        expect(asPage).toBeLessThanOrEqual(added)
      }
    }
    const posting = [post(store), post(other)]
    await Promise.all([note(), look()]).finally(() => {
      looking = false
    })
    await Promise.all(posting)
    expect(await line('campaign', news)).toMatchObject({ views: 300 })
  })

  test('a page without the questionnaire is among the pages, and in no funnel', async () => {
    await store.addPageCounts([seen({ page: '/privacy', asks: false, views: 9 }), seen()])
    for (const post of [async () => {}, () => store.postPageCounts()]) {
      await post()
      expect(await line('page', '/privacy')).toMatchObject({ views: 9, asks: false })
      expect(await line('campaign', NO_CAMPAIGN)).toMatchObject({ views: 1 })
    }
  })

  test('only the days that are asked for are counted, the first and the last included', async () => {
    const days = ['2030-01-30', '2030-01-31', '2030-02-01', '2030-02-02']
    await store.addPageCounts(days.map(day => seen({ day })))
    expect([...(await funnel('day', '2030-01-31', '2030-02-01')).keys()].toSorted()).toEqual(days.slice(1, 3))
  })

  test('over whole months and parts of months, campaigns have what their days have', async () => {
    const days = ['2030-01-01', '2030-01-15', '2030-01-31', '2030-02-01', '2030-02-28', '2030-03-01', '2030-03-31']
    // Of each day another number, so that no day stands in for another.
    const counts = days.flatMap((day, index) => [
      seen({ day, campaign: news, views: 2 ** index, declined: 1 }),
      seen({ day, campaign: news, page: '/advertorial', variant: 'b', bots: 2 ** index }),
      seen({ day, campaign: tv, page: '/privacy', asks: false }),
    ])
    await store.addPageCounts(counts)
    await store.postPageCounts()
    // Once more: what is there already is added to.
    await store.addPageCounts(counts)
    await store.postPageCounts()
    for (const since of ['2029-12-31', ...days, '2030-02-15']) {
      for (const until of [...days, '2030-02-15', '2030-04-01']) {
        const asked = days.filter(day => day >= since && day <= until)
        const views = asked.reduce((sum, day) => sum + 2 * 2 ** days.indexOf(day) + 2, 0)
        const { [news]: line, ...others } = Object.fromEntries(await funnel('campaign', since, until))
        expect([since, until, line?.views ?? 0, line?.declined ?? 0, others]).toEqual([
          ...[since, until, views, 2 * asked.length],
          {},
        ])
      }
    }
  })

  test('what a page had before it asked is in its funnel from then on, with what follows', async () => {
    await store.addPageCounts([seen({ asks: false, views: 3 }), seen({ asks: false, views: 5, campaign: news })])
    await store.addPageCounts([seen({ views: 1, campaign: news })])
    await store.postPageCounts()
    expect([...(await funnel('campaign'))]).toMatchObject([[news, { views: 6 }]])
    expect(await line('day', today)).toMatchObject({ views: 6 })
    expect(await line('page', '/')).toMatchObject({ views: 9, asks: true })
  })

  test('100,000 invented campaigns leave 200 rows a day, also by servers that count at the same time', async () => {
    const other = await scene.open.again()
    const invented = (from: number) =>
      Array.from({ length: 5000 }, (_, index) => seen({ campaign: campaignKey({ utm_source: `${from + index}` }) }))
    await store.addPageCounts([seen({ campaign: news })])
    for (let from = 0; from < 100_000; from += 10_000) {
      await Promise.all([store.addPageCounts(invented(from)), other.addPageCounts(invented(from + 5000))])
      if (from === 50_000) await Promise.all([store.postPageCounts(), other.postPageCounts()])
    }
    await store.addPageCounts([seen(), seen({ campaign: news })])
    for (const post of [async () => {}, () => store.postPageCounts()]) {
      await post()
      const lines = await funnel('campaign')
      expect(lines.size).toBe(200)
      expect(lines.get(news)).toMatchObject({ views: 2 })
      expect(lines.get(NO_CAMPAIGN)).toMatchObject({ views: 1 })
      expect(lines.get(OTHER_CAMPAIGNS)).toMatchObject({ views: 100_000 - 197 })
    }
    // The next day has room of its own.
    await store.addPageCounts([seen({ day: '2999-01-01', campaign: campaignKey({ utm_source: '99999' }) })])
    expect((await funnel('campaign')).size).toBe(201)
  })

  test('leads are counted under the campaign and the variant they came by, whatever the id of their click', async () => {
    await capture('ada', { campaign: { utm_source: 'news', gclid: '1' }, variant: 'plain' })
    await capture('bob', { campaign: { utm_source: 'news', gclid: '2' }, page: '/advertorial' })
    await capture('bob', { campaign: { utm_source: 'news', gclid: '3' } })
    await capture('eve', { campaign: { utm_source: 'tv' }, holdReason: 'a link in the name' })
    await deliverAll()
    const clicked = campaignKey({ utm_source: 'news', gclid: 'x' })
    for (const counted of [false, true]) {
      if (counted) await countAll()
      expect([counted, await line('campaign', clicked)]).toMatchObject([
        counted,
        { submitted: 3, leads: 2, delivered: 2, views: 0 },
      ])
      expect(await line('campaign', tv)).toMatchObject({ submitted: 1, leads: 0, delivered: 0 })
      expect(await line('variant', 'plain')).toMatchObject({ submitted: 1, leads: 1, delivered: 1 })
      expect(await line('page', '/advertorial')).toMatchObject({ submitted: 1, leads: 1 })
      expect(await line('day', today)).toMatchObject({ submitted: 4, leads: 2, delivered: 2 })
    }
  })

  test('what changes after it was counted is counted anew: delivered, released, delivered again, erased', async () => {
    const { id } = await capture('ada', { campaign: { utm_source: 'news' } })
    const held = await capture('eve', { campaign: { utm_source: 'news' }, holdReason: 'a link in the name' })
    await countAll()
    expect(await line('campaign', news)).toMatchObject({ submitted: 2, leads: 1, delivered: 0 })
    const changes: readonly [string, () => Promise<unknown>, Partial<FunnelLine>][] = [
      ['delivered', deliverAll, { submitted: 2, leads: 1, delivered: 1 }],
      ['released', () => store.release({ ids: [held.id], by: 'Maria' }), { submitted: 2, leads: 2, delivered: 1 }],
      ['again', () => store.redeliver({ id, by: 'Maria' }), { submitted: 2, leads: 2, delivered: 0 }],
      ['delivered again', deliverAll, { submitted: 2, leads: 2, delivered: 2 }],
      ['erased', () => store.erase({ ids: [id], key: ERASURE_KEY }), { submitted: 1, leads: 1, delivered: 1 }],
    ]
    for (const [name, change, expected] of changes) {
      await change()
      // Before it was counted anew, and after.
      expect([name, await line('campaign', news)]).toMatchObject([name, expected])
      await countAll()
      expect([name, await line('campaign', news)]).toMatchObject([name, expected])
    }
    // Nobody knows any more which campaign the erased one came by.
    expect(await line('campaign', NO_CAMPAIGN)).toMatchObject({ submitted: 1, leads: 1, delivered: 1 })
  })

  test('leads that come after the others were counted are added, and none is counted twice', async () => {
    await capture('ada')
    await countAll()
    await capture('bob')
    expect(await line('page', '/')).toMatchObject({ submitted: 2 })
    await Promise.all([countAll(), scene.open.again().then(other => other.countLeads({ timeZone, restMs: 0 }))])
    await countAll()
    expect(await line('page', '/')).toMatchObject({ submitted: 2 })
    expect(await store.countLeads({ timeZone, restMs: 0 })).toBe(false)
  })

  test('several groups at once have the same leads as each by itself: counted, changed since, and not counted yet', async () => {
    await store.addPageCounts([seen({ views: 3 }), seen({ page: '/advertorial', views: 2 })])
    await capture('ada', { campaign: { utm_source: 'news' } })
    await countAll()
    await deliverAll()
    await capture('bob', { page: '/advertorial' })
    const days = { since: '2000-01-01', until: '2999-12-31', timeZone }
    const all = await store.funnels({ by: funnelGroups, ...days })
    for (const by of funnelGroups) {
      expect([by, new Set(all[by])]).toEqual([by, new Set(await store.funnel({ by, ...days }))])
      expect([by, all[by].reduce((sum, { submitted }) => sum + submitted, 0)]).toEqual([by, 2])
    }
    expect(all.campaign).toContainEqual(expect.objectContaining({ key: news, submitted: 1, delivered: 1 }))
  })

  test('young leads are left to be counted later', async () => {
    await capture('ada')
    while (await store.countLeads({ timeZone, restMs: 60_000 }));
    await deliverAll()
    expect(await line('page', '/')).toMatchObject({ submitted: 1, leads: 1, delivered: 1 })
  })

  test('in another time zone the leads are counted by its days', async () => {
    await capture('ada')
    await countAll()
    await countAll('Pacific/Kiritimati')
    const day = createCalendar('Pacific/Kiritimati').dateOf(Date.now())
    const lines = await store.funnel({ by: 'day', since: day, until: day, timeZone: 'Pacific/Kiritimati' })
    expect(lines).toMatchObject([{ key: day, submitted: 1 }])
    expect([...(await funnel('page')).values()]).toMatchObject([{ submitted: 1 }])
  })

  test('a campaign has its name or none before its views are posted as after it', async () => {
    const named = (count: number, from: number, page: Partial<PageCounts>) =>
      Array.from({ length: count }, (_, index) =>
        seen({ campaign: campaignKey({ utm_source: `${from + index}` }), ...page }),
      )
    await store.addPageCounts(named(196, 0, { page: '/privacy', asks: false }))
    await store.addPageCounts(named(5, 1000, {}))
    const before = await funnel('campaign')
    expect([...before.values()].map(({ views }) => views).toSorted()).toEqual([1, 1, 3])
    await store.postPageCounts()
    expect(await funnel('campaign')).toEqual(before)
  })

  test('leads of campaigns that have no row of their own are counted with all others, too', async () => {
    const full = Array.from({ length: 300 }, (_, index) => seen({ campaign: campaignKey({ utm_source: `${index}` }) }))
    await store.addPageCounts(full)
    await store.postPageCounts()
    await capture('ada', { campaign: { utm_source: 'late' } })
    for (const counted of [false, true]) {
      if (counted) await countAll()
      expect([counted, await line('campaign', OTHER_CAMPAIGNS)]).toMatchObject([counted, { submitted: 1 }])
    }
  })

  test('all servers get the secret of the first', async () => {
    const other = await scene.open.again()
    const secrets = await Promise.all([store.dealingSecret('one'), other.dealingSecret('two')])
    expect(secrets[0]).toBe(secrets[1])
    expect(await store.dealingSecret('three')).toBe(secrets[0])
  })
})
