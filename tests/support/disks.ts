/** Disks that fail the way real ones do: full, read-only, frozen, locked. */
import { spawn, spawnSync } from 'node:child_process'
import {
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  rmSync,
  statfsSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

const run = (command: string, ...parameters: string[]) => spawnSync(command, parameters).status === 0

function mustRun(command: string, ...parameters: string[]): void {
  if (!run(command, ...parameters)) throw new Error(`${command} ${parameters.join(' ')} failed`)
}

/** A small disk, mounted for one test. Null if this user can't mount disks. */
export function mountOwnDisk(bytes = 16 * 1024 * 1024) {
  const parent = mkdtempSync(join(tmpdir(), 'disk-'))
  const image = join(parent, 'image')
  const folder = join(parent, 'disk')
  const ballast = join(folder, 'ballast')
  mkdirSync(folder)
  closeSync(openSync(image, 'w'))
  truncateSync(image, bytes)
  // A real disk's block size, so the last write before the disk is full can be cut off. No blocks reserved for root.
  if (!run('mkfs.ext4', '-q', '-b', '4096', '-m', '0', image) || !run('mount', '-o', 'loop', image, folder)) {
    rmSync(parent, { recursive: true })
    return null
  }
  // Excludes the memory-mapped index: making it read-only would kill the process instead of failing the write.
  const files = () =>
    readdirSync(folder)
      .filter(name => /\.sqlite(-wal)?$/.test(name))
      .map(name => join(folder, name))
  return {
    folder,
    fill: () => fillUp(ballast, bytes),
    /** Leaves only this much free. */
    leaveFree(free: number) {
      rmSync(ballast, { force: true })
      const { bavail, bsize } = statfsSync(folder)
      mustRun('fallocate', '-l', String(Math.floor(bavail * bsize - free)), ballast)
    },
    empty: () => rmSync(ballast),
    /** Makes the store's files read-only, even if they're already open. */
    makeReadOnly: () => mustRun('chattr', '+i', ...files()),
    makeWritable: () => mustRun('chattr', '-i', ...files()),
    /** Blocks every write until `thaw`. */
    freeze: () => mustRun('fsfreeze', '-f', folder),
    thaw: () => mustRun('fsfreeze', '-u', folder),
    /** Unmounts it. Its folder, the mount point, stays. */
    detach: () => mustRun('umount', folder),
    attach: () => run('mountpoint', '-q', folder) || mustRun('mount', '-o', 'loop', image, folder),
    remove() {
      // A frozen disk can't be thawed once it's unmounted, and its writers would wait forever.
      run('fsfreeze', '-u', folder)
      mustRun('umount', '-l', folder)
      rmSync(parent, { recursive: true })
    },
  }
}

/** Writes to one file until the disk is full. Fails if that's more than the disk has: then it isn't mounted. */
function fillUp(ballast: string, bytes: number): void {
  const file = openSync(ballast, 'w')
  try {
    for (let written = 0; written < bytes; written += 4096) writeSync(file, Buffer.alloc(4096))
    throw new Error(`${ballast} isn’t on the test’s disk.`)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
  } finally {
    closeSync(file)
  }
}

/** Starts a process that locks the store until the lock is released or the test ends. */
export async function lockStore(file: string): Promise<{ release(): Promise<void> }> {
  const script = `
    const database = new (require('node:sqlite').DatabaseSync)(process.argv[1])
    database.exec('BEGIN EXCLUSIVE')
    console.log('locked')
    process.stdin.resume().on('end', () => process.exit())`
  const child = spawn(process.execPath, ['-e', script, file], { stdio: ['pipe', 'pipe', 'inherit'] })
  await new Promise(resolve => child.stdout.once('data', resolve))
  return {
    release: () =>
      new Promise(resolve => {
        child.once('exit', () => resolve())
        child.kill('SIGKILL')
      }),
  }
}

/** Runs `work` without root privileges, because root can write to read-only files. */
export function asOrdinaryUser<T>(work: () => T): T {
  if (process.getuid?.() !== 0 || !process.seteuid) return work()
  process.seteuid(65_534)
  try {
    return work()
  } finally {
    process.seteuid(0)
  }
}
