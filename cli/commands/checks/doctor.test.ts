import { execFileSync } from 'node:child_process'
import { chmodSync, truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { migrations } from '../../../server/store/migrations/steps.ts'
import { storeFile } from '../../../server/store/sqlite/files.ts'
import { openSqliteStore } from '../../../server/store/sqlite/sqlite-store.ts'
import { MisbehavingWebhook } from '../../../tests/faults/webhook.ts'
import { createStore, insertLeads, someLead } from '../../../tests/support/lead-fixtures.ts'
import { leads, NOW } from '../../../tests/support/leads-command.ts'
import { mountOwnDisk } from '../../../tests/support/own-disk.ts'
import { listen, Receiver } from '../../../tests/support/receiver.ts'
import { trustTestCertificate } from '../../../tests/support/test-certificate.ts'

let store: Awaited<ReturnType<typeof createStore>>
beforeEach(async () => {
  store = await createStore()
})
afterEach(() => store.remove())

async function withReceiver<T>(work: (url: string, receiver: Receiver) => Promise<T>): Promise<T> {
  const receiver = new Receiver()
  const server = await listen(receiver.handle)
  try {
    return await work(server.url, receiver)
  } finally {
    await server.close()
  }
}

test('when all is well every line is ok, and no lead was sent', async () => {
  await withReceiver(async (url, receiver) => {
    insertLeads(store.file, [{ delivery: 'delivered' }])
    const env = {
      ...{ LEAD_WEBHOOK_URL: `${url}/secret-path`, LEAD_WEBHOOK_SECRET: 'hush-nobody-may-know-it!' },
      ALERT_WEBHOOK_URL: `${url}/secret-path`,
      ...{ SITE_URL: 'https://www.example.org', TRUST_PROXY: '127.0.0.1', PORT: await readyServer(200) },
    }
    const { code, out, err } = await leads(['doctor'], { ...store, env })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.replace(/^ok .*\n/gm, '')).toBe('\nAll is well.\n')
    for (const words of [
      `version ${migrations.length}`,
      'full sync',
      'quick check',
      'takes writes',
      'free',
      'can be reached',
      'signed',
    ]) {
      expect(out).toContain(words)
    }
    expect(out).not.toContain('secret-path')
    expect(out).not.toContain('hush')
    expect(receiver.leads).toEqual([])
  })
})

/** A server that says of itself that it is ready, or not; answers with its port. */
async function readyServer(status: number): Promise<string> {
  const server = await listen(
    (request, response) => void response.writeHead(request.url === '/readyz' ? status : 500).end(),
  )
  onTestFinished(server.close)
  return new URL(server.url).port
}

describe('the server', () => {
  const lineAbout = async (env: Readonly<Record<string, string>>) =>
    /^.* {2}Server {2}.*$/m.exec((await leads(['doctor'], { ...store, env })).out)?.[0]

  test('that runs and is ready is ok', async () => {
    const PORT = await readyServer(200)
    expect(await lineAbout({ PORT })).toBe(`ok       Server    It runs at 127.0.0.1:${PORT} and is ready.`)
    expect(await lineAbout({ PORT, HOST: '0.0.0.0' })).toContain('is ready')
  })

  test('that runs and is not ready is a fault', async () => {
    expect(await lineAbout({ PORT: await readyServer(503) })).toMatch(/^fault .* but is not ready/)
  })

  test('that does not run is a warning, and so is another in its place', async () => {
    expect(await lineAbout({})).toMatch(/^warning .* does not run at 127\.0\.0\.1:9/)
    expect(await lineAbout({ PORT: await readyServer(404) })).toMatch(/^warning .* Something else/)
  })
})

test('an https address without a trusted proxy is a warning: all visitors would share one address', async () => {
  const warning = /^warning {2}Settings .*TRUST_PROXY is not set/m
  const SITE_URL = 'https://www.example.org'
  expect((await leads(['doctor'], { ...store, env: { SITE_URL } })).out).toMatch(warning)
  expect((await leads(['doctor'], { ...store, env: { SITE_URL, TRUST_PROXY: '10.0.0.1' } })).out).not.toMatch(warning)
  expect((await leads(['doctor'], store)).out).not.toMatch(warning)
})

