import { expect, test } from 'vitest'
import { readySettings } from '../../tests/support/built-page.ts'
import { type LaunchSettings, settingFindings } from './settings.ts'

const found = (settings: Partial<LaunchSettings>) =>
  settingFindings({ ...readySettings, ...settings }).map(({ code, subject }) => `${code}:${subject}`)

test('complete settings pass', () => expect(found({})).toEqual([]))

const privateHosts = ['localhost', '192.168.0.4', '10.0.0.4:8443', '172.20.0.4', 'office.local', 'www.corp.internal']
const notPublic = ['http://www.acme.test', 'http://127.0.0.1:3000', ...privateHosts.map(host => `https://${host}`)]

test.each<[Partial<LaunchSettings>, string[]]>([
  ...notPublic.map((siteUrl): [object, string[]] => [{ siteUrl }, ['no_public_address:SITE_URL']]),
  [{ webhookUrl: null }, ['no_webhook:LEAD_WEBHOOK_URL']],
  [{ webhookUrl: null, callList: true }, ['calling_hours_unreviewed:CALL_LIST']],
  [{ callList: true }, ['calling_hours_unreviewed:CALL_LIST']],
  [{ webhookUrl: 'http://hooks.acme.test/' }, ['webhook_unencrypted:LEAD_WEBHOOK_URL']],
  [{ webhookUrl: 'http://127.0.0.1:5678/leads' }, []],
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
])('settings with %o: %j', (settings, expected) => expect(found(settings)).toEqual(expected))
