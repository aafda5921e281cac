/** Imported by the test runners' configurations: stores of tests live in memory where there is room, because disks are slow. */
import { statfsSync } from 'node:fs'

const MEMORY = '/dev/shm'
const NEEDED_BYTES = 4 * 1024 ** 3

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(MEMORY)
    return bavail * bsize >= NEEDED_BYTES
  } catch {
    return false
  }
}

if (process.env['TMPDIR'] === undefined && hasRoom()) process.env['TMPDIR'] = MEMORY
