/** The launch report: blockers, worst first, and notes. */

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

import type { SiteData } from '../site-folder/types.ts'

interface Blocker {
  /** The key to accept it under in reviews.toml. */
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

/** Who accepted a finding, when, and why, by its ID. */
type Accepted = SiteData['reviews']['accepted']

interface CheckOptions {
  readonly findings: readonly LaunchFinding[]
  readonly notes?: readonly LaunchNote[]
  readonly accepted: Accepted
  readonly today: string
  readonly locationOf: (change: ChangeAt) => string
}

export function launchReport(options: CheckOptions): LaunchReport {
  const { findings, notes = [], accepted, today, locationOf } = options
  const valid = acceptedBy(today, accepted)
  const open = openOn(findings, today)
  const blocking = open.filter(finding => valid[idOf(finding)] === undefined)
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
        const review = valid[id]
        return review ? { id, reason: `Accepted by ${review.by} on ${review.on}: ${review.why}` } : []
      }),
      ...expiringOn(findings, today).map(finding => ({
        id: idOf(finding),
        reason: `Will block the launch starting ${finding.from}.`,
      })),
      ...notes,
      ...Object.keys(accepted)
        .filter(id => !ids.includes(id))
        .map(id => ({ id, reason: 'Accepted in reviews.toml but no longer found. Remove that entry.' })),
    ],
  }
}

/** Not those with a date in the future. */
export const acceptedBy = (today: string, accepted: Accepted): Accepted =>
  Object.fromEntries(Object.entries(accepted).filter(([, { on }]) => on <= today))
