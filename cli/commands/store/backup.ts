/** `backup`: a copy of the whole store, made while the server runs. */
import { existsSync, statSync } from 'node:fs'
import { backUpStore } from '../../../server/store/open-store.ts'
import type { Command } from '../../command.ts'
import { exitCodes, Failure, Misuse } from '../../failure.ts'
import { withStore } from '../../leads/with-store.ts'
import { removedOnInterrupt } from '../../terminal/output-file.ts'
import { counted } from '../../terminal/words.ts'

export const backup: Command = {
  summary: 'Back up the whole store while the server runs.',
  usage: ['FILE'],
  about:
    'Copies everything as of this moment to a file that only you can read, and checks the copy.\n' +
    'To restore: stop the server and the desk, run `leads restore FILE`, start them. People you erase later are still in\n' +
    'older backups; `restore` erases them again. Delete old backups in time all the same.\n' +
    'Keep ERASURE_LIST beside the backups, and a copy of the key (erasure.key or ERASURE_KEY) with your passwords.',
  options: {},
  examples: ['/backup/leads-2030-01-31.sqlite'],
  mostWords: 1,
  async run(run) {
    const { typed, notes, stderr, readConfig, busyTimeoutMs } = run
    const [copy] = typed.words
    if (copy === undefined) throw new Misuse('Where to? npm run leads -- backup FILE')
    if (existsSync(copy)) throw new Failure(`${copy} already exists. Remove it or choose another name.`)
    const config = readConfig()
    if (stderr.isTTY) await notes.write('Copying …\n')
    const result = await removedOnInterrupt(`${copy}.part`, () => backUpStore(config, copy, { busyTimeoutMs }))
    if ('unwritable' in result) throw new Failure(`${copy} cannot be written: ${result.unwritable}`)
    await withStore(run, 'write', store => store.recordBackup(result)).catch(() =>
      notes.write('The store could not record this backup, so the desk will not show it.\n'),
    )
    await notes.write(`${counted(result.leads, 'lead')} copied to ${copy} (${megabytes(statSync(copy).size)} MB).\n`)
    return exitCodes.done
  },
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1)
