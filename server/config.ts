/** All settings, read and checked in one place. Every fault is reported at once, in plain words. */
import { join, resolve } from 'node:path'
import { type TrustedFormMode, trustedFormModes } from '../domain/lead.ts'
import { timeZoneCalled } from './calendar.ts'
import type { WebhookFormat } from './delivery/webhook.ts'
import { isProxyEntry } from './http/client-address.ts'
import {
  type DeskAddress,
  httpUrl,
  readDatabaseUrl,
  readDesk,
  readLeadEndpoint,
  readSiteUrl,
  readWebhookUrl,
} from './settings/addresses.ts'
import { type Environment, misspelt, type SettingName, secretSettings } from './settings/names.ts'
import { readSettingsFile, type SettingsFile } from './settings/settings-file.ts'
import { secretFault } from './webhook-secret.ts'

export interface Config {
  readonly host: string
  readonly port: number
  /** The public address of the site, without a path. */
  readonly siteUrl: string
  /** The name in that address, if the operator has set one: leads that come under another are not believed. */
  readonly publicName: string | null
  /** Whether browsers shall insist on https for every name below the site's, too. */
  readonly hstsSubdomains: boolean
  /** Where the browser sends the lead: a path of ours, or the operator's webhook. Built into the pages. */
  readonly leadEndpoint: string
  /** The folder of the embedded store, as an absolute path. */
  readonly dataDir: string
  /** The PostgreSQL that leads are kept in instead, by any number of servers together. */
  readonly databaseUrl: string | null
  /** Where stored leads are delivered. Without one they are kept. */
  readonly webhookUrl: string | null
  /** How they are delivered: the spec's query string, or JSON after Standard Webhooks with all that is known of a lead. */
  readonly webhookFormat: WebhookFormat
  /** Whether repeats of a lead are delivered, too, as such. */
  readonly webhookRepeats: boolean
  /** Sign deliveries: one secret, or two while one is replaced by the other. */
  readonly webhookSecrets: readonly string[]
  /** Where alerts are told, besides the log. */
  readonly alertUrl: string | null
  /** Above this many leads in ten minutes, from everywhere together, they are held. */
  readonly leadFloodLimit: number
  readonly trustedForm: TrustedFormMode
  /** Addresses and CIDR ranges of the proxies whose forwarded-for header is believed. */
  readonly trustProxy: readonly string[]
  /** Kept of a page's address with a lead, besides utm_… and the ids of clicks. */
  readonly campaignParameters: readonly string[]
  /** The operator's, in which days begin and times are shown. */
  readonly timeZone: string
  /** Whether TIME_ZONE is set. */
  readonly hasTimeZone: boolean
  /** Hashes what stays of an erased person's address and number. Without it nobody can be erased. */
  readonly erasureKey: string | null
  /** Where the ids of erased leads are noted, so that a restored backup does not bring them back. An absolute path. */
  readonly erasureList: string
  /** Leads older than this are erased; null for never. */
  readonly retentionDays: number | null
  /** Where Prometheus reads figures, on loopback; null for nowhere. */
  readonly metricsPort: number | null
  readonly desk: DeskAddress
  /** Where settings came from besides the environment, and which of them others must not read. */
  readonly settingsFile: { readonly path: string; readonly secrets: readonly string[] } | null
}

const ERASURE_KEY_CHARACTERS = 32
const LEAST_RETENTION_DAYS = 31
const MOST_CAMPAIGN_PARAMETERS = 20

/** For so long the Telemarketing Sales Rule (16 CFR 310.5) asks to keep the record of a consent. */
export const CONSENT_RECORD_DAYS = 1827

/** Faults are for the operator's eyes: the message lists all of them, one a line. */
export class ConfigError extends Error {
  readonly faults: readonly string[]

  constructor(faults: readonly string[]) {
    super(
      `The configuration has ${faults.length === 1 ? 'a fault' : 'faults'}:\n${faults.map(f => `  - ${f}`).join('\n')}`,
    )
    this.name = 'ConfigError'
    this.faults = faults
  }
}

const projectFolder = join(import.meta.dirname, '..')

/** What every program of ours starts with: the environment and, for what is not set there, the settings file. */
export function loadConfig(env: Environment = process.env): Config {
  const named = env['SETTINGS_FILE']?.trim() || undefined
  return readConfig(env, readSettingsFile(named ?? join(projectFolder, '.env'), named !== undefined))
}

