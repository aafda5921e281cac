/** A small disk of its own, which can be filled, made read-only and brought to a standstill. Needs the right to mount. */
import { spawnSync } from 'node:child_process'
import { closeSync, mkdirSync, mkdtempSync, openSync, readdirSync, rmSync, truncateSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface OwnDisk {
  readonly folder: string
  fill(): void
  empty(): void
  /** Takes the right to write from every file of the store but its index in memory, for open files as well. */
  makeReadOnly(): void
  makeWritable(): void
  /** From now on whoever writes waits, and so does whoever waits for a write to reach the disk. */
  freeze(): void
  thaw(): void
  remove(): void
}

const run = (command: string, ...parameters: string[]) => spawnSync(command, parameters).status === 0

function mustRun(command: string, ...parameters: string[]): void {
  if (!run(command, ...parameters)) throw new Error(`${command} ${parameters.join(' ')} failed`)
}

/** Null where this user may not mount a disk. */
export function mountOwnDisk(): OwnDisk | null {
  const parent = mkdtempSync(join(tmpdir(), 'disk-'))
  const image = join(parent, 'image')
  const folder = join(parent, 'disk')
  const ballast = join(folder, 'ballast')
  mkdirSync(folder)
  closeSync(openSync(image, 'w'))
  truncateSync(image, 16 * 1024 * 1024)
  // Blocks as large as those of a real disk: when it gets full, the last write may be cut off in the middle.
  if (!run('mkfs.ext4', '-q', '-b', '4096', image) || !run('mount', '-o', 'loop', image, folder)) {
    rmSync(parent, { recursive: true })
    return null
  }
  // Its index in memory is mapped from a file: to forbid writing there would end the process, not the write.
  const files = () =>
    readdirSync(folder)
      .filter(name => /\.sqlite(-wal)?$/.test(name))
      .map(name => join(folder, name))
  return {
    folder,
    fill: () => fillUp(ballast),
    empty: () => rmSync(ballast),
    makeReadOnly: () => mustRun('chattr', '+i', ...files()),
    makeWritable: () => mustRun('chattr', '-i', ...files()),
    freeze: () => mustRun('fsfreeze', '-f', folder),
    thaw: () => mustRun('fsfreeze', '-u', folder),
    remove() {
      // Once unmounted, a disk that stands still could not be brought back, and its writers would wait for ever.
      run('fsfreeze', '-u', folder)
      mustRun('umount', '-l', folder)
      rmSync(parent, { recursive: true })
    },
  }
}

/** Writes into one file until nothing more fits on its disk. */
export function fillUp(ballast: string): void {
  const file = openSync(ballast, 'w')
  try {
    for (;;) writeSync(file, Buffer.alloc(4096))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}
