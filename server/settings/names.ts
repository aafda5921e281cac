/** The names of all settings, which of them are secret, and what a slip in a name was meant to be. */
import { lettersApart, nearest } from '../spelling.ts'
import type { SettingsFile } from './settings-file.ts'

export const settingNames = [
  'HOST',
  'PORT',
  'SITE_URL',
  'HSTS_SUBDOMAINS',
  'SITE_LEAD_ENDPOINT',
  'DATA_DIR',
  'DATABASE_URL',
  'LEAD_WEBHOOK_URL',
  'LEAD_WEBHOOK_FORMAT',
  'LEAD_WEBHOOK_SECRET',
  'LEAD_WEBHOOK_REPEATS',
  'LEAD_FLOOD_LIMIT',
  'ALERT_WEBHOOK_URL',
  'TRUSTEDFORM',
  'TRUST_PROXY',
  'CAMPAIGN_PARAMETERS',
  'TIME_ZONE',
  'ERASURE_KEY',
  'ERASURE_LIST',
  'LEAD_RETENTION_DAYS',
  'METRICS_PORT',
  'DESK_URL',
  'DESK_PORT',
] as const

export type SettingName = (typeof settingNames)[number]

/** The path of a webhook is often its only secret, and the address of a database holds a password. */
export const secretSettings: readonly SettingName[] = [
  'DATABASE_URL',
  'LEAD_WEBHOOK_URL',
  'LEAD_WEBHOOK_SECRET',
  'ALERT_WEBHOOK_URL',
  'ERASURE_KEY',
]

export type Environment = Readonly<Record<string, string | undefined>>

/**
 * A setting with a slip in its name would be ignored without a word, and leads would go nowhere. The environment is full
 * of other programs' variables, so there only names that are clearly ours are looked for.
 */
export function misspelt(env: Environment, file: SettingsFile | null): readonly string[] {
  const unknown = (name: string) => !settingNames.some(known => known === name)
  const ours = [...settingNames.filter(name => /^(LEAD|SITE|TRUST|ALERT|DESK)/.test(name)), 'SETTINGS_FILE']
  const inEnvironment = Object.keys(env)
    .filter(name => unknown(name) && name !== 'SETTINGS_FILE')
    .map(name => [name, ours.find(known => lettersApart(name, known) <= 2), 'the environment'] as const)
  const inFile = Object.keys(file?.values ?? {})
    .filter(unknown)
    .map(name => [name, nearest(name.toUpperCase(), settingNames), file?.path] as const)
  return [...inEnvironment, ...inFile]
    .filter(([, meant]) => meant)
    .map(([name, meant, place]) => `${name} in ${place} is not a setting. Is ${meant} meant?`)
}
