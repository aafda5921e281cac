import { expect, test } from 'vitest'
import { claimProblems, figureProblems, launchProblems } from './launch.ts'

const figure = { shown: '$1', claim: 'One.', source: 'somewhere', since: '2020-01-01', until: '2025-12-31' }

test('a figure may be shown up to and including its last day', () => {
  expect(figureProblems({ figure }, '2025-12-31')).toEqual([])
  expect(figureProblems({ figure }, '2026-01-01')).toEqual(['Figure figure ($1) held only until 2025-12-31.'])
})

test('a figure without a source may not be shown', () => {
  expect(figureProblems({ figure: { ...figure, source: null } }, '2020-01-01')).toEqual([
    'Figure figure ($1) has no source.',
  ])
})

test('a claim is listed until something supports it', () => {
  const rated = { shown: 'Rated by Thousands', support: null }
  expect(claimProblems({ rated })).toEqual([
    'The claim rated (“Rated by Thousands”) has nothing that supports it in content/claims.ts.',
  ])
  expect(claimProblems({ rated: { ...rated, support: '2,140 reviews' } })).toEqual([])
})

test('the content as it stands is refused: samples, expired figures, unsupported claims and empty links', () => {
  const problems = launchProblems('2026-11-15').join('\n')
  for (const part of [
    'maximumBenefit',
    'feeCap',
    'HIPAA Compliant',
    'Rated by Thousands',
    '5 out of 5 stars',
    'testimonial of Linda',
    'Privacy Policy',
  ])
    expect(problems).toContain(part)
})
