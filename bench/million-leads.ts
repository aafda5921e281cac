/** A store with a million leads: how long `list` takes, how much memory `export` needs, how fast leads are captured. */
import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { createStore, fillStore } from '../tests/support/lead-fixtures.ts'
import { NO_SETTINGS_FILE } from '../tests/support/no-settings-file.ts'
import { bareStore, captureInto } from './captures/sqlite.ts'
import { median } from './median.ts'
import { progress } from './progress.ts'
import { printTable, verdict } from './table.ts'

const main = join(import.meta.dirname, '../cli/main.ts')
/** As `npm run leads` sets it. */
const compileCache = join(import.meta.dirname, '../.cache/leads')
const FEW = 100_000
const MANY = 1_000_000
const LIST_RUNS = 7
const LIST_BAR_MS = 300
const MEMORY_BAR = 1.2
const CAPTURE_ROUNDS = 3

const lists: readonly (readonly string[])[] = [
  [],
  ['--state', 'held'],
  ['--state', 'erased'],
  ['--delivery', 'dead'],
  ['--since', '7d', '--page', '/advertorial'],
  ['--campaign', 'utm_source=radio'],
  // What nobody sent is looked for in all of them.
  ['--page', '/nothing'],
  ['--campaign', 'utm_source=nothing'],
  ['--delivery', 'delivered', '--page', '/nothing'],
  ['--email', 'nobody@example.org'],
  ['--phone', '555-999-0000'],
]

export async function measureMillionLeads(): Promise<void> {
  const few = await filledStore(FEW)
  const many = await filledStore(MANY)
  try {
    await measureLists(many.dataDir)
    await measureExports(few.dataDir, many.dataDir)
    await measureCaptures(many.dataDir)
  } finally {
    few.remove()
    many.remove()
  }
}

async function filledStore(count: number) {
  progress(`filling a store with ${count.toLocaleString('en-US')} leads`)
  const store = await createStore()
  fillStore(store.file, count, Date.now())
  return store
}

async function measureLists(dataDir: string): Promise<void> {
  const rows: string[][] = []
  // The first run fills the program's compile cache, as it does for an operator.
  await runLeads({ DATA_DIR: dataDir }, ['list'])
  for (const options of lists) {
    progress(`list ${options.join(' ')}`)
    const times: number[] = []
    for (let count = 0; count < LIST_RUNS; count++)
      times.push((await runLeads({ DATA_DIR: dataDir }, ['list', ...options])).ms)
    const ms = median(times)
    rows.push([
      `list ${options.join(' ')}`.trim(),
      `${Math.round(ms)} ms`,
      `${LIST_BAR_MS} ms`,
      verdict(ms < LIST_BAR_MS),
    ])
  }
  printTable([`${MANY.toLocaleString('en-US')} leads, whole process`, 'median', 'bar', ''], rows)
}

async function measureCaptures(many: string): Promise<void> {
  const none: number[] = []
  const million: number[] = []
  for (let round = 0; round < CAPTURE_ROUNDS; round++) {
    progress(`capture, round ${round + 1} of ${CAPTURE_ROUNDS}`)
    none.push((await bareStore()).perSecond)
    million.push((await captureInto(many)).perSecond)
  }
  const ratio = median(million) / median(none)
  printTable(
    ['leads a second into', 'an empty store', 'a million leads', 'share', 'bar', ''],
    [['capture', median(none).toFixed(0), median(million).toFixed(0), ratio.toFixed(2), '0.80', verdict(ratio >= 0.8)]],
  )
}

async function measureExports(few: string, many: string): Promise<void> {
  const rows: string[][] = []
  for (const format of ['csv', 'jsonl']) {
    progress(`export --format ${format}`)
    const small = await runLeads({ DATA_DIR: few }, ['export', '--format', format])
    const large = await runLeads({ DATA_DIR: many }, ['export', '--format', format])
    const ratio = large.megabytes / small.megabytes
    rows.push([
      `export --format ${format}`,
      `${Math.round(small.megabytes)} MB`,
      `${Math.round(large.megabytes)} MB`,
      `${(large.ms / 1000).toFixed(1)} s`,
      `${MEMORY_BAR} times`,
      verdict(ratio <= MEMORY_BAR),
    ])
  }
  const [small, large] = [FEW, MANY].map(count => `memory, ${count.toLocaleString('en-US')}`)
  printTable(['', `${small}`, `${large}`, 'time', 'bar', ''], rows)
}

interface Ran {
  readonly ms: number
  /** The most memory that the process had at any time. */
  readonly megabytes: number
}

/**
 * Run in the child as it ends. On Linux resourceUsage() would not do: its peak is inherited from the process that started
 * it, which is this one, swollen from filling the stores.
 */
const reportPeak = `
  import { existsSync, readFileSync } from 'node:fs'
  const status = '/proc/self/status'
  process.once('exit', () => process.send?.(existsSync(status)
    ? Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync(status, 'utf8'))[1])
    : process.resourceUsage().maxRSS))`

/** The whole process, as the operator starts it. */
export function runLeads(env: Readonly<Record<string, string>>, argv: readonly string[]): Promise<Ran> {
  const nowhere = openSync('/dev/null', 'w')
  const started = performance.now()
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(reportPeak)}`, main, ...argv],
    {
      stdio: ['ignore', nowhere, 'ignore', 'ipc'],
      env: { NODE_COMPILE_CACHE: compileCache, ...NO_SETTINGS_FILE, ...env },
    },
  )
  return new Promise((resolve, reject) => {
    let kilobytes = 0
    child.once('message', message => {
      kilobytes = Number(message)
    })
    child.once('error', reject)
    child.once('close', code => {
      closeSync(nowhere)
      if (code === 0) resolve({ ms: performance.now() - started, megabytes: kilobytes / 1024 })
      else reject(new Error(`${argv.join(' ')} ended with ${code}.`))
    })
  })
}