export function readConfig(env: Environment, file: SettingsFile | null = null): Config {
  const faults: string[] = [...(file?.faults ?? []), ...misspelt(env, file)]
  // A blank variable wins as well: that is how one setting of the file is turned off for a single run.
  const setting = (name: SettingName) => (env[name] ?? file?.values[name])?.trim() || undefined
  const host = setting('HOST') ?? '127.0.0.1'
  const port = readPort('PORT', setting('PORT'), faults) ?? 3000
  const config: Config = {
    host,
    port,
    siteUrl: readSiteUrl(setting('SITE_URL'), host, port, faults),
    publicName: httpUrl(setting('SITE_URL') ?? '')?.hostname ?? null,
    hstsSubdomains: readSwitch('HSTS_SUBDOMAINS', setting('HSTS_SUBDOMAINS'), faults),
    leadEndpoint: readLeadEndpoint(setting('SITE_LEAD_ENDPOINT'), faults),
    // Not from the shell's folder: every program must find the same store, wherever it is started.
    dataDir: resolve(projectFolder, setting('DATA_DIR') ?? 'data'),
    databaseUrl: readDatabaseUrl(setting('DATABASE_URL'), faults),
    webhookUrl: readWebhookUrl('LEAD_WEBHOOK_URL', setting('LEAD_WEBHOOK_URL'), faults),
    webhookFormat: readOneOf('LEAD_WEBHOOK_FORMAT', setting('LEAD_WEBHOOK_FORMAT'), ['query', 'json'], faults),
    webhookRepeats: readSwitch('LEAD_WEBHOOK_REPEATS', setting('LEAD_WEBHOOK_REPEATS'), faults),
    webhookSecrets: readWebhookSecrets(setting('LEAD_WEBHOOK_SECRET'), faults),
    alertUrl: readWebhookUrl('ALERT_WEBHOOK_URL', setting('ALERT_WEBHOOK_URL'), faults),
    leadFloodLimit: readLeadFloodLimit(setting('LEAD_FLOOD_LIMIT'), faults),
    trustedForm: readOneOf('TRUSTEDFORM', setting('TRUSTEDFORM'), trustedFormModes, faults),
    trustProxy: readTrustProxy(setting('TRUST_PROXY'), faults),
    campaignParameters: readCampaignParameters(setting('CAMPAIGN_PARAMETERS'), faults),
    timeZone: readTimeZone(setting('TIME_ZONE'), faults),
    hasTimeZone: setting('TIME_ZONE') !== undefined,
    erasureKey: readErasureKey(setting('ERASURE_KEY'), faults),
    erasureList: resolve(projectFolder, setting('ERASURE_LIST') ?? join(setting('DATA_DIR') ?? 'data', 'erasures.txt')),
    retentionDays: readRetentionDays(setting('LEAD_RETENTION_DAYS'), setting('ERASURE_KEY'), faults),
    metricsPort: readPort('METRICS_PORT', setting('METRICS_PORT'), faults),
    desk: readDesk(setting('DESK_URL'), readPort('DESK_PORT', setting('DESK_PORT'), faults), host, faults),
    settingsFile: file && { path: file.path, secrets: secretSettings.filter(name => file.values[name]) },
  }
  if (config.webhookRepeats && config.webhookFormat !== 'json') {
    faults.push(
      'LEAD_WEBHOOK_REPEATS is on, which needs LEAD_WEBHOOK_FORMAT=json: a query string looks like a new lead.',
    )
  }
  if (faults.length > 0) throw new ConfigError(faults)
  return config
}

function readPort(name: SettingName, value: string | undefined, faults: string[]): number | null {
  if (value === undefined) return null
  const port = Number(value)
  if (/^\d+$/.test(value) && port <= 65_535) return port
  faults.push(`${name} is ${JSON.stringify(value)}, but must be a number from 0 to 65535.`)
  return null
}

/** A television spot brings some 1,800 leads in ten minutes. */
function readLeadFloodLimit(value = '3000', faults: string[]): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) {
    faults.push(`LEAD_FLOOD_LIMIT is ${JSON.stringify(value)}, but must be a number of leads in ten minutes.`)
  }
  return Number(value)
}

