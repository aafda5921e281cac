/** `funnel`: views, leads, and deliveries by campaign, page, day, variant, or language, and where people drop off. */
import { campaignName } from '../../domain/campaign.ts'
import { dropOff, type QuestionStep } from '../../domain/drop-off.ts'
import { ENGLISH, languageName } from '../../domain/languages.ts'
import { differenceInterval, type Interval } from '../../domain/proportions.ts'
import { ORIGINAL, PREVIEW } from '../../domain/variants.ts'
import { copyIn, type ServerQuestion } from '../../server/http/site-manifest.ts'
import { OWN_LEAD_ENDPOINT } from '../../server/settings/config.ts'
import { type FunnelGroup, type FunnelLine, funnelGroups } from '../../server/store/visits/funnel.ts'
import type { Command, Run } from '../command.ts'
import { oneOf, rangeOptions, readRange } from '../options.ts'
import { pluralize, table } from '../terminal/text.ts'

const DEFAULT_DAYS = 30

export const funnel: Command = {
  summary: 'Show how many visitors saw the questions, finished them, and became leads.',
  about:
    'Page views are counted without cookies and grouped by the utm_source, utm_medium, and utm_campaign parameters in your ad links. Counts cover whole days in TIME_ZONE. New views show up within ten seconds.\n' +
    'The last table shows where people drop off.',
  options: {
    by: { value: 'WHAT', about: `One of ${funnelGroups.join(', ')}, question. Default: campaign.` },
    ...rangeOptions,
    json: { about: 'Print JSON.' },
  },
  examples: [
    '',
    '--since today',
    '--by page --since 7d',
    '--by language',
    '--by variant --since 2030-01-01',
    '--json > funnel.json',
  ],
  async run(run) {
    const { args, stdout } = run
    const by = oneOf(args, 'by', [...funnelGroups, 'question']) ?? 'campaign'
    const group = by === 'question' ? 'page' : by
    const days = readDays(run)
    const { timeZone, leadEndpoint } = run.readConfig()
    const store = await run.openStore('read')
    const lines = (await store.funnel({ by: [group], ...days, timeZone }))[group]
    const reached = await store.questionsReached(days)
    const isStored = leadEndpoint === OWN_LEAD_ENDPOINT
    const groups = groupsOf(group, lines, isStored)
    // Pages without questions can't produce leads.
    const withQuestions = lines.filter(({ asks }) => asks)
    const total = groupOf('Total', withQuestions, isStored)
    const declined = total.finished - total.qualified
    const { questions } = copyIn(run.readSite().copy, ENGLISH)
    const steps = dropOff(reached, questions.length, { views: total.viewed, declined, submitted: total.qualified })
    if (args.isSet('json')) {
      const rows = groups.map(({ name, ...counts }) => ({ [by]: name, ...counts }))
      return run.json(by === 'question' ? steps : rows)
    }
    const period = days.since === days.until ? days.since : `${days.since} to ${days.until}`
    if (groups.length === 0) {
      return run.notes.write(
        `No views counted (${period}).\nThe server counts views only while it’s running. Use --since to go further back.\n`,
      )
    }
    const shown = by === 'question' ? [total] : [...groups, total]
    const stages = shown.map(({ name, viewed, finished, qualified, leads, delivered }) => ({
      [by]: name,
      viewed,
      finished,
      qualified,
      leads: leads ?? '-',
      delivered: delivered ?? '-',
      rate: percent(leads ?? qualified, viewed),
    }))
    const sections = [
      `${period} (${timeZone})\n`,
      table(stages, stdout, [by]),
      groups.map(describeComparison).join(''),
      table(
        steps.map(step => stepCells(step, questions)),
        stdout,
        ['question'],
      ),
      legend(total),
    ]
    await run.out.write(sections.filter(Boolean).join('\n'))
  },
}

