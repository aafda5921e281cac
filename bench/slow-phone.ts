/** How soon the pages can be read and pressed on a slow phone, next to the same pages as bare HTML and CSS. */
import { type Browser, chromium, type Page } from '@playwright/test'
import { questionnaire } from '../content/panel/questionnaire.ts'
import { questions } from '../content/questions.ts'
import { launchOptions } from '../tests/support/chromium.ts'
import { startSite } from '../tests/support/site-server.ts'
import { startBareSite } from './bare-site.ts'
import { type Paints, type Press, pressYesWhenVisible, readPaints } from './in-page.ts'
import { median } from './median.ts'
import { progress } from './progress.ts'
import { quietMoment, reportBusyMoments } from './quiet.ts'
import { printTable, verdict } from './table.ts'

const RUNS = 7
const PATHS = ['/', '/advertorial'] as const
const RATIO_BAR = 1.1
const PRESS_BAR_MS = 50

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
/** A press that has not shown or counted by then is lost. */
const PRESS_TIMEOUT_MS = 15_000

const lostPress: Press = {
  linkPressed: null,
  visible: 0,
  pressed: 0,
  effect: Number.POSITIVE_INFINITY,
  beforeReact: false,
}

type PressResult = Press & { readonly counted: boolean }

interface Samples {
  readonly path: string
  readonly page: Paints[]
  readonly bare: Paints[]
  readonly presses: PressResult[]
}

export async function measureSlowPhone(): Promise<void> {
  const site = await startSite()
  const bareSite = await startBareSite()
  const browser = await chromium.launch(launchOptions())
  try {
    const all = PATHS.map((path): Samples => ({ path, page: [], bare: [], presses: [] }))
    const steps = all.flatMap(({ path, page, bare, presses }) => [
      { name: `paints of ${path}`, take: async () => page.push(await paints(browser, site.url + path)) },
      {
        name: `paints of ${path}, bare`,
        take: async () => bare.push(await paints(browser, bareSite.url + path)),
      },
      { name: `press on ${path}`, take: async () => presses.push(await press(browser, site.url + path)) },
    ])
    progress('slow phone: warming up')
    for (const path of PATHS) await paints(browser, site.url + path)
    // All variants in every round, each round starting at another one: what disturbs the machine disturbs all alike.
    for (let run = 0; run < RUNS; run++) {
      for (const { name, take } of [...steps.slice(run), ...steps.slice(0, run)]) {
        progress(`slow phone, run ${run + 1} of ${RUNS}: ${name}`)
        await take()
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
async function onSlowPhone<T>(browser: Browser, measure: (page: Page) => Promise<T>): Promise<T> {
  const context = await browser.newContext(phone)
  try {
    const page = await context.newPage()
    // Before the slowdown, which works by keeping the processor busy.
    await quietMoment()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', network)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    return await measure(page)
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

const press = (browser: Browser, url: string): Promise<PressResult> =>
  onSlowPhone(browser, async page => {
    await page.addInitScript(pressYesWhenVisible)
    await page.goto(url, { waitUntil: 'commit' })
    const second = page.getByRole('heading', { name: questionnaire.place(2, questions.length) })
    const counted = await second.waitFor({ timeout: PRESS_TIMEOUT_MS }).then(
      () => true,
      () => false,
    )
    const noted = await page.evaluate(() => window.benchPress)
    return { ...(noted ?? lostPress), counted }
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

const whatPressesCount = `  Counted from the moment Yes is wholly inside the viewport, painted, until it is marked as pressed and both answers are
  locked. Where the first screen does not hold it, the visitor comes by the link to the form, pressed when visible.
`

function printPresses(all: readonly Samples[]): void {
  console.log(whatPressesCount)
  printTable(
    [
      'Page',
      'Link pressed, ms',
      'Yes visible, ms',
      'Press shows, ms after',
      'Worst',
      'Bar',
      '',
      'Worst after the press',
      'Before React',
    ],
    all.map(({ path, presses }) => {
      const links = presses.flatMap(({ linkPressed }) => linkPressed ?? [])
      const delays = presses.map(({ visible, effect }) => effect - visible)
      return [
        path,
        links.length > 0 ? median(links).toFixed(0) : 'no need',
        median(presses.map(({ visible }) => visible)).toFixed(0),
        median(delays).toFixed(1),
        Math.max(...delays).toFixed(1),
        String(PRESS_BAR_MS),
        verdict(median(delays) <= PRESS_BAR_MS),
        Math.max(...presses.map(({ pressed, effect }) => effect - pressed)).toFixed(1),
        `${presses.filter(({ beforeReact }) => beforeReact).length} of ${RUNS}`,
      ]
    }),
  )
  printTable(
    ['Page', 'Presses counted once React had arrived', 'Bar', ''],
    all.map(({ path, presses }) => {
      const counted = presses.filter(press => press.counted).length
      return [path, `${counted} of ${RUNS}`, `${RUNS} of ${RUNS}`, verdict(counted === RUNS)]
    }),
  )
}
