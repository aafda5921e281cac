/** Disks that fail as real ones do: one that can be filled, and one that takes no writes. */
import { spawn, spawnSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { fillUp } from './own-disk.ts'

export interface FailingDisk {
  fail(): void
  recover(): void
  remove(): void
}

/** A small file system in `folder` where that may be mounted, else a limit on the size of this process's files. */
export function fullDisk(folder: string): FailingDisk {
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2m', 'tmpfs', folder]).status === 0
  if (!mounted) return unwritableDisk()
  const ballast = join(folder, 'ballast')
  return {
    fail: () => fillUp(ballast),
    recover: () => rmSync(ballast),
    remove: () => void spawnSync('umount', ['-l', folder]),
  }
}

/** Every write of this process to a file fails while its files may not be larger than a byte. */
export function unwritableDisk(): FailingDisk {
  const limitFileSize = (limit: string) => {
    const { status } = spawnSync('prlimit', ['--pid', String(process.pid), `--fsize=${limit}:`])
    if (status !== 0) throw new Error('This test needs `prlimit` (package util-linux), or the right to mount a tmpfs.')
  }
  return {
    fail: () => limitFileSize('1'),
    recover: () => limitFileSize('unlimited'),
    remove: () => limitFileSize('unlimited'),
  }
}

/** Another program that holds the store's lock until it is released, or until the test is over. */
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

/** Runs `work` as a user who may not do everything: root may write to read-only files. */
export function asOrdinaryUser<T>(work: () => T): T {
  if (process.getuid?.() !== 0 || !process.seteuid) return work()
  process.seteuid(65_534)
  try {
    return work()
  } finally {
    process.seteuid(0)
  }
}
