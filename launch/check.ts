/** The whole check: what was found in the built site and the settings, worst first, and what is only worth a note. */

import { idOf, type LaunchFinding, openOn, soonOn } from '../domain/launch/finding.ts'
import type { LinkVerdict } from './external-links.ts'
import { type Justification, type Justifications, wholeJustifications } from './justification.ts'
import { sentenceOf } from './words.ts'

/** A figure that ends within so many days is told before it does. */
export const DAYS_AHEAD = 30

export interface Line {
  /** The name by which content/claims.ts can justify it. */
  readonly id: string
  readonly reason: string
  /** The file and line to change. */
  readonly change: string
}

export interface Note {
  readonly id: string
  readonly reason: string
}

export interface LaunchReport {
  readonly blockers: readonly Line[]
  readonly notes: readonly Note[]
}

interface CheckOptions {
  readonly findings: readonly LaunchFinding[]
  readonly links: readonly LinkVerdict[]
  readonly justifications: Justifications
  readonly today: string
  readonly placeOf: (change: LaunchFinding['change']) => string
}

export function launchReport({ findings, links, justifications, today, placeOf }: CheckOptions): LaunchReport {
  const all = [...findings, ...links.filter(({ standing }) => standing === 'dead').map(deadLink)]
  const whole = wholeJustifications(justifications, today)
  const found = openOn(all, today).map(finding => ({ finding, justification: whole[idOf(finding)] }))
  return {
    blockers: found
      .filter(({ justification }) => justification === undefined)
      .map(({ finding }) => ({
        id: idOf(finding),
        reason: sentenceOf(finding),
        change: placeOf(finding.change),
      })),
    notes: [
      ...found.flatMap(({ finding, justification }) => (justification ? [justified(finding, justification)] : [])),
      ...soonOn(all, today, DAYS_AHEAD).map(soon),
      ...links.filter(({ standing }) => standing === 'unchecked').map(unchecked),
      ...unusedJustifications(all, justifications),
    ],
  }
}

function deadLink({ url, reason }: LinkVerdict): LaunchFinding {
  return { code: 'dead_link', subject: url, detail: reason, change: { after: [url] } }
}

function justified(finding: LaunchFinding, { who, when, why }: Justification): Note {
  return { id: idOf(finding), reason: `Justified by ${who} on ${when}: ${why}` }
}

function soon(finding: LaunchFinding): Note {
  return { id: idOf(finding), reason: `From ${finding.from} on this keeps the site from the public.` }
}

function unchecked({ url, reason }: LinkVerdict): Note {
  return { id: `link_not_checked:${url}`, reason: `Not checked: ${reason}. Open it in a browser.` }
}

function unusedJustifications(findings: readonly LaunchFinding[], justifications: Justifications) {
  const ids = new Set(findings.map(idOf))
  return Object.keys(justifications)
    .filter(id => !ids.has(id))
    .map(
      (id): Note => ({
        id,
        reason: 'Justified in content/claims.ts, but there is no such finding: take it out there.',
      }),
    )
}
