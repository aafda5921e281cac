/** Counts of page views and leads, on both engines and with multiple servers. */

import { expect, test } from 'vitest'
import { campaignKey, NO_CAMPAIGN, OTHER_CAMPAIGNS } from '../../../domain/campaigns/campaign.ts'
import { DAY } from '../../../domain/durations.ts'
import { waysIn } from '../../../domain/leads/came-in.ts'
import { PHONE_PAGE } from '../../../domain/leads/phone-lead.ts'
import { ERASURE_KEY } from '../../../tests/support/lead-store.ts'
import { onEachEngine } from '../../../tests/support/store-engines.ts'
import { zoneAtNoon } from '../../../tests/support/zone-at-noon.ts'
import { createCalendar } from '../../settings/calendar.ts'
import { createLeadId } from '../facts/leads/lead-id.ts'
import type { PageCounts } from '../tables/page-views.ts'
import { type FunnelGroup, type FunnelLine, funnelGroups } from './funnel.ts'

const timeZone = zoneAtNoon()
const calendar = createCalendar(timeZone)
const today = calendar.dateOf(Date.now())
const news = campaignKey({ utm_source: 'news' })
const tv = campaignKey({ utm_source: 'tv' })

const pageCounts = (differences: Partial<PageCounts> = {}): PageCounts => ({
  day: today,
  page: '/',
  variant: '',
  campaign: NO_CAMPAIGN,
  asks: true,
  views: 1,
  declined: 0,
  thanked: 0,
  ...differences,
})

