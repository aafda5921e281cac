/** The funnel for a terminal: its stages as bars and as a table, where people leave, and what each stage means. */
import { questions } from '../../content/questions.ts'
import { campaignOf, NO_CAMPAIGN, OTHER_CAMPAIGNS } from '../../domain/campaign.ts'
import type { QuestionStep } from '../../domain/drop-off.ts'
import { PREVIEW } from '../../domain/variants.ts'
import { plain } from '../../server/export/plain-text.ts'
import type { FunnelGroup, FunnelLine } from '../../server/store/funnel.ts'
import { table } from '../terminal/table.ts'
import { counted } from '../terminal/words.ts'

export interface Stages {
  readonly viewed: number
  readonly finished: number
  readonly qualified: number
  /** Null where leads do not come to the store. */
  readonly leads: number | null
  readonly delivered: number | null
}

export interface Group extends Stages {
  readonly name: string
  /** Views that are not people's. */
  readonly bots: number
  readonly prefetches: number
}

export interface Funnel {
  readonly by: FunnelGroup
  readonly total: Stages & Pick<Group, 'bots' | 'prefetches'>
  /** The most views first; days in their order. */
  readonly groups: readonly Group[]
}

const stages = ['viewed', 'finished', 'qualified', 'leads', 'delivered'] as const

/** When leads go straight to a webhook, all we see of them is the thank-you page. */
export function funnelOf(by: FunnelGroup, lines: readonly FunnelLine[], leadsAreStored: boolean): Funnel {
  const groupOf = (line: FunnelLine): Group => {
    const qualified = leadsAreStored ? line.submitted : line.thanked
    return {
      name: nameOf(by, line.key),
      viewed: line.views,
      finished: line.declined + qualified,
      qualified,
      leads: leadsAreStored ? line.leads : null,
      delivered: leadsAreStored ? line.delivered : null,
      bots: line.bots,
      prefetches: line.prefetches,
    }
  }
  const groups = lines.map(groupOf)
  const asking = lines.filter(({ asks }) => asks).map(groupOf)
  const sum = (of: (group: Group) => number | null) => asking.reduce((total, group) => total + (of(group) ?? 0), 0)
  return {
    by,
    total: {
      viewed: sum(group => group.viewed),
      finished: sum(group => group.finished),
      qualified: sum(group => group.qualified),
      leads: leadsAreStored ? sum(group => group.leads) : null,
      delivered: leadsAreStored ? sum(group => group.delivered) : null,
      bots: sum(group => group.bots),
      prefetches: sum(group => group.prefetches),
    },
    groups: groups.toSorted((a, b) =>
      by === 'day' ? compare(a.name, b.name) : b.viewed - a.viewed || compare(a.name, b.name),
    ),
  }
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0)

function nameOf(by: FunnelGroup, key: string): string {
  if (by === 'variant')
    return key.startsWith(PREVIEW) ? `(preview of ${key.slice(PREVIEW.length)})` : key || '(no variants)'
  if (by !== 'campaign') return plain(key)
  if (key === NO_CAMPAIGN) return '(no campaign)'
  if (key === OTHER_CAMPAIGNS) return '(all other campaigns)'
  const { source = '', medium = '', campaign = '', clickId = false } = campaignOf(key) ?? {}
  const named = [medium, campaign].filter(Boolean)
  const parts = source || named.length > 0 ? [source || '(no source)', ...named].map(plain).join(' / ') : ''
  return [parts, clickId ? '(click id)' : ''].filter(Boolean).join(' ')
}

const BAR = 40
const FULL = '█'
/** Eighths of a block, so that a small share still shows. */
const PARTS = ['', '▏', '▎', '▍', '▌', '▋', '▊', '▉']

function bar(share: number, width: number): string {
  const eighths = Math.round(Math.min(1, Math.max(0, share)) * width * 8)
  return FULL.repeat(Math.floor(eighths / 8)) + (PARTS[eighths % 8] ?? '')
}

/** All of it, a line for each stage. */
export function drawn({ total }: Funnel): string {
  const known = stages.flatMap(stage => (total[stage] === null ? [] : [{ stage, count: total[stage] }]))
  const width = Math.max(...known.map(({ count }) => figure(count).length))
  const lines = known.map(({ stage, count }) => {
    const share = total.viewed === 0 ? 0 : count / total.viewed
    return `${stage.padEnd(10)} ${figure(count).padStart(width)}  ${percent(share).padStart(6)}  ${bar(share, BAR)}`.trimEnd()
  })
  return `${lines.join('\n')}\n`
}

const SMALL_BAR = 8

/** A line for each group; its bar is the share of its views that became leads, against the best of them. */
export function groupTable({ by, groups }: Funnel, limit: number, columns: number): string {
  const rateOf = ({ viewed, leads, qualified }: Group) => (viewed === 0 ? 0 : (leads ?? qualified) / viewed)
  const shown = groups.slice(0, limit)
  const best = Math.max(...shown.map(rateOf))
  const cells = shown.map(group => [
    ...stages.map(stage => (group[stage] === null ? '-' : figure(group[stage]))),
    group.viewed === 0 ? '-' : percent(rateOf(group)),
  ])
  const heads = [...stages.map(stage => stage.toUpperCase()), 'RATE']
  const widths = heads.map((head, column) => Math.max(head.length, ...cells.map(row => row[column]?.length ?? 0)))
  const rightAligned = (row: readonly string[]) => row.map((cell, column) => cell.padStart(widths[column] ?? 0))
  return table(
    [{ head: by.toUpperCase(), elastic: true }, ...rightAligned(heads).map(head => ({ head })), { head: '' }],
    shown.map((group, row) => [
      group.name,
      ...rightAligned(cells[row] ?? []),
      best === 0 ? '' : bar(rateOf(group) / best, SMALL_BAR),
    ]),
    columns,
  )
}

/** Where people leave. Empty while nobody has told us. */
export function questionTable(steps: readonly QuestionStep[], columns: number): string {
  if (steps.length === 0) return ''
  const cells = steps.map(({ reached, left }) => [
    figure(reached),
    figure(left),
    reached === 0 ? '-' : percent(left / reached),
  ])
  const heads = ['REACHED', 'LEFT HERE', 'RATE']
  const rightAligned = (row: readonly string[]) => row.map((cell, column) => cell.padStart(heads[column]?.length ?? 0))
  return table(
    [{ head: 'QUESTION', elastic: true }, ...heads.map(head => ({ head }))],
    steps.map(({ question }, row) => [
      question === null ? 'Contact form' : `${question}. ${questions[question - 1]?.text ?? ''}`.trim(),
      ...rightAligned(cells[row] ?? []),
    ]),
    columns,
  )
}

/** Printed every time: a figure that is misunderstood is worse than none. */
export function whatIsMeant({ total }: Funnel): string {
  const isStored = total.leads !== null
  return [
    'viewed     people who saw a page with the questions; a reload counts again',
    'finished   were declined or sent the contact form',
    isStored
      ? 'qualified  sent the contact form, including repeats and leads on hold'
      : 'qualified  reached /thank-you: leads go straight to SITE_LEAD_ENDPOINT',
    ...(isStored
      ? ['leads      new people, not on hold; the rate is leads per view', 'delivered  accepted by the webhook']
      : []),
    `Not included: ${counted(total.bots, 'view')} by bots, ${counted(total.prefetches, 'page')} prefetched by browsers.`,
    '',
  ].join('\n')
}

function figure(count: number): string {
  return count.toLocaleString('en-US')
}

export function percent(share: number): string {
  const points = share * 100
  return `${points.toFixed(points >= 99.95 ? 0 : 1)}%`
}
