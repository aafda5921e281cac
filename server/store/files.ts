/** Creates files and folders that survive a power outage and that other users can't read. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { HOUR } from '../../domain/durations.ts'
import { StoreUnusable } from './store-errors.ts'

/** Makes sure that data written to the file or folder survives a power outage. */
export function syncToDisk(path: string): void {
  const file = openSync(path, 'r')
  try {
    fsyncSync(file)
  } finally {
    closeSync(file)
  }
}

/** We create the file ourselves, because other users could read one that SQLite or pg_dump created. */
export function createPrivateFile(path: string): void {
  closeSync(openSync(path, 'wx', 0o600))
}

/** A copy's name until it's complete. Each process has its own, because two may make the same copy at once. */
export const partOf = (copy: string): string => `${copy}.${process.pid}.part`

/** An incomplete copy never has the final name. `placeOf`: that name, once the copy is complete. */
export async function writeCopy<T>(
  copy: string,
  write: (part: string) => Promise<T>,
  placeOf: (part: string) => string = () => copy,
): Promise<T> {
  const part = partOf(copy)
  try {
    removeAbandonedParts(copy)
    rmSync(part, { force: true })
    createPrivateFile(part)
    const result = await write(part)
    syncToDisk(part)
    renameSync(part, placeOf(part))
    syncToDisk(dirname(copy))
    return result
  } finally {
    removeDatabase(part)
  }
}

/** A part that nothing was written to for so long belongs to a process that was killed. */
const ABANDONED_MS = HOUR

function removeAbandonedParts(copy: string): void {
  const [folder, start] = [dirname(copy), `${basename(copy)}.`]
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(start) || !name.endsWith('.part')) continue
    const part = join(folder, name)
    const { mtimeMs } = statSync(part, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() }
    if (mtimeMs < Date.now() - ABANDONED_MS) removeDatabase(part)
  }
}

/** Also removes SQLite's companion files. */
export function removeDatabase(file: string): void {
  for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(`${file}${ending}`, { force: true })
}

/** Creates DATA_DIR one folder at a time, because Node's `recursive` retries forever in places like /proc. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
    const link = `The folder ${folder} is a broken link.`
    throw new StoreUnusable(`${link} Mount the disk it points to, or set DATA_DIR to another path.`)
  }
  makeFolder(dirname(folder))
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Another server created it at the same time.
    if (code === 'EEXIST') return
    if (code !== 'ENOENT') throw error
    throw new StoreUnusable(`Can’t create the folder ${folder}. Set DATA_DIR to a path on a local disk.`)
  }
}
