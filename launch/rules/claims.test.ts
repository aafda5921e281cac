import { expect, test } from 'vitest'
import { builtPage, named } from '../../tests/support/built-page.ts'
import { openOn } from '../findings.ts'
import { claimFindings, figureFindings, scarcityFindings, testimonialFindings } from './claims.ts'

const quote = (text: string) => [builtPage(`<figure><blockquote>“${text}”</blockquote></figure>`)]
const permission = { given: '2026-10-01', record: 'signed release, file 12' }
const testimonialsIn = (shown: string, testimonial: object) =>
  named(
    openOn(
      testimonialFindings(quote(shown), [{ name: 'Ann', text: 'Good.', sample: false, ...testimonial }]),
      '2026-11-15',
    ),
  )

test('a sample is rejected even with permission', () => {
  expect(testimonialsIn('Good.', { sample: true })).toEqual(['sample_testimonial:Ann'])
  expect(testimonialsIn('Good.', { sample: true, permission })).toEqual(['sample_testimonial:Ann'])
})

test('a real testimonial needs permission with a date and a record', () => {
  expect(testimonialsIn('Good.', { permission })).toEqual([])
  expect(testimonialsIn('Good.', {})).toEqual(['testimonial_without_permission:Ann'])
  expect(testimonialsIn('Good.', { permission: { given: '2026-10-01', record: ' ' } })).toHaveLength(1)
})

test('a permission dated in the future doesn’t count yet', () => {
  const findings = testimonialFindings(quote('Good.'), [{ name: 'Ann', text: 'Good.', sample: false, permission }])
  expect(named(openOn(findings, '2026-09-30'))).toEqual(['testimonial_without_permission:Ann'])
  expect(named(openOn(findings, '2026-10-01'))).toEqual([])
})

test('ignores testimonials no page shows; reports unlisted quotes', () => {
  expect(named(testimonialFindings([builtPage('')], [{ name: 'Ann', text: 'Good.', sample: true }]))).toEqual([])
  expect(testimonialsIn('Never said.', { permission })).toEqual(['unlisted_testimonial:/'])
})

const benefit = { shown: '$4,018', source: 'SSA', since: null, until: '2025-12-31' }
const pages = [builtPage('<p>Up to $4,018 a month. Only 23 spots remaining.</p>')]
const openOnDay = (day: string, figure: object) =>
  named(openOn(figureFindings(pages, { benefit: { ...benefit, ...figure } }), day))

test('a figure can be shown up to and including its last day', () => {
  expect(openOnDay('2025-12-31', {})).toEqual([])
  expect(openOnDay('2026-01-01', {})).toEqual(['figure_expired:benefit'])
  expect(openOnDay('2099-01-01', { until: null })).toEqual([])
})

test('a figure can’t be shown before its first day', () => {
  expect(openOnDay('2025-06-30', { since: '2025-07-01' })).toEqual(['figure_not_yet_true:benefit'])
  expect(openOnDay('2025-07-01', { since: '2025-07-01' })).toEqual([])
})

test('spacing doesn’t matter when matching a figure', () => {
  const spaced = [builtPage('<p>Up to $4,018\u00A0a  month.</p>')]
  const figure = { ...benefit, shown: '$4,018\u00A0a  month' }
  expect(named(openOn(figureFindings(spaced, { figure }), '2026-01-01'))).toEqual(['figure_expired:figure'])
})

test('a figure without a source can’t be shown', () => {
  expect(openOnDay('2020-01-01', { source: null })).toEqual(['figure_without_source:benefit'])
  expect(openOnDay('2020-01-01', { source: ' ' })).toEqual(['figure_without_source:benefit'])
})

test('a figure is checked only if a page shows it, even if only in the meta description', () => {
  expect(openOnDay('2026-01-01', { shown: '$9,999' })).toEqual([])
  const inDescription = [builtPage('', { head: '<meta name="description" content="Up to $4,018">' })]
  expect(named(openOn(figureFindings(inDescription, { benefit }), '2026-01-01'))).toEqual(['figure_expired:benefit'])
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
])('a scarcity claim with %s', (_, figures, expected) => {
  expect(named(scarcityFindings(pages, figures))).toEqual(expected)
})

test.each(['Just 23 spots left', '23 spots left', 'Hurry: 23 free places remaining', 'Only a few spots left'])(
  '“%s” is also a scarcity claim',
  words => {
    expect(scarcityFindings([builtPage(`<p>${words}</p>`)], {})).toHaveLength(1)
  },
)

test('an unsupported scarcity claim is reported once, and one past its last day as expired', () => {
  const spots = { shown: '23', source: null, since: null, until: null }
  expect(figureFindings(pages, { spots })).toEqual([])
  const past = figureFindings(pages, {
    spots: { shown: '23', source: 'intake plan', since: null, until: '2026-10-31' },
  })
  expect(named(openOn(past, '2026-11-01'))).toEqual(['figure_expired:spots'])
})

const secure = { shown: '100% Secure & HIPAA Compliant', support: 'audit of 2026-09-01' }
const claimsIn = (body: string, claims: object = { secure }, path = '/') =>
  named(claimFindings([builtPage(body, { path })], { ...claims }, ['/hipaa']))

test('a claim needs a named basis', () => {
  const body = '<p>100% Secure &amp; HIPAA Compliant</p>'
  expect(claimsIn(body)).toEqual([])
  expect(claimsIn(body, { secure: { ...secure, support: null } })).toEqual(['claim_without_basis:secure'])
  expect(claimsIn(body, { secure: { ...secure, support: ' ' } })).toEqual(['claim_without_basis:secure'])
})

test.each([
  ['<p>Your data is HIPAA-safe.</p>', 'unlisted_claim:HIPAA'],
  ['<p>We win 100 % of cases.</p>', 'unlisted_claim:100 %'],
  ['<span role="img" aria-label="4.9 out of 5 stars"></span>', 'unlisted_claim:4.9 out of 5 stars'],
  ['<p>Five-star service</p>', 'unlisted_claim:Five-star'],
  ['<p>Rated by Thousands</p>', 'unlisted_claim:Rated by'],
  ['<p>Rated #1</p>', 'unlisted_claim:Rated #1'],
])('finds %s although it isn’t listed', (body, name) => {
  expect(claimsIn(body)).toEqual([name])
})

test('a listed claim covers only its own words', () => {
  expect(claimsIn('<p>100% Secure &amp; HIPAA Compliant. 100% guaranteed.</p>')).toEqual(['unlisted_claim:100%'])
})

test('links to a page and legal pages can mention HIPAA', () => {
  expect(claimsIn('<nav><a href="/hipaa">HIPAA Notice</a></nav>')).toEqual([])
  expect(claimsIn('<p>HIPAA does not apply.</p>', {}, '/hipaa')).toEqual([])
})
