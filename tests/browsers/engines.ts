/** The browsers that the visitor's journeys run in: whether this machine has each of them, and how it is started. */
import { execFileSync } from 'node:child_process'
import { chromium, type LaunchOptions } from '@playwright/test'
import puppeteer from 'puppeteer-core'
import { installDebianPackages, isProgram, journeyLaunchOptions } from '../support/chromium.ts'
import { type Browser, type BrowserOptions, VISITOR_ENV, WINDOW } from './browser.ts'
import { CHROMIUM_111, unpackChromium111 } from './chromium-111.ts'
import { startWebKit, WEBKIT_DRIVER } from './webkit.ts'

export interface Engine {
  readonly name: 'chromium-111' | 'system-chromium' | 'firefox' | 'webkit'
  readonly debianPackages: readonly string[]
  /** What this machine lacks, or null if the engine can be started. */
  missing(): string | null
  start(options: BrowserOptions): Promise<Browser>
}

const firefoxPaths = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox']

export const engines: readonly Engine[] = [
  {
    name: 'chromium-111',
    debianPackages: ['libnss3', 'libexpat1'],
    missing() {
      if (process.platform !== 'linux' || process.arch !== 'x64')
        return `no build for ${process.platform}-${process.arch}`
      if (!isProgram(CHROMIUM_111)) return `no ${CHROMIUM_111}`
      return /^.*not found/m.exec(execFileSync('ldd', [CHROMIUM_111], { encoding: 'utf8' }))?.[0].trim() ?? null
    },
    start: options =>
      startChromium({ executablePath: CHROMIUM_111, args: ['--no-sandbox', '--no-zygote', '--disable-gpu'] }, options),
  },
  {
    name: 'system-chromium',
    debianPackages: ['chromium'],
    missing: () => null,
    start: options => startChromium(journeyLaunchOptions(), options),
  },
  {
    name: 'firefox',
    debianPackages: ['firefox-esr'],
    missing: () => (firefoxPaths.some(isProgram) ? null : `no Firefox at ${firefoxPaths.join(', ')}`),
    start: startFirefox,
  },
  {
    name: 'webkit',
    debianPackages: ['webkit2gtk-driver', 'xvfb'],
    missing: () =>
      [WEBKIT_DRIVER, '/usr/bin/Xvfb'].filter(path => !isProgram(path)).map(path => `no ${path}`)[0] ?? null,
    start: startWebKit,
  },
]

async function startChromium(launchOptions: LaunchOptions, { scripting }: BrowserOptions): Promise<Browser> {
  const browser = await chromium.launch({ ...launchOptions, env: VISITOR_ENV })
  const tab = await browser.newPage({ viewport: WINDOW, locale: 'en-US', javaScriptEnabled: scripting })
  return { version: `Chromium ${browser.version()}`, tab, close: () => browser.close() }
}

/** By Puppeteer, because Playwright's API controls only its own build of Firefox. */
async function startFirefox({ scripting }: BrowserOptions): Promise<Browser> {
  const browser = await puppeteer.launch({
    browser: 'firefox',
    executablePath: firefoxPaths.find(isProgram) ?? '',
    extraPrefsFirefox: { 'javascript.enabled': scripting, 'intl.locale.requested': 'en-US' },
    defaultViewport: WINDOW,
    env: VISITOR_ENV,
    timeout: 60_000,
  })
  return { version: await browser.version(), tab: await browser.newPage(), close: () => browser.close() }
}

/** Installs what is missing, where possible. The last line of the tests says which engines did not run. */
export function installEngines(): void {
  unpackChromium111()
  for (const { name, debianPackages, missing } of engines) {
    const reason = missing()
    if (reason === null || reason.startsWith('no build')) continue
    try {
      console.log(`Installing ${name} for the tests …`)
      installDebianPackages(debianPackages)
    } catch (error) {
      console.log(`${name} could not be installed: ${(error as Error).message.split('\n')[0]}`)
    }
  }
}
