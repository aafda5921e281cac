/** `list --summary` and `list --by`: how many leads there are, of which kind. */
import type { Calendar } from '../../../server/calendar.ts'
import { jsonText, plain } from '../../../server/export/plain-text.ts'
import { type LeadFilter, type LeadTally, noLeads } from '../../../server/store/lead-records.ts'
import type { Store } from '../../../server/store/store.ts'
import type { Run } from '../../command.ts'
import { exitCodes } from '../../failure.ts'
import type { Grouping } from '../../leads/grouping.ts'
import { pauseInWords } from '../../leads/pause-words.ts'
import { withStore } from '../../leads/with-store.ts'
import { type Column, table } from '../../terminal/table.ts'
import { counted } from '../../terminal/words.ts'

const USUAL_DAYS = 14

export interface SummaryRequest {
  readonly filter: LeadFilter
  /** Null for the short summary of everything. */
  readonly grouping: Grouping | null
  /** How many groups are shown. */
  readonly limit: number
  readonly calendar: Calendar
}

export function summarize(run: Run, request: SummaryRequest): Promise<number> {
  const { grouping } = request
  return withStore(run, 'read', store =>
    grouping ? showGroups(run, store, { ...request, grouping }) : showSummary(run, store, request),
  )
}

async function showSummary(run: Run, store: Store, { filter, calendar }: SummaryRequest): Promise<number> {
  const [all] = await store.tally({ filter, by: 'all' })
  if (!all) throw new Error('there is no count of all leads')
  const { accepted, held, rejected, repeat, erased, pending, delivered, dead } = all
  const pause = await store.deliveryPause()
  const summary = {
    timeZone: calendar.zone,
    states: { accepted, held, rejected, repeat, erased },
    deliveries: { pending, delivered, dead },
    deliveriesPaused: pause && { since: calendar.iso(pause.since), reason: pause.reason, by: pause.by },
    days: (await dailyTallies(store, filter, run.now(), calendar)).map(({ key, received }) => ({
      date: key ?? '',
      leads: received,
    })),
  }
  if (run.typed.isSet('json')) {
    await run.out.write(`${jsonText(summary, 2)}\n`)
    return exitCodes.done
  }
  const counts = (about: string, entries: readonly (readonly [string, number])[]) =>
    table(
      [{ head: about }, { head: 'LEADS' }],
      entries.map(([name, count]) => [name, inFigures(count, 'LEADS')]),
    )
  await run.out.write(
    [
      counts('STATE', Object.entries(summary.states)),
      counts('DELIVERY', Object.entries(summary.deliveries)) + (pause ? `${pauseInWords(pause, calendar)}\n` : ''),
      counts(
        `DAY (${calendar.zone})`,
        summary.days.map(({ date, leads }) => [date, leads]),
      ),
    ].join('\n'),
  )
  return exitCodes.done
}

const figures = ['received', 'accepted', 'held', 'rejected', 'repeat', 'delivered', 'pending', 'dead'] as const

async function showGroups(
  run: Run,
  store: Store,
  { filter, grouping, limit, calendar }: SummaryRequest & { readonly grouping: Grouping },
): Promise<number> {
  const found =
    grouping === 'day'
      ? await dailyTallies(store, filter, run.now(), calendar)
      : await store.tally({ filter, by: grouping })
  // Days come in their order; of everything else the largest is first.
  const sorted = grouping === 'day' ? found : found.toSorted((a, b) => b.received - a.received || before(a, b))
  const shown = sorted.slice(0, grouping === 'day' ? sorted.length : limit)
  if (run.typed.isSet('json')) {
    const groups = shown.map(({ key, keyErased, ...counts }) => ({
      [nameOf(grouping)]: key,
      ...(keyErased && { erasedWithIt: true }),
      ...counts,
    }))
    await run.out.write(`${jsonText(groups, 2)}\n`)
    return exitCodes.done
  }
  if (shown.length === 0) {
    await run.notes.write('No leads.\n')
    return exitCodes.done
  }
  const columns: readonly Column[] = [
    { head: grouping === 'day' ? `DAY (${calendar.zone})` : nameOf(grouping).toUpperCase(), elastic: true },
    ...figures.map(figure => ({ head: figure.toUpperCase() })),
  ]
  const rows = shown.map(tally => [
    tally.keyErased ? '(erased)' : tally.key === null ? '(none)' : plain(tally.key),
    ...figures.map(figure => inFigures(tally[figure], figure)),
  ])
  await run.out.write(table(columns, rows, run.stdout.isTTY ? run.stdout.columns : undefined))
  if (sorted.length > shown.length) {
    await run.notes.write(
      `Only the ${shown.length} largest of ${counted(sorted.length, 'group')}: --limit shows more.\n`,
    )
  }
  return exitCodes.done
}

function nameOf(grouping: Grouping): string {
  return typeof grouping === 'string' ? grouping : (grouping.parameters[0] ?? '')
}

function before({ key: a }: LeadTally, { key: b }: LeadTally): number {
  return (a ?? '') < (b ?? '') ? -1 : 1
}

function inFigures(count: number, head: string): string {
  return count.toLocaleString('en-US').padStart(head.length)
}

/**
 * One tally per day, newest first, days without leads included: the last fourteen, or with --since all from there. Long
 * before the first lead nothing is listed.
 */
async function dailyTallies(
  store: Store,
  filter: LeadFilter,
  now: number,
  calendar: Calendar,
): Promise<readonly LeadTally[]> {
  // An instant before it: the end itself is not part of the range.
  const last = calendar.dateOf((filter.until ?? now + 1) - 1)
  const recent = calendar.daysAfter(last, 1 - USUAL_DAYS)
  const since = filter.since ?? calendar.startOf(recent)
  const found = await store.tally({ filter: { ...filter, since }, by: { timeZone: calendar.zone } })
  const byDay = new Map(found.map(tally => [tally.key ?? '', tally]))
  const start = [recent, ...byDay.keys()].toSorted()[0] ?? recent
  const days: LeadTally[] = []
  for (let day = last; day >= start && day >= calendar.dateOf(since); day = calendar.daysAfter(day, -1)) {
    days.push(byDay.get(day) ?? { key: day, ...noLeads })
  }
  return days
}
