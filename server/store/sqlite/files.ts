/** The files of the embedded store: where they are, and the folder that is made for them. */
import { closeSync, existsSync, lstatSync, mkdirSync, openSync, readdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { bringToDisk } from '../bring-to-disk.ts'
import { StoreUnusable } from '../store-errors.ts'

/** How long to wait for another process, such as an operator's command, to finish writing. */
export const BUSY_TIMEOUT_MS = 5000

export function storeFile(dataDir: string): string {
  return join(dataDir, 'leads.sqlite')
}

/** What a move, a restore, or a damaged log left behind. People who are erased later are still in these files. */
export function oldStoresIn(dataDir: string): readonly string[] {
  if (!statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()) return []
  const old = /^leads\.sqlite(\.moved|\.replaced-|\.restoring|-wal\.damaged-)/
  return readdirSync(dataDir)
    .filter(name => old.test(name))
    .toSorted()
    .map(name => join(dataDir, name))
}

/** Nothing was ever stored there. */
export function isNewStore(file: string): boolean {
  return !existsSync(file) || statSync(file).size === 0
}

/** There while a server has the store open, and left behind when it is killed or the power fails. */
const runningMark = (file: string) => `${file}-running`

export function wasCutOff(file: string): boolean {
  return existsSync(runningMark(file))
}

export function markRunning(file: string): void {
  closeSync(openSync(runningMark(file), 'w', 0o600))
  bringToDisk(dirname(file))
}

export function markStopped(file: string): void {
  rmSync(runningMark(file), { force: true })
}

/** Folder by folder: Node's own `recursive` tries for ever where a folder exists that takes no new ones, such as /proc. */
export function makeFolder(folder: string): void {
  if (existsSync(folder)) return
  if (lstatSync(folder, { throwIfNoEntry: false })?.isSymbolicLink()) {
    throw new StoreUnusable(
      `The store’s folder ${folder} is a link that leads nowhere. Mount what it leads to, or set DATA_DIR to another folder.`,
    )
  }
  makeFolder(dirname(folder))
  try {
    // What is in the store is nobody else's business on this machine.
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    // Another server that starts made it in the meantime.
    if (code === 'EEXIST') return
    if (code !== 'ENOENT') throw error
    throw new StoreUnusable(`The store’s folder ${folder} cannot be made. Set DATA_DIR to a folder on a local disk.`, {
      cause: error,
    })
  }
}
