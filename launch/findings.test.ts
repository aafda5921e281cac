import { expect, test } from 'vitest'
import { openOn, soonOn } from './findings.ts'

const point = (code: 'dead_link' | 'figure_expired' | 'sample_testimonial', from?: string) => ({
  code,
  subject: 'x',
  ...(from === undefined ? {} : { from }),
})

test('open findings come worst first; later ones are not open yet', () => {
  const points = [point('dead_link'), point('figure_expired', '2026-12-01'), point('sample_testimonial')]
  expect(openOn(points, '2026-11-30').map(({ code }) => code)).toEqual(['sample_testimonial', 'dead_link'])
  expect(openOn(points, '2026-12-01').map(({ code }) => code)).toEqual([
    'sample_testimonial',
    'figure_expired',
    'dead_link',
  ])
})

test('findings that start within thirty days are announced', () => {
  const points = [point('figure_expired', '2026-12-31')]
  expect(soonOn(points, '2026-11-30', 30)).toEqual([])
  expect(soonOn(points, '2026-12-01', 30)).toEqual(points)
  expect(soonOn(points, '2026-12-30', 30)).toEqual(points)
  expect(soonOn(points, '2026-12-31', 30)).toEqual([])
})
