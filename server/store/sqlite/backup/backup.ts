/** A copy of the embedded store while the server goes on using it: complete as of one moment, and checked. */

import { once } from 'node:events'
import { closeSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Worker } from 'node:worker_threads'
import { bringToDisk } from '../../bring-to-disk.ts'
import type { BackupResult } from '../../health.ts'
import { StoreUnusable } from '../../store-errors.ts'
import { openChecked, openFile } from '../open-file.ts'
import type { BackupOrder } from './backup-thread.ts'

export async function backUpStore(order: BackupOrder): Promise<BackupResult> {
  const thread = new Worker(new URL('./backup-thread.ts', import.meta.url), { workerData: order })
  const [result] = (await once(thread, 'message')) as [BackupResult | { readonly unusable: string }]
  if ('unusable' in result) throw new StoreUnusable(result.unusable)
  return result
}

/** Answers with the number of leads in the copy. What is not whole never stands under the copy's name. */
export function copyStore(store: string, copy: string, busyTimeoutMs: number): number {
  const source = openChecked(store, { readOnly: true, joining: true, busyTimeoutMs })
  const part = `${copy}.part`
  try {
    rmSync(part, { force: true })
    // Made here, since SQLite would let other users of the machine read it.
    closeSync(openSync(part, 'wx', 0o600))
    // Into that file and no other: who interrupts us may have removed it, and SQLite would make it anew.
    source.prepare('VACUUM INTO ?').run(`${pathToFileURL(part)}?mode=rw`)
    const leads = countLeads(part)
    bringToDisk(part)
    renameSync(part, copy)
    bringToDisk(dirname(copy))
    return leads
  } finally {
    source.close()
    rmSync(part, { force: true })
  }
}

/** Reads the whole copy before it is called one. */
function countLeads(copy: string): number {
  const database = openFile(copy, true, 0)
  try {
    const verdict = database.prepare('PRAGMA integrity_check(1)').get()?.['integrity_check']
    if (verdict !== 'ok') throw new Error('The copy is damaged.')
    return Number(database.prepare('SELECT count(*) AS leads FROM leads').get()?.['leads'])
  } finally {
    database.close()
  }
}
