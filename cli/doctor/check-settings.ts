/** The doctor's look at settings that are right each by itself, but not together. */
import type { Config } from '../../server/config.ts'
import { type Finding, findingsAbout } from './finding.ts'

const { ok, warning } = findingsAbout('Settings')

export function checkSettings({ siteUrl, trustProxy }: Pick<Config, 'siteUrl' | 'trustProxy'>): readonly Finding[] {
  if (!siteUrl.startsWith('https:') || trustProxy.length > 0) return [ok('They have no faults.')]
  return [
    warning(
      'SITE_URL is https, so a proxy stands in front, but TRUST_PROXY is not set: all visitors seem to come from the ' +
        'proxy’s address, and after ten leads in ten minutes the next ones are held. Set TRUST_PROXY to that address.',
    ),
  ]
}
