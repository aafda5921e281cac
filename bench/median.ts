/** The middle one of several measurements: one disturbed run does not move it. */
export function median(values: readonly number[]): number {
  return medianBy(values, value => value)
}

/** The measurement whose figure is in the middle. Meant for odd numbers of runs. */
export function medianBy<T>(values: readonly T[], figure: (value: T) => number): T {
  const middle = values.toSorted((a, b) => figure(a) - figure(b))[Math.floor(values.length / 2)]
  if (middle === undefined) throw new Error('There is no median of nothing.')
  return middle
}
