/** The settings as they are in force, for operators to look at. What is secret is told of and never shown. */
import type { Config } from '../config.ts'
import type { SettingName } from './names.ts'

export interface SettingInForce {
  readonly name: SettingName
  readonly value: string
}

export function settingsInForce(config: Config): readonly SettingInForce[] {
  const { desk } = config
  // The compiler sees to it that none is forgotten.
  const values: Readonly<Record<SettingName, string>> = {
    HOST: config.host,
    PORT: String(config.port),
    SITE_URL: config.siteUrl,
    HSTS_SUBDOMAINS: onOrOff(config.hstsSubdomains),
    SITE_LEAD_ENDPOINT: config.leadEndpoint.startsWith('/') ? config.leadEndpoint : nameOf(config.leadEndpoint),
    DATA_DIR: config.dataDir,
    DATABASE_URL: setOrNot(config.databaseUrl),
    LEAD_WEBHOOK_URL: nameOf(config.webhookUrl),
    LEAD_WEBHOOK_FORMAT: config.webhookFormat,
    LEAD_WEBHOOK_SECRET: ['not set', 'set, not shown', 'two are set, not shown'][config.webhookSecrets.length] ?? '',
    LEAD_WEBHOOK_REPEATS: onOrOff(config.webhookRepeats),
    LEAD_FLOOD_LIMIT: String(config.leadFloodLimit),
    ALERT_WEBHOOK_URL: nameOf(config.alertUrl),
    TRUSTEDFORM: config.trustedForm,
    TRUST_PROXY: listed(config.trustProxy),
    CAMPAIGN_PARAMETERS: listed(config.campaignParameters),
    TIME_ZONE: config.timeZone,
    ERASURE_KEY: setOrNot(config.erasureKey),
    ERASURE_LIST: config.erasureList,
    LEAD_RETENTION_DAYS: config.retentionDays === null ? 'never' : String(config.retentionDays),
    METRICS_PORT: config.metricsPort === null ? 'none' : String(config.metricsPort),
    DESK_URL: desk.url,
    DESK_PORT: String(desk.port),
  }
  return Object.entries(values).map(([name, value]) => ({ name: name as SettingName, value }))
}

function onOrOff(value: boolean): string {
  return value ? 'on' : 'off'
}

function setOrNot(value: string | null): string {
  return value === null ? 'not set' : 'set, not shown'
}

function listed(values: readonly string[]): string {
  return values.length === 0 ? 'none' : values.join(', ')
}

/** The path of a webhook is often its only secret. */
function nameOf(url: string | null): string {
  return url === null ? 'not set' : `${new URL(url).origin}/… (path not shown)`
}
