import { statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDisk } from './temporary-disk.ts'

test('a folder for temporary files does not last, whether or not it is there yet', () => {
  expect(temporaryDisk(tmpdir())).toContain('temporary files')
  expect(temporaryDisk(join(tmpdir(), 'not', 'there'))).toContain('temporary files')
})

test.runIf(process.platform === 'linux')('a disk in memory does not last', () => {
  expect(temporaryDisk('/dev/shm/leads')).toBe('/dev/shm/leads is in memory (tmpfs)')
})

/** In a container the project itself may be on a layer that goes with it. */
const OVERLAY = 0x794c7630
test.runIf(statfsSync('.').type !== OVERLAY && !process.cwd().startsWith(tmpdir()))('a disk lasts', () => {
  expect(temporaryDisk('data')).toBeNull()
})
