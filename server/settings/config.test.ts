import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { expect, test, vi } from 'vitest'
import { type Config, ConfigError, currentSettings, deskAddressIn, readConfig, settings } from './config.ts'

function problemsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.problems
    throw error
  }
  return []
}

test('without settings, or with blank ones, the site is served on loopback and leads are stored in ./data', () => {
  const config = readConfig({})
  expect(config).toMatchObject({
    siteUrl: 'http://127.0.0.1:3000',
    publicHostname: null,
    leadEndpoint: '/api/leads',
    dataDir: resolve('data'),
    erasureList: resolve('data/erasures.txt'),
    databaseUrl: null,
    callList: true,
    finishCalls: false,
    timeZone: 'UTC',
    hasTimeZone: false,
    newStoreNeedsMarker: false,
    desk,
  })
  const blank = Object.values(settings).map(({ name }) => [name, name === 'TRUST_PROXY' ? ' , ' : '  '])
  expect(readConfig(Object.fromEntries(blank))).toEqual(config)
})

const desk = { url: 'http://localhost:3001', host: '127.0.0.1', port: 3001 }
const standard = (bytes: number) => `whsec_${Buffer.alloc(bytes, 'x').toString('base64')}`
const plain = 'y'.repeat(24)
const names = Array.from({ length: 20 }, (_, index) => `p${index}`)
const allNames = Object.values(settings)
  .map(({ name }) => name)
  .toSorted()

const url = 'https://hooks.example.org/a?b=1'
const databaseUrl = 'postgresql://me:hush@one:5432,two:5432/leads?sslmode=require'

/** An example value for each setting, and how it's parsed. */
const examples: readonly (readonly [name: string, text: string, read: Partial<Config>])[] = [
  ['HOST', '0.0.0.0', { host: '0.0.0.0' }],
  ['PORT', ' 8080 ', { port: 8080 }],
  ['SITE_URL', 'https://www.Example.org:8443/', { siteUrl: 'https://www.example.org:8443' }],
  ['HSTS_SUBDOMAINS', 'on', { hstsSubdomains: true, publicHostname: 'www.example.org' }],
  ['SITE_LEAD_ENDPOINT', url, { leadEndpoint: url }],
  // Every program must find the same store, no matter where it's started.
  ['SITE_FOLDER', '/srv/our-site', { siteFolder: '/srv/our-site' }],
  ['DATA_DIR', 'some/where', { dataDir: resolve(import.meta.dirname, '../../some/where') }],
  ['DATABASE_URL', databaseUrl, { databaseUrl }],
  ['LEAD_WEBHOOK_URL', url, { webhookUrl: url }],
  ['LEAD_WEBHOOK_FORMAT', 'json', { webhookFormat: 'json' }],
  ['LEAD_WEBHOOK_SECRET', `${standard(24)}  ${plain}`, { webhookSecrets: [standard(24), plain] }],
  ['CRM_STOP_SECRET', plain, { crmStopSecrets: [plain] }],
  ['LEAD_WEBHOOK_LANGUAGE', 'on', { webhookLanguage: true }],
  ['LEAD_WEBHOOK_SPOKEN', 'on', { webhookSpoken: true }],
  ['LEAD_WEBHOOK_REPEATS', 'on', { webhookRepeats: true }],
  ['LEAD_WEBHOOK_CALLS', 'on', { webhookCalls: true }],
  ['CALL_LIST', 'off', { callList: false, finishCalls: false }],
  ['LEAD_FLOOD_LIMIT', '20000', { leadFloodLimit: 20_000 }],
  ['ALERT_WEBHOOK_URL', url, { alertUrl: url }],
  ['SMTP_URL', 'smtps://me:hush@mail.example.org', { smtpUrl: 'smtps://me:hush@mail.example.org' }],
  ['MAIL_FROM', 'Team <team@example.org>', { mailFrom: 'Team <team@example.org>' }],
  ['MAIL_TO', 'ann@example.org, bob@example.org', { mailTo: ['ann@example.org', 'bob@example.org'] }],
  ['VISITOR_MAIL', 'on', { visitorMail: true }],
  ['VISITOR_MAIL_NAME', 'Harbor Light', { visitorMailName: 'Harbor Light' }],
  ['TRUSTEDFORM', 'sandbox', { trustedForm: 'sandbox' }],
  ['TRUST_PROXY', '10.0.0.1, 10.1.0.0/16 ::1', { trustProxy: ['10.0.0.1', '10.1.0.0/16', '::1'] }],
  ['CAMPAIGN_PARAMETERS', ' sub-id, aff_id,Click2 aff_id ', { campaignParameters: ['sub-id', 'aff_id', 'Click2'] }],
  ['TIME_ZONE', 'america/new_york', { timeZone: 'America/New_York', hasTimeZone: true }],
  ['CALLING_HOURS', 'Mon-Fri 9-17', { callingHours: { days: [1, 2, 3, 4, 5], open: 540, close: 1020 } }],
  ['ERASURE_KEY', 'e'.repeat(32), { erasureKey: 'e'.repeat(32) }],
  ['ERASURE_LIST', '/srv/erasures.txt', { erasureList: '/srv/erasures.txt' }],
  ['LEAD_RETENTION_DAYS', '31', { retentionDays: 31 }],
  ['METRICS_PORT', '9464', { metricsPort: 9464 }],
  ['DESK_URL', 'https://desk.example.org', {}],
  ['DESK_PORT', '4001', { desk: { url: 'https://desk.example.org', host: '0.0.0.0', port: 4001 } }],
]

