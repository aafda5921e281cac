/** Finds the Chromium that browser tests and benchmarks use, and installs one where there is none. */
import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'

/** The same engine without a browser's windows, tabs and services: a visitor costs it a third of the processor time. */
const HEADLESS_SHELL = '/usr/bin/chromium-headless-shell'

const usualPaths = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/** As root, Chromium's sandbox cannot start; in a closed network, its own lookups only cost time. */
const chromiumArguments = [
  ...(process.getuid?.() === 0 ? ['--no-sandbox'] : []),
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
]

/** The browser's path, or undefined when Playwright's own is to be used. */
function chromiumPath(candidates: readonly string[] = usualPaths): string | undefined {
  const chosen = process.env['CHROMIUM_PATH']
  if (chosen) {
    if (isProgram(chosen)) return chosen
    throw new Error(`CHROMIUM_PATH is ${JSON.stringify(chosen)}, which is not a program that can be run.`)
  }
  return candidates.find(isProgram)
}

interface LaunchOptions {
  readonly args: string[]
  readonly executablePath?: string
}

/** How to launch it with Playwright, for pictures and measurements: the browser that visitors have. */
export function launchOptions(path = chromiumPath()): LaunchOptions {
  return path === undefined ? { args: chromiumArguments } : { args: chromiumArguments, executablePath: path }
}

/** For the journeys, which open a new browser profile for every test. */
export function journeyLaunchOptions(): LaunchOptions {
  return launchOptions(chromiumPath([HEADLESS_SHELL, ...usualPaths]))
}

export function installChromium(): void {
  if (!chromiumPath()) installFullBrowser()
  installHeadlessShell()
}

function installFullBrowser(): void {
  const tried = ['CHROMIUM_PATH (not set)', ...usualPaths]
  const attempts: [string, () => void][] = [
    [
      'apt-get install chromium',
      () => {
        installDebianPackages(['chromium'])
        if (!chromiumPath()) throw new Error('installed, but not found')
      },
    ],
    ['playwright install chromium', () => run('npx', 'playwright', 'install', 'chromium')],
  ]
  for (const [name, attempt] of attempts) {
    try {
      console.log(`No Chromium found. Trying: ${name} …`)
      attempt()
      return
    } catch (error) {
      tried.push(`${name} (${(error as Error).message.split('\n')[0]})`)
    }
  }
  throw new Error(`No Chromium for the browser tests. Tried:\n${tried.map(what => `  - ${what}`).join('\n')}`)
}

/** Where it cannot be had the journeys are slower, and nothing else: the full browser takes its place. */
function installHeadlessShell(): void {
  if (process.env['CHROMIUM_PATH'] || isProgram(HEADLESS_SHELL)) return
  try {
    installDebianPackages(['chromium-headless-shell'])
  } catch {
    console.log(
      'chromium-headless-shell could not be installed: the journeys run in the full browser, which is slower.',
    )
  }
}

export function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

export function run(command: string, ...args: readonly string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 })
}

let listsAreCurrent = false

/** Throws with a short reason if it can't. */
export function installDebianPackages(names: readonly string[]): void {
  if (!isProgram('/usr/bin/apt-get')) throw new Error('no apt-get here')
  if (process.getuid?.() !== 0) throw new Error('not root')
  try {
    install(names)
  } catch (error) {
    // The package lists may be missing or old.
    if (listsAreCurrent) throw error
    run('apt-get', 'update')
    listsAreCurrent = true
    install(names)
  }
}

function install(names: readonly string[]): void {
  // Waits for another installation to end.
  run('apt-get', '-o', 'DPkg::Lock::Timeout=120', 'install', '-y', '--no-install-recommends', ...names)
}
