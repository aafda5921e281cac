import { expect, test } from 'vitest'
import { claims } from '../content/claims.ts'
import { figures } from '../content/figures.ts'
import { footerLinks } from '../content/links.ts'
import { testimonials } from '../content/testimonials.ts'
import { launchProblems } from './launch.ts'

const nothing = { figures: {}, claims: {}, testimonials: [], links: [] }
const figure = { shown: '$1', source: 'somewhere', until: '2025-12-31' }
const problemsOf = (claim: typeof figure | { shown: string; source: null; until: null }, today: string) =>
  launchProblems({ ...nothing, figures: { figure: claim } }, today)

test('a figure may be shown up to and including its last day', () => {
  expect(problemsOf(figure, '2025-12-31')).toEqual([])
  expect(problemsOf(figure, '2026-01-01')).toEqual([
    { code: 'figureExpired', subject: 'figure ($1)', note: '', until: '2025-12-31' },
  ])
})

test('a figure without a source may not be shown', () => {
  expect(problemsOf({ shown: '$1', source: null, until: null }, '2020-01-01')).toEqual([
    { code: 'figureWithoutSource', subject: 'figure ($1)', note: '' },
  ])
})

test('a claim is listed until something supports it', () => {
  const rated = { shown: 'Rated by Thousands', support: null }
  expect(launchProblems({ ...nothing, claims: { rated } }, '2026-01-01')).toEqual([
    { code: 'unsupportedClaim', subject: 'rated (“Rated by Thousands”)' },
  ])
  expect(
    launchProblems({ ...nothing, claims: { rated: { ...rated, support: '2,140 reviews' } } }, '2026-01-01'),
  ).toEqual([])
})

test('the content as it stands is refused: samples, expired figures, unsupported claims and empty links', () => {
  const links = [...footerLinks, ...footerLinks]
  const problems = launchProblems({ figures, claims, testimonials, links }, '2026-11-15')
  const found = problems.map(({ code, subject }) => `${code} ${subject}`)
  expect(found).toContain('figureExpired maximumBenefit ($4,018/Month)')
  expect(found).toContain('unsupportedClaim fiveStars (“5 out of 5 stars”)')
  expect(found).toContain('sampleTestimonial Linda')
  expect(found.filter(problem => problem === 'linkWithoutDestination Privacy Policy')).toHaveLength(1)
})
