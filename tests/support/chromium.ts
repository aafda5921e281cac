/** Finds the Chromium to use for browser tests, screenshots, and benchmarks. */
import { accessSync, constants } from 'node:fs'

/** The same engine without windows, tabs, or services: a simulated visitor takes a third of the CPU time. */
export const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** Chromium's sandbox can't start as root, and its background requests waste time on a closed network. */
const chromiumArguments = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
]

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The browser's path, or undefined to use Playwright's own. */
export function chromiumPath(candidates: readonly string[] = usualPaths): string | undefined {
  const chosen = process.env['CHROMIUM_PATH']
  if (chosen) {
    if (isProgram(chosen)) return chosen
    throw new Error(`CHROMIUM_PATH is ${JSON.stringify(chosen)}, which can't be executed.`)
  }
  return candidates.find(isProgram)
}

/** For screenshots and benchmarks: a full browser, like the ones visitors use. */
export function launchOptions(path = chromiumPath()) {
  return path === undefined ? { args: chromiumArguments } : { args: chromiumArguments, executablePath: path }
}

/** For tests: the headless shell if it's installed. */
export function journeyLaunchOptions() {
  return launchOptions(chromiumPath([HEADLESS_SHELL, ...usualPaths]))
}
