/** What `doctor` checks on this machine: settings, key, store, disk, backlog, backups, and alerts. */

import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pluralize } from '../../domain/text/numbers.ts'
import { alertChannels } from '../../server/alerts/channels.ts'
import { roomIn } from '../../server/alerts/disk-watch.ts'
import { evidenceProblem } from '../../server/alerts/evidence-watch.ts'
import {
  circumstancesOf,
  type Problem,
  type ProblemStore,
  problemsOf,
  readStoreFacts,
} from '../../server/alerts/problems.ts'
import { readManifest } from '../../server/http/site.ts'
import { findSite } from '../../server/http/site-files.ts'
import { mailHost, mailServerOf } from '../../server/mail/mailer.ts'
import { CONSENT_RECORD_DAYS, type Config, expectsDeliveries } from '../../server/settings/config.ts'
import { findKey, type KeySettings, keyFileIn } from '../../server/settings/installation-key.ts'
import { LEADS } from '../../server/settings/leads-command.ts'
import { keyIdOf } from '../../server/store/facts/leads/hashes.ts'
import { ERASED_IN_LOG } from '../../server/store/operations/leads/erasure.ts'
import type { StoreHealth } from '../../server/store/operations/upkeep/upkeep.ts'
import { oldStoresIn } from '../../server/store/sqlite/files.ts'
import type { Store } from '../../server/store/store.ts'
import { StoreUnusable } from '../../server/store/store-errors.ts'
import { formatAge, formatSize } from '../terminal/text.ts'

export interface Finding {
  readonly status: 'ok' | 'warning' | 'error'
  readonly subject: string
  readonly message: string
}

const finding = (status: Finding['status']) => (subject: string, message: string) => ({ status, subject, message })
export const ok = finding('ok')
export const warning = finding('warning')
export const error = finding('error')

const ERROR_BELOW = 100 * 1024 * 1024

export function checkSettings(config: Config): readonly Finding[] {
  const { settingsFile } = config
  const found = [...settingsWarnings(config)].map(message => warning('Settings', message))
  const source = settingsFile ? `${settingsFile.path} and the environment` : 'the environment; there is no .env file'
  return found.length === 0 ? [ok('Settings', `Read from ${source}.`)] : found
}

function* settingsWarnings(config: Config): Iterable<string> {
  const { siteUrl, trustProxy, settingsFile, erasureList, dataDir, retentionDays } = config
  if (siteUrl.startsWith('https:') && trustProxy.length === 0) {
    yield 'SITE_URL is https, so there must be a proxy, but TRUST_PROXY isn’t set. All visitors appear to have the proxy’s address, so after ten leads in ten minutes, new ones go on hold. Set TRUST_PROXY to the proxy’s address.'
  }
  // Group access may be intentional, for the service's group.
  if (settingsFile && settingsFile.secrets.length > 0 && isOpenTo(0o004, settingsFile.path)) {
    const { path, secrets } = settingsFile
    yield `Every user on this machine can read ${secrets.join(' and ')} in ${path}. To fix it: chmod o-rwx ${path}`
  }
  if (dirname(erasureList) === dataDir && existsSync(erasureList)) {
    yield `The erasure log ${erasureList} is in the store’s folder and would be lost with it. Move it next to your backups and set ERASURE_LIST to the new path.`
  }
  if (retentionDays !== null && retentionDays < CONSENT_RECORD_DAYS) {
    yield `Leads are erased after ${retentionDays} days. The Telemarketing Sales Rule (16 CFR 310.5) requires you to keep consent records for five years (${CONSENT_RECORD_DAYS} days).`
  }
}

/** Always false on Windows, which doesn't have these permission bits. */
function isOpenTo(mode: number, path: string): boolean {
  return process.platform !== 'win32' && ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & mode) !== 0
}

