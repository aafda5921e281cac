/** `funnel`: from the first view to the delivered lead, by campaign, page, day, or variant, and where people leave. */
import { questions } from '../../content/questions.ts'
import { campaignOf, NO_CAMPAIGN, OTHER_CAMPAIGNS } from '../../domain/campaign.ts'
import { dropOff, type QuestionStep } from '../../domain/drop-off.ts'
import { differenceInterval, type Interval } from '../../domain/proportions.ts'
import { ORIGINAL, PREVIEW } from '../../domain/variants.ts'
import { OWN_LEAD_ENDPOINT } from '../../server/config.ts'
import { jsonText, plain } from '../../server/export/plain-text.ts'
import { type FunnelGroup, type FunnelLine, funnelGroups } from '../../server/store/funnel.ts'
import { oneOf, readLimit } from '../arguments.ts'
import type { Command, OutputStream, Run } from '../command.ts'
import { rangeOptions, readRange } from '../options/filter.ts'
import { table } from '../terminal/table.ts'
import { counted } from '../terminal/words.ts'
import { calendarOf, withStore } from '../with-store.ts'

const DEFAULT_DAYS = 30
const DEFAULT_LIMIT = 25
const BAR = 40

export const funnel: Command = {
  summary: 'Show how many visitors viewed, answered, and became leads.',
  usage: ['[OPTIONS]'],
  about:
    'Page views are counted without cookies and grouped by the utm_source, utm_medium, and utm_campaign parameters in your ad links. Counts cover whole days in TIME_ZONE. New views show up within ten seconds.\n' +
    'The last table shows where people drop off.',
  options: {
    by: { value: 'WHAT', about: `One of ${funnelGroups.join(', ')}, question. Default: campaign.` },
    ...rangeOptions,
    limit: { value: 'NUMBER', about: `Maximum number of rows. Default: ${DEFAULT_LIMIT}.` },
    json: { about: 'Print JSON, with all rows.' },
  },
  examples: ['', '--since today', '--by page --since 7d', '--by variant --since 2030-01-01', '--json > funnel.json'],
  async run(run) {
    const { args, out, notes, stdout } = run
    const by = oneOf(args, 'by', [...funnelGroups, 'question']) ?? 'campaign'
    const group = by === 'question' ? 'page' : by
    const limit = readLimit(args, DEFAULT_LIMIT)
    const days = readDays(run)
    const { timeZone, leadEndpoint } = run.readConfig()
    const { lines, reached } = await withStore(run, 'read', async store => ({
      lines: (await store.funnel({ by: [group], ...days, timeZone }))[group],
      reached: await store.questionsReached(days),
    }))
    const isStored = leadEndpoint === OWN_LEAD_ENDPOINT
    const groups = groupsOf(group, lines, isStored)
    const total = totalOf(lines, isStored)
    const declined = total.finished - total.qualified
    const steps = dropOff(reached, questions.length, { declined, submitted: total.qualified })
    if (args.isSet('json')) {
      const rows = groups.map(({ name, ...counts }) => ({ [by]: name, ...counts }))
      return out.write(`${jsonText(by === 'question' ? steps : rows, 2)}\n`)
    }
    const period = days.since === days.until ? days.since : `${days.since} to ${days.until}`
    if (groups.length === 0) {
      return notes.write(
        `No views counted (${period}).\nThe server counts views while it runs. Use --since to go further back.\n`,
      )
    }
    const sections = [
      `${period}, days in ${timeZone}\n`,
      drawn(total),
      by === 'question' ? '' : groupTable(by, groups.slice(0, limit), stdout),
      groups.map(comparisonInWords).join(''),
      questionTable(steps, stdout),
      legend(total),
    ]
    await out.write(sections.filter(Boolean).join('\n'))
    const left = groups.length - limit
    if (left > 0 && by !== 'question') await notes.write(`${figure(left)} more. Use --limit to see them.\n`)
  },
}

/** Counts are of whole days. */
function readDays(run: Run): { readonly since: string; readonly until: string } {
  const calendar = calendarOf(run)
  const { since, until } = readRange(run)
  const lastDay = calendar.dateOf(until === undefined ? run.now() : until - 1)
  return {
    since: since === undefined ? calendar.daysAfter(lastDay, 1 - DEFAULT_DAYS) : calendar.dateOf(since),
    until: lastDay,
  }
}

const stages = ['viewed', 'finished', 'qualified', 'leads', 'delivered'] as const

/** Leads and delivered are null if leads go straight to a webhook: all we see of them is the thank-you page. */
interface Stages extends Readonly<Record<'viewed' | 'finished' | 'qualified' | 'bots' | 'prefetches', number>> {
  readonly leads: number | null
  readonly delivered: number | null
}

interface Group extends Stages {
  readonly name: string
  /** How many more leads per view than the original, with 95% confidence. */
  readonly difference?: Interval
}

function stagesOf(line: Omit<FunnelLine, 'key' | 'asks'>, isStored: boolean): Stages {
  const qualified = isStored ? line.submitted : line.thanked
  return {
    viewed: line.views,
    finished: line.declined + qualified,
    qualified,
    leads: isStored ? line.leads : null,
    delivered: isStored ? line.delivered : null,
    bots: line.bots,
    prefetches: line.prefetches,
  }
}

