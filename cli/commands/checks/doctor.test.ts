import { execFileSync } from 'node:child_process'
import { chmodSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { STORE_VERSION } from '../../../server/store/schema.ts'
import { openSqliteStore } from '../../../server/store/sqlite/sqlite-store.ts'
import { createStore, insertLeads, someLead } from '../../../tests/support/lead-fixtures.ts'
import { leads, NOW } from '../../../tests/support/leads-command.ts'
import { listen, Receiver } from '../../../tests/support/receiver.ts'

let store: Awaited<ReturnType<typeof createStore>>
beforeEach(async () => {
  store = await createStore()
})
afterEach(() => store.remove())

test('when all is well every line is ok, and no lead was sent', async () => {
  const receiver = new Receiver()
  const { url, close } = await listen(receiver.handle)
  onTestFinished(close)
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
    `version ${STORE_VERSION}`,
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
