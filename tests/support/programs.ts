/** Programs that tests need besides Node: whether they are here, and how Debian's are installed. */
import { execFileSync } from 'node:child_process'
import { accessSync, constants } from 'node:fs'

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

/** Throws, with the reason in a few words, where they cannot be had. */
export function installDebianPackages(names: readonly string[]): void {
  if (!isProgram('/usr/bin/apt-get')) throw new Error('no apt-get here')
  if (process.getuid?.() !== 0) throw new Error('not root')
  try {
    install(names)
  } catch (error) {
    // The machine's lists of packages may be missing or old; a second update would change nothing.
    if (listsAreCurrent) throw error
    run('apt-get', 'update')
    listsAreCurrent = true
    install(names)
  }
}

function install(names: readonly string[]): void {
  // Waits for another installation that may be under way.
  run('apt-get', '-o', 'DPkg::Lock::Timeout=120', 'install', '-y', '--no-install-recommends', ...names)
}
