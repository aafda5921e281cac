/** The embedded store's files. */
import { closeSync, existsSync, openSync, readdirSync, rmSync, type Stats, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { syncToDisk } from '../files.ts'

/** How long to wait for another process, such as an operator's command, to finish writing. */
export const BUSY_TIMEOUT_MS = 5000

export function storeFile(dataDir: string): string {
  return join(dataDir, 'leads.sqlite')
}

/** On an installation, the first store is created only beside this file. */
export const MARKER = 'this-is-the-data-disk'

/** Where `leads move` puts the old store. */
export function movedStore(file: string): string {
  return `${file}.moved`
}

/** Where `leads restore` prepares the new store. */
export function restoringStore(file: string): string {
  return `${file}.restoring`
}

export function isSameFile(one: Stats, other: Stats | undefined): boolean {
  return one.ino === other?.ino && one.dev === other.dev
}

/** Files left behind by a move or a restore, and logs that 0.6.0 took for damaged. They still contain people who were erased later. */
export function oldStoresIn(dataDir: string): readonly string[] {
  if (!statSync(dataDir, { throwIfNoEntry: false })?.isDirectory()) return []
  const old = /^leads\.sqlite(\.moved|\.replaced-|\.restoring|-wal\.damaged-)/
  return readdirSync(dataDir)
    .filter(name => old.test(name))
    .toSorted()
    .map(name => join(dataDir, name))
}

/** True if nothing was ever stored there. */
export function isNewStore(file: string): boolean {
  return !existsSync(file) || statSync(file).size === 0
}

/** This file exists while a server has the store open. It's left behind if the server is killed or the power fails. */
const runningMark = (file: string) => `${file}-running`

export function wasKilled(file: string): boolean {
  return existsSync(runningMark(file))
}

export function markRunning(file: string): void {
  closeSync(openSync(runningMark(file), 'w', 0o600))
  syncToDisk(dirname(file))
}

export function markStopped(file: string): void {
  rmSync(runningMark(file), { force: true })
}