/** Machines that share a store must share its key. */
export async function checkKey(store: Store, settings: KeySettings): Promise<Finding> {
  const file = keyFileIn(settings.dataDir)
  let key: string | null
  try {
    key = findKey(settings)
  } catch (failure) {
    if (failure instanceof StoreUnusable) return error('Key', failure.message)
    throw failure
  }
  const known = (await store.installationKeys()).map(({ id }) => id)
  if (key === null) {
    if (known.length === 0) return ok('Key', `No key yet. The first erasure or contact record creates ${file}.`)
    const missing = `This machine doesn’t have the store’s key (${known.join(', ')}), so it can’t erase data.`
    return error('Key', `${missing} Copy erasure.key to ${file} from a machine that has it, or set ERASURE_KEY.`)
  }
  const location = `${settings.erasureKey === null ? file : 'ERASURE_KEY'} (key ID ${keyIdOf(key)})`
  if (known.length > 0 && !known.includes(keyIdOf(key))) {
    const wrong = `The key in ${location} is not the store’s key (${known.join(', ')}).`
    return error('Key', `${wrong} Replace it with the store’s key.`)
  }
  const [newest = keyIdOf(key)] = known
  if (newest !== keyIdOf(key)) {
    const older = `The key in ${location} is an older key of this store; the newest is ${newest}.`
    return error('Key', `${older} Machines that share a store need the same key. Replace it with the newest.`)
  }
  const advice = settings.erasureKey === null ? ' Keep a copy with your passwords; backups don’t include it.' : ''
  return ok('Key', `The key is in ${location}.${advice}`)
}

/** Reads the whole list, as the Calls page does: one broken row could keep everyone from calling. */
export async function checkCallList(
  store: Pick<Store, 'callList'>,
  { callingHours: hours }: Pick<Config, 'callingHours'>,
) {
  try {
    const { now, waiting } = await store.callList({ personId: '', hours, limit: 0, dayEnds: 0 })
    const later = waiting.reduce((sum, { count }) => sum + count, 0)
    return ok('Calls', `The call list works: ${now.count} to call now, ${later} later.`)
  } catch (failure) {
    return error(
      'Calls',
      `The call list can’t be read (${(failure as Error).name}), so nobody can call. Report this to the developers.`,
    )
  }
}

/** Doesn't send anything: only a person can see whether an alert shows up. */
export function checkAlertChannels(config: Parameters<typeof alertChannels>[0]): Finding {
  const names = alertChannels(config).map(({ name }) => name)
  if (names.length === 0) {
    return warning('Alerts', 'Neither ALERT_WEBHOOK_URL nor MAIL_TO is set: alerts only go to the log.')
  }
  return ok('Alerts', `Alerts go to ${names.join(' and ')}, and to the log. To send a test: ${LEADS} check alert`)
}

/** Doesn't send anything. */
export function checkMail(config: Config): readonly Finding[] {
  const server = mailServerOf(config)
  if (server === null) return []
  const visitors = config.visitorMail
    ? `Visitors get a letter from “${config.visitorMailName}”.`
    : 'Visitors get no letters.'
  const way = `Mail goes through ${mailHost(server)}, from ${server.from}.`
  return [ok('Mail', `${way} ${visitors} To send a test: ${LEADS} check mail`)]
}

export function* checkStore(health: StoreHealth): Iterable<Finding> {
  if (health.kind === 'missing') {
    const missing = `No store at ${health.location} yet. The server creates one at startup.`
    return yield warning('Store', `${missing} If you expected one, check DATA_DIR.`)
  }
  if (health.kind === 'unusable') return yield error('Store', health.message)
  const { location, version, bytes, durability, intact, writeError, search, erasedInLog } = health
  yield ok('Store', `${location}: version ${version}, ${formatSize(bytes)}.`)
  yield (durability.safe ? ok : warning)('Store', durability.message)
  if (intact) yield ok('Store', 'Passed the integrity check.')
  else yield error('Store', 'The store is damaged. Stop the server and restore a backup.')
  if (writeError === null) yield ok('Store', 'Accepting writes.')
  else yield error('Store', `Not accepting writes: ${writeError}`)
  if (erasedInLog) yield warning('Store', `People were erased. ${ERASED_IN_LOG}`)
  if (search.indexed) return
  const slow = 'Search is slow: the database role can’t create its index.'
  yield warning('Store', `${slow} Run as an administrator: ${search.create};`)
}

/** Checks an embedded store's folder: its permissions and free disk space. */
export function* checkFolder(folder: string): Iterable<Finding> {
  if (!existsSync(folder)) return yield warning('Disk', `The folder ${folder} does not exist yet.`)
  const readable = `Other users on this machine can read ${folder}. To fix it: chmod go-rwx ${shellQuote(folder)}`
  if (isOpenTo(0o077, folder)) yield warning('Store', readable)
  else yield ok('Store', 'Other users on this machine can’t read it.')
  const { free = 0, isLow } = roomIn(folder) ?? {}
  const room = `${formatSize(free)} free.`
  if (free < ERROR_BELOW) yield error('Disk', `Only ${room} When the disk is full, leads are turned away.`)
  else yield (isLow ? warning : ok)('Disk', room)
}

