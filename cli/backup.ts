/** `backup`: copies the whole store to a file, to a new one each night, or every 15 minutes to the same one. */
import { statSync } from 'node:fs'
import { basename, join } from 'node:path'
import type { Config } from '../server/settings/config.ts'
import { partOf } from '../server/store/files.ts'
import { acceptCopy, backUpStore, copyLatest, deleteOldBackups } from '../server/store/open-store.ts'
import type { Store } from '../server/store/store.ts'
import { type Command, type Run, UsageError } from './command.ts'
import { confirm, yesOption } from './terminal/ask.ts'
import { refuseExisting, removeOnInterrupt } from './terminal/output.ts'
import { formatSize, pluralize } from './terminal/text.ts'

export const backup: Command = {
  summary: 'Back up the store. The server can keep running.',
  argument: 'FILE',
  about:
    'Copies the whole store to a file only you can read, and verifies the copy.\n' +
    'To restore: stop the server and the desk, run `restore FILE`, and start them again. Data you erase later is still in older backups. `restore` erases it again, but delete old backups anyway.\n' +
    'Keep ERASURE_LIST with the backups, and a copy of the key (erasure.key or ERASURE_KEY) with your passwords.',
  options: {
    nightly: { about: 'FILE is a folder: make a new file in it, and delete this store’s that are 30 days old.' },
    latest: {
      about:
        'Replace FILE if anything has changed, for a timer. If FILE is a copy of another store, or has leads, calls, or stops that this store doesn’t, it stays: the copy goes to a second file, and there’s an alert. With PostgreSQL, do nothing.',
    },
    accept: { about: 'With --latest: replace FILE anyway, and keep it as a nightly backup.' },
    copied: { about: 'Don’t warn if FILE is on the store’s own disk, because it’s copied elsewhere.' },
    ...yesOption,
  },
  examples: ['/backup/leads-2030-01-31.sqlite', '--latest /backup/latest.backup --accept'],
  async run(run) {
    const { args } = run
    const [file = ''] = args.positionals
    if (['nightly', 'latest'].every(args.isSet)) throw new UsageError('Use only one of --nightly and --latest.')
    if (args.isSet('accept') && !args.isSet('latest')) throw new UsageError('--accept goes with --latest.')
    const config = run.readConfig()
    if (!args.isSet('latest')) return backUp(run, config, args.isSet('nightly') ? join(file, nightlyName(run)) : file)
    if (config.databaseUrl !== null) return
    return args.isSet('accept') ? acceptLatest(run, config, file) : replaceLatest(run, config, file)
  },
}

/** Such as leads-2030-01-31-0315.backup, in the office's time. */
function nightlyName(run: Run): string {
  const [day = '', time = ''] = run.calendar().format(run.now()).split(' ')
  return `leads-${day}-${time.slice(0, 5).replace(':', '')}.backup`
}

async function backUp(run: Run, config: Config, copy: string): Promise<void> {
  const { args, notes, stderr, busyTimeoutMs } = run
  refuseExisting(copy)
  if (stderr.isTTY) await notes.write('Copying…\n')
  const making = removeOnInterrupt(partOf(copy), () => backUpStore(config, copy, busyTimeoutMs))
  const { leads } = await making.catch(error => recordFailure(run, 'nightly', error))
  const sameDisk = !args.isSet('copied') && isOnStoreDisk(config, copy)
  try {
    const store = await run.openStore('write')
    const other = args.isSet('nightly') ? await deleteOld(run, store, copy) : null
    const notOurs = other === null ? null : ({ file: other, because: 'another store' } as const)
    await store.recordBackup({ leads, sameDisk, notOurs })
  } catch {
    await notes.write('Couldn’t record this backup in the store, so the desk won’t show it.\n')
  }
  const size = formatSize(statSync(copy).size)
  await notes.write(`${pluralize(leads, 'lead')} copied to ${copy} (${size}).\n`)
}

async function deleteOld({ now, notes }: Run, store: Store, newest: string): Promise<string | null> {
  const other = await deleteOldBackups({ newest, storeId: await store.storeId(), now: now() })
  const stays = `${other} is of another store, so it isn’t deleted after 30 days. If it’s of no use, delete it yourself.\n`
  if (other !== null) await notes.write(stays)
  return other
}

async function replaceLatest(run: Run, config: Config, copy: string): Promise<void> {
  const { notes, busyTimeoutMs } = run
  const making = removeOnInterrupt(partOf(copy), () => copyLatest(config, copy, busyTimeoutMs))
  const made = await making.catch(error => recordFailure(run, 'latest', error))
  const notOurs = made.because === null ? null : { file: copy, because: made.because }
  const store = await run.openStore('write')
  const sameDisk = isOnStoreDisk(config, made.file)
  await store.recordBackup({ leads: made.leads ?? 0, sameDisk, kind: 'latest', notOurs })
  if (made.leads !== null) await notes.write(`${pluralize(made.leads, 'lead')} copied to ${made.file}.\n`)
}

async function acceptLatest(run: Run, config: Config, copy: string): Promise<void> {
  const { notes, busyTimeoutMs } = run
  await confirm(run, `Should this store’s copies replace ${copy} from now on? What’s in it now is kept beside it.`)
  const { leads, kept } = await removeOnInterrupt(partOf(copy), () => acceptCopy(config, copy, busyTimeoutMs))
  const store = await run.openStore('write')
  await store.recordBackup({ leads, sameDisk: isOnStoreDisk(config, copy), kind: 'latest' })
  const before = kept === null ? '' : ` What was there is now ${basename(kept)}.`
  await notes.write(`${pluralize(leads, 'lead')} copied to ${copy}.${before}\n`)
}

/** So that an alert says that there is no backup, even if this was the first try. */
async function recordFailure(run: Run, kind: 'nightly' | 'latest', error: unknown): Promise<never> {
  await run.openStore('write').then(
    store => store.recordFailedBackup(kind),
    () => {},
  )
  throw error
}

/** False for PostgreSQL: its disk isn't known. */
function isOnStoreDisk({ databaseUrl, dataDir }: Config, file: string): boolean {
  return databaseUrl === null && statSync(file).dev === statSync(dataDir).dev
}
