/** The Campaigns page. The store’s tests have the figures. */
import { expect, test } from 'vitest'
import { DEMO_CALLING_HOURS as hours } from '../../domain/calling/hours.ts'
import { campaignKey, NO_CAMPAIGN, OTHER_CAMPAIGNS } from '../../domain/campaigns/campaign.ts'
import { createTestDesk } from '../../tests/support/desk.ts'
import { bodyOf, deskPerTest } from '../../tests/support/desk-harness.ts'
import { maria as person, saying } from '../../tests/support/lead-store.ts'
import { siteCopy } from '../../tests/support/site-copy.ts'
import { deliverAll } from '../../tests/support/store-engines.ts'
import type { Campaigns } from '../browser/client.ts'

const news = campaignKey({ utm_source: 'news' })

const harness = deskPerTest()
const page = (search: Record<string, string>) =>
  bodyOf<Campaigns>(harness.maria.fetch(`/api/campaigns?${new URLSearchParams(search)}`))
const ever = { from: '2020-01-01', to: '2099-12-31' }
const none = { declined: 0, thanked: 0, asks: true }
const on = (day: string, campaign = news, variant = '') => ({ day, page: '/', variant, campaign })

test('the page shows each campaign’s views and leads; a lead on hold was submitted but isn’t a lead yet', async () => {
  await harness.capture('ada', { campaign: { utm_source: 'news' } })
  await deliverAll(harness.store)
  await harness.capture('eve', { campaign: { utm_source: 'news' }, holdReason: 'a link in the name' })
  await harness.capture('bob')
  const views = [
    { ...on('2030-01-15'), ...none, views: 40 },
    // Visits of campaigns without their own row, and of a page that can't bring in leads.
    { ...on('2030-01-15', OTHER_CAMPAIGNS), ...none, views: 5 },
    { ...on('2030-01-15'), ...none, page: '/decline', asks: false, views: 7 },
  ]
  await harness.store.addPageCounts({ views, questions: [] })
  const { campaigns, pages, languages } = await page(ever)
  const figures = (received: number, leads: number, filter: object) => ({
    received: { count: received, filter: { ...filter, cameIn: 'form' } },
    leads: { count: leads, filter: { ...filter, state: 'accepted' } },
  })
  const unlisted = (count: number) => ({ count, filter: null })
  expect(campaigns).toEqual([
    { key: news, views: 40, ...figures(2, 1, { campaign: news, ...ever }), delivered: 1 },
    { key: NO_CAMPAIGN, views: 0, ...figures(1, 1, { campaign: NO_CAMPAIGN, ...ever }), delivered: 0 },
    { key: null, views: 5, received: unlisted(0), leads: unlisted(0), delivered: 0 },
  ])
  const all = { views: 45, leads: unlisted(2), delivered: 1 }
  expect(pages).toEqual([{ key: '/', ...all, received: { count: 3, filter: { page: '/', ...ever, cameIn: 'form' } } }])
  expect(languages).toEqual([{ language: 'en', ...all, received: unlisted(3) }])
  expect((await page({ ...ever, campaign: news })).pages).toMatchObject([{ key: '/', views: 40, leads: unlisted(1) }])
})

