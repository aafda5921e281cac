import { expect, test } from 'vitest'
import { builtPage, named } from '../../tests/support/built-page.ts'
import { openOn } from '../findings.ts'
import { figureFindings, scarcityFindings } from './figures.ts'

const benefit = { shown: '$4,018', source: 'SSA', since: null, until: '2025-12-31' }
const pages = [builtPage('<p>Up to $4,018 a month. Only 23 spots remaining.</p>')]
const openOnDay = (day: string, figure: object) =>
  named(openOn(figureFindings(pages, { benefit: { ...benefit, ...figure } }), day))

test('a figure may be shown up to and including its last day', () => {
  expect(openOnDay('2025-12-31', {})).toEqual([])
  expect(openOnDay('2026-01-01', {})).toEqual(['figure_expired:benefit'])
  expect(openOnDay('2099-01-01', { until: null })).toEqual([])
})

test('a figure may not be shown before its first day', () => {
  expect(openOnDay('2025-06-30', { since: '2025-07-01' })).toEqual(['figure_not_yet_true:benefit'])
  expect(openOnDay('2025-07-01', { since: '2025-07-01' })).toEqual([])
})

test('a figure is found however it is spaced', () => {
  const spaced = [builtPage('<p>Up to $4,018\u00A0a  month.</p>')]
  const figure = { ...benefit, shown: '$4,018\u00A0a  month' }
  expect(named(openOn(figureFindings(spaced, { figure }), '2026-01-01'))).toEqual(['figure_expired:figure'])
})

test('a last day that nobody can read counts as past', () => {
  expect(openOnDay('2025-01-01', { until: 'December' })).toEqual(['figure_expired:benefit'])
})

test('a figure without a source may not be shown', () => {
  expect(openOnDay('2020-01-01', { source: null })).toEqual(['figure_without_source:benefit'])
  expect(openOnDay('2020-01-01', { source: ' ' })).toEqual(['figure_without_source:benefit'])
})

test('a figure that no page shows is not asked for, also not one that only search engines were told', () => {
  expect(openOnDay('2026-01-01', { shown: '$9,999' })).toEqual([])
  const told = [builtPage('', { head: '<meta name="description" content="Up to $4,018">' })]
  expect(named(openOn(figureFindings(told, { benefit }), '2026-01-01'))).toEqual(['figure_expired:benefit'])
})

test.each([
  ['no figure', {}, ['scarcity_without_evidence:Only 23 spots']],
  [
    'no source',
    { spots: { shown: '23', source: null, since: null, until: null } },
    ['scarcity_without_evidence:spots'],
  ],
  [
    'no last day',
    { spots: { shown: '23', source: 'intake plan', since: null, until: null } },
    ['scarcity_without_evidence:spots'],
  ],
  ['evidence', { spots: { shown: '23', source: 'intake plan', since: null, until: '2026-11-30' } }, []],
])('a shortage with %s', (_, figures, expected) => {
  expect(named(scarcityFindings(pages, figures))).toEqual(expected)
})

test.each(['Just 23 spots left', '23 spots left', 'Hurry: 23 free places remaining', 'Only a few spots left'])(
  '“%s” is a shortage, too',
  words => {
    expect(scarcityFindings([builtPage(`<p>${words}</p>`)], {})).toHaveLength(1)
  },
)

test('a shortage without evidence is told once, and one whose day has passed as expired', () => {
  const spots = { shown: '23', source: null, since: null, until: null }
  expect(figureFindings(pages, { spots })).toEqual([])
  const past = figureFindings(pages, {
    spots: { shown: '23', source: 'intake plan', since: null, until: '2026-10-31' },
  })
  expect(named(openOn(past, '2026-11-01'))).toEqual(['figure_expired:spots'])
})
