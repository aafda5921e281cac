import { expect, test } from 'vitest'
import { type Figure, figures } from './figures.ts'

test('every figure says what it claims, and its dates are dates', () => {
  for (const [name, figure] of Object.entries<Figure>(figures)) {
    expect(figure.claim, name).not.toBe('')
    for (const date of [figure.since, figure.until])
      if (date !== null) expect(date, name).toMatch(/^\d{4}-\d{2}-\d{2}$/)
  }
})
