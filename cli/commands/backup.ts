/** `backup`: a copy of the whole store, made while the server runs. */
import { once } from 'node:events'
import { existsSync, statSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { storeFile } from '../../server/leads/store-file.ts'
import type { BackupOrder, BackupResult } from '../backup-thread.ts'
import type { Command } from '../command.ts'
import { exitCodes, Failure, Misuse } from '../failure.ts'
import { removedOnInterrupt } from '../interrupt.ts'
import { counted } from '../words.ts'

const BUSY_TIMEOUT_MS = 5000

export const backup: Command = {
  summary: 'A copy of the whole store, made while the server runs.',
  usage: ['FILE'],
  about:
    'Copies everything, consents and history included, as it is at this moment, to a file that only you can read. The\n' +
    'copy is checked before it gets its name.\n' +
    'To restore: stop the server, move DATA_DIR away, make it anew, put the copy there as leads.sqlite, start.\n' +
    'People who are erased later are still in the copies that you made before: delete these in time.',
  options: {},
  examples: ['/backup/leads-2030-01-31.sqlite'],
  mostWords: 1,
  async run({ typed, notes, stderr, readConfig, busyTimeoutMs = BUSY_TIMEOUT_MS }) {
    const [copy] = typed.words
    if (copy === undefined) throw new Misuse('Say where the copy should go: npm run leads -- backup FILE')
    if (existsSync(copy)) throw new Failure(`${copy} exists already. Remove it or choose another name.`)
    const store = storeFile(readConfig().dataDir)
    if (stderr.isTTY) await notes.write('Copying …\n')
    const leads = await removedOnInterrupt(`${copy}.part`, () => backUp({ store, copy, busyTimeoutMs }))
    await notes.write(`${counted(leads, 'lead')} copied to ${copy} (${megabytes(statSync(copy).size)} MB).\n`)
    return exitCodes.done
  },
}

async function backUp(order: BackupOrder): Promise<number> {
  const thread = new Worker(new URL('../backup-thread.ts', import.meta.url), { workerData: order })
  const [result] = (await once(thread, 'message')) as [BackupResult]
  if ('leads' in result) return result.leads
  throw new Failure('unusable' in result ? result.unusable : `${order.copy} cannot be written: ${result.unwritable}`)
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1)
