/** `restore`: a backup in the place of the store, without the people who were erased since. */
import { eraseAgain, readErasures } from '../../../server/store/erasure/erasure-list.ts'
import { planRestore } from '../../../server/store/open-store.ts'
import type { Command, Run } from '../../command.ts'
import { exitCodes, Failure } from '../../failure.ts'
import { calendarOf } from '../../leads/when.ts'
import { withStore } from '../../leads/with-store.ts'
import { confirm, yesOption } from '../../terminal/ask.ts'
import { counted } from '../../terminal/words.ts'

export const restore: Command = {
  summary: 'A backup takes the place of the store; people erased since are erased again.',
  usage: ['FILE [OPTIONS]', '[OPTIONS]'],
  about:
    'With FILE, a copy that `backup` made takes the place of the embedded store in DATA_DIR. Stop the server first. The\n' +
    'copy is checked, brought up to date, and rid of everybody who was erased since it was made, before it is put in\n' +
    'place. The store of before is kept beside it; whoever asked not to be called stays on the do-not-call list.\n' +
    'Without FILE, nothing is put in place: what is in the store or in PostgreSQL now is compared with the list of\n' +
    'erasures. Do this after pg_restore, before a server starts. A server does it, too, when it starts.\n' +
    'Who was erased is known from the file that ERASURE_LIST names, and from the store of before where it can be read.',
  options: {
    erasures: { value: 'FILE', about: 'One more list of erasures, such as another machine’s.', repeatable: true },
    ...yesOption,
  },
  examples: ['/backup/leads-2030-01-31.sqlite', '--erasures /mnt/other/erasures.txt'],
  mostWords: 1,
  async run(run) {
    const { databaseUrl } = run.readConfig()
    const [copy] = run.typed.words
    if (copy === undefined) return compareWithList(run)
    if (databaseUrl !== null) {
      throw new Failure(
        'The leads are in PostgreSQL: restore the copy with pg_restore into a new database, name that in DATABASE_URL, and then\n' +
          'run this command without FILE, so that people who were erased since are erased again. See docs/operations.md.',
      )
    }
    return restoreFile(run, copy)
  },
}

function listedErasures({ readConfig, typed }: Run): readonly string[] {
  return [readConfig().erasureList, ...typed.texts('erasures')].flatMap(readErasures)
}

async function compareWithList(run: Run): Promise<number> {
  const ids = listedErasures(run)
  const again = await withStore(run, 'write', store => eraseAgain(store, ids, run.readConfig().erasureKey))
  const compared = `${counted(ids.length, 'erasure')} compared`
  await run.notes.write(
    again === 0
      ? `${compared}: nobody of them is in the store.\n`
      : `${compared}: ${counted(again, 'lead was', 'leads were')} back, and ${again === 1 ? 'is' : 'are'} erased again.\n`,
  )
  return exitCodes.done
}

async function restoreFile(run: Run, file: string): Promise<number> {
  const { readConfig, notes, busyTimeoutMs, now } = run
  const calendar = calendarOf(run)
  const inWords = (at: number | null) => (at === null ? '' : `, the newest of ${calendar.inWords(at)}`)
  const { copy, present, carryOut } = await planRestore(readConfig(), file, { busyTimeoutMs })
  await notes.write(
    `${file} has ${counted(copy.leads, 'lead')}${inWords(copy.newestAt)}.\n` +
      (present
        ? `The store has ${counted(present.leads, 'lead')}${inWords(present.newestAt)}. It is kept beside the new one.\n`
        : 'No store that can be read is in its place.\n'),
  )
  if (!(await confirm(run, 'Put the copy in place?'))) return exitCodes.failed
  const order = { erased: listedErasures(run), key: readConfig().erasureKey, now }
  const { erasedAgain, suppressedAgain, replaced } = await carryOut(order)
  await notes.write(
    `${counted(copy.leads, 'lead')} restored. ${counted(erasedAgain, 'lead')} erased again. ` +
      `${counted(suppressedAgain, 'do-not-call entry', 'do-not-call entries')} kept.\n` +
      (replaced === null
        ? ''
        : `The store of before is ${replaced}. It has people in it who were not in the copy: delete it when you are sure.\n`) +
      'What was delivered after the copy was made is sent again, with the same webhook-id.\n',
  )
  return exitCodes.done
}