describe('a settings file that holds a secret', () => {
  const settings = (text: string, mode: number) => {
    const path = join(store.dataDir, 'settings.env')
    writeFileSync(path, `DATA_DIR=${store.dataDir}\nPORT=9\n${text}`)
    chmodSync(path, mode)
    return path
  }
  const settingsLine = async (settingsFile: string) =>
    /^.* {2}Settings {2}.*$/m.exec((await leads(['doctor'], { settingsFile })).out)?.[0]

  test('and that everybody can read is a warning, with the cure', async () => {
    const path = settings('LEAD_WEBHOOK_SECRET=hush-nobody-may-know-it!\n', 0o644)
    expect(await settingsLine(path)).toBe(
      `warning  Settings  Every user of this machine can read LEAD_WEBHOOK_SECRET in ${path}. Close it with: chmod o-rwx ${path}`,
    )
    execFileSync('chmod', ['o-rwx', path])
    expect(await settingsLine(path)).toMatch(/^ok /)
  })

  test('is no warning for its owner and a group, nor without a secret in it', async () => {
    expect(await settingsLine(settings('LEAD_WEBHOOK_SECRET=hush-nobody-may-know-it!\n', 0o640))).toMatch(/^ok /)
    const open = settings('LEAD_WEBHOOK_SECRET=\n', 0o644)
    expect(await settingsLine(open)).toBe(
      `ok       Settings  They have no faults. They come from ${open} and the environment.`,
    )
  })
})

test('every fault of the settings is a line', async () => {
  const { code, out } = await leads(['doctor'], { ...store, env: { PORT: 'x', TRUSTEDFORM: 'x' } })
  expect(code).toBe(1)
  expect(out).toMatch(/^fault {4}Settings {2}PORT .*\nfault {4}Settings {2}TRUSTEDFORM .*\n\n2 faults, 0 warnings\.\n$/)
})

describe('the store', () => {
  test('that is not there yet is a warning, and is not made', async () => {
    const dataDir = `${store.dataDir}/none`
    const { code, out } = await leads(['doctor'], { dataDir })
    expect(code).toBe(0)
    expect(out).toContain(`warning  Store     There is no store at ${dataDir}/leads.sqlite yet.`)
    expect((await leads(['doctor'], { dataDir })).out).toBe(out)
  })

  test('that is damaged is a fault', async () => {
    insertLeads(
      store.file,
      Array.from({ length: 500 }, () => ({})),
    )
    truncateSync(store.file, 60_000)
    const { code, out } = await leads(['doctor'], store)
    expect(code).toBe(1)
    expect(out).toMatch(/^fault {4}Store .*damaged.*/m)
  })

  test('that is no database is a fault', async () => {
    writeFileSync(store.file, 'not a database, however long it may be'.repeat(100))
    const { code, out } = await leads(['doctor'], store)
    expect(code).toBe(1)
    expect(out).toMatch(/^fault {4}Store .*is not a database/m)
  })

  test('without a write-ahead log is a warning, and stays as it is', async () => {
    const database = new DatabaseSync(store.file)
    database.exec('PRAGMA journal_mode = DELETE')
    database.close()
    for (const _ of ['first', 'second']) {
      expect((await leads(['doctor'], store)).out).toMatch(/^warning {2}Store .*its journal is delete/m)
    }
  })

  const disk = mountOwnDisk()
  test.runIf(disk)('on a full disk is a fault: the write is really made', async () => {
    const dataDir = disk?.folder ?? ''
    onTestFinished(() => disk?.remove())
    await openSqliteStore(storeFile(dataDir)).close()
    expect((await leads(['doctor'], { dataDir })).out).toContain('ok       Store     It takes writes.')
    disk?.fill()
    const { code, out } = await leads(['doctor'], { dataDir })
    expect(code).toBe(1)
    expect(out).toContain('fault    Store     It takes no writes: the disk is full.')
  })

  test('that is locked is a warning', async () => {
    const other = new DatabaseSync(store.file)
    other.exec('BEGIN IMMEDIATE')
    const { code, out } = await leads(['doctor'], store)
    other.close()
    expect(code).toBe(0)
    expect(out).toContain('warning  Store     Another program has held it locked')
  })
})