test('the page shows where visitors drop off, and how variants compare, for one campaign and some days', async () => {
  const reached = (day: string, campaign: string, counts: readonly number[]) =>
    counts.map((count, index) => ({ ...on(day, campaign), question: index + 1, reached: count }))
  await harness.store.addPageCounts({
    views: [
      { ...on('2030-01-15'), ...none, views: 100 },
      { ...on('2030-01-16'), ...none, views: 1000 },
      { ...on('2030-01-15', NO_CAMPAIGN), ...none, views: 50 },
      { ...on('2030-01-15', NO_CAMPAIGN, 'original'), ...none, views: 10 },
      { ...on('2030-01-15', NO_CAMPAIGN, 'plain'), ...none, views: 10 },
      { ...on('2030-01-15', NO_CAMPAIGN, 'preview:plain'), ...none, views: 10 },
      { ...on('2030-01-17', NO_CAMPAIGN, 'short'), ...none, views: 1 },
    ],
    questions: [...reached('2030-01-15', news, [60, 55, 50]), ...reached('2030-01-15', NO_CAMPAIGN, [20, 10])],
  })
  const ada = await harness.capture('ada', { variant: 'plain' })
  await harness.store.claimCall({ leadId: ada, person, takeOver: false })
  await harness.store.saveCall({ person, hours, ...saying(ada, 'going ahead') })
  // One of their pages was left open overnight, so there are more leads than views.
  await harness.capture('bob', { variant: 'short' })
  await harness.capture('cal', { variant: 'short' })
  const day = { from: '2030-01-15', to: '2030-01-15' }
  const first = siteCopy.languages.en.questions[0]?.text
  expect((await page({ ...day, campaign: news })).questions[0]).toEqual({ name: first, reached: 100, left: 45 })
  expect((await page({ ...day, campaign: news })).questions[1]).toMatchObject({ reached: 55, left: 5 })
  expect((await page(day)).questions[0]).toEqual({ name: first, reached: 180, left: 115 })
  const sideBySide = (await page(day)).questionsBy.map(({ campaign, questions }) => [campaign, questions[0]?.left])
  expect(sideBySide).toEqual([
    [news, 45],
    [NO_CAMPAIGN, 70],
  ])
  expect((await page({ from: '2030-01-16', to: '2030-01-16' })).questions).toEqual([])
  const { variants } = await page(ever)
  const [original, plain] = variants
  expect([original?.headline, original?.goingAhead]).toEqual([siteCopy.headlines['original'], 0])
  expect([plain?.headline, plain?.goingAhead]).toEqual([null, 1])
  const uncalled = await createTestDesk(harness.store, { env: { CALL_LIST: 'off' } }).signedIn('Joe', 'viewer')
  const shown = await bodyOf<Campaigns>(uncalled.fetch(`/api/campaigns?${new URLSearchParams(ever)}`))
  expect(shown.variants.map(({ goingAhead }) => goingAhead)).toEqual([null, null, null])
  const interval = { low: expect.any(Number), high: expect.any(Number) }
  const compared = { leads: interval, goingAhead: interval }
  // One of ten is no more than chance.
  expect([(plain?.differences?.goingAhead?.low ?? 0) < 0, shown.variants[1]?.differences?.goingAhead]).toEqual([
    true,
    null,
  ])
  expect(variants.map(({ name, leads, differences }) => [name, leads.count, differences])).toEqual([
    ['original', 0, null],
    ['plain', 1, compared],
    ['short', 2, compared],
  ])
  expect((await page({ ...ever, campaign: news })).variants).toEqual([])
})

test('if leads go straight to a webhook, visits to the thank-you page are counted instead', async () => {
  await harness.store.addPageCounts({
    views: [
      { ...on('2030-01-15'), ...none, views: 40, thanked: 3, declined: 5 },
      { ...on('2030-01-15', NO_CAMPAIGN), ...none, views: 10, thanked: 1 },
    ],
    questions: [{ ...on('2030-01-15'), question: 2, reached: 8 }],
  })
  const desk = createTestDesk(harness.store, { env: { SITE_LEAD_ENDPOINT: 'https://hooks.example.org/lead' } })
  const joe = await desk.signedIn('Joe Kim', 'viewer')
  const { outside, campaigns, pages, questions } = await bodyOf<Campaigns>(
    joe.fetch(`/api/campaigns?${new URLSearchParams(ever)}`),
  )
  expect(outside).toBe(true)
  expect(campaigns.map(({ key, views, received }) => [key, views, received.count])).toEqual([
    [news, 40, 3],
    [NO_CAMPAIGN, 10, 1],
  ])
  expect(pages).toMatchObject([{ views: 50, received: { count: 4, filter: null } }])
  expect(questions[0]).toMatchObject({ reached: 50, left: 41 })
  expect((await page(ever)).outside).toBe(false)
})

test('anything that isn’t a date is refused', async () => {
  for (const search of ['', '?from=2030-01-15&to=yesterday', '?from=2030-02-31&to=2030-03-01']) {
    expect((await harness.maria.fetch(`/api/campaigns${search}`)).status).toBe(400)
  }
})
