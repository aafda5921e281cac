/** What `doctor` checks: the settings, the store and its disk, who else can read them, and what is waiting. */
import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Calendar } from '../../server/calendar.ts'
import { CONSENT_RECORD_DAYS, type Config } from '../../server/config.ts'
import { findKey, type KeySettings, keyFileIn } from '../../server/installation-key.ts'
import { keyIdOf } from '../../server/store/erasure.ts'
import type { StoreHealth, UsableStore } from '../../server/store/health.ts'
import { oldStoresIn } from '../../server/store/sqlite/files.ts'
import type { Store } from '../../server/store/store.ts'
import { pauseInWords } from '../deliveries.ts'
import { age, counted } from '../terminal/words.ts'

export interface Finding {
  readonly grade: 'ok' | 'warning' | 'error'
  readonly about: string
  readonly words: string
}

export function findingsAbout(about: string): Readonly<Record<Finding['grade'], (words: string) => Finding>> {
  return {
    ok: words => ({ grade: 'ok', about, words }),
    warning: words => ({ grade: 'warning', about, words }),
    error: words => ({ grade: 'error', about, words }),
  }
}

const MEGABYTE = 1024 * 1024
const WARN_BELOW_MB = 1024
const ERROR_BELOW_MB = 100
const GROUP_AND_OTHERS = 0o077
const LATE_MS = 10 * 60_000
const OTHERS_READ = 0o004

export function checkSettings(config: Config): readonly Finding[] {
  const { settingsFile } = config
  const about = findingsAbout('Settings')
  const found = warningsAbout(config).map(about.warning)
  const source = settingsFile ? `${settingsFile.path} and the environment` : 'the environment; there is no .env file'
  return found.length === 0 ? [about.ok(`Read from ${source}.`)] : found
}

function warningsAbout(config: Config): readonly string[] {
  const { siteUrl, trustProxy, settingsFile, erasureList, dataDir, retentionDays } = config
  const found: string[] = []
  if (siteUrl.startsWith('https:') && trustProxy.length === 0) {
    found.push(
      'SITE_URL is https, so there is a proxy, but TRUST_PROXY is not set. All visitors appear to have the proxy’s address, so after ten leads in ten minutes, new ones go on hold. Set TRUST_PROXY to the proxy’s address.',
    )
  }
  if (settingsFile !== null && settingsFile.secrets.length > 0 && isReadableByAll(settingsFile.path)) {
    const { path, secrets } = settingsFile
    found.push(
      `Every user on this machine can read ${secrets.join(' and ')} in ${path}. To fix it: chmod o-rwx ${path}`,
    )
  }
  if (dirname(erasureList) === dataDir && existsSync(erasureList)) {
    found.push(
      `The erasure log ${erasureList} is in the store’s folder and would be lost with it. Move it next to your backups and set ERASURE_LIST to the new path.`,
    )
  }
  if (retentionDays !== null && retentionDays < CONSENT_RECORD_DAYS) {
    found.push(
      `Leads are erased after ${retentionDays} days. The Telemarketing Sales Rule (16 CFR 310.5) requires you to keep consent records for five years (${CONSENT_RECORD_DAYS} days).`,
    )
  }
  return found
}

/** Group access can be intended (the service's group); world access never is. Windows has no such modes. */
function isReadableByAll(path: string): boolean {
  const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? 0
  return process.platform !== 'win32' && (mode & OTHERS_READ) !== 0
}

/** Machines that share a store must share its key. */
export async function checkKey(store: Store, settings: KeySettings): Promise<Finding> {
  const about = findingsAbout('Key')
  const file = keyFileIn(settings.dataDir)
  const key = findKey(settings)
  const known = (await store.installationKeys()).map(({ id }) => id)
  if (key === null) {
    if (known.length === 0) return about.ok(`No key yet. The first erasure or consent record creates ${file}.`)
    return about.error(
      `This machine doesn’t have the store’s key (${known.join(', ')}), so it can’t erase data. Copy erasure.key to ${file} from a machine that has it, or set ERASURE_KEY.`,
    )
  }
  const id = keyIdOf(key)
  const place = settings.erasureKey === null ? file : 'ERASURE_KEY'
  if (known.length > 0 && !known.includes(id)) {
    return about.error(
      `The key in ${place} (key id ${id}) is not the store’s key (${known.join(', ')}). Replace it with the store’s key.`,
    )
  }
  const advice = settings.erasureKey === null ? ' Keep a copy with your passwords; backups don’t include it.' : ''
  return about.ok(`The key is in ${place} (key id ${id}).${advice}`)
}

/** Nothing is sent: only a person can see whether the channel shows alerts. */
export function checkAlertAddress({ alertUrl }: Pick<Config, 'alertUrl'>): Finding {
  const about = findingsAbout('Alerts')
  if (alertUrl === null) return about.warning('ALERT_WEBHOOK_URL is not set: alerts only go to the log.')
  return about.ok(`Alerts go to ${new URL(alertUrl).host} and to the log. To send a test: npm run leads -- check alert`)
}

