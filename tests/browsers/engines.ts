/** The engines besides Chromium's that visitors have, where they are on this machine, and what they need to be here. */
import { execFileSync } from 'node:child_process'
import { installDebianPackages, isProgram } from '../support/programs.ts'
import type { Browser, BrowserOptions } from './browser.ts'
import { startFirefox } from './firefox.ts'
import { startWebKit } from './webkit.ts'

export interface Engine {
  readonly name: 'firefox' | 'webkit'
  /** What Debian calls it. */
  readonly packages: readonly string[]
  /** What is missing here, in a few words, or null when it can be started. */
  missing(): string | null
  start(options: BrowserOptions): Promise<Browser>
}

const firefoxPaths = ['/usr/bin/firefox-esr', '/usr/bin/firefox', '/Applications/Firefox.app/Contents/MacOS/firefox']
const webkitDriver = '/usr/bin/WebKitWebDriver'

export const engines: readonly Engine[] = [
  {
    name: 'firefox',
    packages: ['firefox-esr'],
    missing: () => (firefoxPaths.some(isProgram) ? null : `no Firefox at ${firefoxPaths.join(', ')}`),
    start: options => startFirefox(firefoxPaths.find(isProgram) ?? '', options),
  },
  {
    name: 'webkit',
    packages: ['webkit2gtk-driver', 'gir1.2-webkit2-4.1', 'gir1.2-gtk-3.0', 'python3-gi', 'xvfb'],
    missing() {
      const program = [webkitDriver, '/usr/bin/Xvfb'].find(path => !isProgram(path))
      if (program) return `no ${program}`
      return hasWindowLibraries() ? null : 'no WebKit2 4.1 for /usr/bin/python3'
    },
    start: options => startWebKit(webkitDriver, options),
  },
]

/** What webkit-window.py imports. */
function hasWindowLibraries(): boolean {
  const imports = "import gi; gi.require_version('Gtk', '3.0'); gi.require_version('WebKit2', '4.1')"
  try {
    execFileSync('/usr/bin/python3', ['-c', imports], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Installs what is missing, where that can be done; what is not run for want of it, the last line of the tests names. */
export function installEngines(): void {
  for (const { name, packages, missing } of engines) {
    if (missing() === null) continue
    try {
      console.log(`Installing ${name} for the tests …`)
      installDebianPackages(packages)
    } catch (error) {
      console.log(`${name} could not be installed: ${(error as Error).message.split('\n')[0]}`)
    }
  }
}
