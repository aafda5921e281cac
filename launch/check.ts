/** The launch report: blockers, worst first, and notes. */
import { isDay } from '../domain/dates.ts'
import {
  type ChangeAt,
  groupOf,
  idOf,
  type LaunchFinding,
  type LaunchGroup,
  openOn,
  sentenceOf,
  soonOn,
} from './findings.ts'
import type { LinkVerdict } from './rules/links.ts'

interface Blocker {
  /** The name by which content/claims.ts can justify it. */
  readonly id: string
  readonly group: LaunchGroup
  readonly reason: string
  /** The file and line to change. */
  readonly change: string
}

export interface LaunchReport {
  readonly blockers: readonly Blocker[]
  readonly notes: readonly { readonly id: string; readonly reason: string }[]
  /** The blockers for people to read: one entry per cause. */
  readonly causes: readonly Omit<Blocker, 'id'>[]
}

/** Who accepted a finding, when (such as 2026-11-01), and why; see content/claims.ts. */
type Justifications = Readonly<Record<string, { readonly who: string; readonly when: string; readonly why: string }>>

interface CheckOptions {
  readonly findings: readonly LaunchFinding[]
  readonly links: readonly LinkVerdict[]
  readonly justifications: Justifications
  readonly today: string
  readonly placeOf: (change: ChangeAt) => string
}

export function launchReport({ findings, links, justifications, today, placeOf }: CheckOptions): LaunchReport {
  const dead = links
    .filter(({ verdict }) => verdict === 'dead')
    .map(
      ({ url, reason }): LaunchFinding => ({
        code: 'dead_link',
        subject: url,
        detail: reason,
        change: { after: [url] },
      }),
    )
  const all = [...findings, ...dead]
  const accepted = completeJustifications(justifications, today)
  const open = openOn(all, today)
  const blocking = open.filter(finding => accepted[idOf(finding)] === undefined)
  const blockers = blocking.map(finding => ({
    id: idOf(finding),
    group: groupOf(finding),
    reason: sentenceOf(finding),
    change: placeOf(finding.change),
  }))
  const causes = Object.values(Object.groupBy(blocking, ({ code }) => code)).map((found = []) => ({
    group: groupOf(found[0] as LaunchFinding),
    reason: sentenceOf(...found),
    change: [...new Set(found.map(({ change }) => placeOf(change)))].join(', '),
  }))
  const ids = new Set(all.map(idOf))
  const unused = Object.keys(justifications).filter(id => !ids.has(id))
  const unchecked = links.filter(({ verdict }) => verdict === 'unchecked')
  const notes = [
    ...open.flatMap(finding => {
      const id = idOf(finding)
      const by = accepted[id]
      return by ? [{ id, reason: `Accepted by ${by.who} on ${by.when}: ${by.why}` }] : []
    }),
    ...soonOn(all, today).map(finding => ({
      id: idOf(finding),
      reason: `Will block the launch starting ${finding.from}.`,
    })),
    ...unchecked.map(({ url, reason }) => ({
      id: `link_not_checked:${url}`,
      reason: `Not checked (${reason}). Open the link in a browser.`,
    })),
    ...unused.map(id => ({
      id,
      reason: 'Justified in content/claims.ts, but no longer found. Remove the entry there.',
    })),
  ]
  return { blockers, causes, notes }
}

/** A justification counts only with a name, a reason, and a date that isn't in the future. */
export function completeJustifications(justifications: Justifications, today: string): Justifications {
  return Object.fromEntries(
    Object.entries(justifications).filter(
      ([, { who, when, why }]) => who.trim() !== '' && why.trim() !== '' && isDay(when) && when <= today,
    ),
  )
}
