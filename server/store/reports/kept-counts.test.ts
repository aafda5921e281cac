import fc from 'fast-check'
import { expect, test } from 'vitest'
import { inMonths } from './kept-counts.ts'

test('every day in question is in one whole month or among the rest, once, and no other day is', () => {
  const date = (index: number) => new Date(Date.UTC(2030, 10, 20) + index * 86_400_000).toISOString().slice(0, 10)
  const days = Array.from({ length: 120 }, (_, index) => date(index))
  const day = fc.constantFrom(...days)
  const month = fc.constantFrom('2030-11', '2030-12', '2031-01', '2031-02', '2031-03')
  fc.assert(
    fc.property(day, day, fc.uniqueArray(month), (since, until, broken) => {
      const { whole, rest } = inMonths({ since, until }, broken)
      const isBroken = (of: string) => broken.some(each => each === of)
      const times = (each: string) => {
        const of = each.slice(0, 7)
        const inWhole = of >= whole.since && of <= whole.until && !whole.without.includes(of)
        expect(inWhole && isBroken(of)).toBe(false)
        return Number(inWhole) + rest.filter(span => each >= span.since && each <= span.until).length
      }
      for (const each of days) expect([each, times(each)]).toEqual([each, each >= since && each <= until ? 1 : 0])
    }),
  )
})

test('a year is read from its months, but for the one that is not over', () => {
  expect(inMonths({ since: '2030-01-01', until: '2030-12-14' }, [])).toEqual({
    whole: { since: '2030-01', until: '2030-12', without: ['2030-12'] },
    rest: [{ since: '2030-12-01', until: '2030-12-14' }],
  })
})
