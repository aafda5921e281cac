/** `restore`: puts a backup in the place of the store, without undoing what must not be undone. */
import { installationKey } from '../../../server/installation-key.ts'
import { applyChanges, type NotedChange, readChanges } from '../../../server/store/carry-over.ts'
import { planRestore } from '../../../server/store/open-store.ts'
import type { Command, Run } from '../../command.ts'
import { exitCodes, Failure } from '../../failure.ts'
import { calendarOf } from '../../leads/when.ts'
import { withStore } from '../../leads/with-store.ts'
import { confirm, yesOption } from '../../terminal/ask.ts'
import { counted } from '../../terminal/words.ts'

export const restore: Command = {
  summary: 'Restore a backup; people erased, blocked, or dismissed since stay so.',
  usage: ['FILE [OPTIONS]', '[OPTIONS]'],
  about:
    'With FILE, a backup takes the place of the embedded store in DATA_DIR. Stop the server and the desk first. The backup\n' +
    'is checked, brought up to date, and put in place; the previous store is kept beside it.\n' +
    'Without FILE, nothing is put in place. Run it after pg_restore into PostgreSQL, before a server starts.\n' +
    'Either way, what was done since the backup is done again: people erased, the do-not-call list, people dismissed from\n' +
    'the desk, and removed passkeys. Everyone has to sign in to the desk again. This comes from the file ERASURE_LIST,\n' +
    'and from the previous embedded store if it can be read. A server also does this when it starts.',
  options: {
    erasures: { value: 'FILE', about: 'Another machine’s ERASURE_LIST, in addition.', repeatable: true },
    ...yesOption,
  },
  examples: ['/backup/leads-2030-01-31.sqlite', '--erasures /mnt/other/erasures.txt'],
  mostWords: 1,
  async run(run) {
    const { databaseUrl } = run.readConfig()
    const [copy] = run.typed.words
    if (copy === undefined) return updateRestored(run)
    if (databaseUrl !== null) {
      throw new Failure(
        'The leads are in PostgreSQL. Restore the backup with pg_restore into a new database, set DATABASE_URL to it, and then\n' +
          'run this command without FILE. See docs/operations.md.',
      )
    }
    return restoreFile(run, copy)
  },
}

function notedChanges({ readConfig, typed }: Run): readonly NotedChange[] {
  return [readConfig().erasureList, ...typed.texts('erasures')].flatMap(readChanges)
}

async function updateRestored(run: Run): Promise<number> {
  const changes = notedChanges(run)
  const config = run.readConfig()
  const done = await withStore(run, 'write', store =>
    applyChanges(store, { changes, endSessions: true }, () => installationKey(config, store)),
  )
  await run.notes.write(`${counted(changes.length, 'noted change')} compared with the store. ${inWords(done)}\n`)
  return exitCodes.done
}

async function restoreFile(run: Run, file: string): Promise<number> {
  const { readConfig, notes, busyTimeoutMs, now } = run
  const calendar = calendarOf(run)
  const newest = (at: number | null) => (at === null ? '' : `, the newest of ${calendar.inWords(at)}`)
  const changes = notedChanges(run)
  const { copy, present, carryOut } = await planRestore(readConfig(), file, { busyTimeoutMs })
  await notes.write(
    `${file} has ${counted(copy.leads, 'lead')}${newest(copy.newestAt)}.\n` +
      (present
        ? `The store has ${counted(present.leads, 'lead')}${newest(present.newestAt)}. It is kept beside the new one.\n`
        : `There is no readable store to replace. What was done since the backup is known only from ${readConfig().erasureList}, ` +
          `which has ${counted(changes.length, 'entry', 'entries')}.\n`),
  )
  if (!(await confirm(run, 'Put the backup in place?'))) return exitCodes.failed
  const { replaced, ...done } = await carryOut({ changes, key: store => installationKey(readConfig(), store), now })
  await notes.write(
    `${counted(copy.leads, 'lead')} restored. ${inWords(done)}\n` +
      (replaced === null
        ? ''
        : `The previous store is ${replaced}. It has people in it who are not in the backup. When all is well, delete it:\n` +
          'npm run leads -- doctor --remove-old-stores\n') +
      'What was delivered after the backup was made is sent again, with the same webhook-id.\n',
  )
  return exitCodes.done
}

function inWords(done: Readonly<Record<'erased' | 'doNotCall' | 'dismissed', number>>): string {
  return (
    `Done again: ${counted(done.erased, 'erasure')}, ${counted(done.doNotCall, 'do-not-call change')}, ` +
    `${counted(done.dismissed, 'dismissal')} from the desk.`
  )
}
