/** Imported by the test runners' configs: keeps test stores in memory if there's room, because disks are slow. */
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
