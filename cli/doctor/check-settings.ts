/** The doctor's look at settings that are right each by itself, but not together, and at who else can read them. */
import { existsSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { CONSENT_RECORD_DAYS, type Config } from '../../server/config.ts'
import { type Finding, findingsAbout } from './finding.ts'

const OTHERS_READ = 0o004

const { ok, warning } = findingsAbout('Settings')

type CheckedSettings = Pick<
  Config,
  'siteUrl' | 'trustProxy' | 'settingsFile' | 'erasureList' | 'dataDir' | 'retentionDays'
>

export function checkSettings(config: CheckedSettings): readonly Finding[] {
  const { siteUrl, trustProxy, settingsFile } = config
  const found = [...proxyFindings(siteUrl, trustProxy), ...secrecyFindings(settingsFile), ...erasureFindings(config)]
  const source = settingsFile ? `${settingsFile.path} and the environment` : 'the environment; there is no .env file'
  return [...(found.length === 0 ? [ok(`They have no faults. They come from ${source}.`)] : []), ...found]
}

function erasureFindings({ erasureList, dataDir, retentionDays }: CheckedSettings): readonly Finding[] {
  return [
    ...(dirname(erasureList) === dataDir && existsSync(erasureList)
      ? [
          warning(
            `Erasures are noted in ${erasureList}, which would be lost with the store. Set ERASURE_LIST to a file beside the ` +
              'backups, and move it there.',
          ),
        ]
      : []),
    ...(retentionDays !== null && retentionDays < CONSENT_RECORD_DAYS
      ? [
          warning(
            `Leads are erased after ${retentionDays} days. The Telemarketing Sales Rule (16 CFR 310.5) asks to keep the ` +
              `record of a consent for five years, ${CONSENT_RECORD_DAYS} days.`,
          ),
        ]
      : []),
  ]
}

function proxyFindings(siteUrl: string, trustProxy: readonly string[]): readonly Finding[] {
  if (!siteUrl.startsWith('https:') || trustProxy.length > 0) return []
  return [
    warning(
      'SITE_URL is https, so a proxy stands in front, but TRUST_PROXY is not set: all visitors seem to come from the ' +
        'proxy’s address, and after ten leads in ten minutes the next ones are held. Set TRUST_PROXY to that address.',
    ),
  ]
}

/** A group may be meant to read it, as that of the service is; everybody is never meant. */
function secrecyFindings(settingsFile: Config['settingsFile']): readonly Finding[] {
  if (settingsFile === null || settingsFile.secrets.length === 0 || process.platform === 'win32') return []
  const { path, secrets } = settingsFile
  if (((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & OTHERS_READ) === 0) return []
  return [
    warning(
      `Every user of this machine can read ${secrets.join(' and ')} in ${path}. Close it with: chmod o-rwx ${path}`,
    ),
  ]
}
