import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, expect, onTestFinished, test } from 'vitest'
import { checkCertificates } from '../../server/alerts/https-certificates.ts'
import { keyIdOf } from '../../server/store/facts/leads/hashes.ts'
import { STORE_VERSION } from '../../server/store/schema.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { insertLeads } from '../../tests/support/lead-fixtures.ts'
import { ERASURE_KEY, seenAlert } from '../../tests/support/lead-store.ts'
import { type CommandOptions, leads, NOW } from '../../tests/support/leads-command.ts'
import { listen } from '../../tests/support/receiver.ts'
import { storePerTest } from '../../tests/support/store-engines.ts'
import { MisbehavingWebhook, trustTestCertificate } from '../../tests/support/webhook.ts'
import { checkClock, checkUnits } from './checks.ts'

const store = storePerTest()

const doctor = (options: CommandOptions = {}) => leads(['doctor'], { ...store, ...options })
/** Doctor's lines about one subject. */
async function about(subject: string, options: CommandOptions = {}): Promise<string> {
  const { out } = await doctor(options)
  return out.match(new RegExp(`^\\w+ +${subject} .*$`, 'gm'))?.join('\n') ?? ''
}

async function startReceiver(handle: Parameters<typeof listen>[0]): Promise<string> {
  const { url, close } = await listen(handle)
  onTestFinished(close)
  return url
}

/** Starts a server whose /readyz returns this. Returns its port. */
async function startServerThatIs(body: string): Promise<string> {
  return new URL(await startReceiver((request, response) => void response.end(request.url === '/readyz' ? body : '')))
    .port
}

test('on a healthy installation, every line is ok and no lead is sent', async () => {
  const webhook = new MisbehavingWebhook()
  const url = await startReceiver(webhook.handle)
  insertLeads(store.file, [{ delivery: 'delivered' }])
  const site = new MisbehavingWebhook('https')
  await site.up()
  onTestFinished(() => site.down())
  const env = {
    LEAD_WEBHOOK_URL: `${url}/secret-path`,
    LEAD_WEBHOOK_SECRET: 'hush-keep-this-secret-ok',
    ALERT_WEBHOOK_URL: `${url}/secret-path`,
    SITE_URL: `https://localhost:${site.port}`,
    TRUST_PROXY: '127.0.0.1',
    PORT: await startServerThatIs('{"status":"ready"}'),
  }
  const { code, out, err } = await doctor({ env })
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out.replace(/^ok .*\n/gm, '')).toBe('\nAll checks passed.\n')
  for (const fact of [
    ...[`version ${STORE_VERSION}`, 'full sync', 'integrity check', 'Accepting writes', 'free', 'can be reached'],
    ...['are signed', 'and is ready.', 'No active alerts.', 'there is no .env file', 'Alerts go to 127.0.0.1:'],
  ]) {
    expect(out).toContain(fact)
  }
  expect(out).not.toMatch(/secret-path|hush/)
  expect(webhook.deliveries).toEqual([])
})

test('warnings pass and errors fail; the last line says which, with or without color', async () => {
  const { code, out, err } = await doctor()
  expect({ code, err }).toEqual({ code: 0, err: '' })
  expect(out).toMatch(/\n\nPassed with 2 warnings, no errors\.\n$/)
  expect((await doctor({ terminal: { colors: true } })).out).toContain('\u001b[33mwarning')
  expect((await doctor({ terminal: { colors: false } })).out).not.toContain('\u001b[3')
  const failed = await doctor({ env: { PORT: 'x', TRUSTEDFORM: 'x' } })
  expect(failed).toMatchObject({ code: 1, err: 'Failed: 2 errors, 0 warnings.\n' })
  expect(failed.out).toMatch(/^error {4}Settings {2}PORT .*\nerror {4}Settings {2}TRUSTEDFORM .*\n$/)
  const json = await leads(['doctor', '--json'], { ...store, env: { PORT: 'x' } })
  expect(json.code).toBe(1)
  const message = expect.stringContaining('PORT')
  expect(JSON.parse(json.out)).toEqual([{ status: 'error', subject: 'Settings', message }])
})

test.each([
  ['{"status":"failed","reason":"the disk is full."}', /^error +Server .* but isn’t ready: the disk is full\.$/],
  ['{"status":"upgrading"}', /^error +Server .* is upgrading its store\.$/],
  ['Hello', /^warning +Server +A different program is running/],
  [null, /^warning +Server +The server isn’t running at 127\.0\.0\.1:9 /],
])('reports a server that returns %s', async (body, line) => {
  const env = body ? { PORT: await startServerThatIs(body), HOST: '0.0.0.0' } : {}
  expect(await about('Server', { env })).toMatch(line)
})

