/** What `doctor` checks on this machine: settings, key, store, disk, backlog, and alerts. */
import { existsSync, statfsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Calendar } from '../../server/calendar.ts'
import { CONSENT_RECORD_DAYS, type Config } from '../../server/config.ts'
import { findKey, type KeySettings, keyFileIn } from '../../server/installation-key.ts'
import { keyIdOf } from '../../server/store/erasure.ts'
import type { StoreHealth } from '../../server/store/health.ts'
import { oldStoresIn } from '../../server/store/sqlite/files.ts'
import type { Store } from '../../server/store/store.ts'
import { describePause } from '../deliveries.ts'
import { age, counted } from '../terminal/text.ts'

export interface Finding {
  readonly grade: 'ok' | 'warning' | 'error'
  readonly about: string
  readonly message: string
}

type Grade = (about: string, message: string) => Finding
export const ok: Grade = (about, message) => ({ grade: 'ok', about, message })
export const warning: Grade = (about, message) => ({ grade: 'warning', about, message })
export const error: Grade = (about, message) => ({ grade: 'error', about, message })

const MEGABYTE = 1024 * 1024
const WARN_BELOW = 1024 * MEGABYTE
const ERROR_BELOW = 100 * MEGABYTE
const LATE_MS = 10 * 60_000

export function checkSettings(config: Config): readonly Finding[] {
  const { settingsFile } = config
  const found = warningsAbout(config).map(message => warning('Settings', message))
  const source = settingsFile ? `${settingsFile.path} and the environment` : 'the environment; there is no .env file'
  return found.length === 0 ? [ok('Settings', `Read from ${source}.`)] : found
}

function warningsAbout(config: Config): readonly string[] {
  const { siteUrl, trustProxy, settingsFile, erasureList, dataDir, retentionDays } = config
  const found: string[] = []
  if (siteUrl.startsWith('https:') && trustProxy.length === 0) {
    found.push(
      'SITE_URL is https, so there is a proxy, but TRUST_PROXY is not set. All visitors appear to have the proxy’s address, so after ten leads in ten minutes, new ones go on hold. Set TRUST_PROXY to the proxy’s address.',
    )
  }
  // Group access may be intentional, for the service's group.
  if (settingsFile && settingsFile.secrets.length > 0 && isOpenTo(0o004, settingsFile.path)) {
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

/** Windows doesn't have these modes. */
function isOpenTo(mode: number, path: string): boolean {
  return process.platform !== 'win32' && ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & mode) !== 0
}

/** Machines that share a store must share its key. */
export async function checkKey(store: Store, settings: KeySettings): Promise<Finding> {
  const file = keyFileIn(settings.dataDir)
  const key = findKey(settings)
  const known = (await store.installationKeys()).map(({ id }) => id)
  if (key === null) {
    if (known.length === 0) return ok('Key', `No key yet. The first erasure or consent record creates ${file}.`)
    return error(
      'Key',
      `This machine doesn’t have the store’s key (${known.join(', ')}), so it can’t erase data. Copy erasure.key to ${file} from a machine that has it, or set ERASURE_KEY.`,
    )
  }
  const place = `${settings.erasureKey === null ? file : 'ERASURE_KEY'} (key ID ${keyIdOf(key)})`
  if (known.length > 0 && !known.includes(keyIdOf(key))) {
    const wrong = `The key in ${place} is not the store’s key (${known.join(', ')}).`
    return error('Key', `${wrong} Replace it with the store’s key.`)
  }
  const advice = settings.erasureKey === null ? ' Keep a copy with your passwords; backups don’t include it.' : ''
  return ok('Key', `The key is in ${place}.${advice}`)
}

/** Doesn't send anything: only a person can see whether an alert shows up in the channel. */
export function checkAlertAddress({ alertUrl }: Pick<Config, 'alertUrl'>): Finding {
  if (alertUrl === null) return warning('Alerts', 'ALERT_WEBHOOK_URL is not set: alerts only go to the log.')
  const { host } = new URL(alertUrl)
  return ok('Alerts', `Alerts go to ${host} and to the log. To send a test: npm run leads -- check alert`)
}

export function checkStore(health: StoreHealth): readonly Finding[] {
  if (health.kind === 'missing') {
    const missing = `No store at ${health.place} yet. The server creates one at startup.`
    return [warning('Store', `${missing} If you expected one, check DATA_DIR.`)]
  }
  if (health.kind === 'unusable') return [error('Store', health.message)]
  const { place, version, bytes, durability, intact, writeFault, search } = health
  return [
    ok('Store', `${place}: version ${version}, ${formatSize(bytes)}.`),
    (durability.safe ? ok : warning)('Store', durability.message),
    intact
      ? ok('Store', 'Passed the integrity check.')
      : error('Store', 'The store is damaged. Stop the server and restore a backup.'),
    writeFault === null ? ok('Store', 'Accepting writes.') : error('Store', `Not accepting writes: ${writeFault}`),
    ...(search.indexed ? [] : [warning('Store', `${SLOW_SEARCH} Run as an administrator: ${search.create};`)]),
  ]
}

const SLOW_SEARCH = 'Search is slow: the database role can’t create its index.'

/** Checks an embedded store's folder: its permissions and free disk space. */
export function checkFolder(folder: string): readonly Finding[] {
  if (!existsSync(folder)) return [warning('Disk', `The folder ${folder} does not exist yet.`)]
  const { bavail, bsize } = statfsSync(folder)
  const free = bavail * bsize
  const room = `${formatSize(free)} free.`
  return [
    isOpenTo(0o077, folder)
      ? warning(
          'Store',
          `Other users on this machine can read ${folder}. To fix it: chmod go-rwx ${shellQuote(folder)}`,
        )
      : ok('Store', 'Other users on this machine can’t read it.'),
    free < ERROR_BELOW
      ? error('Disk', `Only ${room} When the disk is full, leads are turned away.`)
      : (free < WARN_BELOW ? warning : ok)('Disk', room),
  ]
}

const shellQuote = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)

