/** How soon the pages can be read and pressed on a slow phone, next to the same pages as bare HTML and CSS. */
import { type Browser, type CDPSession, chromium, type Page } from '@playwright/test'
import { launchOptions } from '../tests/support/chromium.ts'
import { startSite } from '../tests/support/site-server.ts'
import { startBareSite } from './bare-site.ts'
import { type Paints, readPaints } from './in-page.ts'
import { median } from './median.ts'
import { MOMENTS, Presser, printPresses } from './press.ts'
import { progress } from './progress.ts'
import { quietMoment, reportBusyMoments } from './quiet.ts'
import { printTable, verdict } from './table.ts'

const RUNS = 7
const PATHS = ['/', '/advertorial'] as const
const RATIO_BAR = 1.1

const bytesPerSecond = (bits: number) => bits / 8
const network = {
  offline: false,
  latency: 150,
  downloadThroughput: bytesPerSecond(1_600_000),
  uploadThroughput: bytesPerSecond(750_000),
}
const CPU_SLOWDOWN = 4
/** The phone that Lighthouse measures with. */
const phone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true }
/** After the page has loaded, for paints that hydration may bring. */
const SETTLE_MS = 1500
interface Samples {
  readonly path: string
  readonly page: Paints[]
  readonly bare: Paints[]
  readonly presser: Presser
}

export async function measureSlowPhone(): Promise<void> {
  const site = await startSite()
  const bareSite = await startBareSite()
  const browser = await chromium.launch(launchOptions())
  try {
    const all = PATHS.map(
      (path): Samples => ({
        path,
        page: [],
        bare: [],
        presser: new Presser(measure => onSlowPhone(browser, measure), site.url + path),
      }),
    )
    const steps = all.flatMap(({ path, page, bare, presser }) => [
      { name: `paints of ${path}`, take: async () => page.push(await paints(browser, site.url + path)) },
      {
        name: `paints of ${path}, bare`,
        take: async () => bare.push(await paints(browser, bareSite.url + path)),
      },
      { name: `press on ${path}`, take: (run: number) => presser.pressAt(MOMENTS[run % MOMENTS.length] ?? 0) },
    ])
    progress('slow phone: warming up')
    for (const { presser } of all) await presser.warmUp()
    // All variants in every round, each round starting at another one: what disturbs the machine disturbs all alike.
    for (let run = 0; run < RUNS; run++) {
      for (const { name, take } of [...steps.slice(run), ...steps.slice(0, run)]) {
        progress(`slow phone, run ${run + 1} of ${RUNS}: ${name}`)
        await take(run)
      }
    }
    printPaints(all)
    printPresses(all)
    reportBusyMoments()
  } finally {
    await browser.close()
    await site.close()
    await bareSite.close()
  }
}

/** A phone that has never been here: nothing in the cache, no connection open. */
async function onSlowPhone<T>(browser: Browser, measure: (page: Page, session: CDPSession) => Promise<T>): Promise<T> {
  const context = await browser.newContext(phone)
  try {
    const page = await context.newPage()
    // Before the slowdown, which works by keeping the processor busy.
    await quietMoment()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', network)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    return await measure(page, session)
  } finally {
    await context.close()
  }
}

const paints = (browser: Browser, url: string): Promise<Paints> =>
  onSlowPhone(browser, async page => {
    await page.goto(url, { waitUntil: 'load' })
    await page.waitForTimeout(SETTLE_MS)
    return page.evaluate(readPaints)
  })

function printPaints(all: readonly Samples[]): void {
  const row = (path: string, variant: string, samples: readonly Paints[]) => {
    const largest = samples.map(sample => sample.largest)
    const range = `${Math.min(...largest).toFixed(0)} to ${Math.max(...largest).toFixed(0)}`
    const elements = new Set(samples.map(({ element }) => element))
    const first = median(samples.map(sample => sample.first))
    return [path, variant, first.toFixed(0), median(largest).toFixed(0), range, [...elements].join(', ')]
  }
  printTable(
    ['Page', 'Variant', 'First paint, ms', 'Largest paint, ms', 'of runs', 'Largest element'],
    all.flatMap(({ path, page, bare }) => [row(path, 'as it is', page), row(path, 'bare', bare)]),
  )
  printTable(
    ['Page', 'Largest paint, as it is / bare', 'Bar', ''],
    all.map(({ path, page, bare }) => {
      const ratio = median(page.map(({ largest }) => largest)) / median(bare.map(({ largest }) => largest))
      return [path, ratio.toFixed(3), String(RATIO_BAR), verdict(ratio <= RATIO_BAR)]
    }),
  )
}
