import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, test, vi } from 'vitest'
import { ConfigError, readConfig, settings, settingsInForce } from './config.ts'

function faultsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.faults
    throw error
  }
  return []
}

describe('without any setting', () => {
  test('the site is served on loopback and leads are kept in ./data', () => {
    expect(readConfig({})).toEqual({
      host: '127.0.0.1',
      port: 3000,
      desk: { url: 'http://localhost:3001', host: '127.0.0.1', port: 3001 },
      siteUrl: 'http://127.0.0.1:3000',
      publicName: null,
      hstsSubdomains: false,
      leadEndpoint: '/api/leads',
      dataDir: resolve('data'),
      databaseUrl: null,
      webhookUrl: null,
      webhookFormat: 'query',
      webhookRepeats: false,
      webhookSecrets: [],
      alertUrl: null,
      leadFloodLimit: 3000,
      trustedForm: 'off',
      trustProxy: [],
      campaignParameters: [],
      timeZone: 'UTC',
      hasTimeZone: false,
      erasureKey: null,
      erasureList: resolve('data/erasures.txt'),
      retentionDays: null,
      metricsPort: null,
      settingsFile: null,
    })
  })

  test('a blank setting counts as none', () => {
    const blank = Object.fromEntries(
      ['HOST', 'PORT', 'SITE_URL', 'SITE_LEAD_ENDPOINT', 'DATA_DIR', 'DATABASE_URL'].map(name => [name, '  ']),
    )
    const leadSettings = {
      ALERT_WEBHOOK_URL: '',
      LEAD_WEBHOOK_URL: '',
      LEAD_WEBHOOK_SECRET: ' ',
      TRUSTEDFORM: '',
      TRUST_PROXY: ' , ',
    }
    expect(readConfig({ ...blank, ...leadSettings })).toEqual(readConfig({}))
  })
})

describe('host and port', () => {
  test('are taken as given', () => {
    expect(readConfig({ HOST: '0.0.0.0', PORT: ' 8080 ' })).toMatchObject({ host: '0.0.0.0', port: 8080 })
  })

  test('an IPv6 host is bracketed in the site address', () => {
    expect(readConfig({ HOST: '::1', PORT: '0' }).siteUrl).toBe('http://[::1]:0')
  })

  test.each(['-1', '65536', '80a', '3.5', '1e3', '0x50'])('the port %s is a fault', PORT => {
    expect(faultsOf({ PORT })).toEqual([`PORT is "${PORT}", but must be a number from 0 to 65535.`])
  })
})

test('the name in SITE_URL is that of the site, without a port', () => {
  expect(readConfig({ SITE_URL: 'https://www.Example.org:8443' }).publicName).toBe('www.example.org')
})

test('LEAD_FLOOD_LIMIT is a number of leads', () => {
  expect(readConfig({ LEAD_FLOOD_LIMIT: '20000' }).leadFloodLimit).toBe(20_000)
  for (const LEAD_FLOOD_LIMIT of ['0', '-1', 'many', '1.5', '1e3']) {
    expect(faultsOf({ LEAD_FLOOD_LIMIT })).toEqual([
      `LEAD_FLOOD_LIMIT is "${LEAD_FLOOD_LIMIT}", but must be a number of leads in ten minutes, 1 or more.`,
    ])
  }
})

test('HSTS_SUBDOMAINS is on or off', () => {
  expect(readConfig({ HSTS_SUBDOMAINS: 'on' }).hstsSubdomains).toBe(true)
  expect(readConfig({ HSTS_SUBDOMAINS: 'off' }).hstsSubdomains).toBe(false)
  expect(faultsOf({ HSTS_SUBDOMAINS: 'yes' })).toEqual(['HSTS_SUBDOMAINS is "yes", but must be on or off.'])
})

test('TIME_ZONE is a name of the time zone database, however it is capitalised', () => {
  expect(readConfig({ TIME_ZONE: 'america/new_york' }).timeZone).toBe('America/New_York')
  expect(faultsOf({ TIME_ZONE: 'Eastern' })).toEqual([
    'TIME_ZONE is "Eastern", but must be a name such as America/New_York or UTC.',
  ])
})

test('without TIME_ZONE, days begin with the machine’s', () => {
  vi.stubEnv('TZ', 'America/Denver')
  expect(readConfig({}).timeZone).toBe('America/Denver')
  vi.unstubAllEnvs()
})

test('METRICS_PORT is a port as well', () => {
  expect(readConfig({ METRICS_PORT: '9464' }).metricsPort).toBe(9464)
  expect(faultsOf({ METRICS_PORT: 'x' })).toEqual(['METRICS_PORT is "x", but must be a number from 0 to 65535.'])
})