describe('other users of the machine', () => {
  test('who are kept out are a line that is ok', async () => {
    expect((await leads(['doctor'], store)).out).toContain('ok       Store     It is closed to other users')
  })

  test('who can get at the store, its log or its folder are a warning, and what it says mends it', async () => {
    const dataDir = join(store.dataDir, "the operator's data")
    const file = join(dataDir, 'leads.sqlite')
    const server = openSqliteStore(file)
    chmodSync(dataDir, 0o755)
    chmodSync(file, 0o640)
    chmodSync(`${file}-wal`, 0o604)
    const { code, out } = await leads(['doctor'], { dataDir })
    const [, modes, command] = /open to other users of this machine: (.*)\. Close it with: (.*)/.exec(out) ?? []
    expect(code).toBe(0)
    expect(modes).toBe(`${dataDir} (mode 755), ${file} (mode 640), ${file}-wal (mode 604)`)
    execFileSync('sh', ['-c', command ?? ''])
    expect((await leads(['doctor'], { dataDir })).out).toContain('ok       Store     It is closed to other users')
    await server.close()
  })

  test('who can get at nothing but the folder are a warning about that', async () => {
    const { dataDir } = store
    for (const mode of ['711', '701', '750']) {
      chmodSync(dataDir, mode)
      const words = `open to other users of this machine: ${dataDir} (mode ${mode}). Close it with: chmod go-rwx ${dataDir}\n`
      expect((await leads(['doctor'], store)).out).toContain(words)
    }
  })
})

describe('the backlog', () => {
  test('what waits a while is no reason to worry', async () => {
    insertLeads(store.file, [{ receivedAt: NOW - 5 * 60_000 }])
    expect((await leads(['doctor'], store)).out).toContain(
      'ok       Backlog   1 lead waits for delivery, the oldest for 5 min.',
    )
  })

  test('what waits for long, was given up or is held is a warning', async () => {
    insertLeads(store.file, [
      {},
      { receivedAt: someLead.receivedAt + 1 },
      { delivery: 'dead' },
      { state: 'held', delivery: null },
      { state: 'held', delivery: null },
    ])
    const { code, out } = await leads(['doctor'], store)
    expect(code).toBe(0)
    expect(out).toContain('warning  Backlog   2 leads wait for delivery, the oldest for 24 h.')
    expect(out).toContain('warning  Backlog   1 delivery was given up')
    expect(out).toContain('warning  Backlog   2 leads are held for a look')
  })
})

describe('alerts', () => {
  test('that go to the log only are a warning', async () => {
    expect((await leads(['doctor'], store)).out).toContain('warning  Alerts    ALERT_WEBHOOK_URL is not set')
    const env = { ALERT_WEBHOOK_URL: 'https://hooks.example.org/secret-path' }
    const { out } = await leads(['doctor'], { ...store, env })
    expect(out).toContain('ok       Alerts    They go to hooks.example.org as well as to the log.')
    expect(out).not.toContain('secret-path')
  })

  test('that stand are warnings, those that are over are not', async () => {
    const opened = openSqliteStore(store.file, { now: () => NOW - 3_600_000 })
    const alert = { id: 'one', code: 'leads_refused', text: 'Leads are refused.', source: 'web-1', startedAt: 1 }
    await opened.raiseAlert({ id: 'two', code: 'held_leads_waiting', text: '2 leads are held.', worse: false })
    await opened.keepAlert({ ...alert, endedAt: NOW - 1000 })
    await opened.close()
    const { out } = await leads(['doctor'], store)
    expect(out).toContain('warning  Alerts    For 1 h: 2 leads are held.')
    expect(out).not.toContain('Leads are refused.')
  })
})