test.each([
  [{ SITE_URL: 'https://localhost:1' }, /^warning .*TRUST_PROXY isn’t set/],
  [{ LEAD_RETENTION_DAYS: '1826' }, /^warning .*16 CFR 310\.5/],
  [{ LEAD_RETENTION_DAYS: '1827' }, /^ok /],
])('checks the settings %j', async (env, line) => {
  expect(await about('Settings', { env })).toMatch(line)
  // An erasure log that would be lost with the store.
  writeFileSync(join(store.dataDir, 'erasures.txt'), '')
  expect(await about('Settings', { env })).toMatch(/^warning .*set ERASURE_LIST/m)
})

test('warns about a world-readable settings file with a secret, and suggests a command that fixes it', async () => {
  const settingsFile = join(store.dataDir, 'settings.env')
  const write = (secret: string, mode: number) => {
    writeFileSync(settingsFile, `DATA_DIR=${store.dataDir}\nPORT=9\nLEAD_WEBHOOK_SECRET=${secret}\n`)
    chmodSync(settingsFile, mode)
  }
  write('hush-keep-this-secret-ok', 0o644)
  const warning = await about('Settings', { settingsFile })
  expect(warning).toContain(`Every user on this machine can read LEAD_WEBHOOK_SECRET in ${settingsFile}. To fix it: `)
  execFileSync('sh', ['-c', warning.split('To fix it: ')[1] ?? ''])
  const fine = `ok       Settings  Read from ${settingsFile} and the environment.`
  expect(await about('Settings', { settingsFile })).toBe(fine)
  write('hush-keep-this-secret-ok', 0o640)
  expect(await about('Settings', { settingsFile })).toBe(fine)
  write('', 0o644)
  expect(await about('Settings', { settingsFile })).toBe(fine)
})

test('a lead that has waited five minutes is ok; old, failed, and held leads are warnings', async () => {
  const delivering = { env: { CALL_LIST: 'off' } }
  insertLeads(store.file, [{ receivedAt: NOW - 5 * 60_000 }])
  expect(await about('Backlog', delivering)).toContain(
    'ok       Backlog   1 lead waiting for delivery, the oldest for 5 min.',
  )
  insertLeads(store.file, [{}, { delivery: 'dead' }, { state: 'held', delivery: null }])
  expect((await about('Backlog', delivering)).split('\n')).toEqual([
    expect.stringMatching(
      /^warning +Backlog +Leads don’t .* 2 waiting, the oldest for 24 h; 1 failed .* Resend the failed/,
    ),
    expect.stringMatching(/^warning +Backlog +1 lead on hold for review, the oldest for .*\. Review them: in the desk/),
  ])
  // Leads that wait because of a pause aren't late.
  await leads(['pause', '--reason', 'the CRM is being moved'], store)
  const paused = await about('Backlog', delivering)
  expect(paused).toMatch(/^warning +Backlog +Deliveries have been paused since .*: 2 leads waiting; .* to resume them/m)
})

test('without a webhook, leads that staff call from the desk aren’t late', async () => {
  insertLeads(store.file, [{}, { delivery: 'dead' }])
  expect(await about('Backlog')).toBe('ok       Backlog   No leads on hold.')
})

test('a missing backup is a warning once leads are a day old, and so is one on the store’s own disk', async () => {
  expect(await about('Backup')).toBe('ok       Backup    No backup recorded yet.')
  insertLeads(store.file, [{ receivedAt: NOW - 27 * 3_600_000, delivery: 'delivered' }])
  expect(await about('Backup')).toMatch(/^warning {2}Backup {4}The leads have never been backed up\. Check/)
  const file = (name: string) => join(store.dataDir, name)
  await leads(['backup', file('one')], store)
  expect(await about('Backup')).toMatch(/^warning {2}Backup {4}Backups are on the same disk as the store/)
  await leads(['backup', file('two'), '--copied'], store)
  expect(await about('Backup')).toBe('ok       Backup    The last backup is 0 s old.')
})

