import { expect, test } from 'vitest'
import { textsIn } from '../../content/texts.ts'
import { openOn } from '../../domain/launch/findings.ts'
import { named } from '../../tests/support/built-page.ts'
import {
  claimFindings,
  figureFindings,
  scarcityFindings,
  showsTestimonials,
  testimonialFindings,
  unlistedFigures,
} from './claims.ts'

/** On the landing page in English. */
const texts = (...said: string[]) => textsIn({ 'en/landing.ts': said })
const permission = { given: '2026-10-01', record: 'signed release, file 12' }
const ann = { name: 'Ann', sample: false }

test.each([
  ['2026-11-15', { sample: true }, ['sample_testimonial:Ann']],
  ['2026-11-15', { sample: true, permission }, ['sample_testimonial:Ann']],
  ['2026-11-15', {}, ['testimonial_without_permission:Ann']],
  ['2026-11-15', { permission: { ...permission, record: ' ' } }, ['testimonial_without_permission:Ann']],
  ['2026-09-30', { permission }, ['testimonial_without_permission:Ann']],
  ['2026-10-01', { permission }, []],
])('a testimonial needs permission by that day; a sample is never allowed: on %s, %o', (day, changed, expected) => {
  expect(named(openOn(testimonialFindings([{ ...ann, ...changed }]), day))).toEqual(expected)
})

test('testimonials are checked if the home page or a campaign’s page shows them in that language', () => {
  const socialProof = {
    heading: 'People',
    starsLabel: null,
    sampleHeading: '',
    sampleNote: 'Samples',
    sampleLabel: 'A sample',
  }
  const campaign = { path: '/veterans', en: { socialProof }, es: null }
  expect(showsTestimonials('en', { socialProof }, [])).toBe(true)
  expect(showsTestimonials('en', { socialProof: null }, [])).toBe(false)
  expect(showsTestimonials('en', { socialProof: null }, [campaign])).toBe(true)
  expect(showsTestimonials('es', { socialProof: null }, [campaign])).toBe(false)
})

const benefit = { shown: '$4,018', source: 'SSA', since: null, until: '2025-12-31' }
const shown = texts('Up to $4,018 a month.', 'Only 23 spots remaining.')
const openOnDay = (day: string, figure: object) =>
  named(openOn(figureFindings(shown, { benefit: { ...benefit, ...figure } }), day))

test.each([
  ['2025-12-31', {}, []],
  ['2026-01-01', {}, ['figure_expired:benefit']],
  ['2099-01-01', { until: null }, []],
  ['2025-06-30', { since: '2025-07-01' }, ['figure_not_yet_true:benefit']],
  ['2025-07-01', { since: '2025-07-01' }, []],
  ['2020-01-01', { source: null }, ['figure_without_source:benefit']],
  ['2020-01-01', { source: ' ' }, ['figure_without_source:benefit']],
  // Not shown.
  ['2026-01-01', { shown: '$9,999' }, []],
])('a figure needs a source and can be shown only on the dates it is valid for: on %s, %o', (day, figure, expected) => {
  expect(openOnDay(day, figure)).toEqual(expected)
})

test('finds a figure with any spacing, but not within another number', () => {
  const shownAs = (shown: string) => ({ figure: { ...benefit, shown } })
  expect(figureFindings(shown, shownAs('$4,018\u00A0a  month'))).toHaveLength(1)
  expect(figureFindings(texts('1123 Main Street, 23rd floor, $230'), shownAs('23'))).toEqual([])
})

const spots = { shown: '23', source: 'intake plan', since: null, until: '2026-10-31' }

test.each([
  ['no figure', {}, ['scarcity_without_evidence:Only 23 spots']],
  ['no source', { spots: { ...spots, source: null } }, ['scarcity_without_evidence:spots']],
  ['no last day', { spots: { ...spots, until: null } }, ['scarcity_without_evidence:spots']],
  ['evidence', { spots }, []],
])('a scarcity claim with %s', (_, figures, expected) => {
  expect(named(scarcityFindings(shown, figures))).toEqual(expected)
})

