import { expect, test } from 'vitest'
import { openOn } from '../../server/launch/findings.ts'
import { builtPage, named } from '../../tests/support/built-page.ts'
import { claimFindings, figureFindings, scarcityFindings, testimonialFindings } from './claims.ts'

const quote = (text: string) => [builtPage(`<figure><blockquote>“${text}”</blockquote></figure>`)]
const permission = { given: '2026-10-01', record: 'signed release, file 12' }
const ann = { name: 'Ann', text: 'Good.', sample: false }
const testimonialsIn = (shown: string, changed: object, today = '2026-11-15') =>
  named(openOn(testimonialFindings(quote(shown), [{ ...ann, ...changed }]), today))

test.each([
  ['2026-11-15', { sample: true }, ['sample_testimonial:Ann']],
  ['2026-11-15', { sample: true, permission }, ['sample_testimonial:Ann']],
  ['2026-11-15', {}, ['testimonial_without_permission:Ann']],
  ['2026-11-15', { permission: { ...permission, record: ' ' } }, ['testimonial_without_permission:Ann']],
  ['2026-09-30', { permission }, ['testimonial_without_permission:Ann']],
  ['2026-10-01', { permission }, []],
])('a testimonial needs permission by that day; a sample is never allowed: on %s, %o', (day, changed, expected) => {
  expect(testimonialsIn('Good.', changed, day)).toEqual(expected)
})

test('ignores testimonials that no page shows and reports unlisted quotes', () => {
  expect(testimonialFindings([builtPage('')], [{ ...ann, sample: true }])).toEqual([])
  expect(testimonialsIn('Never said.', { permission })).toEqual(['unlisted_testimonial:/'])
})

const benefit = { shown: '$4,018', source: 'SSA', since: null, until: '2025-12-31' }
const pages = [builtPage('<p>Up to $4,018 a month. Only 23 spots remaining.</p>')]
const openOnDay = (day: string, figure: object) =>
  named(openOn(figureFindings(pages, { benefit: { ...benefit, ...figure } }), day))

test.each([
  ['2025-12-31', {}, []],
  ['2026-01-01', {}, ['figure_expired:benefit']],
  ['2099-01-01', { until: null }, []],
  ['2025-06-30', { since: '2025-07-01' }, ['figure_not_yet_true:benefit']],
  ['2025-07-01', { since: '2025-07-01' }, []],
  ['2020-01-01', { source: null }, ['figure_without_source:benefit']],
  ['2020-01-01', { source: ' ' }, ['figure_without_source:benefit']],
  // Not on the page.
  ['2026-01-01', { shown: '$9,999' }, []],
])('a figure needs a source and can be shown only on the dates it is valid for: on %s, %o', (day, figure, expected) => {
  expect(openOnDay(day, figure)).toEqual(expected)
})

test('finds a figure with any spacing and in the meta description', () => {
  const inDescription = [builtPage('', { head: '<meta name="description" content="Up to $4,018">' })]
  expect(named(openOn(figureFindings(inDescription, { benefit }), '2026-01-01'))).toEqual(['figure_expired:benefit'])
  const spaced = [builtPage('<p>Up to $4,018\u00A0a  month.</p>')]
  const figure = { ...benefit, shown: '$4,018\u00A0a  month' }
  expect(named(openOn(figureFindings(spaced, { figure }), '2026-01-01'))).toEqual(['figure_expired:figure'])
})

const spots = { shown: '23', source: 'intake plan', since: null, until: '2026-10-31' }

test.each([
  ['no figure', {}, ['scarcity_without_evidence:Only 23 spots']],
  ['no source', { spots: { ...spots, source: null } }, ['scarcity_without_evidence:spots']],
  ['no last day', { spots: { ...spots, until: null } }, ['scarcity_without_evidence:spots']],
  ['evidence', { spots }, []],
])('a scarcity claim with %s', (_, figures, expected) => {
  expect(named(scarcityFindings(pages, figures))).toEqual(expected)
})

test.each(['Just 23 spots left', '23 spots left', 'Hurry: 23 free places remaining', 'Only a few spots left'])(
  '“%s” is also a scarcity claim',
  words => expect(scarcityFindings([builtPage(`<p>${words}</p>`)], {})).toHaveLength(1),
)

test('an unsupported scarcity claim is reported only once; a supported one expires after its last day', () => {
  expect(figureFindings(pages, { spots: { ...spots, source: null, until: null } })).toEqual([])
  expect(named(openOn(figureFindings(pages, { spots }), '2026-11-01'))).toEqual(['figure_expired:spots'])
})

const secure = { shown: '100% Secure & HIPAA Compliant', support: 'audit of 2026-09-01' }
const claimsIn = (body: string, claims: object, path = '/') =>
  named(claimFindings([builtPage(body, { path })], { ...claims }, ['/hipaa']))

const listed = '<p>100% Secure &amp; HIPAA Compliant</p>'

test.each([
  [listed, { secure }, []],
  [listed, { secure: { ...secure, support: null } }, ['claim_without_basis:secure']],
  [listed, { secure: { ...secure, support: ' ' } }, ['claim_without_basis:secure']],
  // A listed claim covers only its own words.
  [`${listed}<p>100% guaranteed.</p>`, { secure }, ['unlisted_claim:100%']],
  ['<p>Your data is HIPAA-safe.</p>', {}, ['unlisted_claim:HIPAA']],
  ['<p>We win 100 % of cases.</p>', {}, ['unlisted_claim:100 %']],
  ['<span role="img" aria-label="4.9 out of 5 stars"></span>', {}, ['unlisted_claim:4.9 out of 5 stars']],
  ['<p>Five-star service</p>', {}, ['unlisted_claim:Five-star']],
  ['<p>Rated by Thousands</p>', {}, ['unlisted_claim:Rated by']],
  ['<p>Rated #1</p>', {}, ['unlisted_claim:Rated #1']],
  ['<nav><a href="/hipaa">HIPAA Notice</a></nav>', {}, []],
])('a claim must be listed with support: %s with %o', (body, claims, expected) => {
  expect(claimsIn(body, claims)).toEqual(expected)
})

test('a legal page can mention HIPAA', () => expect(claimsIn('<p>HIPAA does not apply.</p>', {}, '/hipaa')).toEqual([]))

const spanish = (body: string) => [builtPage(body, { path: '/es/', language: 'es' })]

test.each(['Solo quedan 23 lugares este mes', 'Quedan 23 cupos', 'Hay 23 lugares disponibles', 'Sólo 5 puestos'])(
  '“%s” is a scarcity claim',
  words => expect(scarcityFindings(spanish(`<p>${words}</p>`), {})).toHaveLength(1),
)

test.each([
  ['Sus datos están 100% seguros', '100%'],
  ['Calificado por miles', 'Calificado por'],
  ['4.9 de 5 estrellas', '4.9 de 5 estrellas'],
])('“%s” is a claim', (words, subject) => {
  expect(named(claimFindings(spanish(`<p>${words}</p>`), {}, []))).toEqual([`unlisted_claim:${subject}`])
})
