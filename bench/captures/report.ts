/** Writes the figures of captures and their charts into the repository: `npm run bench -- --report`. */
import { writeFileSync } from 'node:fs'
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os'
import { join } from 'node:path'
import { type BarGroup, barChart } from './bar-chart.ts'
import { barsOf, type CaptureFigures, linesOf, measureCaptures, P99_BAR_MS, REPLICAS } from './measure.ts'
import { CALLERS, MEASURE_MS, type Rate, WARM_UP_MS } from './rate.ts'

const folder = join(import.meta.dirname, '..')

export async function writeReport(): Promise<void> {
  const loadBefore = loadavg()[0] ?? 0
  writeFiles(await measureCaptures(), loadBefore)
}

export function writeFiles(figures: CaptureFigures, loadBefore: number): void {
  const write = (name: string, text: string) => writeFileSync(join(folder, name), text)
  write('captures-per-second.svg', rateChart(figures))
  write('captures-p99.svg', latencyChart(figures))
  write('report.md', reportOf(figures, loadBefore))
  console.log('Written: bench/report.md, bench/captures-per-second.svg, bench/captures-p99.svg')
}

function groupsOf({ sqlite, postgres }: CaptureFigures, value: (rate: Rate) => number): readonly BarGroup[] {
  const group = (name: string, rates: readonly Rate[], unit: string): BarGroup => ({
    name,
    bars: rates.map((rate, index) => ({
      label: `${REPLICAS[index]} ${unit}${REPLICAS[index] === 1 ? '' : unit === 'process' ? 'es' : 's'}`,
      value: value(rate),
    })),
  })
  if (!sqlite || !postgres) throw new Error('An engine was not measured.')
  return [
    group('SQLite, bare store', [sqlite.bare], 'process'),
    group('SQLite, by HTTP', sqlite.served, 'server'),
    group('PostgreSQL, bare INSERTs', postgres.bare, 'process'),
    group('PostgreSQL, captures', postgres.captures, 'process'),
    group('PostgreSQL, by HTTP', postgres.served, 'server'),
  ]
}

function rateChart(figures: CaptureFigures): string {
  const groups = groupsOf(figures, ({ perSecond }) => perSecond)
  return barChart({ title: 'Leads on disk', unit: 'a second', digits: 0, groups })
}

function latencyChart(figures: CaptureFigures): string {
  const groups = groupsOf(figures, ({ p99 }) => p99)
  const limit = { label: `bar: ${P99_BAR_MS} ms`, value: P99_BAR_MS }
  return barChart({ title: 'Time until a lead is on disk, 99th percentile', unit: 'ms', digits: 1, groups, limit })
}

function reportOf(figures: CaptureFigures, loadBefore: number): string {
  const bars = barsOf(figures).map(
    ({ what, figure, bar, met }) => `| ${what} | ${figure} | ${bar} | ${met ? 'met' : '**missed**'} |`,
  )
  const lines = linesOf(figures).map(
    ([what, processes, { perSecond, p50, p99 }]) =>
      `| ${what} | ${processes} | ${perSecond.toFixed(0)} | ${p50.toFixed(1)} | ${p99.toFixed(1)} |`,
  )
  return `# How fast leads are taken

Written by \`npm run bench -- --report\` on ${new Date().toISOString().slice(0, 10)}: Node ${process.version}, Linux ${release()}, ${availableParallelism()} processors
(${cpus()[0]?.model.trim() ?? 'unknown'}), ${(totalmem() / 2 ** 30).toFixed(0)} GB. Everything runs on this one computer: the database, the servers and whoever sends.
Load of the computer before it began: ${loadBefore.toFixed(1)}${loadBefore > 0.5 ? ' (**not idle**: others were using it, and the figures are lower and less steady than they would be)' : ''}.

Every lead counts once it is on disk (fsync). ${CALLERS} are under way at any time, shared among the processes; ${WARM_UP_MS / 1000} s of warm-up, ${MEASURE_MS / 1000} s
measured, the median of three interleaved rounds, each on an empty store.

| Bar | Figure | Must be | |
| --- | ---: | ---: | --- |
${bars.join('\n')}

![Leads on disk, a second](captures-per-second.svg)

![Time until a lead is on disk, 99th percentile](captures-p99.svg)

| What | Processes | Leads a second | p50, ms | p99, ms |
| --- | ---: | ---: | ---: | ---: |
${lines.join('\n')}

- *Bare store*: the embedded store's \`capture\` in a process of its own, without a server.
- *Bare single INSERTs*: one row with all of a lead's columns, into a table with nothing but its primary key, by the same driver over
  16 connections; each its own transaction. No look for repeats, no history, no outbox.
- *Captures by the store*: what a server calls, without HTTP: lock the person, look for an earlier lead, then lead, history and delivery.
- *Through servers*: production servers as processes, leads by HTTP over ${CALLERS} connections. The sender is a process on the same
  processors, so more servers than processors cannot be faster here; they show what several cost, not what several machines bring.
`
}
