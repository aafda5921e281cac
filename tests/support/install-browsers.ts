/** Runs before `npm test`: installs missing browsers where possible. Only Chromium is required. */
import '../../build/native-packages.ts'
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { CHROMIUM_111, engines } from '../browsers/engines.ts'
import { chromiumPath, HEADLESS_SHELL, isProgram } from './chromium.ts'

const run = (command: string, ...args: readonly string[]) =>
  execFileSync(command, args, { stdio: ['ignore', 'ignore', 'inherit'], timeout: 300_000 })

let areListsCurrent = false

function installDebianPackages(names: readonly string[]): void {
  if (!isProgram('/usr/bin/apt-get')) throw new Error('no apt-get here')
  if (process.getuid?.() !== 0) throw new Error('not root')
  // Waits for another installation to finish.
  const install = () =>
    run('apt-get', '-o', 'DPkg::Lock::Timeout=120', 'install', '-y', '--no-install-recommends', ...names)
  try {
    install()
  } catch (error) {
    // The package lists may be missing or old.
    if (areListsCurrent) throw error
    run('apt-get', 'update')
    areListsCurrent = true
    install()
  }
}

/** Logs a failure but continues: without the package, tests are slower or skipped. */
function tryToInstall(name: string, debianPackages: readonly string[]): void {
  console.log(`Installing ${name} for the tests …`)
  try {
    installDebianPackages(debianPackages)
  } catch (error) {
    console.log(`Can't install ${name}: ${(error as Error).message.split('\n')[0]}`)
  }
}

export function installChromium(): void {
  if (!chromiumPath()) tryToInstall('Chromium', ['chromium'])
  if (!chromiumPath()) run('npx', 'playwright', 'install', 'chromium')
  if (!process.env['CHROMIUM_PATH'] && !isProgram(HEADLESS_SHELL))
    tryToInstall('a faster Chromium', ['chromium-headless-shell'])
}

/** Unpacks it from its npm package, which supports only x86-64 Linux. Takes a few seconds, once per clone. */
function unpackChromium111(): void {
  if (process.platform !== 'linux' || process.arch !== 'x64' || isProgram(CHROMIUM_111)) return
  const packed = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../bin')
  const unpack = (name: string) => brotliDecompressSync(readFileSync(join(packed, `${name}.br`)))
  // Renamed when complete, in case the run is interrupted.
  const folder = dirname(CHROMIUM_111)
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  writeFileSync(join(unfinished, 'chromium'), unpack('chromium'), { mode: 0o755 })
  execFileSync('tar', ['-x', '--no-same-owner', '-C', unfinished], { input: unpack('swiftshader.tar') })
  rmSync(folder, { recursive: true, force: true })
  renameSync(unfinished, folder)
}

if (import.meta.main) {
  installChromium()
  unpackChromium111()
  for (const { name, debianPackages, missing } of engines) {
    const reason = missing()
    if (reason !== null && !reason.startsWith('no build')) tryToInstall(name, debianPackages)
  }
}
