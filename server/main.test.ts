/** The server as a separate process: how it starts, fails, and stops. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, expect, test } from 'vitest'
import { consent } from '../content/en/contact-form.ts'
import { consentAsPresented } from '../domain/as-presented.ts'
import { leadQuery } from '../domain/lead.ts'
import { createStore, insertLeads, rowsOf } from '../tests/support/lead-fixtures.ts'
import { contactOf, ERASURE_KEY } from '../tests/support/lead-store.ts'
import { PROGRAM_ENV, type ServerProcess, spawnServer } from '../tests/support/processes.ts'
import { AlertChannel, listen } from '../tests/support/receiver.ts'
import { MisbehavingWebhook } from '../tests/support/webhook.ts'
import { versionOf } from './store/leads/presented.ts'

const running: ChildProcess[] = []
const dataDir = mkdtempSync(join(tmpdir(), 'main-'))

afterAll(() => rmSync(dataDir, { recursive: true }))

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})

function start(env: Record<string, string>): ServerProcess {
  const server = spawnServer({ DATA_DIR: dataDir, ...env })
  running.push(server.child)
  return server
}

/** Sends half a form and waits for 100 Continue. Returns a function that sends the rest and resolves to the response. */
async function startForm(url: string): Promise<() => Promise<string>> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  let response = ''
  socket
    .on('error', () => {})
    .on('data', chunk => {
      response += chunk
    })
  const closed = new Promise(resolve => socket.once('close', resolve))
  const head = ['POST /api/leads HTTP/1.1', 'Host: localhost', 'Sec-Fetch-Site: same-origin', 'Content-Length: 8']
  const formHeaders = ['Content-Type: application/x-www-form-urlencoded', 'Expect: 100-continue']
  socket.write([...head, ...formHeaders, '', 'half'].join('\r\n'))
  await expect.poll(() => response).toBe('HTTP/1.1 100 Continue\r\n\r\n')
  response = ''
  return async () => {
    socket.write('half')
    await closed
    return response
  }
}

const sendLead = async (url: string) =>
  (
    await fetch(`${url}/api/leads?${leadQuery(contactOf('ada'))}`, {
      headers: { 'x-consent-version': versionOf(consentAsPresented(consent)) },
    })
  ).status

const drainedOf = (log: string) => /"event":"stopped".*"drained":(\w+)/.exec(log)?.[1]

// npm and the terminal may both send a signal.
test.each(['SIGTERM', 'SIGINT', 'SIGHUP', 'SIGQUIT'] as const)(
  '%s stops the server gracefully, even with a second signal: requests in flight finish',
  async signal => {
    const { child, exit, url, output } = start({})
    const finish = await startForm(await url)
    child.kill(signal)
    // Use a different signal: the system may merge two of the same kind.
    child.kill(signal === 'SIGTERM' ? 'SIGINT' : 'SIGTERM')
    await expect.poll(output).toContain('"event":"still stopping"')
    expect(await finish()).toMatch(/^HTTP\/1.1 403 Forbidden.*<\/html>\s*$/s)
    const { code, stdout, stderr } = await exit
    expect([code, stderr, drainedOf(stdout)]).toEqual([0, '', 'true'])
  },
)

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false

test.runIf(hasScript)('in a terminal, the server says what to open, and logs text instead of JSON', async () => {
  const command = `${process.execPath} ${join(import.meta.dirname, 'main.ts')}`
  const terminal = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...PROGRAM_ENV, PORT: '0', HOST: '0.0.0.0', DATA_DIR: dataDir, SHELL: '/bin/sh' },
  })
  running.push(terminal)
  let shown = ''
  terminal.stdout.setEncoding('utf8').on('data', chunk => {
    shown += chunk
  })
  await expect.poll(() => shown).toMatch(/^ {2}Open http:\/\/localhost:\d+\r$/m)
  await expect.poll(() => shown).toMatch(/^\d\d:\d\d:\d\d {2}the store is open\r$/m)
  expect(shown).not.toContain('{"at"')
  // Ctrl+C
  terminal.stdin.write('\u0003')
  await once(terminal, 'close')
  expect(shown).toMatch(/ {2}stopped \(drained: true\)/)
})

