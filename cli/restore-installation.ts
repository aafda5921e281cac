/**
 * A lost machine, from its backups: settings, key, and the organization's folder. Everything is asked first. What's there already stays,
 * so if it's interrupted, it can be run again.
 */
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { pluralize } from '../domain/text/numbers.ts'
import { isoTime } from '../server/export/formats.ts'
import { findKey, keyFileIn } from '../server/settings/installation-key.ts'
import { assignment, readSettingsFile } from '../server/settings/settings-file.ts'
import { keyIdOf } from '../server/store/facts/leads/hashes.ts'
import { makeFolder } from '../server/store/files.ts'
import { describeBackup } from '../server/store/open-store.ts'
import { CommandError, type Run, UsageError } from './command.ts'
import { filesIn, type InstallationCopy, installationCopies, SETTINGS_COPY, SITE_COPY } from './installation-copy.ts'
import { ask, confirm } from './terminal/ask.ts'
import { table } from './terminal/text.ts'

type Backup = NonNullable<Awaited<ReturnType<typeof describeBackup>>> & { readonly name: string }
type Values = Readonly<Record<string, string>>

/** Returns the backup to restore; null if the leads are in PostgreSQL. */
export async function restoreInstallation(run: Run, backups: string): Promise<string | null> {
  const { args, notes } = run
  const settings = args.text('settings') ?? '/etc/ssdi-advocate.env'
  const backup = await chooseBackup(run, backups)
  const copy = installationCopies(backups).find(({ storeId }) => backup === null || storeId === backup.storeId)
  if (!copy) {
    throw new CommandError(
      `${backups} has no settings of that store: no folder installation-…. Set the machine up (deploy/setup.sh), then restore the backup file.`,
    )
  }
  const known = readValues(settings, copy)
  const site = known['SITE_FOLDER']
  const parts = [
    existsSync(settings) ? `The settings stay: ${settings} is there already.` : `Settings: to ${settings}.`,
    copy.site !== 'none' &&
      site !== undefined &&
      `Folder: to ${site}${isThere(site) ? ', which is there already and stays (move it away for the one in the backup)' : ''}.`,
    `Key: to ${keyFileIn(known['DATA_DIR'] ?? '')}.`,
  ]
  await notes.write(`From ${copy.folder}:\n${parts.filter(Boolean).join('\n')}\n`)
  await confirm(run, 'Restore them?')
  const typed = await askForSecrets(run, copy, known)
  const values = { ...known, ...typed }
  const isEmbedded = !values['DATABASE_URL']
  // Otherwise, the server would create an empty store here.
  if (isEmbedded && copy.secrets.includes('DATABASE_URL'))
    throw new CommandError('Nothing was changed. The leads are in PostgreSQL, so DATABASE_URL is needed.')
  const key = await askForKey(run, backup?.keyIds ?? [], values)
  writeSettings(settings, copy, typed)
  // From here on, the settings are checked.
  const { dataDir, siteFolder } = run.readConfig()
  if (key !== null) putKey(keyFileIn(dataDir), key, run.now())
  if (siteFolder !== null && copy.site !== 'none') putSite(copy, siteFolder)
  return isEmbedded && backup !== null ? join(backups, backup.name) : null
}

/** The copy that's made every 15 minutes, unless another one may be the right one. Null if there's none of an embedded store. */
async function chooseBackup(run: Run, backups: string): Promise<Backup | null> {
  const { args, notes, stdout } = run
  const names = readdirSync(backups).toSorted().reverse()
  const nightly = names.find(name => /^leads-[\d-]+\.backup$/.test(name))
  const copies = names.filter(name => /^latest(-\d+)?\.backup$/.test(name)).sort((a, b) => a.length - b.length)
  const wanted = args.text('from')
  const found: Backup[] = []
  for (const name of wanted === undefined ? [...copies, ...(nightly ? [nightly] : [])] : [wanted]) {
    const described = await describeBackup(join(backups, name))
    if (described) found.push({ name, ...described })
  }
  const [first] = found
  if (!first && wanted !== undefined) throw new CommandError(`${join(backups, wanted)} is not a backup of a store.`)
  if (!first) return null
  const isOlder = ({ storeId, leads }: Backup) => storeId === first.storeId && leads <= first.leads
  if (found.slice(1).every(other => other.name === nightly && isOlder(other))) return first
  const rows = found.map(({ name, leads, newestAt, storeId }) => ({
    backup: name,
    leads,
    'newest lead': newestAt === null ? 'none' : isoTime(newestAt),
    store: (storeId ?? 'unknown').slice(0, 8),
  }))
  await notes.write(table(rows, stdout))
  if (args.isSet('yes')) throw new UsageError('There are several. Choose one: --from NAME.')
  const typed = (await ask(run, `Which one? [${first.name}] `)) || first.name
  const chosen = found.find(({ name }) => name === typed)
  if (!chosen) throw new UsageError(`There’s no ${typed}. Nothing was changed.`)
  return chosen
}

