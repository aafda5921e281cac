/** The launch report: blockers, worst first, and notes. */
import { isDay } from '../domain/calendar-day.ts'
import type { LinkVerdict } from './external-links.ts'
import { groupOf, idOf, type LaunchFinding, openOn, sentenceOf, soonOn } from './findings.ts'

/** A figure that expires within this many days is announced. */
export const DAYS_AHEAD = 30

interface Line {
  /** The name by which content/claims.ts can justify it. */
  readonly id: string
  readonly group: 'lawyer' | 'marketing' | 'settings'
  readonly reason: string
  /** The file and line to change. */
  readonly change: string
}

interface Note {
  readonly id: string
  readonly reason: string
}

export interface LaunchReport {
  readonly blockers: readonly Line[]
  readonly notes: readonly Note[]
  /** The blockers for people to read: one entry per cause. */
  readonly causes: readonly Omit<Line, 'id'>[]
}

/** Who accepted a finding, when and why; see content/claims.ts. */
interface Justification {
  readonly who: string
  /** Such as 2026-11-01. */
  readonly when: string
  readonly why: string
}

type Justifications = Readonly<Record<string, Justification>>

interface CheckOptions {
  readonly findings: readonly LaunchFinding[]
  readonly links: readonly LinkVerdict[]
  readonly justifications: Justifications
  readonly today: string
  readonly placeOf: (change: LaunchFinding['change']) => string
}

export function launchReport({ findings, links, justifications, today, placeOf }: CheckOptions): LaunchReport {
  const dead = links.filter(({ standing }) => standing === 'dead').map(deadLink)
  const all = [...findings, ...dead]
  const accepted = completeJustifications(justifications, today)
  const open = openOn(all, today)
  const blockers = open.filter(finding => accepted[idOf(finding)] === undefined)
  return {
    blockers: blockers.map(finding => ({
      id: idOf(finding),
      group: groupOf(finding),
      reason: sentenceOf(finding),
      change: placeOf(finding.change),
    })),
    causes: [...Map.groupBy(blockers, ({ code }) => code).values()].map(found => ({
      group: groupOf(found[0] as LaunchFinding),
      reason: sentenceOf(...found),
      change: [...new Set(found.map(({ change }) => placeOf(change)))].join(', '),
    })),
    notes: [
      ...open.flatMap(finding => {
        const justification = accepted[idOf(finding)]
        return justification === undefined ? [] : [justified(finding, justification)]
      }),
      ...soonOn(all, today, DAYS_AHEAD).map(finding => note(finding, `Blocks the launch from ${finding.from} on.`)),
      ...links.filter(({ standing }) => standing === 'unchecked').map(unchecked),
      ...unusedJustifications(all, justifications),
    ],
  }
}

const note = (finding: LaunchFinding, reason: string): Note => ({ id: idOf(finding), reason })

function deadLink({ url, reason }: LinkVerdict): LaunchFinding {
  return { code: 'dead_link', subject: url, detail: reason, change: { after: [url] } }
}

function justified(finding: LaunchFinding, { who, when, why }: Justification): Note {
  return note(finding, `Accepted by ${who} on ${when}: ${why}`)
}

function unchecked({ url, reason }: LinkVerdict): Note {
  return { id: `link_not_checked:${url}`, reason: `Not checked: ${reason}. Open it in a browser.` }
}

function unusedJustifications(findings: readonly LaunchFinding[], justifications: Justifications): readonly Note[] {
  const ids = new Set(findings.map(idOf))
  return Object.keys(justifications)
    .filter(id => !ids.has(id))
    .map(id => ({ id, reason: 'Justified in content/claims.ts, but nothing like it was found. Remove it there.' }))
}

/** A justification counts only with a name, a reason, and a date that isn't in the future. */
export function completeJustifications(justifications: Justifications, today: string): Justifications {
  return Object.fromEntries(
    Object.entries(justifications).filter(
      ([, { who, when, why }]) => who.trim() !== '' && why.trim() !== '' && isDay(when) && when <= today,
    ),
  )
}