/** Counts cover whole days. */
function readDays(run: Run): { readonly since: string; readonly until: string } {
  const calendar = run.calendar()
  const { since, until } = readRange(run)
  const lastDay = calendar.dateOf(until === undefined ? run.now() : until - 1)
  return {
    since: since === undefined ? calendar.daysAfter(lastDay, 1 - DEFAULT_DAYS) : calendar.dateOf(since),
    until: lastDay,
  }
}

/** `difference`: how many more leads per view than the original, with 95% confidence. */
type Group = ReturnType<typeof groupOf> & { readonly difference?: Interval }

function groupOf(name: string, lines: readonly FunnelLine[], isStored: boolean) {
  const sum = (stage: Exclude<keyof FunnelLine, 'key' | 'asks'>) =>
    lines.reduce((total, line) => total + line[stage], 0)
  const qualified = sum(isStored ? 'submitted' : 'thanked')
  const [viewed, finished] = [sum('views'), sum('declined') + qualified]
  // If leads go straight to a webhook, we only see visits to the thank-you page.
  const [leads, delivered] = isStored ? [sum('leads'), sum('delivered')] : [null, null]
  return { name, viewed, finished, qualified, leads, delivered, bots: sum('bots'), prefetches: sum('prefetches') }
}

/** Most views first; days in order. */
function groupsOf(by: FunnelGroup, lines: readonly FunnelLine[], isStored: boolean): readonly Group[] {
  const groups = lines
    .map(line => groupOf(nameOf(by, line.key), [line], isStored))
    .toSorted((a, b) => (by === 'day' ? 0 : b.viewed - a.viewed) || (a.name < b.name ? -1 : 1))
  const original = by === 'variant' && isStored ? groups.find(({ name }) => name === ORIGINAL) : undefined
  if (!original) return groups
  // A page left open overnight can produce a lead on a day without a view.
  const proportionOf = ({ viewed, leads }: Group) => ({ count: Math.min(leads ?? 0, viewed), of: viewed })
  return groups.map(group =>
    group === original || group.name.startsWith('(')
      ? group
      : { ...group, difference: differenceInterval(proportionOf(group), proportionOf(original)) },
  )
}

function nameOf(by: FunnelGroup, key: string): string {
  if (by === 'variant') return key.startsWith(PREVIEW) ? `(preview of ${key.slice(PREVIEW.length)})` : key || '(none)'
  if (by === 'language') return languageName(key)
  return by === 'campaign' ? campaignName(key) : key
}

function stepCells({ question, reached, left }: QuestionStep, questions: readonly ServerQuestion[]) {
  const name = question === null ? 'Contact form' : `${question}. ${questions[question - 1]?.text ?? ''}`
  return { question: name, reached, 'left here': left, rate: percent(left, reached) }
}

function describeComparison({ name, difference }: Group): string {
  if (!difference) return ''
  const { low, high } = difference
  const verdict = low > 0 ? 'more leads than' : high < 0 ? 'fewer leads than' : 'no significant difference yet from'
  return `${name}: ${verdict} ${ORIGINAL} (${points(low)} to ${points(high)} points, 95% confidence).\n`
}

/** Always printed, so no one misreads the numbers. */
function legend({ leads, bots, prefetches }: Group): string {
  const stored = `qualified  submitted the contact form, including repeats and leads on hold
leads      new people, not on hold; the rate is leads per view
delivered  accepted by the webhook`
  return `viewed     views of a page with the questions; reloads count again
finished   answered all questions: didn’t qualify, or submitted the contact form
${leads === null ? 'qualified  reached /thank-you: leads go straight to SITE_LEAD_ENDPOINT' : stored}
Not included: ${pluralize(bots, 'view')} by bots, ${pluralize(prefetches, 'page')} prefetched by browsers.
`
}

const percent = (count: number, of: number) => (of === 0 ? '-' : `${((100 * count) / of).toFixed(1)}%`)
const points = (difference: number) => `${difference < 0 ? '-' : '+'}${Math.abs(difference * 100).toFixed(1)}`
