/** Numbers on pages. figures.test.ts compares each with the list that it opens. */
import type { LeadsFilter } from './leads/filter.ts'

/** `filter`: of the list that it opens; null if it opens none. */
export interface Figure {
  readonly count: number
  readonly filter: LeadsFilter | null
}

export const figure = <Filter extends LeadsFilter | null>(count: number, filter: Filter) => ({ count, filter })

export const sum = <Name extends string>(rows: readonly Readonly<Record<Name, number>>[], of: Name): number =>
  rows.reduce((total, row) => total + row[of], 0)
