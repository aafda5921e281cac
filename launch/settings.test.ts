import { expect, test } from 'vitest'
import { readySettings } from '../tests/support/built-page.ts'
import { type LaunchSettings, settingFindings } from './settings.ts'

const found = (settings: Partial<LaunchSettings>) =>
  settingFindings({ ...readySettings, ...settings }).map(({ code, subject }) => `${code}:${subject}`)

test('complete settings pass', () => expect(found({})).toEqual([]))

test.each<[Partial<LaunchSettings>, string[]]>([
  [{ webhookUrl: null }, ['no_webhook:LEAD_WEBHOOK_URL']],
  [{ webhookUrl: 'http://hooks.acme.test/' }, ['webhook_unencrypted:LEAD_WEBHOOK_URL']],
  [{ webhookUrl: 'http://127.0.0.1:5678/leads' }, []],
  [{ siteUrl: 'http://www.acme.test' }, ['no_public_address:SITE_URL']],
  [{ siteUrl: 'http://127.0.0.1:3000' }, ['no_public_address:SITE_URL']],
  [{ siteUrl: 'https://localhost' }, ['no_public_address:SITE_URL']],
  [{ siteUrl: 'https://192.168.0.4' }, ['no_public_address:SITE_URL']],
  [{ siteUrl: 'https://10.0.0.4:8443' }, ['no_public_address:SITE_URL']],
  [{ siteUrl: 'https://172.20.0.4' }, ['no_public_address:SITE_URL']],
  [{ siteUrl: 'https://office.local' }, ['no_public_address:SITE_URL']],
  [{ siteUrl: 'https://www.corp.internal' }, ['no_public_address:SITE_URL']],
  [{ siteUrl: 'https://10.example-advocates.com' }, []],
  [{ siteUrl: 'https://www.example.org' }, ['example_address:SITE_URL']],
  [{ webhookUrl: 'https://hooks.example.org/leads' }, ['example_address:LEAD_WEBHOOK_URL']],
  [{ alertUrl: 'https://hooks.example.org/services/x' }, ['example_address:ALERT_WEBHOOK_URL']],
  [{ trustProxy: [] }, ['no_trusted_proxy:TRUST_PROXY']],
  [{ trustProxy: ['0.0.0.0/0'] }, ['proxy_trusts_everybody:TRUST_PROXY']],
  [{ trustedForm: 'off' }, ['trusted_form_off:TRUSTEDFORM']],
  [{ trustedForm: 'sandbox' }, ['trusted_form_off:TRUSTEDFORM']],
  [{ temporaryStore: '/tmp/x is temporary' }, ['temporary_store:DATA_DIR']],
  [{ alertUrl: null }, ['no_alert_address:ALERT_WEBHOOK_URL']],
  [{ hasTimeZone: false }, ['no_time_zone:TIME_ZONE']],
  [
    { leadEndpoint: 'http://hooks.acme.test/', webhookUrl: null },
    ['leads_bypass_record:SITE_LEAD_ENDPOINT', 'webhook_unencrypted:SITE_LEAD_ENDPOINT'],
  ],
])('%o', (settings, expected) => expect(found(settings)).toEqual(expected))
