/**
 * Confidence intervals for a proportion (Wilson) and for the difference between two (Newcombe, Statistics in Medicine 17, 1998).
 * Both are accurate for small counts.
 */
export interface Proportion {
  readonly count: number
  readonly of: number
}

export interface Interval {
  readonly low: number
  readonly high: number
}

/** The standard normal quantile for a 95% interval. */
const Z = 1.959963984540054

export function shareInterval({ count, of }: Proportion): Interval {
  if (of === 0) return { low: 0, high: 1 }
  const share = count / of
  const center = share + Z ** 2 / (2 * of)
  const spread = Z * Math.sqrt((share * (1 - share)) / of + Z ** 2 / (4 * of ** 2))
  const scale = 1 + Z ** 2 / of
  // At 0% and 100%, rounding errors could put a bound on the wrong side of the proportion.
  return {
    low: Math.max(0, Math.min(share, (center - spread) / scale)),
    high: Math.min(1, Math.max(share, (center + spread) / scale)),
  }
}

/** The interval for `first` minus `second`. If it includes zero, the difference isn't significant. */
export function differenceInterval(first: Proportion, second: Proportion): Interval {
  const [one, two] = [shareInterval(first), shareInterval(second)]
  const [p, q] = [shareOf(first), shareOf(second)]
  return {
    low: p - q - Math.hypot(p - one.low, two.high - q),
    high: p - q + Math.hypot(one.high - p, q - two.low),
  }
}

function shareOf({ count, of }: Proportion): number {
  return of === 0 ? 0.5 : count / of
}