export function checkOldStores(dataDir: string): readonly Finding[] {
  return oldStoresIn(dataDir).map(file =>
    warning(
      'Store',
      `${file} is left over from a move, a restore, or a damaged log. It still contains data you erased since then. When you no longer need it: npm run leads -- doctor --remove-old-stores`,
    ),
  )
}

export async function checkBacklog(store: Store, calendar: Calendar): Promise<readonly Finding[]> {
  const { pending, oldestPendingAgeMs, dead, held } = await store.backlog()
  const pause = await store.deliveryPause()
  const waiting = `${counted(pending, 'lead')} waiting for delivery, the oldest for ${age(oldestPendingAgeMs)}.`
  const late = `${waiting} Check that the server is running and the webhook works.`
  const failed = `${counted(dead, 'delivery', 'deliveries')} failed. See npm run leads -- list --delivery dead, then npm run leads -- resend --dead`
  const onHold = `${counted(held, 'lead')} on hold for review. See npm run leads -- list --state held, then approve or reject them.`
  return [
    ...(pause ? [warning('Backlog', `${describePause(pause, calendar)} To resume: npm run leads -- resume`)] : []),
    pending === 0
      ? ok('Backlog', 'No leads waiting for delivery.')
      : pause || oldestPendingAgeMs <= LATE_MS
        ? ok('Backlog', waiting)
        : warning('Backlog', late),
    dead === 0 ? ok('Backlog', 'No failed deliveries.') : warning('Backlog', failed),
    held === 0 ? ok('Backlog', 'No leads on hold.') : warning('Backlog', onHold),
  ]
}

export async function checkAlerts(store: Pick<Store, 'alertsSince'>, now: number): Promise<readonly Finding[]> {
  const active = (await store.alertsSince(now)).filter(({ endedAt }) => endedAt === null)
  if (active.length === 0) return [ok('Alerts', 'No active alerts.')]
  return active.map(({ text, source, startedAt }) =>
    warning('Alerts', `Active for ${age(now - startedAt)}${source ? ` on ${source}` : ''}: ${text}`),
  )
}

function formatSize(bytes: number): string {
  const megabytes = bytes / MEGABYTE
  return megabytes < 1024 ? `${megabytes.toFixed(megabytes < 10 ? 1 : 0)} MB` : `${(megabytes / 1024).toFixed(1)} GB`
}
