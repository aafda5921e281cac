/** The browsers that visitor journeys run in: whether this machine has them, and how to start them. */
import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { chromium, type LaunchOptions } from '@playwright/test'
import puppeteer from 'puppeteer-core'
import { isProgram, journeyLaunchOptions } from '../support/chromium.ts'
import { type Browser, VISITOR_ENV, WINDOW } from './browser.ts'
import { startWebKit, WEBKIT_DRIVER } from './webkit.ts'

export interface Engine {
  readonly name: 'chromium-111' | 'system-chromium' | 'firefox' | 'webkit'
  readonly debianPackages: readonly string[]
  /** The missing requirement, or null if this machine can start the engine. */
  missing(): string | null
  start(): Promise<Browser>
}

/** The oldest Chromium that the site supports. */
export const CHROMIUM_111 = join(import.meta.dirname, '../../.cache/chromium-111/chromium')

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
    start: () =>
      startChromium({ executablePath: CHROMIUM_111, args: ['--no-sandbox', '--no-zygote', '--disable-gpu'] }),
  },
  {
    name: 'system-chromium',
    debianPackages: ['chromium'],
    missing: () => null,
    start: () => startChromium(journeyLaunchOptions()),
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

async function startChromium(launchOptions: LaunchOptions): Promise<Browser> {
  const browser = await chromium.launch({ ...launchOptions, env: VISITOR_ENV })
  return {
    async openTab({ scripting }) {
      const context = await browser.newContext({ viewport: WINDOW, locale: 'en-US', javaScriptEnabled: scripting })
      const version = `Chromium ${browser.version()}`
      const tab = await context.newPage()
      const errors: string[] = []
      tab.on('pageerror', error => errors.push(error.message))
      return { version, tab, errors, close: () => context.close() }
    },
    close: () => browser.close(),
  }
}

/** NS_BINDING_ABORTED: Firefox reports a font as an error if its page is left before the font has arrived. */
const FONT_ABORTED = 'status=2152398850'

/** Uses Puppeteer, because Playwright can control only its own Firefox build. */
async function startFirefox(): Promise<Browser> {
  const launch = (scripting: boolean) =>
    puppeteer.launch({
      browser: 'firefox',
      executablePath: firefoxPaths.find(isProgram) ?? '',
      extraPrefsFirefox: { 'javascript.enabled': scripting, 'intl.locale.requested': 'en-US' },
      defaultViewport: WINDOW,
      env: VISITOR_ENV,
      timeout: 240_000,
    })
  // Firefox can turn off JavaScript only for the whole browser.
  const browsers = new Map<boolean, ReturnType<typeof launch>>()
  return {
    async openTab({ scripting }) {
      const launched = browsers.get(scripting) ?? launch(scripting)
      browsers.set(scripting, launched)
      const browser = await launched
      const context = await browser.createBrowserContext()
      const tab = await context.newPage()
      const errors: string[] = []
      tab.on('pageerror', error => {
        if (!String(error).includes(FONT_ABORTED)) errors.push(String(error))
      })
      return { version: await browser.version(), tab, errors, close: () => context.close() }
    },
    async close() {
      for (const launched of browsers.values()) await (await launched).close()
    },
  }
}
