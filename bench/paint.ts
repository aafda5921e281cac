/** Measures how fast pages paint on a slow phone, compared with the same pages without scripts or web fonts. */
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type Browser, chromium } from '@playwright/test'
import { BUILT } from '../build/build.ts'
import { compressors, inlineHashes } from '../publish/output.ts'
import { MANIFEST_FILE, type SiteFile, type SiteManifest } from '../server/http/site-manifest.ts'
import { launchOptions } from '../tests/support/chromium.ts'
import { installChromium } from '../tests/support/install-browsers.ts'
import { type SiteServer, startSite } from '../tests/support/site-server.ts'
import { median, printTable, progress, verdict } from './table.ts'

const RUNS = 7
const MAX_RATIO = 1.1
const network = { offline: false, latency: 150, downloadThroughput: 1_600_000 / 8, uploadThroughput: 750_000 / 8 }
const CPU_SLOWDOWN = 4
const phone = { viewport: { width: 412, height: 823 }, deviceScaleFactor: 1.75, isMobile: true, hasTouch: true }
/** How long to wait for a later, larger paint that hydration may cause. */
const SETTLE_MS = 1500

export async function measurePaint(): Promise<void> {
  installChromium()
  const site = await startSite()
  const bareSite = await startBareSite()
  const browser = await chromium.launch(launchOptions())
  const rows: string[][] = []
  try {
    for (const path of ['/', '/es/', '/advertorial']) {
      const [page, bare]: [number[], number[]] = [[], []]
      // Interleaved, so background load affects both equally.
      for (let run = 1; run <= RUNS; run++) {
        progress(`painting ${path}, run ${run} of ${RUNS}`)
        page.push(await largestPaint(browser, site.url + path))
        bare.push(await largestPaint(browser, bareSite.url + path))
      }
      const ratio = median(page) / median(bare)
      const ms = [median(page), median(bare)].map(value => value.toFixed(0))
      rows.push([path, ...ms, ratio.toFixed(3), `${MAX_RATIO}`, verdict(ratio <= MAX_RATIO)])
    }
  } finally {
    await Promise.all([browser.close(), site.close(), bareSite.close()])
  }
  printTable(['Page', 'Largest paint, ms', 'Bare page, ms', 'Ratio', 'Limit', ''], rows)
}

/** A first visit: empty cache, no open connection. */
async function largestPaint(browser: Browser, url: string): Promise<number> {
  const context = await browser.newContext(phone)
  try {
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', network)
    await session.send('Emulation.setCPUThrottlingRate', { rate: CPU_SLOWDOWN })
    await page.goto(url, { waitUntil: 'load' })
    await page.waitForTimeout(SETTLE_MS)
    return await page.evaluate(
      () =>
        new Promise<number>(resolve => {
          const observer = new PerformanceObserver(list => resolve(list.getEntries().at(-1)?.startTime ?? 0))
          observer.observe({ type: 'largest-contentful-paint', buffered: true })
        }),
    )
  } finally {
    await context.close()
  }
}

/** Serves a stripped copy with the same server as the site, so headers and compression are the same. */
async function startBareSite(): Promise<SiteServer> {
  const folder = await mkdtemp(join(tmpdir(), 'bare-site-'))
  try {
    const manifest = JSON.parse(await readFile(join(BUILT, MANIFEST_FILE), 'utf8')) as SiteManifest
    const files = await Promise.all(manifest.files.map(file => copyBare(file, folder)))
    await writeFile(join(folder, MANIFEST_FILE), JSON.stringify({ ...manifest, files }))
    return await startSite({ built: folder })
  } finally {
    // The server has already read everything into memory.
    await rm(folder, { recursive: true })
  }
}

async function copyBare(entry: SiteFile, folder: string): Promise<SiteFile> {
  const { file, type } = entry
  const source = await readFile(join(BUILT, file))
  const bytes = type.startsWith('text/html') ? Buffer.from(withoutScriptsAndFonts(source.toString())) : source
  await mkdir(dirname(join(folder, file)), { recursive: true })
  await writeFile(join(folder, file), bytes)
  await writeFile(join(folder, `${file}.br`), compressors.br(bytes))
  await writeFile(join(folder, `${file}.gz`), compressors.gzip(bytes))
  // The Content-Security-Policy lists inline styles by hash.
  return entry.inline ? { ...entry, inline: inlineHashes(bytes.toString()) } : entry
}

function withoutScriptsAndFonts(html: string): string {
  return html
    .replaceAll(/<script\b.*?<\/script>/gs, '')
    .replaceAll(/<link [^>]*rel="modulepreload"[^>]*>/g, '')
    .replaceAll(/@font-face\{[^}]*url\([^}]*\}/g, '')
}