/** The value is not repeated in the fault: it is a secret. */
function readErasureKey(value: string | undefined, faults: string[]): string | null {
  if (value === undefined) return null
  if (value.length < ERASURE_KEY_CHARACTERS) {
    faults.push(
      `ERASURE_KEY must have ${ERASURE_KEY_CHARACTERS} characters or more. One is made by: openssl rand -base64 32`,
    )
  }
  return value
}

/** A repeat is told by what came in the last 30 days. */
function readRetentionDays(value: string | undefined, key: string | undefined, faults: string[]): number | null {
  if (value === undefined) return null
  const days = Number(value)
  if (!/^\d{1,5}$/.test(value) || days < LEAST_RETENTION_DAYS) {
    faults.push(
      `LEAD_RETENTION_DAYS is ${JSON.stringify(value)}, but must be a number of days, ${LEAST_RETENTION_DAYS} or more.`,
    )
  }
  if (key === undefined) {
    faults.push('LEAD_RETENTION_DAYS needs ERASURE_KEY as well: what stays of an erased lead is hashed with it.')
  }
  return days
}

function readSwitch(name: SettingName, value: string | undefined, faults: string[]): boolean {
  if (value !== undefined && value !== 'on' && value !== 'off') {
    faults.push(`${name} is ${JSON.stringify(value)}, but must be on or off.`)
  }
  return value === 'on'
}

/**
 * Separated by spaces, as their signatures are in the header, so that no secret can have one in it. Nor is any repeated in
 * a fault.
 */
function readWebhookSecrets(value: string | undefined, faults: string[]): readonly string[] {
  const secrets = value?.split(/\s+/) ?? []
  if (secrets.length > 2) {
    faults.push('LEAD_WEBHOOK_SECRET may list two secrets, separated by a space: a secret cannot have spaces in it.')
    return []
  }
  for (const [index, secret] of secrets.entries()) {
    const fault = secretFault(secret)
    const which = secrets.length === 1 ? 'LEAD_WEBHOOK_SECRET' : `Secret ${index + 1} of LEAD_WEBHOOK_SECRET`
    if (fault) faults.push(`${which} ${fault}. Make one with: echo "whsec_$(openssl rand -base64 32)"`)
  }
  return secrets
}

/** The first of them when nothing is said. */
function readOneOf<T extends string>(
  name: SettingName,
  value: string | undefined,
  known: readonly [T, ...T[]],
  faults: string[],
): T {
  const found = value === undefined ? known[0] : known.find(each => each === value)
  if (found) return found
  const [last, ...others] = known.toReversed()
  faults.push(`${name} is ${JSON.stringify(value)}, but must be ${others.toReversed().join(', ')} or ${last}.`)
  return known[0]
}

function readTrustProxy(value: string | undefined, faults: string[]): readonly string[] {
  const proxies = value?.split(/[\s,]+/).filter(entry => entry !== '') ?? []
  for (const proxy of proxies.filter(entry => !isProxyEntry(entry))) {
    faults.push(
      `TRUST_PROXY has ${JSON.stringify(proxy)}, but must list addresses or ranges such as 10.0.0.1 or 10.0.0.0/8.`,
    )
  }
  return proxies
}

/** As many as one lead can have; more could not be told from a slip in the separators. */
function readCampaignParameters(value: string | undefined, faults: string[]): readonly string[] {
  const names = [...new Set(value?.split(/[\s,]+/).filter(name => name !== '') ?? [])]
  for (const name of names.filter(each => !/^[\w-]{1,40}$/.test(each))) {
    faults.push(
      `CAMPAIGN_PARAMETERS has ${JSON.stringify(name)}, but must list names of letters, digits, _ and -, of at most 40 characters.`,
    )
  }
  if (names.length > MOST_CAMPAIGN_PARAMETERS) {
    faults.push(`CAMPAIGN_PARAMETERS lists ${names.length} names, but may list ${MOST_CAMPAIGN_PARAMETERS}.`)
  }
  return names
}

/** Not the machine's where none is set: the same words must mean the same day wherever a command is typed. */
function readTimeZone(value = 'UTC', faults: string[]): string {
  const zone = timeZoneCalled(value)
  if (zone === null) {
    faults.push(`TIME_ZONE is ${JSON.stringify(value)}, but must be a name such as America/New_York or UTC.`)
  }
  return zone ?? 'UTC'
}
