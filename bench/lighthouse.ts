/** Lighthouse's marks for the two pages that visitors arrive at, with its default settings: a mid-range phone. */
import { createServer } from 'node:net'
import { chromium } from '@playwright/test'
import lighthouse, { type Result } from 'lighthouse'
import { launchOptions } from '../tests/support/chromium.ts'
import { startSite } from '../tests/support/site-server.ts'
import { medianBy } from './median.ts'
import { progress } from './progress.ts'
import { quietMoment, reportBusyMoments } from './quiet.ts'
import { printTable, verdict } from './table.ts'

const RUNS = 5
const PATHS = ['/', '/advertorial'] as const
const bars = { performance: 100, accessibility: 100, 'best-practices': 100, seo: 100 } as const
type Category = keyof typeof bars
const categories = Object.keys(bars) as Category[]

/**
 * The canonical link names the public address, which is not the port measured here. Lighthouse's SEO marks allow that:
 * the link must be one absolute address, and must not name the front page of the same origin on other pages.
 */
export async function measureLighthouse(): Promise<void> {
  const site = await startSite()
  try {
    const all = PATHS.map(path => ({ path, results: [] as Result[] }))
    for (let run = 1; run <= RUNS; run++) {
      for (const { path, results } of all) {
        progress(`Lighthouse, run ${run} of ${RUNS}: ${path}`)
        results.push(await audit(site.url + path))
      }
    }
    printMarks(all)
    printFaults(all)
    reportBusyMoments()
  } finally {
    await site.close()
  }
}

async function audit(url: string): Promise<Result> {
  const port = await freePort()
  const options = launchOptions()
  const browser = await chromium.launch({ ...options, args: [...options.args, `--remote-debugging-port=${port}`] })
  try {
    await quietMoment()
    const result = await lighthouse(url, { port, logLevel: 'error', onlyCategories: categories })
    if (!result) throw new Error(`Lighthouse has no result for ${url}.`)
    if (result.lhr.runtimeError) throw new Error(result.lhr.runtimeError.message)
    return result.lhr
  } finally {
    await browser.close()
  }
}

/** Playwright talks to the browser through a pipe; Lighthouse needs a port, and must know it before the launch. */
function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('No port.')),
      )
    })
  })
}

const mark = (result: Result, category: Category) => Math.round((result.categories[category]?.score ?? 0) * 100)
const metric = (result: Result, audit: string, digits = 0) => (result.audits[audit]?.numericValue ?? 0).toFixed(digits)

type Measured = readonly { readonly path: string; readonly results: readonly Result[] }[]

/** Performance is the median, and the times are those of that run; the other marks should not vary, so the worst counts. */
function printMarks(all: Measured): void {
  const names = ['Performance', 'Accessibility', 'Best practices', 'SEO']
  const rows = all.map(({ path, results }) => {
    const typical = medianBy(results, result => mark(result, 'performance'))
    const marks = categories.map(category =>
      category === 'performance' ? mark(typical, category) : Math.min(...results.map(result => mark(result, category))),
    )
    return [
      path,
      ...marks.map(String),
      metric(typical, 'first-contentful-paint'),
      metric(typical, 'largest-contentful-paint'),
      metric(typical, 'total-blocking-time'),
      metric(typical, 'cumulative-layout-shift', 3),
      verdict(marks.every((value, index) => value >= bars[categories[index] as Category])),
    ]
  })
  printTable(
    ['Page', ...names, 'FCP, ms', 'LCP, ms', 'TBT, ms', 'CLS', ''],
    [...rows, ['Bar', ...Object.values(bars).map(String), '', '', '', '', '']],
  )
  for (const { path, results } of all) {
    console.log(
      `  Performance of ${path} in each run: ${results.map(result => mark(result, 'performance')).join(', ')}`,
    )
  }
  console.log('')
}

function printFaults(all: Measured): void {
  const faults = all.flatMap(({ path, results }) =>
    [...new Set(results.flatMap(faultsOf))].map(fault => `  ${path}  ${fault}`),
  )
  console.log('  Audits below 1 outside performance:')
  console.log(faults.length > 0 ? faults.join('\n') : '  none')
  console.log('')
}

function faultsOf(result: Result): string[] {
  return categories
    .filter(category => category !== 'performance')
    .flatMap(category => result.categories[category]?.auditRefs ?? [])
    .map(({ id }) => result.audits[id])
    .filter(audit => audit !== undefined && audit.score !== null && audit.score < 1)
    .map(audit => `${audit?.id}: ${audit?.title}`)
}