test('active alerts are warnings, and so is a missing alert address', async () => {
  const server = openSqliteStore(store.file, { now: () => NOW - 3_600_000 })
  const over = seenAlert({ code: 'leads_refused', seenAgoMs: 600_000 })
  await server.refreshAlerts([seenAlert({ text: '2 leads are held.' }), over])
  await server.endUnseenAlerts()
  await server.close()
  expect((await about('Alerts')).split('\n')).toEqual([
    'warning  Alerts    Active for 1 h: 2 leads are held.',
    'warning  Alerts    Neither ALERT_WEBHOOK_URL nor MAIL_TO is set: alerts only go to the log.',
  ])
})

describe('the store', () => {
  test('a store that doesn’t exist yet is a warning, and isn’t created', async () => {
    const dataDir = `${store.dataDir}/none`
    const { code, out } = await doctor({ dataDir })
    expect(code).toBe(0)
    expect(out).toContain(`warning  Store     No store at ${dataDir}/leads.sqlite yet.`)
    expect((await doctor({ dataDir })).out).toBe(out)
  })

  test('doctor promises a new store only where the server creates one', async () => {
    const dataDir = `${store.dataDir}/none`
    mkdirSync(dataDir)
    const installed = { dataDir, env: { NEW_STORE_NEEDS_MARKER: 'yes' } }
    const none = expect.stringMatching(/^error +Store +There is no store in .*For a new, empty store, create the file/m)
    expect(await doctor(installed)).toMatchObject({ code: 1, out: none })
    writeFileSync(`${dataDir}/this-is-the-data-disk`, '')
    expect((await doctor(installed)).out).toContain('The server creates one at startup.')
    writeFileSync(`${dataDir}/leads.sqlite.restoring`, '')
    expect((await doctor({ dataDir })).out).toMatch(/^error +Store +A restore was interrupted/m)
  })

  test.each([
    ['damaged', () => truncateSync(store.file, 60_000), /^error .*[Dd]amaged/m],
    ['no database', () => writeFileSync(store.file, 'not a database'.repeat(300)), /^error .*not a database/m],
  ])('a store that is %s is an error', async (_, damage, line) => {
    insertLeads(
      store.file,
      Array.from({ length: 500 }, () => ({})),
    )
    damage()
    expect(await about('Store')).toMatch(line)
    expect((await doctor()).code).toBe(1)
  })

  test('an incomplete key file is an error', async () => {
    writeFileSync(`${store.dataDir}/erasure.key`, '')
    const { code, out } = await doctor({ env: { ERASURE_KEY: '' } })
    expect(code).toBe(1)
    expect(out).toMatch(/^error +Key +The key file .*erasure\.key is empty or incomplete\./m)
  })

  test('an older key than the store’s newest is an error, because other machines use the newest', async () => {
    let at = NOW
    const opened = openSqliteStore(store.file, { access: 'write', now: () => at++ })
    await opened.registerKey({ id: keyIdOf(ERASURE_KEY) })
    expect(await about('Key')).toMatch(/^ok /)
    await opened.registerKey({ id: 'another key', newKey: true })
    await opened.close()
    expect(await about('Key')).toMatch(/^error .* is an older key of this store; the newest is another key\./)
  })

  test('a locked store is an error, because the test write fails', async () => {
    const other = new DatabaseSync(store.file)
    other.exec('BEGIN IMMEDIATE')
    expect(await about('Store')).toMatch(
      /^error +Store +Not accepting writes: the store is locked by another program\./m,
    )
    other.close()
  })

  test('warns about a store that other users can read, and suggests a command that fixes it', async () => {
    const dataDir = join(store.dataDir, "the operator's data")
    await openSqliteStore(join(dataDir, 'leads.sqlite')).close()
    for (const mode of [0o755, 0o750, 0o701]) {
      chmodSync(dataDir, mode)
      const [, command = ''] = /can read .*\. To fix it: (.*)/.exec(await about('Store', { dataDir })) ?? []
      execFileSync('sh', ['-c', command])
      expect(await about('Store', { dataDir })).toContain('Other users on this machine can’t read it.')
    }
  })
})

