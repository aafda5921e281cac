/**
 * A copy of the settings without secrets, and of the organization's folder, beside the backups: with them, the key, and the secrets, a
 * machine can be restored. A copy of another store's installation is neither replaced nor deleted.
 */
import { createHash } from 'node:crypto'
import {
  copyFileSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { HOUR } from '../domain/durations.ts'
import { type Config, isSecret } from '../server/settings/config.ts'
import { assignment, readSettingsFile } from '../server/settings/settings-file.ts'
import { syncToDisk } from '../server/store/files.ts'

/** Enough for days with many edits. git has them all. */
const KEPT = 10
/** A folder that's published has less (site-folder/files.ts). */
const MOST_BYTES = 250_000_000
/** A process that was killed has left it. */
const ABANDONED_MS = HOUR

const NAME = /^installation-[\d-]+$/

export interface InstallationCopy {
  readonly folder: string
  readonly storeId: string
  /** The names of settings that were left out. */
  readonly secrets: readonly string[]
  /** The organization's folder: `link` if SITE_FOLDER is a link to it, as a fetched one is. */
  readonly site: 'none' | 'folder' | 'link'
  readonly fingerprint: string
}

export const SETTINGS_COPY = 'settings.env'
export const SITE_COPY = 'site'
const DESCRIPTION = 'installation.json'

interface CopyOrder {
  readonly config: Pick<Config, 'settingsFile' | 'siteFolder'>
  readonly backups: string
  readonly storeId: string
  readonly now: number
}

/** Nothing is written if nothing has changed. Without a settings file, as in a container, there's only the folder. */
export function copyInstallation({ config, backups, storeId, now }: CopyOrder): void {
  const settings = withoutSecrets(config.settingsFile?.path ?? null)
  const site = config.siteFolder === null ? [] : filesIn(config.siteFolder)
  if (settings.text === '' && config.siteFolder === null) return
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([settings, site]))
    .digest('hex')
  const ours = installationCopies(backups).filter(copy => copy.storeId === storeId)
  if (ours[0]?.fingerprint === fingerprint) return
  const name = freeName(backups, now)
  const part = join(backups, `${name}.${process.pid}.part`)
  try {
    removeAbandoned(backups)
    mkdirSync(part, { mode: 0o700 })
    writeFileSync(join(part, SETTINGS_COPY), settings.text, { mode: 0o600 })
    for (const { path } of site) {
      mkdirSync(dirname(join(part, SITE_COPY, path)), { recursive: true })
      copyFileSync(join(config.siteFolder ?? '', path), join(part, SITE_COPY, path))
    }
    const description = { storeId, secrets: settings.secrets, site: kindOf(config.siteFolder), fingerprint }
    writeFileSync(join(part, DESCRIPTION), JSON.stringify(description), { mode: 0o600 })
    for (const path of ['.', ...readdirSync(part, { recursive: true, encoding: 'utf8' })]) syncToDisk(join(part, path))
    renameSync(part, join(backups, name))
    syncToDisk(backups)
  } catch (error) {
    // Another process has just made one.
    if ((error as NodeJS.ErrnoException).code !== 'ENOTEMPTY') throw error
  } finally {
    rmSync(part, { recursive: true, force: true })
  }
  for (const { folder } of ours.slice(KEPT - 1)) rmSync(folder, { recursive: true })
}

/** Another store's may have been made in the same second. */
function freeName(backups: string, now: number): string {
  const name = `installation-${new Date(now).toISOString().slice(0, 19).replaceAll(/[:T]/g, '-')}`
  for (let n = 1; ; n++) {
    const free = n === 1 ? name : `${name}-${n}`
    if (!existsSync(join(backups, free))) return free
  }
}

/** Newest first. */
export function installationCopies(backups: string): readonly InstallationCopy[] {
  const names = readdirSync(backups).filter(name => NAME.test(name))
  return names
    .toSorted()
    .reverse()
    .flatMap(name => {
      try {
        const folder = join(backups, name)
        return [{ folder, ...JSON.parse(readFileSync(join(folder, DESCRIPTION), 'utf8')) } as InstallationCopy]
      } catch {
        return []
      }
    })
}

function removeAbandoned(backups: string): void {
  for (const name of readdirSync(backups)) {
    const path = join(backups, name)
    if (!name.startsWith('installation-') || !name.endsWith('.part')) continue
    if (statSync(path).mtimeMs < Date.now() - ABANDONED_MS) rmSync(path, { recursive: true })
  }
}

/** Comments go, too: someone may have kept an old secret in one. */
function withoutSecrets(file: string | null) {
  const { values = {} } = file === null ? {} : (readSettingsFile(file, true) ?? {})
  const names = Object.keys(values).filter(name => values[name] !== '')
  const lines = names.filter(name => isSecret(name) === false).map(name => assignment(name, values[name] ?? ''))
  return { text: lines.map(line => `${line}\n`).join(''), secrets: names.filter(name => isSecret(name) === true) }
}

function kindOf(folder: string | null): InstallationCopy['site'] {
  if (folder === null) return 'none'
  return lstatSync(folder).isSymbolicLink() ? 'link' : 'folder'
}

interface FoundFile {
  readonly path: string
  readonly size: number
  readonly changedAt: number
}

/** Without links, and without the repository that the folder may be. */
export function filesIn(folder: string): readonly FoundFile[] {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  const files = entries
    .filter(entry => entry.isFile())
    .map(entry => join(entry.parentPath, entry.name).slice(folder.length).replace(/^\/+/, ''))
    .filter(path => !path.startsWith('.git/'))
    .toSorted()
    .map(path => {
      const { size, mtimeMs } = statSync(join(folder, path))
      return { path, size, changedAt: mtimeMs }
    })
  if (files.reduce((sum, { size }) => sum + size, 0) > MOST_BYTES) throw new Error('too large')
  return files
}