describe('the webhook', () => {
  test('that is not set is a warning', async () => {
    expect((await leads(['doctor'], store)).out).toContain('warning  Webhook   LEAD_WEBHOOK_URL is not set')
  })

  test('where nothing listens is a fault', async () => {
    const url = await withReceiver(async closedSoon => closedSoon)
    const { code, out } = await leads(['doctor'], { ...store, env: { LEAD_WEBHOOK_URL: url } })
    expect(code).toBe(1)
    expect(out).toMatch(/^fault {4}Webhook {3}127\.0\.0\.1:\d+ cannot be reached: nothing listens there/m)
  })

  test('that does not speak TLS is a fault for an https address', async () => {
    const server = createServer(socket => socket.on('error', () => {}).end('plain words'))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const env = { LEAD_WEBHOOK_URL: `https://127.0.0.1:${port}/` }
    const { code, out } = await leads(['doctor'], { ...store, env })
    server.close()
    expect(code).toBe(1)
    expect(out).toMatch(/^fault {4}Webhook .*cannot be reached/m)
  })

  test.each([
    [{}, 'ok       Webhook   Leads are sent as a query string, without consent or page.'],
    [{ LEAD_WEBHOOK_FORMAT: 'json' }, 'ok       Webhook   Leads are sent as JSON.'],
    [{}, 'ok       Webhook   Deliveries are not signed'],
    [{ LEAD_WEBHOOK_SECRET: 'x'.repeat(24) }, 'ok       Webhook   Deliveries are signed.'],
    [
      { LEAD_WEBHOOK_SECRET: `${'x'.repeat(24)} ${'y'.repeat(24)}` },
      'ok       Webhook   Deliveries are signed with two secrets. Remove the old one',
    ],
    [
      { LEAD_WEBHOOK_FORMAT: 'json', LEAD_WEBHOOK_SECRET: 'x'.repeat(24) },
      'warning  Webhook   LEAD_WEBHOOK_SECRET does not begin with whsec_',
    ],
  ])('with %o is told of: %s', async (env, line) => {
    await withReceiver(async url => {
      expect((await leads(['doctor'], { ...store, env: { LEAD_WEBHOOK_URL: url, ...env } })).out).toContain(line)
    })
  })

  test('over https is reached when its certificate is trusted, and else a fault', async () => {
    const webhook = new MisbehavingWebhook('https')
    await webhook.up()
    const distrust = trustTestCertificate()
    for (const host of ['localhost', '127.0.0.1']) {
      const env = { LEAD_WEBHOOK_URL: `https://${host}:${webhook.port}/` }
      expect((await leads(['doctor'], { ...store, env })).out).toContain('can be reached over a secure connection')
    }
    distrust()
    const { code, out } = await leads(['doctor'], { ...store, env: { LEAD_WEBHOOK_URL: webhook.url } })
    await webhook.down()
    expect(code).toBe(1)
    expect(out).toMatch(/^fault {4}Webhook .*cannot be reached: its certificate is not trusted/m)
    expect(webhook.deliveries).toEqual([])
  })

  test('that is elsewhere and not https is a warning', async () => {
    // An address that is never routed: whether it fails at once or not, the line about encryption is there.
    const { out } = await leads(['doctor'], { ...store, env: { LEAD_WEBHOOK_URL: 'http://0.0.0.0:1/' } })
    expect(out).toContain('warning  Webhook   Leads travel to it unencrypted')
  })
})

test('the words say what the colours say', async () => {
  const coloured = await leads(['doctor'], { ...store, terminal: { colours: true } })
  expect(coloured.out).toContain('\u001b[33mwarning')
  expect((await leads(['doctor'], { ...store, terminal: { colours: false } })).out).not.toContain('\u001b[3')
})

describe('erasure', () => {
  const settings = { ERASURE_KEY: 'k'.repeat(32) }

  test('a list of erasures that would be lost with the store is warned of', async () => {
    expect((await leads(['doctor'], { ...store, env: settings })).out).not.toContain('ERASURE_LIST')
    writeFileSync(join(store.dataDir, 'erasures.txt'), '')
    expect((await leads(['doctor'], { ...store, env: settings })).out).toMatch(/warning +Settings .*Set ERASURE_LIST/)
  })

  test('so is a retention of less than the law asks for', async () => {
    const about = async (days: string) =>
      (await leads(['doctor'], { ...store, env: { ...settings, LEAD_RETENTION_DAYS: days } })).out
    expect(await about('1826')).toMatch(/warning +Settings .*16 CFR 310\.5/)
    expect(await about('1827')).not.toContain('16 CFR 310.5')
  })
})
