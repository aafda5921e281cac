/** Leads a second on both engines, by 1, 2 and 4 servers, beside what each engine does with nothing around it. */
import { median, medianBy } from '../median.ts'
import { progress } from '../progress.ts'
import { printTable, verdict } from '../table.ts'
import { withPostgres, withStore, writeBy } from './postgres.ts'
import type { Rate } from './rate.ts'
import { bareStore, leadToWebhook } from './sqlite.ts'
import { throughServers } from './through-servers.ts'

const ROUNDS = 3
export const REPLICAS = [1, 2, 4] as const

export const CAPTURE_SHARE_BAR = 0.8
export const SERVED_SHARE_BAR = 0.5
export const P99_BAR_MS = 50
export const WEBHOOK_BAR_MS = 250

/** By so many processes, in the order of REPLICAS. */
type ByReplicas = readonly Rate[]

export interface CaptureFigures {
  readonly sqlite: {
    readonly alone: Rate
    readonly bare: Rate
    readonly served: ByReplicas
  }
  readonly postgres: {
    readonly bare: ByReplicas
    readonly captures: ByReplicas
    readonly served: ByReplicas
  }
  readonly webhookMs: readonly number[]
}

/** All are measured once in each round, so that a busy minute falls on all of them alike. The medians count. */
export async function measureCaptures(): Promise<CaptureFigures> {
  return withPostgres(async serverUrl => {
    const onPostgres = (work: (url: string) => Promise<Rate>) => () => withStore(serverUrl, work)
    const measurements: Readonly<Record<string, () => Promise<Rate>>> = {
      'SQLite, bare': () => bareStore(),
      ...each('SQLite, served', count => () => throughServers(count)),
      ...each('PostgreSQL, bare', count => onPostgres(url => writeBy(count, 'bare inserts', url))),
      ...each('PostgreSQL, captures', count => onPostgres(url => writeBy(count, 'captures', url))),
      ...each('PostgreSQL, served', count => onPostgres(url => throughServers(count, { DATABASE_URL: url }))),
    }
    const rates = new Map<string, Rate[]>(Object.keys(measurements).map(name => [name, []]))
    for (let round = 1; round <= ROUNDS; round++) {
      for (const [name, measure] of Object.entries(measurements)) {
        progress(`${name}, round ${round} of ${ROUNDS}`)
        rates.get(name)?.push(await measure())
      }
    }
    progress('one lead at a time, and from the lead to the webhook')
    const middle = (name: string) => medianBy(rates.get(name) ?? [], ({ perSecond }) => perSecond)
    const byReplicas = (name: string) => REPLICAS.map(count => middle(`${name} ${count}`))
    return {
      sqlite: { alone: await bareStore(1), bare: middle('SQLite, bare'), served: byReplicas('SQLite, served') },
      postgres: {
        bare: byReplicas('PostgreSQL, bare'),
        captures: byReplicas('PostgreSQL, captures'),
        served: byReplicas('PostgreSQL, served'),
      },
      webhookMs: await leadToWebhook(),
    }
  })
}

function each(name: string, measure: (count: number) => () => Promise<Rate>) {
  return Object.fromEntries(REPLICAS.map(count => [`${name} ${count}`, measure(count)]))
}

export interface Bar {
  readonly what: string
  readonly figure: string
  readonly bar: string
  readonly met: boolean
}

export function barsOf({ sqlite, postgres, webhookMs }: CaptureFigures): readonly Bar[] {
  const [served, bare, captures] = [sqlite.served[0], postgres.bare[0], postgres.captures[0]]
  if (!served || !bare || !captures) throw new Error('Something was not measured.')
  const share = (what: string, part: Rate, whole: Rate, bar: number): Bar => {
    const ratio = part.perSecond / whole.perSecond
    return { what, figure: ratio.toFixed(2), bar: `${bar.toFixed(2)} or more`, met: ratio >= bar }
  }
  const time = (what: string, ms: number, bar: number): Bar => ({
    what,
    figure: ms.toFixed(1),
    bar: `${bar} or less`,
    met: ms <= bar,
  })
  return [
    share('SQLite: through the server, share of the bare store', served, sqlite.bare, SERVED_SHARE_BAR),
    time('SQLite: answer of the server, 99th percentile, ms', served.p99, P99_BAR_MS),
    share('PostgreSQL: captures, share of bare single INSERTs', captures, bare, CAPTURE_SHARE_BAR),
    time('PostgreSQL: a capture, 99th percentile, ms', captures.p99, P99_BAR_MS),
    time('lead to webhook, idle, worst of 20, ms', Math.max(...webhookMs), WEBHOOK_BAR_MS),
  ]
}

/** What, by how many processes, and the three figures of each. */
export function linesOf({ sqlite, postgres }: CaptureFigures): readonly (readonly [string, number, Rate])[] {
  const by = (what: string, rates: ByReplicas) =>
    rates.map((rate, index) => [what, REPLICAS[index] as number, rate] as const)
  return [
    ['SQLite: bare store, one lead at a time', 1, sqlite.alone],
    ['SQLite: bare store', 1, sqlite.bare],
    ...by('SQLite: through servers', sqlite.served),
    ...by('PostgreSQL: bare single INSERTs', postgres.bare),
    ...by('PostgreSQL: captures by the store', postgres.captures),
    ...by('PostgreSQL: through servers', postgres.served),
  ]
}

export async function printCaptures(): Promise<void> {
  const figures = await measureCaptures()
  printTable(
    ['what', 'processes', 'leads a second', 'p50, ms', 'p99, ms'],
    linesOf(figures).map(([what, processes, { perSecond, p50, p99 }]) => [
      what,
      String(processes),
      perSecond.toFixed(0),
      p50.toFixed(1),
      p99.toFixed(1),
    ]),
  )
  printTable(
    ['what', 'figure', 'bar', ''],
    [
      ...barsOf(figures).map(({ what, figure, bar, met }) => [what, figure, bar, verdict(met)]),
      ['lead to webhook, idle, median ms', median(figures.webhookMs).toFixed(1), '', ''],
    ],
  )
}
