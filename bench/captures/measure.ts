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

export type Engine = 'sqlite' | 'postgres'

/** Null for an engine that was not measured. */
export interface CaptureFigures {
  readonly sqlite: {
    readonly alone: Rate
    readonly bare: Rate
    readonly served: ByReplicas
    readonly webhookMs: readonly number[]
  } | null
  readonly postgres: {
    readonly bare: ByReplicas
    readonly captures: ByReplicas
    readonly served: ByReplicas
  } | null
}

export async function measureCaptures(engines: readonly Engine[] = ['sqlite', 'postgres']): Promise<CaptureFigures> {
  if (!engines.includes('postgres')) return measureEngines(engines, null)
  return withPostgres(serverUrl => measureEngines(engines, serverUrl))
}

type Measurements = Readonly<Record<string, () => Promise<Rate>>>

/** All are measured once in each round, so that a busy minute falls on all of them alike. The medians count. */
async function measureEngines(engines: readonly Engine[], serverUrl: string | null): Promise<CaptureFigures> {
  const isSqlite = engines.includes('sqlite')
  const rates = await measureInRounds({
    ...(isSqlite && onSqlite),
    ...(serverUrl !== null && onPostgres(serverUrl)),
  })
  const middle = (name: string) => medianBy(rates.get(name) ?? [], ({ perSecond }) => perSecond)
  const byReplicas = (name: string) => REPLICAS.map(count => middle(`${name} ${count}`))
  if (isSqlite) progress('one lead at a time, and from the lead to the webhook')
  return {
    sqlite: isSqlite
      ? {
          alone: await bareStore(1),
          bare: middle('SQLite, bare'),
          served: byReplicas('SQLite, served'),
          webhookMs: await leadToWebhook(),
        }
      : null,
    postgres:
      serverUrl === null
        ? null
        : {
            bare: byReplicas('PostgreSQL, bare'),
            captures: byReplicas('PostgreSQL, captures'),
            served: byReplicas('PostgreSQL, served'),
          },
  }
}

const onSqlite: Measurements = {
  'SQLite, bare': () => bareStore(),
  ...each('SQLite, served', count => () => throughServers(count)),
}

function onPostgres(serverUrl: string): Measurements {
  const inStore = (work: (url: string) => Promise<Rate>) => () => withStore(serverUrl, work)
  return {
    ...each('PostgreSQL, bare', count => inStore(url => writeBy(count, 'bare inserts', url))),
    ...each('PostgreSQL, captures', count => inStore(url => writeBy(count, 'captures', url))),
    ...each('PostgreSQL, served', count => inStore(url => throughServers(count, { DATABASE_URL: url }))),
  }
}

async function measureInRounds(measurements: Measurements): Promise<ReadonlyMap<string, readonly Rate[]>> {
  const rates = new Map<string, Rate[]>(Object.keys(measurements).map(name => [name, []]))
  for (let round = 1; round <= ROUNDS; round++) {
    for (const [name, measure] of Object.entries(measurements)) {
      const rate = await measure()
      rates.get(name)?.push(rate)
      progress(`round ${round} of ${ROUNDS}: ${name}: ${rate.perSecond.toFixed(0)} a second`)
    }
  }
  return rates
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

export function barsOf({ sqlite, postgres }: CaptureFigures): readonly Bar[] {
  const share = (what: string, part: Rate | undefined, whole: Rate | undefined, bar: number): Bar => {
    if (!part || !whole) throw new Error('Something was not measured.')
    const ratio = part.perSecond / whole.perSecond
    return { what, figure: ratio.toFixed(2), bar: `${bar.toFixed(2)} or more`, met: ratio >= bar }
  }
  const time = (what: string, ms: number, bar: number): Bar => ({
    what,
    figure: ms.toFixed(1),
    bar: `${bar} or less`,
    met: ms <= bar,
  })
  const ofSqlite = sqlite && [
    share('SQLite: through the server, share of the bare store', sqlite.served[0], sqlite.bare, SERVED_SHARE_BAR),
    time('SQLite: answer of the server, 99th percentile, ms', sqlite.served[0]?.p99 ?? 0, P99_BAR_MS),
    time('lead to webhook, idle, worst of 20, ms', Math.max(...sqlite.webhookMs), WEBHOOK_BAR_MS),
  ]
  const ofPostgres = postgres && [
    share(
      'PostgreSQL: captures, share of bare single INSERTs',
      postgres.captures[0],
      postgres.bare[0],
      CAPTURE_SHARE_BAR,
    ),
    time('PostgreSQL: a capture, 99th percentile, ms', postgres.captures[0]?.p99 ?? 0, P99_BAR_MS),
  ]
  return [...(ofSqlite ?? []), ...(ofPostgres ?? [])]
}

/** What, by how many processes, and the three figures of each. */
export function linesOf({ sqlite, postgres }: CaptureFigures): readonly (readonly [string, number, Rate])[] {
  const by = (what: string, rates: ByReplicas) =>
    rates.map((rate, index) => [what, REPLICAS[index] as number, rate] as const)
  const ofSqlite = sqlite && [
    ['SQLite: bare store, one lead at a time', 1, sqlite.alone] as const,
    ['SQLite: bare store', 1, sqlite.bare] as const,
    ...by('SQLite: through servers', sqlite.served),
  ]
  const ofPostgres = postgres && [
    ...by('PostgreSQL: bare single INSERTs', postgres.bare),
    ...by('PostgreSQL: captures by the store', postgres.captures),
    ...by('PostgreSQL: through servers', postgres.served),
  ]
  return [...(ofSqlite ?? []), ...(ofPostgres ?? [])]
}

export async function printCaptures(engines?: readonly Engine[]): Promise<void> {
  const figures = await measureCaptures(engines)
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
      ...(figures.sqlite
        ? [['lead to webhook, idle, median ms', median(figures.sqlite.webhookMs).toFixed(1), '', '']]
        : []),
    ],
  )
}
