/** Lines of the check that somebody has taken responsibility for, in content/claims.ts: they become notes. */
import { isDay } from '../domain/launch/finding.ts'

export interface Justification {
  readonly who: string
  /** The day of the decision, such as 2026-11-01. */
  readonly when: string
  readonly why: string
}

export type Justifications = Readonly<Record<string, Justification>>

/** A name without a day or a reason takes no responsibility, nor does one for a day to come. */
export function wholeJustifications(justifications: Justifications, today: string): Justifications {
  return Object.fromEntries(
    Object.entries(justifications).filter(
      ([, { who, when, why }]) => who.trim() !== '' && why.trim() !== '' && isDay(when) && when <= today,
    ),
  )
}