const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined

function readValues(settings: string, copy: InstallationCopy): Values {
  const file = existsSync(settings) ? settings : join(copy.folder, SETTINGS_COPY)
  return readSettingsFile(file, true)?.values ?? {}
}

async function askForSecrets(run: Run, copy: InstallationCopy, known: Values): Promise<Values> {
  const missing = copy.secrets.filter(name => !known[name])
  if (missing.length === 0) return {}
  const typed: Record<string, string> = {}
  if (!run.args.isSet('yes')) {
    await run.notes.write(
      'These settings are secrets. Take them from where you keep your passwords; Enter leaves one out.\n',
    )
    for (const name of missing) typed[name] = await ask(run, `${name}: `)
  }
  const left = missing.filter(name => !typed[name])
  if (left.length > 0)
    await run.notes.write(`Left out, so add ${pluralize(left.length, 'setting')} later: ${left.join(', ')}.\n`)
  return Object.fromEntries(Object.entries(typed).filter(([, value]) => value !== ''))
}

/** Null if it's there, not needed, or lost. A key that setup.sh made before the restore isn't this store's. */
async function askForKey(run: Run, keyIds: readonly string[], values: Values): Promise<string | null> {
  const there = findKey({ erasureKey: values['ERASURE_KEY'] ?? null, dataDir: values['DATA_DIR'] ?? '' })
  if (keyIds.length === 0 || run.args.isSet('new-key') || (there !== null && keyIds.includes(keyIdOf(there))))
    return null
  for (let tries = 0; tries < 3; tries++) {
    const typed = await ask(run, 'The key (what’s in your copy of erasure.key): ')
    if (keyIds.includes(keyIdOf(typed))) return typed
    await run.notes.write('That isn’t this store’s key.\n')
  }
  throw new CommandError('Nothing was changed. If the key is lost, add --new-key: see docs/backup.md, The key.')
}

function writeSettings(settings: string, copy: InstallationCopy, typed: Values): void {
  const isNew = !existsSync(settings)
  if (!isNew && Object.keys(typed).length === 0) return
  const before = readFileSync(isNew ? join(copy.folder, SETTINGS_COPY) : settings, 'utf8').trimEnd()
  const lines = [before, ...Object.entries(typed).map(([name, value]) => assignment(name, value))]
  writeWhole(settings, `${lines.join('\n')}\n`, 0o640)
}

function putKey(file: string, key: string, now: number): void {
  if (existsSync(file)) renameSync(file, `${file}.replaced-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`)
  writeWhole(file, `${key}\n`, 0o600)
}

/** Never a part of a file. */
function writeWhole(file: string, text: string, mode: number): void {
  makeFolder(dirname(file))
  writeFileSync(`${file}.part`, text, { mode, flush: true })
  renameSync(`${file}.part`, file)
}

/** A fetched folder is what the link `current` leads to; fetching goes on from there. */
function putSite(copy: InstallationCopy, siteFolder: string): void {
  if (isThere(siteFolder)) return
  const target = copy.site === 'link' ? join(dirname(siteFolder), 'restored') : siteFolder
  const source = join(copy.folder, SITE_COPY)
  const part = `${target}.part`
  rmSync(part, { recursive: true, force: true })
  for (const { path } of filesIn(source)) {
    mkdirSync(dirname(join(part, path)), { recursive: true })
    writeFileSync(join(part, path), readFileSync(join(source, path)), { flush: true })
    chmodSync(join(part, path), 0o644)
  }
  renameSync(part, target)
  if (target !== siteFolder) symlinkSync('restored', siteFolder)
}
