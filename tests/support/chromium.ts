/** Finds the Chromium that browser tests and benchmarks use, and installs one where there is none. */
import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'

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

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** The browser's path, or undefined when Playwright's own is to be used. */
function chromiumPath(): string | undefined {
  const chosen = process.env['CHROMIUM_PATH']
  if (chosen) {
    if (isExecutable(chosen)) return chosen
    throw new Error(`CHROMIUM_PATH is ${JSON.stringify(chosen)}, which is not a program that can be run.`)
  }
  return usualPaths.find(isExecutable)
}

/** How to launch it with Playwright. */
export function launchOptions(): { args: string[]; executablePath?: string } {
  const path = chromiumPath()
  return path === undefined ? { args: chromiumArguments } : { args: chromiumArguments, executablePath: path }
}

export function installChromium(): void {
  if (chromiumPath()) return
  const tried = ['CHROMIUM_PATH (not set)', ...usualPaths]
  const attempts: [string, () => void][] = [
    [
      'apt-get install chromium',
      () => {
        if (process.getuid?.() !== 0) throw new Error('not root')
        run('apt-get', ['update'])
        run('apt-get', ['install', '-y', '--no-install-recommends', 'chromium'])
        if (!chromiumPath()) throw new Error('installed, but not found')
      },
    ],
    ['playwright install chromium', () => run('npx', ['playwright', 'install', 'chromium'])],
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

function run(command: string, args: string[]): void {
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 })
}
