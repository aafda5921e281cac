import { expect, test } from 'vitest'
import { slugOf } from './slug.ts'

test.each([
  ['Why Your Age Is An Advantage', 'why-your-age-is-an-advantage'],
  ["Don't Wait – Timing Is Critical", 'don-t-wait-timing-is-critical'],
  ['¿Qué necesito? Años, señor, pingüino', 'que-necesito-anos-senor-pinguino'],
  ['電話', ''],
])('%s becomes %s', (heading, slug) => expect(slugOf(heading)).toBe(slug))
