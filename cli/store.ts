/** `restore` and `move`: copy the whole store. `key`: the key that goes with it. */
import { statSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { pluralize } from '../domain/text/numbers.ts'
import { type Config, isDatabaseUrl } from '../server/settings/config.ts'
import { installationKey, keyFileIn } from '../server/settings/installation-key.ts'
import { LEADS } from '../server/settings/leads-command.ts'
import { keyIdOf } from '../server/store/facts/leads/hashes.ts'
import { moveStore, openRestoredStore, planRestore, verifyStoreUnused } from '../server/store/open-store.ts'
import type { ErasureStore } from '../server/store/operations/leads/erasure.ts'
import { applyChanges } from '../server/store/operations/upkeep/carry-over.ts'
import { type LoggedChange, readChanges } from '../server/store/upkeep/erasure-list.ts'
import { type Command, CommandError, type Run, UsageError } from './command.ts'
import { restoreInstallation } from './restore-installation.ts'
import { confirm, yesOption } from './terminal/ask.ts'

export const restore: Command = {
  summary: 'Restore a backup without undoing erasures, do-not-call entries, or removals from the desk.',
  argument: '[FILE|FOLDER]',
  about:
    'With a FOLDER of backups, a lost machine: puts its settings, key, and organization’s folder in place, and restores the copy that you choose. What’s there already stays. It asks for the key and for settings that are secrets, which are never in a backup. deploy/restore.sh uses this, and then sets the machine up.\n' +
    'With FILE, the backup replaces the embedded store in DATA_DIR. Stop the server and the desk first. The backup is verified and upgraded, and the previous store is kept next to it.\n' +
    'Without FILE, nothing is replaced: use this on PostgreSQL, after pg_restore and before you start a server. It asks first, and refuses while a server or a desk is running.\n' +
    'Either way, these changes made since the backup are reapplied: erasures, do-not-call entries, and people removed from the desk. Everyone keeps their role, but can sign in to the desk only by a new link from `invite`. The changes come from the ERASURE_LIST file and, if it’s readable, the previous embedded store. Servers also reapply them at startup.',
  options: {
    erasures: { value: 'FILE', about: 'Also use another machine’s ERASURE_LIST. Can be repeated.', repeatable: true },
    from: { value: 'NAME', about: 'With a FOLDER: which backup in it, such as latest-2.backup.' },
    settings: { value: 'FILE', about: 'With a FOLDER: where the settings go. Default: /etc/ssdi-advocate.env.' },
    'new-key': { about: 'Erase with a new key because the backup’s key was lost.' },
    ...yesOption,
  },
  examples: ['/backup/leads-2030-01-31.sqlite', '--erasures /mnt/other/erasures.txt'],
  async run(run) {
    const [named] = run.args.positionals
    const isMachine = named !== undefined && statSync(named, { throwIfNoEntry: false })?.isDirectory()
    const file = isMachine ? await restoreInstallation(run, named) : named
    // Only now: a machine's settings may have been restored.
    const config = run.readConfig()
    // The backup disk may be mounted elsewhere for now.
    const beside = isMachine ? [join(named, basename(config.erasureList))] : []
    const lists = new Set([config.erasureList, ...beside, ...run.args.texts('erasures')].map(list => resolve(list)))
    const changes = await readLists([...lists])
    if (file === undefined) return finishRestore(run, config, changes)
    if (file === null) return run.notes.write(DATABASE_IS_ELSEWHERE)
    if (config.databaseUrl === null) return restoreFile(run, file, changes)
    throw new CommandError(
      'The leads are in PostgreSQL. Restore the backup into a new database with pg_restore, point DATABASE_URL to it, and run\n' +
        'this command without FILE. See docs/backup.md.',
    )
  },
}

const DATABASE_IS_ELSEWHERE =
  'The leads are in PostgreSQL. If the database is lost, too, restore it by hand: docs/backup.md.\n'

interface LoggedChanges {
  readonly total: number
  readonly all: () => AsyncIterable<readonly LoggedChange[]>
}

/** Reads them twice: first, so that a list that can't be read stops the restore before anything is replaced. */
async function readLists(lists: readonly string[]): Promise<LoggedChanges> {
  async function* all() {
    for (const list of lists) yield* readChanges(list)
  }
  let total = 0
  for await (const changes of all()) total += changes.length
  return { total, all }
}

/** After a restore by hand. On a store that nobody restored, it would only lock everyone out. */
async function finishRestore(run: Run, config: Config, changes: LoggedChanges): Promise<void> {
  await verifyStoreUnused(config, run.busyTimeoutMs)
  const place = config.databaseUrl === null ? `the store in ${config.dataDir}` : 'the DATABASE_URL database'
  await run.notes.write(
    `No FILE was specified, so this finishes a restore you made by hand: everyone is signed out of the desk and needs a new link, and ${pluralize(changes.total, 'logged change')} will be checked against ${place}.\n`,
  )
  await confirm(run, `Was ${place} just restored from a backup?`)
  const store = await openRestoredStore(config)
  try {
    const done = await applyChanges(store, changes.all(), () => keyFor(run, store))
    await store.finishRestore()
    const checked = `Checked ${pluralize(changes.total, 'logged change')} against the store.`
    await run.notes.write(`${checked} ${describeReapplied(done)}\n`)
  } finally {
    await store.close()
  }
}

async function restoreFile(run: Run, file: string, changes: LoggedChanges): Promise<void> {
  const { readConfig, notes, busyTimeoutMs, now } = run
  const calendar = run.calendar()
  const newest = (at: number | null) => (at === null ? '' : `, the newest from ${calendar.format(at)}`)
  const { copy, current, carryOut } = await planRestore(readConfig(), file, busyTimeoutMs)
  await notes.write(`${file} has ${pluralize(copy.leads, 'lead')}${newest(copy.newestAt)}.\n`)
  const log = `${readConfig().erasureList}, which has ${pluralize(changes.total, 'entry', 'entries')}`
  const replacing = current
    ? `The store has ${pluralize(current.leads, 'lead')}${newest(current.newestAt)}. It will be kept next to the new one.\n`
    : `There is no readable store to replace. Changes since the backup can only come from ${log}.\n`
  await notes.write(replacing)
  await confirm(run, 'Replace the store with the backup?')
  const { replaced, ...done } = await carryOut({ changes: changes.all(), key: store => keyFor(run, store), now })
  await notes.write(`${pluralize(copy.leads, 'lead')} restored. ${describeReapplied(done)}\n`)
  const kept = `The previous store was kept as ${replaced}. It may have leads that aren’t in the backup. Once everything works, delete it:`
  if (replaced !== null) await notes.write(`${kept}\n${LEADS} doctor --remove-old-stores\n`)
  await notes.write('Leads delivered after the backup will be sent again, with the same webhook-id.\n')
}

const keyFor = (run: Run, store: ErasureStore) =>
  installationKey(run.readConfig(), store, { newKey: run.args.isSet('new-key') })

function describeReapplied(done: Readonly<Record<'erased' | 'doNotCall' | 'dismissed', number>>): string {
  const listed = pluralize(done.doNotCall, 'do-not-call change')
  const reapplied = `${pluralize(done.erased, 'erasure')}, ${listed}, ${pluralize(done.dismissed, 'removal')} from the desk`
  return `Reapplied: ${reapplied}.\nEveryone signs in to the desk by a new link. Check their roles (${LEADS} people), then: ${LEADS} invite NAME`
}

export const move: Command = {
  summary: 'Move the embedded store to PostgreSQL.',
  about:
    'Copies everything from the embedded store in DATA_DIR to an empty PostgreSQL database and compares every table. Stop the server and the desk first; the move won’t start while they’re running. If it’s interrupted, run it again: it starts over.\n' +
    'Afterward, the old store is renamed to leads.sqlite.moved. Set DATABASE_URL and start the server. The renamed file still contains everything, including data you erase later, so delete it once everything works (`doctor --remove-old-stores`).',
  options: { to: { value: 'URL', about: 'postgres://user:password@host/database. Default: DATABASE_URL.' } },
  examples: ['--to postgres://leads:secret@db.example.org/leads', ''],
  async run({ args, notes, stderr, readConfig, busyTimeoutMs }) {
    const config = readConfig()
    const url = args.text('to') ?? config.databaseUrl
    if (url === null) {
      throw new UsageError('Specify a database: --to postgres://user:password@host/database, or set DATABASE_URL.')
    }
    if (!isDatabaseUrl(url)) throw new UsageError('--to must look like postgres://user:password@host:5432/database.')
    if (stderr.isTTY) await notes.write('Moving…\n')
    const { leads, oldStore } = await moveStore(config.dataDir, url, busyTimeoutMs)
    await notes.write(
      `${pluralize(leads, 'lead')} moved. All tables match.\n` +
        `The old store was kept as ${oldStore}. Set DATABASE_URL and start the server. Once everything works, delete the old store:\n` +
        `${LEADS} doctor --remove-old-stores\n`,
    )
  },
}

export const key: Command = {
  summary: 'Create the installation’s key, if there isn’t one, and say where it is.',
  about:
    'The key signs contact records and finds erased leads by email or phone number. Without this command, it’s created on first use. Keep a copy with your passwords, not with the backups. Machines that share a store need the same key.',
  async run(run) {
    const config = run.readConfig()
    const id = keyIdOf(await installationKey(config, await run.openStore('write')))
    const place = config.erasureKey === null ? keyFileIn(config.dataDir) : 'ERASURE_KEY'
    await run.out.write(`The key is in ${place} (key ID ${id}). Keep a copy with your passwords.\n`)
  },
}