const shellQuote = (path: string) => (/^[\w./-]+$/.test(path) ? path : `'${path.replaceAll("'", `'\\''`)}'`)

export function checkOldStores(dataDir: string): readonly Finding[] {
  return oldStoresIn(dataDir).map(file => {
    const leftOver = `${file} is left over from an earlier store. It still contains data you’ve erased since then.`
    return warning('Store', `${leftOver} When you no longer need it: ${LEADS} doctor --remove-old-stores`)
  })
}

const UNITS = join(import.meta.dirname, '../../deploy/systemd')

/** An older version's units may lack a permission that this version needs, such as writing ERASURE_LIST. */
export function checkUnits(installed = '/etc/systemd/system'): readonly Finding[] {
  if (!existsSync(UNITS)) return []
  const isOther = (name: string) => {
    const file = join(installed, name)
    return existsSync(file) && readFileSync(file, 'utf8') !== readFileSync(join(UNITS, name), 'utf8')
  }
  return readdirSync(UNITS)
    .filter(isOther)
    .map(name => {
      const compare = `diff ${join(installed, name)} ${join(UNITS, name)}`
      const other = `${name} isn’t this version’s. Compare them (${compare}), install this one, and make your own changes with systemctl edit.`
      return warning('Services', other)
    })
}

/** A clock that drifts refuses what the CRM signs, and calls at the wrong hours. Only where setup.sh installed us: elsewhere, it isn't our machine. */
export function checkClock(installed = '/etc/systemd/system', timedatectl = 'timedatectl'): readonly Finding[] {
  if (!existsSync(join(installed, 'ssdi-advocate.service'))) return []
  const { stdout } = spawnSync(timedatectl, ['show', '-p', 'NTPSynchronized', '--value'], { encoding: 'utf8' })
  if (stdout?.trim() !== 'no') return []
  return [
    warning('Clock', 'This machine’s clock isn’t set by a time server. To turn that on: sudo timedatectl set-ntp true'),
  ]
}

const subjects: Readonly<Partial<Record<Problem['code'], string>>> = {
  backups_at_risk: 'Backup',
  mail_not_sent: 'Mail',
  clock_set_back: 'Clock',
  people_waiting: 'Calls',
}

/** None if no site is built. */
function closedDays(): readonly string[] {
  try {
    return readManifest(findSite()).copy.closed
  } catch {
    return []
  }
}

/** Deliveries, leads on hold, calls, the clock, and backups, as alerts describe them. */
export async function* checkBacklog(store: ProblemStore, config: Config): AsyncIterable<Finding> {
  const circumstances = circumstancesOf(config, closedDays)
  const facts = await readStoreFacts(store, circumstances)
  const problems = problemsOf(facts, circumstances)
  yield* problems.map(({ code, text }) => warning(subjects[code] ?? 'Backlog', text))
  const isFine = (code: Problem['code']) => problems.every(problem => problem.code !== code)
  const { pending, oldestPendingAgeMs, held } = facts.backlog
  if (expectsDeliveries(config) && isFine('deliveries_stuck')) {
    const waiting = `${pluralize(pending, 'lead')} waiting for delivery, the oldest for ${formatAge(oldestPendingAgeMs)}.`
    yield ok('Backlog', pending === 0 ? 'No leads waiting for delivery.' : waiting)
  }
  if (held === 0) yield ok('Backlog', 'No leads on hold.')
  const { ageMs } = facts.backup
  if (isFine('backups_at_risk')) {
    yield ok('Backup', ageMs === null ? 'No backup recorded yet.' : `The last backup is ${formatAge(ageMs)} old.`)
  }
}

export async function checkEvidence(store: Pick<Store, 'damagedEvidence'>): Promise<Finding> {
  const problem = evidenceProblem(await store.damagedEvidence())
  return problem === null
    ? ok('Evidence', 'Consents match their versions, and no calls or stops are missing.')
    : warning('Evidence', problem)
}

export async function checkAlerts(store: Pick<Store, 'alertsSince'>, now: number): Promise<readonly Finding[]> {
  const active = (await store.alertsSince(now)).filter(({ endedAt }) => endedAt === null)
  if (active.length === 0) return [ok('Alerts', 'No active alerts.')]
  return active.map(({ text, source, startedAt }) =>
    warning('Alerts', `Active for ${formatAge(now - startedAt)}${source ? ` on ${source}` : ''}: ${text}`),
  )
}
