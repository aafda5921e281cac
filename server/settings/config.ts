/**
 * All settings, with their formats and defaults. No other file reads the environment. One error lists every mistake.
 * A test compares this table with docs/settings.md and .env.example.
 */
import { join, resolve } from 'node:path'
import { type CallingHours, describeCallingHours, readCallingHours } from '../../domain/calling/hours.ts'
import { readEmail } from '../../domain/contact/email.ts'
import { type TrustedFormMode, trustedFormModes } from '../../domain/leads/lead.ts'
import { privateWordIn } from '../../domain/text/private-words.ts'
import type { Webhook } from '../delivery/webhook.ts'
import { secretProblem } from '../delivery/webhook-signature.ts'
import { isProxyEntry } from '../http/client-address.ts'
import { canonicalTimeZone } from './calendar.ts'
import { misspelled, readSettingsFile, type SettingsFile } from './settings-file.ts'

export type Environment = Readonly<Record<string, string | undefined>>

/** Thrown by a parser. The message says what the value must be. */
class InvalidValue extends Error {}

type Parse<Value> = (text: string) => Value

/** `parse` returns null for a value it can't read; `expected` then completes "PORT is 12x, but ...". */
function parser<Value>(expected: string, parse: (text: string) => Value | null): Parse<Value> {
  return text => {
    const value = parse(text)
    if (value === null) throw new InvalidValue(expected)
    return value
  }
}

function wholeNumber(text: string, min: number, max: number): number | null {
  const number = /^\d{1,9}$/.test(text) ? Number(text) : -1
  return number >= min && number <= max ? number : null
}

const port = parser('must be a number from 0 to 65535', text => wholeNumber(text, 0, 65_535))
const atLeast = (min: number, unit: string) =>
  parser(`must be a number of ${unit}, ${min} or more`, text => wholeNumber(text, min, 999_999_999))

const oneOf = <Choice extends string>(...choices: readonly Choice[]) =>
  parser(
    `must be ${new Intl.ListFormat('en-US', { type: 'disjunction' }).format(choices)}`,
    text => choices.find(each => each === text) ?? null,
  )
const onOrOff: Parse<boolean> = text => oneOf('on', 'off')(text) === 'on'

const projectFolder = join(import.meta.dirname, '../..')
// Relative to the project, not the current directory: every program must find the same store, no matter where it's started.
const fromProject: Parse<string> = path => resolve(projectFolder, path)

/** An http(s) URL without a username or password, which would end up in the pages. */
function httpUrl(text: string): URL | null {
  const url = URL.parse(text)
  const usable = url !== null && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
  return usable ? url : null
}

const origin = (example: string) =>
  parser(`must be a URL such as ${example}, without a path`, text => {
    const url = httpUrl(text)
    return url?.pathname === '/' && url.search === '' && url.hash === '' ? url.origin : null
  })

export const OWN_LEAD_ENDPOINT = '/api/leads'
const leadEndpoint = parser(`must be ${OWN_LEAD_ENDPOINT} or a URL such as https://hooks.example.org/leads`, text =>
  text === OWN_LEAD_ENDPOINT ? text : (httpUrl(text)?.href ?? null),
)
const webhookUrl = parser(
  'must be a URL such as https://hooks.example.org/leads, without a username or password',
  text => httpUrl(text)?.href ?? null,
)