onEachEngine('the funnel', harness => {
  const { store, capture, deliverAll, testOnce } = harness

  const allDays = { since: '2000-01-01', until: '2999-12-31', timeZone }
  const funnel = async (by: FunnelGroup, days = allDays) =>
    new Map((await store.funnel({ by: funnelGroups, ...days }))[by].map(line => [line.key, line]))
  const line = async (by: FunnelGroup, key: string): Promise<Partial<FunnelLine>> => (await funnel(by)).get(key) ?? {}
  const addViews = (...views: PageCounts[]) => store.addPageCounts({ views, questions: [] })
  const rollUp = async (zone = timeZone) => {
    while (await store.rollUpLeads({ timeZone: zone }));
  }
  const erase = (id: string) => store.erase({ ids: [id], key: ERASURE_KEY, by: 'test' })
  /** Inserts a lead as if it had been received at this time. */
  async function insertLead(at: number, { state = 'accepted', delivery = 'pending' } = {}): Promise<string> {
    const id = createLeadId(at)
    const held = state === 'held' ? `'a link in the name'` : 'NULL'
    await harness.change(
      `INSERT INTO leads (id, received_at, state, held_reason, contact, email, phone, person_key, client_address, user_agent, page,
         campaign, campaign_key, variant, trusted_form, consent_version)
       VALUES ('${id}', ${at}, '${state}', ${held}, '{"firstName":"Ada","lastName":"L","dateOfBirth":"1968-12-10","email":"a@example.org",
         "phone":"(555) 010-2030"}', 'a@example.org', '5550102030', '${id}', '', '', '/', '{"utm_source":"news"}', '${news}', '', 'off',
         '${harness.consentVersion}')`,
    )
    if (state === 'accepted') {
      await harness.change(
        `INSERT INTO outbox (id, lead_id, lane, type, detail, state, attempts, next_at, created_at)
         VALUES ('${id}', '${id}', 'leads', 'lead.created', '{}', '${delivery}', 0, ${at}, ${at})`,
      )
    }
    return id
  }

  test('views counted on multiple servers at once add up by page, campaign, and variant', async () => {
    const servers = [store, await harness.openAnother(), await harness.openAnother()]
    const views = [
      pageCounts({ views: 3 }),
      pageCounts({ campaign: news, views: 5, declined: 2 }),
      pageCounts({ views: 4 }),
      pageCounts({ campaign: news, page: '/advertorial' }),
    ]
    const rounds = Array.from({ length: 30 }, (_, index) =>
      servers.map((server, at) =>
        server.addPageCounts({ views: (index + at) % 2 ? views : views.toReversed(), questions: [] }),
      ),
    )
    await Promise.all(rounds.flat())
    await addViews()
    expect(await line('campaign', NO_CAMPAIGN)).toMatchObject({ views: 7 * 90 })
    expect(await line('campaign', news)).toMatchObject({ views: 6 * 90, declined: 2 * 90 })
    expect(await line('page', '/')).toMatchObject({ views: 12 * 90, declined: 2 * 90, asks: true })
    expect(await line('day', today)).toMatchObject({ views: 13 * 90 })
  })

  test('a page without the questionnaire is listed under pages but isn’t part of any funnel', async () => {
    await addViews(pageCounts({ page: '/privacy', asks: false, views: 9 }), pageCounts())
    expect(await line('page', '/privacy')).toMatchObject({ views: 9, asks: false })
    expect(await line('campaign', NO_CAMPAIGN)).toMatchObject({ views: 1 })
  })

  test('a language’s views and leads are those of its pages, today and in the rollup', async () => {
    await addViews(pageCounts({ page: '/es/', views: 3 }), pageCounts({ page: '/es/advertorial' }), pageCounts())
    await addViews(pageCounts({ page: '/es/thank-you', asks: false, views: 9 }))
    // An agent may have corrected the lead's own language.
    await capture('ada', { page: '/es/', language: 'en' })
    const old = await insertLead(Date.now() - 3 * DAY)
    await harness.change(`UPDATE leads SET page = '/es/advertorial', language = 'es' WHERE id = '${old}'`)
    await rollUp()
    expect([...(await funnel('language')).keys()].toSorted()).toEqual(['en', 'es'])
    expect(await line('language', 'es')).toMatchObject({ views: 4, submitted: 2, leads: 2 })
    expect(await line('language', 'en')).toMatchObject({ views: 1, submitted: 0 })
  })

  test('only the requested days are counted, including the first and last', async () => {
    const days = ['2030-01-30', '2030-01-31', '2030-02-01', '2030-02-02']
    await addViews(...days.map(day => pageCounts({ day })))
    const found = await funnel('day', { since: '2030-01-31', until: '2030-02-01', timeZone })
    expect([...found.keys()].toSorted()).toEqual(days.slice(1, 3))
  })

  const fakeCampaigns = (count: number) =>
    Array.from({ length: count }, (_, index) => pageCounts({ campaign: campaignKey({ utm_source: `${index}` }) }))

  test('a thousand fake campaigns add at most 200 rows a day; a campaign with leads still gets its own row', async () => {
    await addViews(pageCounts({ campaign: news }))
    await addViews(...fakeCampaigns(1000))
    await addViews(pageCounts(), pageCounts({ campaign: news }))
    const lines = await funnel('campaign')
    expect(lines.size).toBe(200)
    expect(lines.get(news)).toMatchObject({ views: 2 })
    expect(lines.get(OTHER_CAMPAIGNS)).toMatchObject({ views: 1000 - 197 })
    await capture('ada', { campaign: { utm_source: 'tv' } })
    await addViews(pageCounts({ campaign: tv, views: 7 }))
    expect(await line('campaign', tv)).toMatchObject({ views: 7, submitted: 1 })
    // The next day has its own limit.
    await addViews(pageCounts({ day: '2999-01-01', campaign: campaignKey({ utm_source: '999' }) }))
    expect((await funnel('campaign')).size).toBe(202)
  })

  test('first submissions of the form are received; repeats, people on the phone, and corrected numbers are apart', async () => {
    await capture('ada')
    await capture('ada')
    await capture('eve', { holdReason: 'a link in the name' })
    await capture('eve')
    await capture('pat', { page: PHONE_PAGE, consentTakenBy: 'Maria' })
    await capture('ann', { replacing: [] })
    expect(await line('day', today)).toMatchObject({ submitted: 6, received: 2, leads: 4 })
    const counts = await Promise.all(waysIn.map(async cameIn => [cameIn, await store.count({ cameIn })]))
    expect(counts).toEqual([
      ['form', 2],
      ['repeat', 2],
      ['phone', 1],
      ['correction', 1],
    ])
  })

  test('leads count toward their campaign and variant, regardless of click ID', async () => {
    const { id } = await capture('ada', { campaign: { utm_source: 'news', gclid: '1' }, variant: 'plain' })
    await capture('bob', { campaign: { utm_source: 'news', gclid: '2' }, page: '/advertorial' })
    await capture('bob', { campaign: { utm_source: 'news', gclid: '3' } })
    await capture('eve', { campaign: { utm_source: 'tv' }, holdReason: 'a link in the name' })
    await deliverAll()
    const clicked = campaignKey({ utm_source: 'news', gclid: 'x' })
    expect(await line('campaign', clicked)).toMatchObject({ submitted: 3, leads: 2, delivered: 2, views: 0 })
    expect(await line('campaign', tv)).toMatchObject({ submitted: 1, leads: 0, delivered: 0 })
    expect(await line('variant', 'plain')).toMatchObject({ submitted: 1, leads: 1, delivered: 1 })
    expect(await line('page', '/advertorial')).toMatchObject({ submitted: 1, leads: 1 })
    expect(await line('day', today)).toMatchObject({ submitted: 4, leads: 2, delivered: 2 })
    await store.resend({ ids: [id], again: true, by: 'Maria' })
    expect(await line('day', today)).toMatchObject({ leads: 2, delivered: 1 })
  })

  test('a change to a past day shows after a day, an erasure at once, and neither after 35 days', async () => {
    await insertLead(Date.now() - 5 * DAY)
    const [erased, old] = [await insertLead(Date.now() - 5 * DAY), await insertLead(Date.now() - 40 * DAY)]
    const held = await insertLead(Date.now() - 9 * DAY, { state: 'held' })
    await rollUp()
    const before = { submitted: 4, leads: 3, delivered: 0 }
    expect(await line('campaign', news)).toMatchObject(before)
    await deliverAll()
    await store.approve({ ids: [held], by: 'Maria' })
    await rollUp()
    expect(await line('campaign', news)).toMatchObject(before)
    for (const id of [old, erased]) await erase(id)
    expect(await line('campaign', news)).toMatchObject({ submitted: 3, leads: 2 })
    expect(await line('campaign', NO_CAMPAIGN)).toMatchObject({ submitted: 1, leads: 0, delivered: 0 })
    await harness.change(
      `UPDATE rolled_up_days SET counted_at = counted_at - ${DAY + 1} WHERE day IN (SELECT day FROM lead_counts)`,
    )
    await rollUp()
    expect(await line('campaign', news)).toMatchObject({ submitted: 3, leads: 3, delivered: 1 })
  })

  testOnce('after the clock is set back, past days are recounted', async () => {
    await insertLead(Date.now() - 5 * DAY)
    await rollUp()
    await deliverAll()
    await harness.change(`UPDATE rolled_up_days SET counted_at = counted_at + ${DAY}`)
    await rollUp()
    expect(await line('campaign', news)).toMatchObject({ delivered: 1 })
  })

  test('past days come from the rollup, the last three days are counted live, and both can be of one campaign', async () => {
    await insertLead(Date.now() - 5 * DAY)
    await capture('ada', { campaign: { utm_source: 'news' }, variant: 'plain' })
    await capture('bob', { campaign: { utm_source: 'tv' }, variant: 'plain' })
    await addViews(pageCounts({ campaign: news, variant: 'plain', views: 3 }), pageCounts({ campaign: tv, views: 9 }))
    await rollUp()
    expect(await store.rollUpLeads({ timeZone })).toBe(false)
    await harness.change('UPDATE lead_counts SET submitted = submitted + 1000')
    expect(await line('campaign', news)).toMatchObject({ submitted: 1002 })
    const { variant, day } = await store.funnel({ ...allDays, by: ['variant', 'day'], campaign: news })
    expect(variant.find(({ key }) => key === 'plain')).toMatchObject({ views: 3, submitted: 1 })
    expect(day.map(({ key, submitted }) => [key === today, submitted]).toSorted()).toEqual([
      [false, 1001],
      [true, 1],
    ])
  })

  test('counts are correct even if multiple servers roll up the same days while leads change', async () => {
    const ids = await Promise.all(
      Array.from({ length: 12 }, (_, index) => insertLead(Date.now() - (3 + (index % 4)) * DAY)),
    )
    const servers = [store, await harness.openAnother(), await harness.openAnother()]
    const rolling = servers.map(async server => {
      for (let round = 0; round < 8; round++) {
        while (await server.rollUpLeads({ timeZone }));
        await harness.change('UPDATE rolled_up_days SET counted_at = 0')
      }
    })
    await Promise.all([...rolling, deliverAll(), ...ids.slice(0, 4).map(erase)])
    await deliverAll()
    await rollUp()
    const rolledUp = await funnel('campaign')
    await harness.change('DELETE FROM rolled_up_days')
    expect(rolledUp).toEqual(await funnel('campaign'))
    expect(rolledUp.get(news)).toMatchObject({ submitted: 8, leads: 8, delivered: 8 })
  })

  test('leads are counted by day in the requested time zone', async () => {
    const at = calendar.startOf(calendar.daysAfter(today, -5)) + 1
    await insertLead(at)
    await rollUp()
    const tonga = createCalendar('Pacific/Tongatapu')
    for (const zone of ['Pacific/Tongatapu', 'Pacific/Honolulu', timeZone]) {
      const day = createCalendar(zone).dateOf(at)
      for (const rolledUp of [false, true]) {
        if (rolledUp) await rollUp(zone)
        const lines = await funnel('day', { since: '2000-01-01', until: tonga.dateOf(Date.now()), timeZone: zone })
        expect([zone, rolledUp, [...lines.values()]]).toMatchObject([zone, rolledUp, [{ key: day, submitted: 1 }]])
      }
    }
  })

  test('questions reached add up across pages and servers', async () => {
    const other = await harness.openAnother()
    const reached = (question: number, count: number, page = '/', campaign = news) =>
      ({ day: today, page, variant: '', campaign, question, reached: count }) as const
    await addViews(pageCounts({ campaign: news }))
    await store.addPageCounts({ views: [], questions: [reached(1, 5), reached(2, 3)] })
    const fake = campaignKey({ utm_source: 'made up' })
    const questions = [reached(1, 2, '/advertorial', NO_CAMPAIGN), reached(4, 1), reached(2, 1, '/', fake)]
    await other.addPageCounts({ views: [], questions })
    expect(await store.questionsReached(allDays)).toEqual([7, 4, 0, 1])
    expect(await store.questionsReached({ ...allDays, campaign: news })).toEqual([5, 3, 0, 1])
    expect(await store.questionsReached({ ...allDays, campaign: NO_CAMPAIGN })).toEqual([2])
    const two = await store.questionsReachedBy({ ...allDays, campaigns: [NO_CAMPAIGN, tv, news] })
    expect(two).toEqual([[2], [], [5, 3, 0, 1]])
    // A campaign without views that day has no row.
    expect(await store.questionsReached({ ...allDays, campaign: OTHER_CAMPAIGNS })).toEqual([0, 1])
    expect(await store.questionsReached({ since: '2000-01-01', until: '2000-01-02' })).toEqual([])
  })

  test('all servers use the first server’s variant secret', async () => {
    const other = await harness.openAnother()
    const secrets = await Promise.all([store.variantSecret('one'), other.variantSecret('two')])
    expect(secrets[0]).toBe(secrets[1])
    expect(await store.variantSecret('three')).toBe(secrets[0])
  })
})