test('every setting is read', () => {
  expect(examples.map(([name]) => name).toSorted()).toEqual(allNames)
  const expected = Object.assign(
    {
      settingsFile: null,
      newStoreNeedsMarker: false,
      reviewedTexts: resolve(import.meta.dirname, '../../some/where/reviewed-texts.json'),
    },
    ...examples.map(([, , read]) => read),
  )
  expect(readConfig(Object.fromEntries(examples.map(([name, text]) => [name, text])))).toEqual(expected)
})

test.each<[Readonly<Record<string, string>>, Partial<Config>]>([
  [{ HOST: '::1', PORT: '0' }, { siteUrl: 'http://[::1]:0' }],
  [{ HOST: '0.0.0.0' }, { desk }],
  [{ DESK_URL: 'http://localhost:4000/' }, { desk: { url: 'http://localhost:4000', host: '127.0.0.1', port: 4000 } }],
  [{ DATA_DIR: '/srv/data' }, { dataDir: '/srv/data', erasureList: '/srv/data/erasures.txt' }],
  [{ TRUSTEDFORM: 'on' }, { trustedForm: 'on' }],
  [{ CAMPAIGN_PARAMETERS: names.join() }, { campaignParameters: names }],
  [{ CAMPAIGN_PARAMETERS: 'x'.repeat(40) }, { campaignParameters: ['x'.repeat(40)] }],
  [{ DATABASE_URL: 'postgres://db/leads' }, { databaseUrl: 'postgres://db/leads' }],
])('%j is accepted', (env, expected) => expect(readConfig(env)).toMatchObject(expected))

test('without TIME_ZONE, the machine’s time zone is used', () => {
  vi.stubEnv('TZ', 'America/Denver')
  expect(readConfig({}).timeZone).toBe('America/Denver')
  vi.unstubAllEnvs()
})

const GENERATE = 'Generate one with: echo "whsec_$(openssl rand -base64 32)"'
const each = (name: string, values: readonly string[], problem: string) =>
  values.map((value): [Record<string, string>, string] => [
    { [name]: value },
    problem.replaceAll('VALUE', () => JSON.stringify(value)),
  ])
const secret = (value: string, problem: string): [Record<string, string>, string] => [
  { LEAD_WEBHOOK_SECRET: value },
  `LEAD_WEBHOOK_SECRET ${problem}`,
]