/** Without pages that have no questions: they can't produce leads. */
function totalOf(lines: readonly FunnelLine[], isStored: boolean): Stages {
  const sum = (name: Exclude<keyof FunnelLine, 'key' | 'asks'>) =>
    lines.reduce((total, line) => total + (line.asks ? line[name] : 0), 0)
  const [views, bots, prefetches, declined] = [sum('views'), sum('bots'), sum('prefetches'), sum('declined')]
  const [thanked, submitted, leads, delivered] = [sum('thanked'), sum('submitted'), sum('leads'), sum('delivered')]
  return stagesOf({ views, bots, prefetches, declined, thanked, submitted, leads, delivered }, isStored)
}

/** Most views first; days in order. */
function groupsOf(by: FunnelGroup, lines: readonly FunnelLine[], isStored: boolean): readonly Group[] {
  const groups = lines
    .map(line => ({ name: nameOf(by, line.key), ...stagesOf(line, isStored) }))
    .toSorted((a, b) => (by === 'day' ? 0 : b.viewed - a.viewed) || (a.name < b.name ? -1 : 1))
  const original = by === 'variant' && isStored ? groups.find(({ name }) => name === ORIGINAL) : undefined
  if (!original) return groups
  return groups.map(group =>
    group === original || group.name.startsWith('(')
      ? group
      : { ...group, difference: differenceInterval(proportionOf(group), proportionOf(original)) },
  )
}

/** A page that was open overnight may bring a lead on a day without a view. */
function proportionOf({ viewed, leads }: Stages) {
  return { count: Math.min(leads ?? 0, viewed), of: viewed }
}

function nameOf(by: FunnelGroup, key: string): string {
  if (by === 'variant') return key.startsWith(PREVIEW) ? `(preview of ${key.slice(PREVIEW.length)})` : key || '(none)'
  if (by !== 'campaign') return plain(key)
  if (key === NO_CAMPAIGN) return '(no campaign)'
  if (key === OTHER_CAMPAIGNS) return '(all other campaigns)'
  const { source = '', medium = '', campaign = '', clickId = false } = campaignOf(key) ?? {}
  const named = [medium, campaign].filter(Boolean)
  const parts = source || named.length > 0 ? [source || '(no source)', ...named].map(plain).join(' / ') : ''
  return [parts, clickId ? '(click id)' : ''].filter(Boolean).join(' ')
}

function drawn(total: Stages): string {
  const known = stages.flatMap(stage => (total[stage] === null ? [] : [{ stage, count: total[stage] }]))
  const width = Math.max(...known.map(({ count }) => figure(count).length))
  const lines = known.map(({ stage, count }) => {
    const share = total.viewed === 0 ? 0 : count / total.viewed
    const bar = '█'.repeat(Math.ceil(Math.min(1, share) * BAR))
    return `${stage.padEnd(10)} ${figure(count).padStart(width)}  ${percent(share).padStart(6)}  ${bar}`.trimEnd()
  })
  return `${lines.join('\n')}\n`
}

const right = (head: string) => ({ head, right: true }) as const

function groupTable(by: string, groups: readonly Group[], stdout: OutputStream): string {
  return table(
    [{ head: by.toUpperCase(), elastic: true }, ...[...stages, 'rate'].map(stage => right(stage.toUpperCase()))],
    groups.map(group => [
      group.name,
      ...stages.map(stage => (group[stage] === null ? '-' : figure(group[stage]))),
      group.viewed === 0 ? '-' : percent((group.leads ?? group.qualified) / group.viewed),
    ]),
    stdout,
  )
}

function questionTable(steps: readonly QuestionStep[], stdout: OutputStream): string {
  if (steps.length === 0) return ''
  return table(
    [{ head: 'QUESTION', elastic: true }, ...['REACHED', 'LEFT HERE', 'RATE'].map(right)],
    steps.map(({ question, reached, left }) => [
      question === null ? 'Contact form' : `${question}. ${questions[question - 1]?.text ?? ''}`.trim(),
      ...[figure(reached), figure(left), reached === 0 ? '-' : percent(left / reached)],
    ]),
    stdout,
  )
}

function comparisonInWords({ name, difference }: Group): string {
  if (!difference) return ''
  const { low, high } = difference
  const verdict = low > 0 ? 'more leads than' : high < 0 ? 'fewer leads than' : 'no significant difference yet from'
  return `${name}: ${verdict} ${ORIGINAL} (${points(low)} to ${points(high)} points, 95% confidence).\n`
}

/** Always printed: a misunderstood number is worse than none. */
function legend({ leads, bots, prefetches }: Stages): string {
  const stored = `qualified  submitted the contact form, including repeats and leads on hold
leads      new people, not on hold; the rate is leads per view
delivered  accepted by the webhook`
  return `viewed     views of a page with the questions; reloads count again
finished   answered all questions: didn’t qualify, or submitted the contact form
${leads === null ? 'qualified  reached /thank-you: leads go straight to SITE_LEAD_ENDPOINT' : stored}
Not included: ${counted(bots, 'view')} by bots, ${counted(prefetches, 'page')} prefetched by browsers.
`
}

const figure = (count: number) => count.toLocaleString('en-US')

function percent(share: number): string {
  const value = share * 100
  return `${value.toFixed(value >= 99.95 ? 0 : 1)}%`
}

const points = (difference: number) => `${difference < 0 ? '-' : '+'}${Math.abs(difference * 100).toFixed(1)}`