test('pages are served while the store opens; leads and readiness wait for it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'opening-'))
  // Holding the store's lock makes the server wait, as a long check would.
  const holder = new DatabaseSync(join(folder, 'leads.sqlite'))
  holder.exec('PRAGMA journal_mode = WAL; BEGIN EXCLUSIVE; CREATE TABLE held (x)')
  const { listening, url: ready } = start({ DATA_DIR: folder })
  const url = await listening
  const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status
  expect([await statusOf('/'), await statusOf('/healthz'), await statusOf('/readyz')]).toEqual([200, 200, 503])
  expect(await sendLead(url)).toBe(503)
  holder.exec('ROLLBACK')
  holder.close()
  await ready
  expect(await sendLead(url)).toBe(202)
  rmSync(folder, { recursive: true })
})

test('with a store that can’t be opened, the server serves pages, sends an alert, and accepts leads once it can', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'damaged-'))
  const file = join(folder, 'leads.sqlite')
  writeFileSync(file, 'not a database'.repeat(1000))
  const channel = new AlertChannel()
  const { child, listening, url: ready } = start({ DATA_DIR: folder, ALERT_WEBHOOK_URL: await channel.open() })
  const url = await listening
  await expect.poll(() => channel.messages.join()).toMatch(/^ALERT: Not accepting leads: .*Restore a backup\./)
  const statusOf = async (path: string) => (await fetch(`${url}${path}`)).status
  expect([await statusOf('/'), await statusOf('/readyz'), await sendLead(url)]).toEqual([200, 503, 503])
  rmSync(file)
  await ready
  expect([await sendLead(url), channel.messages.length, child.exitCode]).toEqual([202, 1, null])
  await channel.close()
  rmSync(folder, { recursive: true })
})

test('if ERASURE_LIST hangs, leads and stops are accepted, leads aren’t delivered, and the server stops when told to', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'share-'))
  const list = join(folder, 'erasures.txt')
  // Nobody writes to this pipe, so reading it waits forever, as a network share may.
  spawnSync('mkfifo', [list])
  const webhook = new MisbehavingWebhook()
  await webhook.up()
  const { child, exit, url: ready } = start({ DATA_DIR: folder, ERASURE_LIST: list, LEAD_WEBHOOK_URL: webhook.url })
  const url = await ready
  expect(await sendLead(url)).toBe(202)
  const body = new URLSearchParams({ phone: '(555) 210-0199' })
  expect((await fetch(`${url}/stop`, { method: 'POST', body })).status).toBe(200)
  child.kill('SIGTERM')
  expect((await exit).code).toBe(0)
  expect(webhook.deliveries).toEqual([])
  // Its helpers end with it.
  await expect.poll(() => String(spawnSync('ps', ['-eo', 'args']).stdout)).not.toContain(list)
  await webhook.down()
  rmSync(folder, { recursive: true })
})

test('if PORT is already in use, the server prints one clear line and exits with code 1', async () => {
  const taken = await listen(() => {})
  const { port } = new URL(taken.url)
  const { code, stderr } = await start({ PORT: port }).exit
  const line = `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or set PORT to another number.\n`
  expect([code, stderr]).toEqual([1, line])
  await taken.close()
})

test('if METRICS_PORT is already in use, the server accepts leads and sends an alert', async () => {
  const taken = await listen(() => {})
  const channel = new AlertChannel()
  const env = { METRICS_PORT: new URL(taken.url).port, ALERT_WEBHOOK_URL: await channel.open() }
  expect(await sendLead(await start(env).url)).toBe(202)
  await expect.poll(() => channel.messages.join()).toMatch(/Can’t serve metrics. Port \d+ on 127.0.0.1 is in use./)
  await Promise.all([taken.close(), channel.close()])
})

