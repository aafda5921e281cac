import { expect, test } from 'vitest'
import { openOn } from '../../domain/launch/findings.ts'
import { data } from '../../site-folder/data.ts'
import { named } from '../../tests/support/built-page.ts'
import { found } from '../../tests/support/found-text.ts'
import {
  claimFindings,
  figureFindings,
  scarcityFindings,
  showsTestimonials,
  testimonialFindings,
  unlistedFigures,
} from './claims.ts'

/** On the landing page in English. */
const texts = (...said: string[]) => said.map(text => found('landing.hero.note', text))
const permission = { given: '2026-10-01', record: 'signed release, file 12' }
const ann = { key: 'testimonials.ann', name: 'Ann', sample: false }

test.each([
  ['2026-11-15', { sample: true }, ['sample_testimonial:Ann']],
  ['2026-11-15', { sample: true, permission }, ['sample_testimonial:Ann']],
  ['2026-11-15', {}, ['testimonial_without_permission:Ann']],
  ['2026-09-30', { permission }, ['testimonial_without_permission:Ann']],
  ['2026-10-01', { permission }, []],
])('a testimonial needs permission by that day; a sample is never allowed: on %s, %o', (day, changed, expected) => {
  expect(named(openOn(testimonialFindings([{ ...ann, ...changed }]), day))).toEqual(expected)
})

test('testimonials are checked if the home page or a campaign’s page shows them in that language', () => {
  const { landing } = data.words.en
  const hidden = { ...landing, socialProof: null }
  const site = (home: typeof landing, campaign: typeof landing | null) => ({
    words: { en: { ...data.words.en, landing: home }, es: { ...data.words.es, landing: hidden } },
    landingPages: [{ path: '/veterans', en: campaign, es: null }],
  })
  expect(showsTestimonials('en', site(landing, null))).toBe(true)
  expect(showsTestimonials('en', site(hidden, null))).toBe(false)
  expect(showsTestimonials('en', site(hidden, landing))).toBe(true)
  expect(showsTestimonials('es', site(hidden, landing))).toBe(false)
})

const benefit = { shown: '$4,018', source: 'SSA', until: '2025-12-31' }
const shown = texts('Up to $4,018 a month.', 'Only 23 spots remaining.')
const openOnDay = (day: string, figure: object) =>
  named(openOn(figureFindings(shown, { benefit: { ...benefit, ...figure } }), day))

test.each([
  ['2025-12-31', {}, []],
  ['2026-01-01', {}, ['figure_expired:benefit']],
  ['2099-01-01', { until: undefined }, []],
  ['2025-06-30', { since: '2025-07-01' }, ['figure_not_yet_true:benefit']],
  ['2025-07-01', { since: '2025-07-01' }, []],
  ['2020-01-01', { source: undefined }, ['figure_without_source:benefit']],
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

const spots = { shown: '23', source: 'intake plan', until: '2026-10-31' }

test.each([
  ['no figure', {}, ['scarcity_without_evidence:Only 23 spots']],
  ['no source', { spots: { shown: '23', until: '2026-10-31' } }, ['scarcity_without_evidence:spots']],
  ['no last day', { spots: { shown: '23', source: 'intake plan' } }, ['scarcity_without_evidence:spots']],
  ['evidence', { spots }, []],
])('a scarcity claim with %s', (_, figures, expected) => {
  expect(named(scarcityFindings(shown, figures))).toEqual(expected)
})

test.each(['Just 23 spots left', '23 spots left', 'Hurry: 23 free places remaining', 'Only a few spots left'])(
  '“%s” is also a scarcity claim',
  words => expect(scarcityFindings(texts(words), {})).toHaveLength(1),
)

test('an unsupported scarcity claim is reported only once; a supported one expires after its last day', () => {
  expect(figureFindings(shown, { spots: { shown: '23' } })).toEqual([])
  expect(named(openOn(figureFindings(shown, { spots }), '2026-11-01'))).toEqual(['figure_expired:spots'])
})

test('an amount or a share that isn’t a figure is reported, except in quotes and legal pages', () => {
  const typed = 'Get $4,018, $4,999, or 97 % More'
  const all = ['landing.hero.note', 'legal.terms', 'testimonials.ann.text.en'].map(name => found(name, typed))
  expect(named(unlistedFigures([...all, found('figures.maximumBenefit', '$4,018/Month')]))).toEqual([
    'unlisted_figure:$4,999 in landing.hero.note',
    'unlisted_figure:97% in landing.hero.note',
  ])
})

const secure = { shown: '100% Secure & HIPAA Compliant', support: 'audit of 2026-09-01' }
const listed = secure.shown

test.each([
  [[listed], { secure }, []],
  [[listed], { secure: { ...secure, support: null } }, ['claim_without_basis:secure']],
  // A listed claim covers only its own words.
  [[listed, '100% guaranteed.'], { secure }, ['unlisted_claim:100% in landing.hero.note']],
  [['Your data is HIPAA-safe.'], {}, ['unlisted_claim:HIPAA in landing.hero.note']],
  [['We win 100 % of cases.'], {}, ['unlisted_claim:100 % in landing.hero.note']],
  [['4.9 out of 5 stars'], {}, ['unlisted_claim:4.9 out of 5 stars in landing.hero.note']],
  [['Five-star service'], {}, ['unlisted_claim:Five-star in landing.hero.note']],
  [['Rated by Thousands'], {}, ['unlisted_claim:Rated by in landing.hero.note']],
  [['Rated #1'], {}, ['unlisted_claim:Rated #1 in landing.hero.note']],
])('a claim must be listed with support: %s with %o', (said, claims, expected) => {
  expect(named(claimFindings(texts(...said), { ...claims }))).toEqual(expected)
})

test('a legal page, or a link to one, can mention HIPAA', () => {
  const all = [found('legal.hipaa', 'HIPAA does not apply.'), found('links.hipaa', 'HIPAA Notice')]
  expect(claimFindings(all, {})).toEqual([])
})

const spanish = (text: string) => [found('landing.hero.note', text, 'es')]

test.each(['Solo quedan 23 lugares este mes', 'Quedan 23 cupos', 'Hay 23 lugares disponibles', 'Sólo 5 puestos'])(
  '“%s” is a scarcity claim',
  words =>
    expect(scarcityFindings(spanish(words), {})).toMatchObject([
      { code: 'scarcity_without_evidence', change: { file: 'content/es.toml' } },
    ]),
)

test.each([
  ['Sus datos están 100% seguros', '100%'],
  ['Calificado por miles', 'Calificado por'],
  ['4.9 de 5 estrellas', '4.9 de 5 estrellas'],
])('“%s” is a claim', (words, subject) => {
  expect(named(claimFindings(spanish(words), {}))).toEqual([`unlisted_claim:${subject} in landing.hero.note`])
})