describe('SITE_URL', () => {
  test('is kept as an origin', () => {
    expect(readConfig({ SITE_URL: 'https://www.example.org/' }).siteUrl).toBe('https://www.example.org')
  })

  test.each([
    'www.example.org',
    'ftp://example.org',
    'https://example.org/path',
    'https://example.org/?a=1',
    'https://me:secret@example.org',
  ])('%s is a fault', SITE_URL => {
    expect(faultsOf({ SITE_URL })).toHaveLength(1)
  })
})

describe('DESK_URL', () => {
  test('is on this machine when nothing is said', () => {
    const onThisMachine = { url: 'http://localhost:3001', host: '127.0.0.1', port: 3001 }
    expect(readConfig({ HOST: '0.0.0.0' }).desk).toEqual(onThisMachine)
    expect(readConfig({ DESK_URL: 'http://localhost:4000/' }).desk).toMatchObject({ host: '127.0.0.1', port: 4000 })
  })

  test('is elsewhere with https alone, which a proxy speaks for the process on DESK_PORT', () => {
    expect(readConfig({ DESK_URL: 'https://desk.example.org', DESK_PORT: '4001' }).desk).toEqual({
      url: 'https://desk.example.org',
      host: '127.0.0.1',
      port: 4001,
    })
  })

  test.each([
    { DESK_URL: 'http://desk.example.org' },
    { DESK_URL: 'http://127.0.0.1:3001' },
    { DESK_URL: 'https://example.org/desk' },
    { DESK_URL: 'desk.example.org' },
    { DESK_URL: 'http://localhost:3001', DESK_PORT: '3002' },
  ])('%j is a fault', settings => {
    expect(faultsOf(settings)).toHaveLength(1)
  })
})

describe('SITE_LEAD_ENDPOINT', () => {
  test('is our own receiver or an address elsewhere', () => {
    expect(readConfig({ SITE_LEAD_ENDPOINT: '/api/leads' }).leadEndpoint).toBe('/api/leads')
    expect(readConfig({ SITE_LEAD_ENDPOINT: 'https://hooks.example.org/a' }).leadEndpoint).toBe(
      'https://hooks.example.org/a',
    )
  })

  test.each(['/other', 'hooks.example.org', 'https://me:secret@hooks.example.org/'])('%s is a fault', endpoint => {
    expect(faultsOf({ SITE_LEAD_ENDPOINT: endpoint })).toHaveLength(1)
  })
})