test.each<[string, Record<string, string>, string]>([
  [
    'another machine’s address',
    { HOST: '192.0.2.1' },
    'HOST is "192.0.2.1", which is not an address of this machine.\n',
  ],
  [
    'bad settings',
    { PORT: 'eighty', SITE_URL: 'example.org' },
    'Invalid configuration:\n  - PORT is "eighty", but must be a number from 0 to 65535.\n  - SITE_URL is "example.org", but must be a URL such as https://www.example.org, without a path.\n',
  ],
])('%s: exits with code 1 and prints one line per problem, without a stack trace', async (_, env, expected) => {
  const { code, stderr } = await start({ ...env }).exit
  expect([code, stderr]).toEqual([1, expected])
})

test('creating a new store is logged, because DATA_DIR might be wrong or its disk not mounted', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'new-'))
  const startAndStop = async () => {
    const { child, exit, url } = start({ DATA_DIR: folder })
    await url
    child.kill('SIGTERM')
    return (await exit).stdout
  }
  expect(await startAndStop()).toContain(`"event":"created a new store","file":"${join(folder, 'leads.sqlite')}"`)
  expect(await startAndStop()).not.toContain('created a new store')
  rmSync(folder, { recursive: true })
})

test('a public site with launch blockers logs them, sends an alert, and is still served', async () => {
  const channel = new AlertChannel()
  const env = { SITE_URL: 'https://www.example.org', ALERT_WEBHOOK_URL: await channel.open(), TRUST_PROXY: '' }
  const { url, output } = start(env)
  expect((await fetch(`${await url}/healthz`)).status).toBe(200)
  await expect
    .poll(() => channel.messages.join())
    .toMatch(/live with \d+ launch blockers? .*calling_hours_unreviewed:CALL_LIST.*npm run launch-check/)
  expect(output()).toMatch(/"code":"launch_blockers".*"names":"[^"]*no_trusted_proxy:TRUST_PROXY/)
  await channel.close()
})

test('if the store’s thread crashes, the alert is saved and sent, and the server exits with an error', async () => {
  const store = await createStore()
  const channel = new AlertChannel()
  const crashOnSignal = `import { isMainThread } from 'node:worker_threads'
    const channel = new BroadcastChannel('crash')
    if (isMainThread) process.on('SIGUSR2', () => channel.postMessage(''))
    else channel.onmessage = () => { throw new Error('crash') }`
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(crashOnSignal)}`
  const env = { DATA_DIR: store.dataDir, ALERT_WEBHOOK_URL: await channel.open(), NODE_OPTIONS }
  const { child, exit, url } = start(env)
  await url
  child.kill('SIGUSR2')
  expect((await exit).code).toBe(1)
  expect(channel.messages).toEqual([expect.stringMatching('ALERT: The server crashed')])
  expect(rowsOf(store.file, 'SELECT code, times_sent, ended_at FROM alerts')).toEqual([
    { code: 'service_crashed', times_sent: 1, ended_at: null },
  ])
  await channel.close()
  store.remove()
})

test('after a manual restore, erased people are erased again', async () => {
  const store = await createStore()
  const [id = '', other = ''] = insertLeads(store.file, [{}, { firstName: 'Bob' }])
  writeFileSync(join(store.dataDir, 'erasures.txt'), `2030-01-16T12:00:00.000Z ${id}\n`)
  const { child, exit, url, output } = start({ DATA_DIR: store.dataDir, ERASURE_KEY })
  await url
  await expect.poll(output).toMatch(/"code":"erased_again".*"leads":1/)
  child.kill('SIGTERM')
  await exit
  expect(rowsOf(store.file, 'SELECT id, state FROM leads ORDER BY state')).toEqual([
    { id: other, state: 'accepted' },
    { id, state: 'erased' },
  ])
  store.remove()
})
