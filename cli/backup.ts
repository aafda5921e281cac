/** `backup`: copies the whole store to a file, to a new one each night, or every 15 minutes to the same one. */
import { statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { pluralize } from '../domain/text/numbers.ts'
import { roomIn } from '../server/alerts/disk-watch.ts'
import type { Config } from '../server/settings/config.ts'
import { partOf } from '../server/store/files.ts'
import { acceptCopy, backUpStore, copyLatest, deleteOldBackups } from '../server/store/open-store.ts'
import type { Store } from '../server/store/store.ts'
import { explainFileError } from '../server/store/store-errors.ts'
import type { BackupTrouble } from '../server/store/tables/last-backup.ts'
import { type Command, type Run, UsageError } from './command.ts'
import { copyInstallation } from './installation-copy.ts'
import { confirm, yesOption } from './terminal/ask.ts'
import { refuseExisting, removeOnInterrupt } from './terminal/output.ts'
import { formatSize } from './terminal/text.ts'

export const backup: Command = {
  summary: 'Back up the store. The server can keep running.',
  argument: 'FILE',
  about:
    'Copies the whole store to a file only you can read, and verifies the copy.\n' +
    'To restore: stop the server and the desk, run `restore FILE`, and start them again. Data you erase later is still in older backups. `restore` erases it again, but delete old backups anyway.\n' +
    'With --latest, FILE isn’t replaced if it’s a copy of another store, or has leads, calls, or stops that this store doesn’t: the copy goes to a second file, and there’s an alert. With --latest and --nightly, the settings without secrets, and the organization’s folder, are copied beside FILE.\n' +
    'Keep ERASURE_LIST with the backups, and a copy of the key (erasure.key or ERASURE_KEY) with your passwords.',
  options: {
    nightly: { about: 'FILE is a folder: make a new file in it, and delete this store’s that are 30 days old.' },
    latest: { about: 'Replace FILE if anything has changed, for a timer. With PostgreSQL, do nothing.' },
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

/** Such as leads-2030-01-31-031500.backup, in the office's time. Two releases within a minute each make one. */
function nightlyName(run: Run): string {
  const [day = '', time = ''] = run.calendar().format(run.now()).split(' ')
  return `leads-${day}-${time.replaceAll(':', '')}.backup`
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
    const trouble = args.isSet('nightly') ? await tidyUp(run, store, copy) : null
    await store.recordBackup({ leads, sameDisk, trouble })
  } catch {
    await notes.write('Couldn’t record this backup in the store, so the desk won’t show it.\n')
  }
  const size = formatSize(statSync(copy).size)
  await notes.write(`${pluralize(leads, 'lead')} copied to ${copy} (${size}).\n`)
}

async function tidyUp(run: Run, store: Store, newest: string): Promise<BackupTrouble | null> {
  const trouble = await copyFolder(run, store, dirname(newest))
  const other = await deleteOldBackups({ newest, storeId: await store.storeId(), now: run.now() })
  if (other === null) return trouble ?? lackOfRoom(dirname(newest))
  const stays = `${other} is of another store, so it isn’t deleted after 30 days. If it’s of no use, delete it yourself.\n`
  await run.notes.write(stays)
  return trouble ?? { file: other, because: 'another store' }
}

/** The server doesn't know this folder, and a share that hangs would hold it. */
const lackOfRoom = (folder: string): BackupTrouble | null =>
  roomIn(folder)?.isLow ? { file: folder, because: 'nearly full' } : null

/** The settings, and the organization's folder. The store's copy is good without them. */
async function copyFolder(
  { readConfig, notes, now }: Run,
  store: Store,
  backups: string,
): Promise<BackupTrouble | null> {
  const config = readConfig()
  try {
    copyInstallation({ config, backups, storeId: await store.storeId(), now: now() })
    return null
  } catch (error) {
    const why = explainFileError(error) ?? (error as Error).message
    await notes.write(`The settings and the organization’s folder couldn’t be copied to ${backups}: ${why}\n`)
    return { file: config.siteFolder ?? 'The settings file', because: 'not copied' }
  }
}

async function replaceLatest(run: Run, config: Config, copy: string): Promise<void> {
  const { notes, busyTimeoutMs } = run
  const making = removeOnInterrupt(partOf(copy), () => copyLatest(config, copy, busyTimeoutMs))
  const made = await making.catch(error => recordFailure(run, 'latest', error))
  const store = await run.openStore('write')
  const notCopied = await copyFolder(run, store, dirname(copy))
  const trouble =
    made.because === null ? (notCopied ?? lackOfRoom(dirname(copy))) : { file: copy, because: made.because }
  const sameDisk = isOnStoreDisk(config, made.file)
  await store.recordBackup({ leads: made.leads ?? 0, sameDisk, kind: 'latest', trouble })
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