describe('the lead service', () => {
  test('DATA_DIR is made absolute from the project’s folder, so that every program finds the same store', () => {
    expect(readConfig({ DATA_DIR: 'some/where' }).dataDir).toBe(resolve(import.meta.dirname, '../some/where'))
    expect(readConfig({ DATA_DIR: '/var/lib/leads' }).dataDir).toBe('/var/lib/leads')
  })

  test('a webhook on the same machine is a normal case', () => {
    const { webhookUrl } = readConfig({ LEAD_WEBHOOK_URL: 'http://localhost:5678/webhook/leads?source=site' })
    expect(webhookUrl).toBe('http://localhost:5678/webhook/leads?source=site')
  })

  test('the format of deliveries is the spec’s query string or JSON', () => {
    expect(readConfig({ LEAD_WEBHOOK_FORMAT: 'json' }).webhookFormat).toBe('json')
    expect(faultsOf({ LEAD_WEBHOOK_FORMAT: 'xml' })).toEqual([
      'LEAD_WEBHOOK_FORMAT is "xml", but must be query or json.',
    ])
  })

  test('repeats are delivered on request, and only as JSON, which says that they are repeats', () => {
    const json = { LEAD_WEBHOOK_FORMAT: 'json' }
    expect(readConfig({ ...json, LEAD_WEBHOOK_REPEATS: 'on' }).webhookRepeats).toBe(true)
    expect(readConfig(json).webhookRepeats).toBe(false)
    expect(faultsOf({ LEAD_WEBHOOK_REPEATS: 'on' })).toEqual([
      'LEAD_WEBHOOK_REPEATS is on, which needs LEAD_WEBHOOK_FORMAT=json: a query string looks like a new lead.',
    ])
  })

  describe('the secret that signs deliveries', () => {
    const secrets = (value: string) => readConfig({ LEAD_WEBHOOK_SECRET: value }).webhookSecrets
    const standard = (bytes: number) => `whsec_${Buffer.alloc(bytes, 'x').toString('base64')}`
    const MAKE = 'Make one with: echo "whsec_$(openssl rand -base64 32)"'

    test('is taken from 24 bytes on behind whsec_, and from 24 characters on as plain text', () => {
      expect(secrets(standard(24))).toEqual([standard(24)])
      expect(secrets('x'.repeat(24))).toEqual(['x'.repeat(24)])
    })

    test('may be two, separated by spaces, while one is replaced by the other', () => {
      expect(secrets(`${standard(32)}  ${'y'.repeat(24)}`)).toEqual([standard(32), 'y'.repeat(24)])
    })

    test.each([
      ['x'.repeat(23), 'LEAD_WEBHOOK_SECRET must have at least 24 characters.'],
      [
        standard(23),
        'LEAD_WEBHOOK_SECRET begins with whsec_, so the rest must be base64 of at least 24 bytes, but has 23.',
      ],
      ['whsec_', 'LEAD_WEBHOOK_SECRET begins with whsec_, so the rest must be base64 of at least 24 bytes, but has 0.'],
      // 24 bytes for a library that reads on behind what is not base64, and something else for one that does not.
      [
        `whsec_${'-'.repeat(32)}`,
        'LEAD_WEBHOOK_SECRET begins with whsec_, so the rest must be base64, with its padding.',
      ],
      [
        standard(25).replaceAll('=', ''),
        'LEAD_WEBHOOK_SECRET begins with whsec_, so the rest must be base64, with its padding.',
      ],
      [`${standard(24)} short`, 'LEAD_WEBHOOK_SECRET (secret 2) must have at least 24 characters.'],
    ])('%s is a fault, which does not repeat it', (value, fault) => {
      expect(faultsOf({ LEAD_WEBHOOK_SECRET: value })).toEqual([`${fault} ${MAKE}`])
    })

    test('is not a sentence: its words would be taken for secrets', () => {
      expect(faultsOf({ LEAD_WEBHOOK_SECRET: 'correct horse battery staple' })).toEqual([
        'LEAD_WEBHOOK_SECRET may list two secrets, separated by a space: a secret cannot contain spaces.',
      ])
    })
  })

  test.each(['hooks.example.org', 'mailto:a@example.org', 'https://me:hush@hooks.example.org/secret-path'])(
    'the webhook %s is a fault, which does not repeat it',
    LEAD_WEBHOOK_URL => {
      const [fault = '', ...others] = faultsOf({ LEAD_WEBHOOK_URL })
      expect(others).toEqual([])
      expect(fault).toContain('LEAD_WEBHOOK_URL must be an address')
      expect(fault).not.toContain('hush')
      expect(fault).not.toContain('secret-path')
    },
  )

  test.each(['off', 'sandbox', 'on'])('TRUSTEDFORM may be %s', TRUSTEDFORM => {
    expect(readConfig({ TRUSTEDFORM }).trustedForm).toBe(TRUSTEDFORM)
  })

  test('any other TRUSTEDFORM is a fault', () => {
    expect(faultsOf({ TRUSTEDFORM: 'yes' })).toEqual(['TRUSTEDFORM is "yes", but must be off, sandbox or on.'])
  })

  test('CAMPAIGN_PARAMETERS lists names, with commas or spaces between', () => {
    expect(readConfig({ CAMPAIGN_PARAMETERS: ' sub-id, aff_id,Click2 aff_id ' }).campaignParameters).toEqual([
      'sub-id',
      'aff_id',
      'Click2',
    ])
    const most = Array.from({ length: 20 }, (_, index) => `p${index}`)
    expect(readConfig({ CAMPAIGN_PARAMETERS: most.join() }).campaignParameters).toEqual(most)
    expect(faultsOf({ CAMPAIGN_PARAMETERS: [...most, 'one-more'].join() })).toEqual([
      expect.stringContaining('must list at most 20 names'),
    ])
    expect(readConfig({ CAMPAIGN_PARAMETERS: 'x'.repeat(40) }).campaignParameters).toHaveLength(1)
    for (const name of ['x'.repeat(41), 'a.b', 'é', "a'b", 'a=b']) {
      expect(faultsOf({ CAMPAIGN_PARAMETERS: `fine ${name}` })).toEqual([
        expect.stringContaining(`CAMPAIGN_PARAMETERS is ${JSON.stringify(`fine ${name}`)}, `),
      ])
    }
  })

  test('TRUST_PROXY lists addresses and ranges, with commas or spaces between', () => {
    expect(readConfig({ TRUST_PROXY: '10.0.0.1, 10.1.0.0/16 ::1,fd00::/8' }).trustProxy).toEqual([
      '10.0.0.1',
      '10.1.0.0/16',
      '::1',
      'fd00::/8',
    ])
  })

  test.each([
    '10.0.0',
    '10.0.0.0/33',
    '::1/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'proxy.local',
    'fe80::1%eth0',
    '1.2.3.4/-1',
  ])('the proxy %s is a fault', proxy => {
    const faults = faultsOf({ TRUST_PROXY: `127.0.0.1 ${proxy}` })
    expect(faults).toHaveLength(1)
    expect(faults[0]).toContain(JSON.stringify(proxy))
  })

  test.each([
    'postgres://db/leads',
    'postgresql://me:hush@db.example.org:5432/leads?sslmode=require',
    'postgres://me:hush@one:5432,two:5432/leads',
  ])('DATABASE_URL may be %s', url => {
    expect(readConfig({ DATABASE_URL: url }).databaseUrl).toBe(url)
  })

  test.each(['mysql://me:hush@db/leads', 'postgres://me:hush@db', 'postgres://me:hush@db/', 'db/leads'])(
    'DATABASE_URL must name a PostgreSQL and a database, and is not repeated: %s',
    url => {
      expect(faultsOf({ DATABASE_URL: url })).toEqual([
        'DATABASE_URL must be an address such as postgres://user:password@host:5432/database.',
      ])
    },
  )
})