/** The error quotes the value, unless it might be a secret. */
test.each<[Readonly<Record<string, string>>, string]>([
  [{ VISITOR_MAIL: 'on' }, 'VISITOR_MAIL is on, which requires SMTP_URL; SITE_URL'],
  [{ VISITOR_MAIL_NAME: 'SSDI Advocate' }, 'VISITOR_MAIL_NAME is "SSDI Advocate", but must be a name'],
  [{ VISITOR_MAIL_NAME: 'Ayuda por Discapacidad' }, 'that doesn’t say what it’s about'],
  ...each('PORT', ['-1', '65536', '80a', '3.5', '1e3', '0x50'], 'PORT is VALUE, but must be a number from 0 to 65535.'),
  ...each('METRICS_PORT', ['x'], 'METRICS_PORT is VALUE, but must be a number from 0 to 65535.'),
  ...each('LEAD_FLOOD_LIMIT', ['0', '1.5'], 'VALUE, but must be a number of leads in ten minutes, 1 or more.'),
  ...each('HSTS_SUBDOMAINS', ['yes'], 'HSTS_SUBDOMAINS is VALUE, but must be on or off.'),
  ...each(
    'CALLING_HOURS',
    ['8-20'],
    'CALLING_HOURS is VALUE, but can only narrow the hours allowed everywhere, Mon-Sat 9:00-20:00.',
  ),
  ...each('TIME_ZONE', ['Eastern'], 'TIME_ZONE is VALUE, but must be a name such as America/New_York or UTC.'),
  ...each('SITE_URL', ['www.example.org', 'ftp://example.org', 'https://me:x@example.org'], 'must be a URL such as'),
  ...each('SITE_URL', ['https://example.org/path', 'https://example.org/?a=1'], 'VALUE, but must be a URL such as'),
  ...each('DESK_URL', ['http://desk.example.org', 'http://127.0.0.1:3001'], 'Anywhere else, the desk needs https.'),
  ...each('DESK_URL', ['https://example.org/desk', 'desk.example.org'], 'DESK_URL is VALUE, but must be a URL'),
  [{ DESK_URL: 'http://localhost:3001', DESK_PORT: '3002' }, 'DESK_PORT only applies if DESK_URL uses https.'],
  ...each('SITE_LEAD_ENDPOINT', ['/other', 'example.org', 'https://me:secret@example.org/'], 'must be /api/leads or'),
  ...each('LEAD_WEBHOOK_FORMAT', ['xml'], 'LEAD_WEBHOOK_FORMAT is VALUE, but must be query or json.'),
  [{ LEAD_WEBHOOK_REPEATS: 'on' }, 'LEAD_WEBHOOK_REPEATS is on, which requires LEAD_WEBHOOK_FORMAT=json'],
  [{ LEAD_WEBHOOK_CALLS: 'on' }, 'LEAD_WEBHOOK_CALLS is on, which requires LEAD_WEBHOOK_FORMAT=json'],
  secret('x'.repeat(23), `must have at least 24 characters. ${GENERATE}`),
  secret(standard(23), `starts with whsec_, so the rest must be base64 of at least 24 bytes, but has 23. ${GENERATE}`),
  // A lenient base64 decoder gets 24 bytes; a strict one rejects it.
  secret(`whsec_${'-'.repeat(32)}`, `starts with whsec_, so the rest must be base64, with its padding. ${GENERATE}`),
  secret(standard(25).replaceAll('=', ''), 'starts with whsec_, so the rest must be base64, with its padding.'),
  secret(`${standard(24)} short`, `(secret 2) must have at least 24 characters. ${GENERATE}`),
  secret('correct horse battery staple', 'can list at most two secrets, separated by a space'),
  ...each('LEAD_WEBHOOK_URL', ['mailto:a@example.org', 'https://me:hush@example.org/'], 'must be a URL'),
  ...each('TRUSTEDFORM', ['yes'], 'TRUSTEDFORM is VALUE, but must be off, sandbox, or on.'),
  ...each('CAMPAIGN_PARAMETERS', [[...names, 'one-more'].join()], 'must list at most 20 names'),
  ...each('CAMPAIGN_PARAMETERS', ['x'.repeat(41), 'a.b', 'é', "a'b", 'a=b'], 'CAMPAIGN_PARAMETERS is VALUE, '),
  ...each(
    'TRUST_PROXY',
    ['10.0.0', '10.0.0.0/33', '::1/129', '10.0.0.0/', '10.0.0.0/8/8', 'proxy.local', 'fe80::1%eth0', '1.2.3.4/-1'],
    'TRUST_PROXY is VALUE, but VALUE is not an address or a range',
  ),
  ...each(
    'DATABASE_URL',
    ['mysql://me:hush@db/leads', 'postgres://me:hush@db', 'postgres://me:hush@db/', 'db/leads'],
    'DATABASE_URL must be a URL such as postgres://user:password@host:5432/database.',
  ),
  [{ ERASURE_KEY: 'too short' }, 'ERASURE_KEY must have at least 32 characters'],
  ...each('LEAD_RETENTION_DAYS', ['30', 'ten'], 'VALUE, but must be a number of days, 31 or more.'),
])('%j is rejected', (env, problem) => {
  const problems = problemsOf(env)
  expect(problems).toEqual([expect.stringContaining(problem)])
  expect(problems[0]).not.toContain('hush')
})

