/** Chance that comes out alike every time: the demo's pictures and tests show the same month. */

export interface Chance {
  /** From 0 up to 1. */
  next(): number
  /** Whether something of this likelihood happens. */
  happens(share: number): boolean
  between(least: number, most: number): number
  one<T>(of: readonly T[]): T
  /** One of them, each as often as its weight says. */
  weighted<T>(of: readonly (readonly [value: T, weight: number])[]): T
}

/** Mulberry32. */
export function createChance(seed: number): Chance {
  let state = seed >>> 0
  function next(): number {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number) => least + Math.floor(next() * (most - least + 1))
  return {
    next,
    happens: share => next() < share,
    between,
    one: of => of[between(0, of.length - 1)] as (typeof of)[number],
    weighted: of => {
      let left = next() * of.reduce((sum, [, weight]) => sum + weight, 0)
      const found = of.find(([, weight]) => {
        left -= weight
        return left < 0
      })
      return (found ?? of[0])?.[0] as (typeof of)[number][0]
    },
  }
}