describe('the webhook', () => {
  const key = 'x'.repeat(24)
  test.each([
    [{}, /ok +Webhook +Leads are sent as a query string, .*\nok +Webhook +Deliveries are not signed/],
    [{ LEAD_WEBHOOK_FORMAT: 'json' }, /ok +Webhook +Leads are sent as JSON\./],
    [{ LEAD_WEBHOOK_SECRET: `${key} ${key}y` }, /ok +Webhook +Deliveries are signed with two/],
    [{ LEAD_WEBHOOK_FORMAT: 'json', LEAD_WEBHOOK_SECRET: key }, /warning +Webhook +LEAD_WEBHOOK_SECRET/],
    [{ LEAD_WEBHOOK_URL: '', CALL_LIST: 'off' }, /warning +Webhook +LEAD_WEBHOOK_URL is not set/],
    [{ LEAD_WEBHOOK_URL: '' }, /ok +Webhook +LEAD_WEBHOOK_URL is not set: your staff call leads from the desk\./],
    // This address isn't routable. Whether it fails immediately or times out, the warning about encryption appears.
    [{ LEAD_WEBHOOK_URL: 'http://0.0.0.0:1/' }, /warning +Webhook +Leads are sent unencrypted\./],
    [
      { LEAD_WEBHOOK_URL: 'http://127.0.0.1:9/' },
      /^error +Webhook +127\.0\.0\.1:9 can’t be reached: connection refused/,
    ],
  ])('with %j: %s', async (env, line) => {
    const url = await startReceiver(new MisbehavingWebhook().handle)
    expect(await about('Webhook', { env: { LEAD_WEBHOOK_URL: url, ...env } })).toMatch(line)
  })

  test('an https webhook needs a trusted certificate', async () => {
    const webhook = new MisbehavingWebhook('https')
    await webhook.up()
    const distrust = trustTestCertificate()
    for (const host of ['localhost', '127.0.0.1']) {
      const env = { LEAD_WEBHOOK_URL: `https://${host}:${webhook.port}/` }
      expect(await about('Webhook', { env })).toContain('can be reached over a secure connection')
    }
    distrust()
    const env = { LEAD_WEBHOOK_URL: webhook.url }
    expect(await about('Webhook', { env })).toMatch(/can’t be reached: certificate not trusted/)
    await webhook.down()
    expect(webhook.deliveries).toEqual([])
  })
})

test('warns about an HTTPS certificate that wasn’t renewed, and so does the alert', async () => {
  const server = new MisbehavingWebhook('https')
  await server.up()
  const url = `https://localhost:${server.port}`
  const env = { SITE_URL: url, TRUST_PROXY: '127.0.0.1' }
  const raised: string[] = []
  const alerts = { raise: (_: string, text: string) => void raised.push(text) }
  // The tests' certificate expires on January 1, 2120.
  for (const [day, line] of [
    ['2119-12-01', /^ok +HTTPS +The certificate of localhost is valid until 2120-01-01\.$/],
    ['2119-12-25', /^warning +HTTPS .* expires in 7 days\. To see why it isn’t renewed: sudo certbot renew$/],
    ['2120-01-02', /^error +HTTPS .* has expired/],
  ] as const) {
    const now = Date.parse(day)
    expect(await about('HTTPS', { env, now })).toMatch(line)
    await checkCertificates({ urls: [url], alerts, now: () => now })
  }
  expect(raised).toEqual([expect.stringContaining('expires in 7 days'), expect.stringContaining('has expired')])
  const byAddress = { ...env, SITE_URL: `https://127.0.0.1:${server.port}` }
  expect(await about('HTTPS', { env: byAddress })).toMatch(/^ok +HTTPS +The certificate of 127\.0\.0\.1 is valid/)
  await server.down()
  expect(await about('HTTPS', { env })).toMatch(/^warning +HTTPS +localhost can’t be reached from this machine/)
})

test.each([
  ['no', [expect.objectContaining({ status: 'warning', subject: 'Clock' })]],
  ['yes', []],
])('if systemd says that the clock is set by a time server: %s', (answer, findings) => {
  const program = join(store.dataDir, 'timedatectl')
  writeFileSync(program, `#!/bin/sh\necho ${answer}\n`, { mode: 0o755 })
  expect(checkClock(store.dataDir, program)).toEqual([])
  writeFileSync(join(store.dataDir, 'ssdi-advocate.service'), '')
  expect(checkClock(store.dataDir, program)).toEqual(findings)
  expect(checkClock(store.dataDir, join(store.dataDir, 'none'))).toEqual([])
})

test('warns about a systemd unit that another version installed', () => {
  const name = 'ssdi-advocate-desk.service'
  const installed = join(store.dataDir, name)
  writeFileSync(installed, readFileSync(join(import.meta.dirname, '../../deploy/systemd', name)))
  expect(checkUnits(store.dataDir)).toEqual([])
  writeFileSync(installed, '[Service]\n')
  const message = expect.stringMatching(/^ssdi-advocate-desk\.service isn’t this version’s\. Compare them \(diff /)
  expect(checkUnits(store.dataDir)).toEqual([{ status: 'warning', subject: 'Services', message }])
})