test('docs/settings.md lists every setting with its default, and nothing else', () => {
  const rows = readFileSync('docs/settings.md', 'utf8').matchAll(/^\| `([A-Z_`, ]+)` +\|[^|]*\| (.*?) +\|$/gm)
  const listed = [...rows].flatMap(([, names = '', defaults = '']) => {
    const shown = defaults.split(', ')
    return names.split('`, `').map((name, index) => [name, shown[index]?.replaceAll('`', '')])
  })
  const expected = Object.values(settings).map(each => [each.name, each.default.replaceAll('`', '')])
  expect(listed.toSorted()).toEqual(expected.toSorted())
})

test('.env.example lists every setting; deploy/compose.yaml passes on all but the ones the image sets', () => {
  const namesIn = (text: string, line: RegExp) => [...text.matchAll(line)].map(([, name]) => name).toSorted()
  expect(namesIn(readFileSync('.env.example', 'utf8'), /^# ([A-Z_]+)=/gm)).toEqual(allNames)
  const compose = readFileSync('deploy/compose.yaml', 'utf8')
  const [, environment = ''] = /environment: &settings\n((?: {6}.*\n)+)/.exec(compose) ?? []
  const setByImage = ['HOST', 'PORT', 'DATA_DIR', 'METRICS_PORT', 'DESK_PORT']
  expect(namesIn(environment, /^ {6}([A-Z_]+):/gm)).toEqual(allNames.filter(name => !setByImage.includes(name)))
})

test('the settings summary lists every setting and shows no secrets', () => {
  const path = 'https://hooks.example.org/hush'
  const shown = currentSettings(
    readConfig({
      DATABASE_URL: 'postgres://leads:hush@db.example.org/leads',
      LEAD_WEBHOOK_URL: path,
      LEAD_WEBHOOK_SECRET: 'hush'.repeat(6),
      ALERT_WEBHOOK_URL: path,
      SITE_LEAD_ENDPOINT: path,
      ERASURE_KEY: 'hush'.repeat(10),
    }),
  )
  expect(JSON.stringify(shown)).not.toContain('hush')
  expect(shown.map(({ name }) => name).toSorted()).toEqual(allNames)
  expect(Object.fromEntries(shown.map(({ name, value }) => [name, value]))).toMatchObject({
    LEAD_WEBHOOK_URL: 'https://hooks.example.org/… (path not shown)',
    LEAD_WEBHOOK_SECRET: 'set, not shown',
    TRUST_PROXY: 'not set',
    CALLING_HOURS: 'Monday to Saturday, 9:00 AM to 8:00 PM',
  })
})

test('the demo listens where the environment says, if it does', () => {
  expect(deskAddressIn({ DESK_URL: 'http://localhost:4000' })).toMatchObject({
    url: 'http://localhost:4000',
    port: 4000,
  })
  expect(deskAddressIn({})).toBeNull()
})
