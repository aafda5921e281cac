import { expect, test } from 'vitest'
import { pageName } from '../../domain/leads/lead-filters.ts'
import { allLeads, anyTime, datesOf, filterOf, hrefOfFilter, leadsHref, parseLeadsUrl, timeLabel } from './leads-url.ts'

const today = '2026-11-16'

test('a URL preserves every filter', () => {
  const url = {
    ...allLeads,
    filter: {
      state: 'held',
      delivery: 'none',
      language: 'es',
      page: '/advertorial',
      campaign: '["news","mail","spring & fall"]',
      outcome: 'no answer',
      soFar: 'reached',
      caller: 'p1',
      callback: 'missed',
      calledFrom: '2030-01-01',
      calledTo: '2030-01-02',
      callbackFrom: '2030-01-03',
      callbackTo: '2030-01-04',
    },
    sort: 'oldest',
    period: '7d',
    from: '2030-01-01',
    to: '2030-01-31',
  } as const
  expect(parseLeadsUrl(leadsHref(url).replace('/leads?', ''))).toEqual(url)
  expect(leadsHref(allLeads)).toBe('/leads')
})

test.each([
  // “No campaign” is different from “any campaign.”
  ['campaign=', { filter: { campaign: '' } }],
  ['', {}],
  ['page=/a&campaign=x', { filter: { page: '/a', campaign: 'x' } }],
  ['page=%00&campaign=%00x', { filter: { page: '\uFFFD', campaign: '\uFFFDx' } }],
  ['from=2028-02-29', { from: '2028-02-29' }],
  // Unknown values are ignored.
  ['from=0202-11-01&to=9999-99-99', {}],
  ['from=2026-02-31&to=2026-11-31', {}],
  ['state=lost&delivery=x&language=xx&outcome=x&soFar=x&callback=kept&calledTo=x&sort=up&period=1y&from=soon', {}],
])('parses %j', (query, expected) => expect(parseLeadsUrl(query)).toEqual({ ...allLeads, ...expected }))

test('search text is trimmed and goes in the filter, never in the URL', () => {
  expect(filterOf(allLeads, '  ', today)).toEqual({})
  expect(filterOf(allLeads, ' ada ', today)).toEqual({ search: 'ada' })
  expect(hrefOfFilter({ search: 'Ada Lovelace', state: 'held' })).toBe('/leads?state=held')
})

test.each([
  [{ period: 'today' }, '2026-11-16', '2026-11-16', 'Today'],
  [{ period: 'yesterday' }, '2026-11-15', '2026-11-15', 'Yesterday'],
  [{ period: '7d' }, '2026-11-10', '2026-11-16', 'Last 7 days'],
  [{ period: '30d' }, '2026-10-18', '2026-11-16', 'Last 30 days'],
  [{ period: 'month' }, '2026-10-01', '2026-10-31', 'Last month'],
  [{ from: '2026-11-16' }, '2026-11-16', null, 'Today'],
  [{ from: '2026-11-15', to: '2026-11-15' }, '2026-11-15', '2026-11-15', 'Yesterday'],
  [{ from: '2025-10-28', to: '2025-10-28' }, '2025-10-28', '2025-10-28', 'Oct 28, 2025'],
  [{ from: '2025-10-28', to: '2025-11-03' }, '2025-10-28', '2025-11-03', 'Oct 28, 2025 to Nov 3, 2025'],
  [{ from: '2025-10-28' }, '2025-10-28', null, 'Since Oct 28, 2025'],
  [{ to: '2025-11-03' }, null, '2025-11-03', 'Through Nov 3, 2025'],
  [{}, null, null, null],
] as const)('%j covers %s to %s: %s', (time, from, to, label) => {
  expect(datesOf({ ...anyTime, ...time }, today)).toEqual({ from, to })
  expect(filterOf({ ...allLeads, ...time }, '', today)).toEqual({ ...(from && { from }), ...(to && { to }) })
  expect(timeLabel({ ...anyTime, ...time }, today)).toBe(label)
})

test('a page in another language is named like the English one; an organization’s own page is its path', () => {
  const paths = ['/', '/advertorial', '/es/', '/es/advertorial', '/back-pay', '/es/back-pay']
  const names = ['Landing page', 'Advertorial', 'Landing page (Spanish)', 'Advertorial (Spanish)', ...paths.slice(4)]
  expect(paths.map(pageName)).toEqual(names)
})
