/** `backup`: a copy of the whole store, made while the server runs. */
import { existsSync, statSync } from 'node:fs'
import { backUpStore } from '../../../server/store/open-store.ts'
import type { Command } from '../../command.ts'
import { exitCodes, Failure, Misuse } from '../../failure.ts'
import { withStore } from '../../leads/with-store.ts'
import { removedOnInterrupt } from '../../terminal/output-file.ts'
import { counted } from '../../terminal/words.ts'

export const backup: Command = {
  summary: 'A copy of the whole store, made while the server runs.',
  usage: ['FILE'],
  about:
    'Copies everything, consents and history included, as it is at this moment, to a file that only you can read. The\n' +
    'copy is checked before it gets its name.\n' +
    'To restore: stop the server, `leads restore FILE`, start. People who are erased later are still in the copies that you\n' +
    'made before, and `restore` erases them again: delete old copies in time all the same.',
  options: {},
  examples: ['/backup/leads-2030-01-31.sqlite'],
  mostWords: 1,
  async run(run) {
    const { typed, notes, stderr, readConfig, busyTimeoutMs } = run
    const [copy] = typed.words
    if (copy === undefined) throw new Misuse('Say where the copy should go: npm run leads -- backup FILE')
    if (existsSync(copy)) throw new Failure(`${copy} exists already. Remove it or choose another name.`)
    const config = readConfig()
    if (stderr.isTTY) await notes.write('Copying …\n')
    const result = await removedOnInterrupt(`${copy}.part`, () => backUpStore(config, copy, { busyTimeoutMs }))
    if ('unwritable' in result) throw new Failure(`${copy} cannot be written: ${result.unwritable}`)
    await withStore(run, 'write', store => store.recordBackup(result)).catch(() =>
      notes.write('That it was made could not be written down in the store: the desk will not know of it.\n'),
    )
    await notes.write(`${counted(result.leads, 'lead')} copied to ${copy} (${megabytes(statSync(copy).size)} MB).\n`)
    return exitCodes.done
  },
}

const megabytes = (bytes: number) => (bytes / 1_000_000).toFixed(1)
