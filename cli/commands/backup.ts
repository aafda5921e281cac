/** `backup`: a copy of the whole store, made while the server runs. */
import { existsSync, statSync } from 'node:fs'
import { DatabaseUnusable } from '../../server/leads/database.ts'
import { backUpStore } from '../../server/leads/sqlite-backup.ts'
import { explain } from '../../server/leads/sqlite-errors.ts'
import { storeFile } from '../../server/leads/store-file.ts'
import type { Command } from '../command.ts'
import { exitCodes, Failure, Misuse } from '../failure.ts'
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
    const leads = backUp(store, copy, busyTimeoutMs)
    await notes.write(`${counted(leads, 'lead')} copied to ${copy} (${megabytes(statSync(copy).size)} MB).\n`)
    return exitCodes.done
  },
}

function backUp(store: string, copy: string, busyTimeoutMs: number): number {
  try {
    return backUpStore(store, copy, busyTimeoutMs)
  } catch (error) {
    if (error instanceof DatabaseUnusable) throw error
    throw new Failure(`${copy} cannot be written: ${explain(error)}`)
  }
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1)