test('every fault is reported at once, one a line', () => {
  const env = {
    PORT: 'x',
    SITE_URL: 'x',
    SITE_LEAD_ENDPOINT: 'x',
    LEAD_WEBHOOK_URL: 'x',
    TRUSTEDFORM: 'x',
    TRUST_PROXY: 'x',
    DATABASE_URL: 'x',
  }
  expect(faultsOf(env)).toHaveLength(7)
  expect(() => readConfig(env)).toThrow(/^The configuration has faults:\n( {2}- .+\n){6} {2}- .+$/)
  expect(() => readConfig({ PORT: 'x' })).toThrow(/^The configuration has a fault:\n {2}- PORT .+$/)
})

describe('erasure', () => {
  test('without settings there is no key, no retention, and the list is beside the store', () => {
    expect(readConfig({ DATA_DIR: '/srv/data' })).toMatchObject({
      erasureKey: null,
      retentionDays: null,
      erasureList: '/srv/data/erasures.txt',
    })
  })

  test.each([
    [{ ERASURE_KEY: 'too short' }, 'ERASURE_KEY must have 32 characters'],
    [{ ERASURE_KEY: 'k'.repeat(32), LEAD_RETENTION_DAYS: '30' }, 'must be a number of days, 31 or more'],
    [{ ERASURE_KEY: 'k'.repeat(32), LEAD_RETENTION_DAYS: 'ten' }, 'must be a number of days'],
  ])('%j is refused', (env, fault) => {
    expect(() => readConfig(env)).toThrow(fault)
  })
})

describe('documentation', () => {
  test('the README lists every setting with its default, and nothing else', () => {
    const rows = readFileSync('README.md', 'utf8').matchAll(/^\| `([A-Z_`, ]+)` +\|[^|]*\| (.*?) +\|$/gm)
    const listed = [...rows].flatMap(([, names = '', defaults = '']) => {
      const shown = defaults.split(', ')
      return names.split('`, `').map((name, index) => [name, shown[index]?.replaceAll('`', '')])
    })
    const expected = Object.values(settings).map(each => [each.name, each.default.replaceAll('`', '')])
    expect(listed.toSorted()).toEqual(expected.toSorted())
  })

  test('.env.example has every setting', () => {
    const names = [...readFileSync('.env.example', 'utf8').matchAll(/^# ([A-Z_]+)=/gm)].map(([, name]) => name)
    expect(names.toSorted()).toEqual(
      Object.values(settings)
        .map(({ name }) => name)
        .toSorted(),
    )
  })
})

describe('settings in force', () => {
  test('every setting is listed, and no secret is shown', () => {
    const shown = settingsInForce(
      readConfig({
        DATABASE_URL: 'postgres://leads:hunter2@db.example.org/leads',
        LEAD_WEBHOOK_URL: 'https://hooks.example.org/s3cret-path',
        LEAD_WEBHOOK_SECRET: `whsec_${'c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0'}`,
        ALERT_WEBHOOK_URL: 'https://alerts.example.org/an0ther-path',
        SITE_LEAD_ENDPOINT: 'https://elsewhere.example.org/th1rd-path',
        ERASURE_KEY: 'e'.repeat(40),
      }),
    )
    const text = JSON.stringify(shown)
    for (const secret of ['hunter2', 's3cret', 'c2VjcmV0', 'an0ther', 'th1rd', 'eeee']) {
      expect(text).not.toContain(secret)
    }
    expect(Object.fromEntries(shown.map(({ name, value }) => [name, value]))).toMatchObject({
      LEAD_WEBHOOK_URL: 'https://hooks.example.org/… (path not shown)',
      LEAD_WEBHOOK_SECRET: 'set, not shown',
      ERASURE_KEY: 'set, not shown',
      DATABASE_URL: 'set, not shown',
      TRUST_PROXY: 'not set',
      HSTS_SUBDOMAINS: 'off',
      DESK_URL: 'http://localhost:3001',
    })
  })
})