const { ok, warning, error } = findingsAbout('Store')

type Disk = NonNullable<StoreHealth['disk']>

export function checkStore(status: StoreHealth['status']): readonly Finding[] {
  if (status.kind === 'missing') {
    return [
      warning(
        `No store at ${status.place} yet. The server creates one at startup. If you expected one, check DATA_DIR.`,
      ),
    ]
  }
  if (status.kind === 'unusable') return [error(status.message)]
  const { place, version, bytes, durability, intact, writeFault, search } = status
  return [
    ok(`${place}: version ${version}, ${sizeInWords(bytes)}.`),
    durability.safe ? ok(durability.words) : warning(durability.words),
    intact ? ok('Passed the integrity check.') : error('The store is damaged. Stop the server and restore a backup.'),
    writeFinding(writeFault),
    ...(search.indexed
      ? []
      : [
          warning(
            `Search is slow: the database role can’t create its index. Run as an administrator: ${search.create};`,
          ),
        ]),
  ]
}

function writeFinding(writeFault: UsableStore['writeFault']): Finding {
  if (writeFault === null) return ok('Accepting writes.')
  if ('reason' in writeFault) return error(`Not accepting writes: ${writeFault.reason}`)
  return warning(
    `Another program has had it locked for ${writeFault.lockedForMs / 1000} s. Leads can’t be stored until it lets go.`,
  )
}

/** The server creates its files for its own user only. Windows has no such modes. */
export function checkPrivacy({ folder, files }: Disk): readonly Finding[] {
  if (process.platform === 'win32' || files.length === 0) return []
  const open = [folder, ...files].flatMap(path => {
    const mode = (statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o777
    return (mode & GROUP_AND_OTHERS) !== 0 ? [{ path, mode }] : []
  })
  if (open.length === 0) return [ok('Other users on this machine can’t read it.')]
  const modes = open.map(({ path, mode }) => `${path} (mode ${mode.toString(8)})`).join(', ')
  const paths = open.map(({ path }) => shellQuote(path)).join(' ')
  return [warning(`Other users on this machine can read it: ${modes}. To fix it: chmod go-rwx ${paths}`)]
}

function shellQuote(path: string): string {
  return /^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`
}

export function checkDisk({ folder }: Disk): Finding {
  const about = findingsAbout('Disk')
  if (!existsSync(folder)) return about.warning(`The folder ${folder} does not exist yet.`)
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const words = `${sizeInWords(free)} free.`
  if (free < ERROR_BELOW_MB * MEGABYTE)
    return about.error(`Only ${words} When the disk is full, leads are turned away.`)
  return free < WARN_BELOW_MB * MEGABYTE ? about.warning(`Only ${words}`) : about.ok(words)
}

export function checkOldStores(dataDir: string): readonly Finding[] {
  return oldStoresIn(dataDir).map(file =>
    warning(
      `${file} is left over from a move, a restore, or a damaged log. It still contains data you erased since then. When you no longer need it: npm run leads -- doctor --remove-old-stores`,
    ),
  )
}

export async function checkBacklog(store: Store, calendar: Calendar): Promise<readonly Finding[]> {
  const about = findingsAbout('Backlog')
  const { pending, oldestPendingAgeMs, dead } = await store.backlog()
  const pause = await store.deliveryPause()
  const held = await store.count({ state: 'held' })
  const waiting = `${counted(pending, 'lead')} waiting for delivery, the oldest for ${age(oldestPendingAgeMs)}.`
  return [
    ...(pause ? [about.warning(`${pauseInWords(pause, calendar)} To resume: npm run leads -- resume`)] : []),
    pending === 0
      ? about.ok('No leads waiting for delivery.')
      : oldestPendingAgeMs > LATE_MS && !pause
        ? about.warning(`${waiting} Check that the server is running and the webhook works.`)
        : about.ok(waiting),
    dead === 0
      ? about.ok('No failed deliveries.')
      : about.warning(
          `${counted(dead, 'delivery', 'deliveries')} failed. See npm run leads -- list --delivery dead, then npm run leads -- resend --dead`,
        ),
    held === 0
      ? about.ok('No leads on hold.')
      : about.warning(
          `${counted(held, 'lead')} on hold for review. See npm run leads -- list --state held, then approve or reject them.`,
        ),
  ]
}

export async function checkAlerts(store: Pick<Store, 'alertsSince'>, now: number): Promise<readonly Finding[]> {
  const about = findingsAbout('Alerts')
  const active = (await store.alertsSince(now)).filter(({ endedAt }) => endedAt === null)
  if (active.length === 0) return [about.ok('No active alerts.')]
  return active.map(({ text, source, startedAt }) =>
    about.warning(`Active for ${age(now - startedAt)}${source ? ` on ${source}` : ''}: ${text}`),
  )
}

function sizeInWords(bytes: number): string {
  const megabytes = bytes / MEGABYTE
  return megabytes < 1024 ? `${megabytes.toFixed(megabytes < 10 ? 1 : 0)} MB` : `${(megabytes / 1024).toFixed(1)} GB`
}
