/** The launch report: blockers, worst first, and notes. */
import type { justifications } from '../content/claims.ts'
import { isCalendarDate } from '../domain/dates.ts'
import {
  type ChangeAt,
  expiringOn,
  groupOf,
  idOf,
  type LaunchFinding,
  type LaunchGroup,
  type LaunchNote,
  openOn,
  sentenceOf,
} from '../domain/launch/findings.ts'

interface Blocker {
  /** The key to justify it under in content/claims.ts. */
  readonly id: string
  readonly group: LaunchGroup
  readonly reason: string
  /** The file and line to change. */
  readonly change: string
}

export interface LaunchReport {
  readonly blockers: readonly Blocker[]
  readonly notes: readonly LaunchNote[]
  /** The blockers for the printed report: one entry per cause. */
  readonly causes: readonly Omit<Blocker, 'id'>[]
}

type Justifications = typeof justifications

interface CheckOptions {
  readonly findings: readonly LaunchFinding[]
  readonly notes?: readonly LaunchNote[]
  readonly justifications: Justifications
  readonly today: string
  readonly locationOf: (change: ChangeAt) => string
}

export function launchReport(options: CheckOptions): LaunchReport {
  const { findings, notes = [], justifications, today, locationOf } = options
  const complete = completeJustifications(justifications, today)
  const open = openOn(findings, today)
  const blocking = open.filter(finding => complete[idOf(finding)] === undefined)
  const describeFindings = (...found: LaunchFinding[]) => ({
    group: groupOf(found[0] as LaunchFinding),
    reason: sentenceOf(...found),
    change: [...new Set(found.map(({ change }) => locationOf(change)))].join(', '),
  })
  const ids = findings.map(idOf)
  return {
    blockers: blocking.map(finding => ({ id: idOf(finding), ...describeFindings(finding) })),
    causes: Object.values(Object.groupBy(blocking, ({ code }) => code)).map((found = []) => describeFindings(...found)),
    notes: [
      ...open.flatMap(finding => {
        const id = idOf(finding)
        const accepted = complete[id]
        return accepted ? { id, reason: `Accepted by ${accepted.who} on ${accepted.when}: ${accepted.why}` } : []
      }),
      ...expiringOn(findings, today).map(finding => ({
        id: idOf(finding),
        reason: `Will block the launch starting ${finding.from}.`,
      })),
      ...notes,
      ...Object.keys(justifications)
        .filter(id => !ids.includes(id))
        .map(id => ({ id, reason: 'Justified in content/claims.ts but no longer found. Remove that entry.' })),
    ],
  }
}

/** A justification counts only with a name, a reason, and a date that isn't in the future. */
export function completeJustifications(justifications: Justifications, today: string): Justifications {
  return Object.fromEntries(
    Object.entries(justifications).filter(
      ([, { who, when, why }]) => who.trim() !== '' && why.trim() !== '' && isCalendarDate(when) && when <= today,
    ),
  )
}
