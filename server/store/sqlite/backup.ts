/** A copy of the embedded store while the server goes on using it: complete as of one moment, and checked. */
import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { backup } from 'node:sqlite'
import { bringToDisk } from '../bring-to-disk.ts'
import type { BackupResult } from '../health.ts'
import { StoreUnusable } from '../store-errors.ts'
import { explain } from './errors.ts'
import { openChecked, openFile } from './open-file.ts'

/** Pages copied at a time; a Ctrl+C is heard in between. */
const PAGES_AT_ONCE = 5000

/** A copy that is not complete never has the copy's name. */
export async function backUpStore(store: string, copy: string, busyTimeoutMs: number): Promise<BackupResult> {
  const source = openChecked(store, { readOnly: true, joining: true, busyTimeoutMs })
  const part = `${copy}.part`
  try {
    rmSync(part, { force: true })
    // Created here, because SQLite would let other users of the machine read it.
    closeSync(openSync(part, 'wx', 0o600))
    // Holds one moment of the store: without it, SQLite starts over with every lead that comes in.
    source.exec('BEGIN; SELECT 1 FROM leads')
    await backup(source, part, { rate: PAGES_AT_ONCE })
    const leads = checkCopy(part)
    bringToDisk(part)
    renameSync(part, copy)
    bringToDisk(dirname(copy))
    return { leads }
  } catch (error) {
    if (error instanceof StoreUnusable) throw error
    return { unwritable: explain(error) }
  } finally {
    source.close()
    for (const ending of ['', '-wal', '-shm', '-journal']) rmSync(`${part}${ending}`, { force: true })
  }
}

/** Reads the whole copy before it gets its name, and makes it a single file. */
function checkCopy(copy: string): number {
  const database = openFile(copy, false, 0)
  try {
    database.exec('PRAGMA journal_mode = DELETE')
    const verdict = database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check']
    if (verdict !== 'ok')
      throw new StoreUnusable('The copy is damaged, so the store may be. Run: npm run leads -- doctor')
    return Number(database.prepare('SELECT count(*) AS leads FROM leads').get()?.['leads'])
  } finally {
    database.close()
  }
}