test.each(['Just 23 spots left', '23 spots left', 'Hurry: 23 free places remaining', 'Only a few spots left'])(
  '“%s” is also a scarcity claim',
  words => expect(scarcityFindings(texts(words), {})).toHaveLength(1),
)

test('an unsupported scarcity claim is reported only once; a supported one expires after its last day', () => {
  expect(figureFindings(shown, { spots: { ...spots, source: null, until: null } })).toEqual([])
  expect(named(openOn(figureFindings(shown, { spots }), '2026-11-01'))).toEqual(['figure_expired:spots'])
})

test('an amount or a share that isn’t in figures.ts is reported, except in quotes and legal pages', () => {
  const typed = 'Get $4,018, $4,999, or 97 % More'
  const files = { 'en/landing.ts': { hero: typed }, 'en/legal/terms.md': typed, 'testimonials.ts': { text: typed } }
  expect(named(unlistedFigures(textsIn({ ...files, 'en/figures.ts': { maximumBenefit: '$4,018/Month' } })))).toEqual([
    'unlisted_figure:$4,999 in content/en/landing.ts',
    'unlisted_figure:97% in content/en/landing.ts',
  ])
})

const secure = { shown: '100% Secure & HIPAA Compliant', support: 'audit of 2026-09-01' }
const listed = secure.shown

test.each([
  [[listed], { secure }, []],
  [[listed], { secure: { ...secure, support: null } }, ['claim_without_basis:secure']],
  [[listed], { secure: { ...secure, support: ' ' } }, ['claim_without_basis:secure']],
  // A listed claim covers only its own words.
  [[listed, '100% guaranteed.'], { secure }, ['unlisted_claim:100% in content/en/landing.ts']],
  [['Your data is HIPAA-safe.'], {}, ['unlisted_claim:HIPAA in content/en/landing.ts']],
  [['We win 100 % of cases.'], {}, ['unlisted_claim:100 % in content/en/landing.ts']],
  [['4.9 out of 5 stars'], {}, ['unlisted_claim:4.9 out of 5 stars in content/en/landing.ts']],
  [['Five-star service'], {}, ['unlisted_claim:Five-star in content/en/landing.ts']],
  [['Rated by Thousands'], {}, ['unlisted_claim:Rated by in content/en/landing.ts']],
  [['Rated #1'], {}, ['unlisted_claim:Rated #1 in content/en/landing.ts']],
])('a claim must be listed with support: %s with %o', (said, claims, expected) => {
  expect(named(claimFindings(texts(...said), { ...claims }))).toEqual(expected)
})

test('a legal page, or a link to one, can mention HIPAA', () => {
  const files = { 'en/legal/hipaa.md': 'HIPAA does not apply.', 'en/shared.ts': { links: { hipaa: 'HIPAA Notice' } } }
  expect(claimFindings(textsIn(files), {})).toEqual([])
})

const spanish = (text: string) => textsIn({ 'es/landing.ts': { hero: { note: text } } })

test.each(['Solo quedan 23 lugares este mes', 'Quedan 23 cupos', 'Hay 23 lugares disponibles', 'Sólo 5 puestos'])(
  '“%s” is a scarcity claim',
  words =>
    expect(scarcityFindings(spanish(words), {})).toMatchObject([
      { code: 'scarcity_without_evidence', change: { file: 'content/es/landing.ts' } },
    ]),
)

test.each([
  ['Sus datos están 100% seguros', '100%'],
  ['Calificado por miles', 'Calificado por'],
  ['4.9 de 5 estrellas', '4.9 de 5 estrellas'],
])('“%s” is a claim', (words, subject) => {
  expect(named(claimFindings(spanish(words), {}))).toEqual([`unlisted_claim:${subject} in content/es/landing.ts`])
})
