/** Chromium 111, the oldest that the site promises to work in. Its npm package has x86-64 Linux only. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync } from 'node:zlib'
import { isProgram } from '../support/chromium.ts'

const folder = join(import.meta.dirname, '../../.cache/chromium-111')

export const CHROMIUM_111 = join(folder, 'chromium')

/** Takes a few seconds, once per clone. */
export function unpackChromium111(): void {
  if (process.platform !== 'linux' || process.arch !== 'x64' || isProgram(CHROMIUM_111)) return
  const packed = join(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))), '../bin')
  const unpack = (name: string) => brotliDecompressSync(readFileSync(join(packed, `${name}.br`)))
  // Renamed when complete, so that an interrupted run leaves no half of it.
  const unfinished = `${folder}.${process.pid}`
  mkdirSync(unfinished, { recursive: true })
  writeFileSync(join(unfinished, 'chromium'), unpack('chromium'), { mode: 0o755 })
  execFileSync('tar', ['-x', '-C', unfinished], { input: unpack('swiftshader.tar') })
  rmSync(folder, { recursive: true, force: true })
  renameSync(unfinished, folder)
}