const smtpUrl = parser('must be a URL such as smtps://user:password@mail.example.org', text => {
  const url = URL.parse(text)
  const usable = url !== null && /^smtps?:$/.test(url.protocol) && url.hostname !== '' && /^\/?$/.test(url.pathname)
  return usable ? text : null
})
const mailFrom = parser('must be an address such as team@example.org, or Team <team@example.org>', text =>
  /[\r\n"]/.test(text) || readEmail(text) === null ? null : text,
)
/** Anyone who sees the person's phone can read it. */
const neutralName = parser(
  'must be a name of at most 60 characters that doesn’t say what it’s about, without words such as “disability” or “SSDI”',
  text => (text.length <= 60 && !/[\p{C}"<>@]/u.test(text) && privateWordIn(text) === null ? text : null),
)
const mailAddresses = parser('must list addresses such as team@example.org, separated by commas or spaces', text => {
  const addresses = list(text)
  return addresses.every(address => readEmail(address) === address) ? addresses : null
})

/** Not checked with URL.parse, because a database URL can list multiple hosts. */
export function isDatabaseUrl(text: string): boolean {
  return /^postgres(ql)?:\/\/([^@/\s]+@)?[^/@\s]+\/[^/?\s]+(\?\S*)?$/.test(text)
}
const databaseUrl = parser('must be a URL such as postgres://user:password@host:5432/database', text =>
  isDatabaseUrl(text) ? text : null,
)

/** Separated by spaces, like the signatures in the header. */
const webhookSecrets: Parse<readonly string[]> = text => {
  const secrets = text.split(/\s+/).filter(Boolean)
  if (secrets.length > 2) {
    throw new InvalidValue('can list at most two secrets, separated by a space; a secret can’t contain spaces')
  }
  for (const [index, secret] of secrets.entries()) {
    const problem = secretProblem(secret)
    const which = secrets.length === 1 ? '' : `(secret ${index + 1}) `
    if (problem)
      throw new InvalidValue(`${which}${problem}. Generate one with: echo "whsec_$(openssl rand -base64 32)"`)
  }
  return secrets
}
export const MIN_KEY_LENGTH = 32
const keyRule = `must have at least ${MIN_KEY_LENGTH} characters. Generate one with: openssl rand -base64 32`
const erasureKey = parser(keyRule, text => (text.length >= MIN_KEY_LENGTH ? text : null))

function list(text: string): readonly string[] {
  return [...new Set(text.split(/[\s,]+/).filter(entry => entry !== ''))]
}

const proxies: Parse<readonly string[]> = text => {
  const entries = list(text)
  const wrong = entries.find(entry => !isProxyEntry(entry))
  if (wrong === undefined) return entries
  throw new InvalidValue(`${JSON.stringify(wrong)} is not an address or a range such as 10.0.0.1 or 10.0.0.0/8`)
}
const campaignParameters = parser('must list at most 20 names, each with up to 40 letters, digits, _, or -', text => {
  const names = list(text)
  return names.length <= 20 && names.every(name => /^[\w-]{1,40}$/.test(name)) ? names : null
})
const timeZone = parser('must be a name such as America/New_York or UTC', text =>
  canonicalTimeZone(text || Intl.DateTimeFormat().resolvedOptions().timeZone || 'UTC'),
)
const callingHours: Parse<CallingHours> = text => {
  const hours = readCallingHours(text)
  if (typeof hours === 'string') throw new InvalidValue(hours)
  return hours
}

interface Setting<Value> {
  readonly name: string
  /** `text` is undefined if the setting isn't set. */
  readonly read: (text: string | undefined) => Value
  /** As shown in docs/settings.md. */
  readonly default: string
  /** `path`: only the host can be shown, since a webhook's path is often its only secret. */
  readonly secret: boolean | 'path'
}

type Shown = Partial<Pick<Setting<unknown>, 'default' | 'secret'>>

function setting<Value>(name: string, parse: Parse<Value>, fallback: string, shown: Shown = {}): Setting<Value> {
  return { name, read: (text = fallback) => parse(text), default: fallback || 'none', secret: false, ...shown }
}

function optional<Value>(name: string, parse: Parse<Value>, shown: Shown = {}): Setting<Value | null> {
  return { name, read: text => (text === undefined ? null : parse(text)), default: 'none', secret: false, ...shown }
}

/** The Telemarketing Sales Rule (16 CFR 310.5) requires keeping consent records for five years. */
export const CONSENT_RECORD_DAYS = 1827

/** Keyed by field name in Config. docs/settings.md and .env.example describe each one. */
export const settings = {
  host: setting('HOST', String, '127.0.0.1'),
  port: setting('PORT', port, '3000'),
  /** The site's public URL, without a path. */
  siteUrl: optional('SITE_URL', origin('https://www.example.org')),
  hstsSubdomains: setting('HSTS_SUBDOMAINS', onOrOff, 'off'),
  /** Where the browser sends the lead: our own endpoint or the operator's webhook. Built into the pages. */
  leadEndpoint: setting('SITE_LEAD_ENDPOINT', leadEndpoint, OWN_LEAD_ENDPOINT, { secret: 'path' }),
  /** The organization's own texts and facts, laid over content/. */
  siteFolder: optional('SITE_FOLDER', fromProject),
  dataDir: setting('DATA_DIR', fromProject, 'data'),
  databaseUrl: optional('DATABASE_URL', databaseUrl, { secret: true }),
  webhookUrl: optional('LEAD_WEBHOOK_URL', webhookUrl, { secret: 'path' }),
  webhookFormat: setting('LEAD_WEBHOOK_FORMAT', oneOf('query', 'json'), 'query'),
  /** Two during rotation. */
  webhookSecrets: setting('LEAD_WEBHOOK_SECRET', webhookSecrets, '', { secret: true }),
  /** Verifies stop requests from the CRM. Two during rotation. Without one, they're refused. */
  crmStopSecrets: setting('CRM_STOP_SECRET', webhookSecrets, '', { secret: true }),
  webhookLanguage: setting('LEAD_WEBHOOK_LANGUAGE', onOrOff, 'off'),
  /** Also send people with spoken consent as `query`, which can't tell. */
  webhookSpoken: setting('LEAD_WEBHOOK_SPOKEN', onOrOff, 'off'),
  webhookRepeats: setting('LEAD_WEBHOOK_REPEATS', onOrOff, 'off'),
  webhookCalls: setting('LEAD_WEBHOOK_CALLS', onOrOff, 'off'),
  /** `auto`: on without a webhook. With one, the operator's CRM owns the calls. */
  callList: setting('CALL_LIST', oneOf('auto', 'on', 'off'), 'auto'),
  // A TV spot brings in about 1,800 leads in ten minutes.
  leadFloodLimit: setting('LEAD_FLOOD_LIMIT', atLeast(1, 'leads in ten minutes'), '3000'),
  alertUrl: optional('ALERT_WEBHOOK_URL', webhookUrl, { secret: 'path' }),
  smtpUrl: optional('SMTP_URL', smtpUrl, { secret: true }),
  mailFrom: optional('MAIL_FROM', mailFrom),
  /** Who reads about new leads and alerts. */
  mailTo: setting('MAIL_TO', mailAddresses, ''),
  /** A letter to each visitor, that we have their request. */
  visitorMail: setting('VISITOR_MAIL', onOrOff, 'off'),
  visitorMailName: optional('VISITOR_MAIL_NAME', neutralName),
  trustedForm: setting('TRUSTEDFORM', oneOf<TrustedFormMode>(...trustedFormModes), 'off'),
  /** Addresses and CIDR ranges of the proxies whose X-Forwarded-For header we trust. */
  trustProxy: setting('TRUST_PROXY', proxies, ''),
  /** URL parameters to store with a lead, in addition to utm_… and click IDs. */
  campaignParameters: setting('CAMPAIGN_PARAMETERS', campaignParameters, ''),
  // Required when there are multiple machines, which must agree on when a day starts.
  timeZone: setting('TIME_ZONE', timeZone, '', { default: "the machine's" }),
  /** In the called person's time zone. */
  callingHours: setting('CALLING_HOURS', callingHours, 'Mon-Sat 9:00-20:00'),
  erasureKey: optional('ERASURE_KEY', erasureKey, { default: '`erasure.key` in `DATA_DIR`', secret: true }),
  erasureList: optional('ERASURE_LIST', fromProject, { default: 'in `DATA_DIR`' }),
  // Repeat detection needs the last 30 days of leads.
  retentionDays: optional('LEAD_RETENTION_DAYS', atLeast(31, 'days'), { default: 'never' }),
  metricsPort: optional('METRICS_PORT', port),
  deskUrl: setting('DESK_URL', origin('https://desk.example.org'), 'http://localhost:3001'),
  deskPort: optional('DESK_PORT', port, { default: '3001' }),
} as const

type Field = keyof typeof settings
type Parsed = { readonly [Each in Field]: ReturnType<(typeof settings)[Each]['read']> }

/** The desk's URL for browsers, and where its process listens. */
export interface DeskAddress {
  readonly url: string
  readonly host: string
  readonly port: number
}

export interface Config extends Omit<Parsed, 'siteUrl' | 'erasureList' | 'deskUrl' | 'deskPort' | 'callList'> {
  /** Whether staff call leads from the desk. */
  readonly callList: boolean
  /** A CRM calls new leads, but promises and open calls stay in the desk until they're done. */
  readonly finishCalls: boolean
  /** SITE_URL, or where the server listens. */
  readonly siteUrl: string
  /** The hostname in SITE_URL. Leads sent to any other hostname are put on hold. Null if SITE_URL isn't set. */
  readonly publicHostname: string | null
  readonly hasTimeZone: boolean
  /** On an installation. In a checkout, `npm start` creates a store wherever DATA_DIR is. */
  readonly newStoreNeedsMarker: boolean
  /** Where the server writes what was reviewed, for the publisher, which has no access to the store. */
  readonly reviewedTexts: string
  readonly erasureList: string
  readonly desk: DeskAddress
  /** Null if there's no file. `secrets`: the names of secret settings in it. */
  readonly settingsFile: { readonly path: string; readonly secrets: readonly string[] } | null
}

/** The message lists every mistake, one per line. */
export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`Invalid configuration:\n${problems.map(problem => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

/** Reads the environment and, for anything not set there, the settings file. */
export function loadConfig(env: Environment = process.env): Config {
  const named = env['SETTINGS_FILE']?.trim() || undefined
  return readConfig(env, readSettingsFile(named ?? join(projectFolder, '.env'), named !== undefined))
}

/** Where the environment says that the desk is; null if it doesn't. For the demo: the settings file is for the real desk. */
export function deskAddressIn({ DESK_URL, DESK_PORT }: Environment = process.env): DeskAddress | null {
  return DESK_URL || DESK_PORT ? readConfig({ DESK_URL, DESK_PORT }).desk : null
}

export function readConfig(env: Environment, file: SettingsFile | null = null): Config {
  const names = Object.values(settings).map(({ name }) => name)
  const problems: string[] = [...(file?.problems ?? []), ...misspelled(env, file, names)]
  // A blank variable also overrides the file, so you can turn a setting off for one run.
  const textOf = (name: string) => (env[name] ?? file?.values[name])?.trim() || undefined
  const parsed = parseAll(textOf, problems)
  if (problems.length > 0) throw new ConfigError(problems)
  const { deskUrl: _, deskPort: __, ...values } = parsed
  const { host, port, siteUrl, dataDir } = values
  const config: Config = {
    ...values,
    siteUrl: siteUrl ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`,
    publicHostname: siteUrl === null ? null : new URL(siteUrl).hostname,
    callList: values.callList === 'auto' ? values.webhookUrl === null : values.callList === 'on',
    finishCalls: values.callList === 'auto' && values.webhookUrl !== null,
    hasTimeZone: textOf('TIME_ZONE') !== undefined,
    newStoreNeedsMarker: env['NEW_STORE_NEEDS_MARKER'] === 'yes',
    reviewedTexts: env['REVIEWED_TEXTS'] ?? join(parsed.dataDir, 'reviewed-texts.json'),
    erasureList: values.erasureList ?? join(dataDir, 'erasures.txt'),
    desk: deskAddress(parsed, problems),
    settingsFile: file && { path: file.path, secrets: secretNames.filter(name => file.values[name]) },
  }
  if (config.webhookRepeats && config.webhookFormat !== 'json') {
    const why = 'in a query string, a repeat looks like a new lead'
    problems.push(`LEAD_WEBHOOK_REPEATS is on, which requires LEAD_WEBHOOK_FORMAT=json: ${why}.`)
  }
  if (config.webhookCalls && config.webhookFormat !== 'json') {
    problems.push(
      'LEAD_WEBHOOK_CALLS is on, which requires LEAD_WEBHOOK_FORMAT=json: a query string can’t describe a call.',
    )
  }
  if (config.smtpUrl !== null && config.mailFrom === null) {
    problems.push('SMTP_URL is set, which requires MAIL_FROM: the address that mail comes from.')
  }
  if (config.mailTo.length > 0 && config.smtpUrl === null) {
    problems.push('MAIL_TO is set, which requires SMTP_URL: the server that sends mail.')
  }
  if (config.visitorMail && [siteUrl, config.smtpUrl, config.visitorMailName].includes(null)) {
    problems.push(
      'VISITOR_MAIL is on, which requires SMTP_URL; SITE_URL, for the link to /stop; and VISITOR_MAIL_NAME, a name that doesn’t say what it’s about.',
    )
  }
  if (problems.length > 0) throw new ConfigError(problems)
  return config
}

/** Whether the team hears of new leads by mail. With a CRM, that's where they come up. */
export const announcesLeads = ({
  smtpUrl,
  mailTo,
  callList,
}: Pick<Config, 'smtpUrl' | 'mailTo' | 'callList'>): boolean => smtpUrl !== null && mailTo.length > 0 && callList

/** False if leads stay in the outbox because there's no webhook, and staff call them from the desk. */
export const expectsDeliveries = ({ webhookUrl, callList }: Pick<Config, 'webhookUrl' | 'callList'>): boolean =>
  webhookUrl !== null || !callList

/** Whether the CRM can be told about stops and calls. The `query` format can't carry them. */
export const sendsEvents = ({ webhookUrl, webhookFormat }: Pick<Config, 'webhookUrl' | 'webhookFormat'>): boolean =>
  webhookUrl !== null && webhookFormat === 'json'

/** Null if leads are stored but not delivered. */
export const webhookOf = (
  config: Pick<Config, `webhook${'Url' | 'Format' | 'Language' | 'Spoken' | 'Secrets'}`>,
): Webhook | null =>
  config.webhookUrl === null
    ? null
    : {
        url: config.webhookUrl,
        format: config.webhookFormat,
        language: config.webhookLanguage,
        spoken: config.webhookSpoken,
        secrets: config.webhookSecrets,
      }

const secretNames = Object.values(settings).flatMap(({ name, secret }) =>
  secret !== false && name !== 'SITE_LEAD_ENDPOINT' ? [name] : [],
)

/** Null if there's no such setting. */
export const isSecret = (name: string): boolean | null =>
  Object.values(settings).some(each => each.name === name) ? secretNames.includes(name) : null

/** Messages don't quote secrets. */
function parseAll(textOf: (name: string) => string | undefined, problems: string[]): Parsed {
  const parsed: Partial<Record<Field, unknown>> = {}
  for (const [field, { name, read }] of Object.entries(settings)) {
    const text = textOf(name)
    try {
      parsed[field as Field] = read(text)
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error
      const subject = secretNames.includes(name) ? name : `${name} is ${JSON.stringify(text)}, but`
      // No period after a command that the operator will copy.
      problems.push(`${subject} ${error.message}${/Generate one with/.test(error.message) ? '' : '.'}`)
    }
  }
  return parsed as Parsed
}

/** Plain http works only for browsers on this machine. Anywhere else, cookies could be read in transit. */
function deskAddress({ deskUrl, deskPort, host }: Parsed, problems: string[]): DeskAddress {
  const url = new URL(deskUrl)
  if (url.protocol === 'https:') return { url: url.origin, host, port: deskPort ?? 3001 }
  if (url.hostname !== 'localhost') {
    problems.push(
      `DESK_URL is ${JSON.stringify(deskUrl)}, but plain http only works for http://localhost:3001. Anywhere else, the desk needs https.`,
    )
  }
  if (deskPort !== null)
    problems.push('DESK_PORT only applies if DESK_URL uses https. With http, put the port in DESK_URL.')
  return { url: url.origin, host: '127.0.0.1', port: Number(url.port || 80) }
}

/** For the operator. Secrets are never shown. */
export function currentSettings(config: Config): readonly { readonly name: string; readonly value: string }[] {
  const values: Readonly<Record<Field, unknown>> = {
    ...config,
    deskUrl: config.desk.url,
    deskPort: config.desk.port,
    callingHours: describeCallingHours(config.callingHours),
  }
  return Object.entries(settings).map(([field, { name, secret }]) => ({
    name,
    value: displayValue(values[field as Field], secret),
  }))
}

function displayValue(value: unknown, secret: boolean | 'path'): string {
  if (value === null || (Array.isArray(value) && value.length === 0)) return 'not set'
  if (secret === true) return 'set, not shown'
  if (secret === 'path' && value !== OWN_LEAD_ENDPOINT) return `${new URL(String(value)).origin}/… (path not shown)`
  if (typeof value === 'boolean') return value ? 'on' : 'off'
  return Array.isArray(value) ? value.join(', ') : String(value)
}
