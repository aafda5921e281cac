/** Measures what the site promises about speed and size, and prints it next to the bars: `npm run bench`. */
import { execFileSync } from 'node:child_process'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { installChromium } from '../tests/support/chromium.ts'
import { measureBytes } from './bytes.ts'
import { printCaptures } from './captures/measure.ts'
import { writeReport } from './captures/report.ts'
import { measureDesk } from './desk.ts'
import { measureLighthouse } from './lighthouse.ts'
import { measureMillionLeads } from './million-leads.ts'
import { measureSaveToShown } from './save-to-shown.ts'
import { measureSlowPhone } from './slow-phone.ts'
import { measureFunnel } from './visits/funnel.ts'
import { measureStaticRequests } from './visits/static-requests.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    help: { type: 'boolean', short: 'h' },
    report: { type: 'boolean' },
    'keep-leads': { type: 'string' },
  },
})

interface Measurement {
  readonly title: string
  readonly measure: () => void | Promise<void>
}

const measurements: Readonly<Record<string, Measurement>> = {
  bytes: { title: 'Bytes on the wire: HTML and JavaScript with Brotli, fonts as they are', measure: measureBytes },
  'slow-phone': {
    title:
      'Slow phone: 150 ms latency, 1.6 Mbit/s down, 750 kbit/s up, CPU slowed 4 times, 412x823 at 1.75,\n' +
      'empty cache; medians of 7 runs, all variants interleaved; bare: the same page without scripts and web fonts',
    measure: measureSlowPhone,
  },
  lighthouse: { title: 'Lighthouse, its default phone; median of 5 runs', measure: measureLighthouse },
  capture: {
    title: 'Leads a second, on disk before they are answered; 32 at once, shared among the processes',
    measure: () => printCaptures(),
  },
  'capture-sqlite': { title: 'The same, in the embedded store alone', measure: () => printCaptures(['sqlite']) },
  'capture-postgres': { title: 'The same, in PostgreSQL alone', measure: () => printCaptures(['postgres']) },
  'million-leads': { title: 'The operator’s commands on a store with a million leads', measure: measureMillionLeads },
  'save-to-shown': {
    title: 'npm run dev: from a saved file to the page that shows it, in an open Chromium',
    measure: measureSaveToShown,
  },
  desk: {
    title: 'The desk over a million leads, and what ten open desks cost captures',
    measure: () => measureDesk(values['keep-leads']),
  },
  'page-views': { title: 'What counting page views costs the pages; 16 connections', measure: measureStaticRequests },
  funnel: { title: 'The funnel of a year: 200 campaigns a day, a million leads', measure: measureFunnel },
}

const withoutBrowser = [
  'bytes',
  'capture',
  'capture-sqlite',
  'capture-postgres',
  'million-leads',
  'desk',
  'page-views',
  'funnel',
]

const usage = `Usage: npm run bench [-- ${Object.keys(measurements).join(' | ')} | --report]

Builds the site if it is out of date, then measures it in Chromium on this computer and prints tables.
Without a name, everything is measured, which takes a quarter of an hour; what is under way is told as it goes. Of these, capture takes
six minutes; capture-sqlite and capture-postgres measure one engine. A bar that is not reached is marked MISSED;
the exit code is 0 all the same, because figures from a busy computer are no verdict.
With --keep-leads FOLDER the million leads of the desk's measurement are kept there, outside of the project, and used the next time.
With --report the captures are measured and bench/report.md is written, with charts.
`

function buildIfStale(): void {
  const root = join(import.meta.dirname, '..')
  execFileSync(process.execPath, [join(root, 'build/if-stale.ts')], { cwd: root, stdio: 'inherit' })
}

async function run(names: readonly string[]): Promise<void> {
  const unknown = names.find(name => !(name in measurements))
  if (unknown !== undefined) {
    process.stderr.write(`There is no measurement called ${JSON.stringify(unknown)}.\n\n${usage}`)
    process.exitCode = 1
    return
  }
  buildIfStale()
  const chosen = names.length > 0 ? names : Object.keys(measurements).filter(name => !name.startsWith('capture-'))
  if (chosen.some(name => !withoutBrowser.includes(name))) installChromium()
  console.log(`Benchmark of the built site, served by the production app: ${chosen.join(', ')}`)
  console.log(`Node ${process.version}, ${availableParallelism()} processors\n`)
  for (const name of chosen) {
    const measurement = measurements[name]
    if (!measurement) continue
    console.log(`${measurement.title}\n`)
    await measurement.measure()
  }
}

if (values.help) console.log(usage)
else if (values.report) {
  buildIfStale()
  await writeReport()
} else await run(positionals)
