/** The server as a separate process: how it starts, fails, and stops. */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { killAfterTest, newFolder } from '../tests/support/after-test.ts'
import { insertLeads, rowsOf } from '../tests/support/lead-fixtures.ts'
import { sendLead } from '../tests/support/lead-load.ts'
import { ERASURE_KEY } from '../tests/support/lead-store.ts'
import { onDemand } from '../tests/support/on-demand.ts'
import { PROGRAM_ENV, spawnServer } from '../tests/support/processes.ts'
import { AlertChannel, listen } from '../tests/support/receiver.ts'
import { MisbehavingWebhook } from '../tests/support/webhook.ts'
import { storeFile } from './store/sqlite/files.ts'

await onDemand('site')

const start = (env: Readonly<Record<string, string>> = {}) =>
  killAfterTest(spawnServer({ DATA_DIR: newFolder(), ...env }))

async function openChannel() {
  const channel = new AlertChannel()
  onTestFinished(() => channel.close())
  return { channel, ALERT_WEBHOOK_URL: await channel.open() }
}

async function takePort(): Promise<string> {
  const taken = await listen(() => {})
  onTestFinished(taken.close)
  return new URL(taken.url).port
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

const statusOf = async (url: string, path: string) => (await fetch(`${url}${path}`)).status

test('a signal stops the server gracefully, even with a second one: requests in flight finish', async () => {
  const { child, exit, url, output } = start()
  const finish = await startForm(await url)
  // npm and the terminal may both send one. The system may merge two of the same kind.
  child.kill('SIGTERM')
  child.kill('SIGINT')
  await expect.poll(output).toContain('"event":"still stopping"')
  expect(await finish()).toMatch(/^HTTP\/1.1 403 Forbidden.*<\/html>\s*$/s)
  const { code, stdout, stderr } = await exit
  expect([code, stderr]).toEqual([0, ''])
  expect(stdout).toMatch(/"event":"stopped".*"drained":true/)
})

const hasScript = spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout?.includes('util-linux') ?? false

test.runIf(hasScript)('in a terminal, the server says what to open, and logs text instead of JSON', async () => {
  const command = `${process.execPath} ${join(import.meta.dirname, 'main.ts')}`
  const terminal = spawn('script', ['--quiet', '--return', '--command', command, '/dev/null'], {
    env: { ...PROGRAM_ENV, PORT: '0', HOST: '0.0.0.0', DATA_DIR: newFolder(), SHELL: '/bin/sh' },
  })
  onTestFinished(() => void terminal.kill('SIGKILL'))
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
  const folder = newFolder()
  // Holding the store's lock makes the server wait, as a long check would.
  const holder = new DatabaseSync(join(folder, 'leads.sqlite'))
  holder.exec('PRAGMA journal_mode = WAL; BEGIN EXCLUSIVE; CREATE TABLE held (x)')
  const { listening, url: ready } = start({ DATA_DIR: folder })
  const url = await listening
  const statuses = await Promise.all(['/', '/healthz', '/readyz'].map(path => statusOf(url, path)))
  expect([...statuses, await sendLead(url, 'ada')]).toEqual([200, 200, 503, 503])
  holder.exec('ROLLBACK')
  holder.close()
  await ready
  expect(await sendLead(url, 'ada')).toBe(202)
})

test('with a store that can’t be opened, the server serves pages, sends an alert, and accepts leads once it can', async () => {
  const folder = newFolder()
  const file = join(folder, 'leads.sqlite')
  writeFileSync(file, 'not a database'.repeat(1000))
  const { channel, ALERT_WEBHOOK_URL } = await openChannel()
  const { child, listening, url: ready } = start({ DATA_DIR: folder, ALERT_WEBHOOK_URL })
  const url = await listening
  await expect.poll(() => channel.messages.join()).toMatch(/^ALERT: Not accepting leads: .*Restore a backup\./)
  expect([await statusOf(url, '/'), await statusOf(url, '/readyz'), await sendLead(url, 'ada')]).toEqual([
    200, 503, 503,
  ])
  rmSync(file)
  await ready
  expect([await sendLead(url, 'ada'), channel.messages.length, child.exitCode]).toEqual([202, 1, null])
})

test('if ERASURE_LIST hangs, leads and stops are accepted, leads aren’t delivered, and the server stops when told to', async () => {
  const folder = newFolder()
  const list = join(folder, 'erasures.txt')
  // Nobody writes to this pipe, so reading it waits forever, as a network share may.
  spawnSync('mkfifo', [list])
  const webhook = new MisbehavingWebhook()
  await webhook.up()
  const { child, exit, url: ready } = start({ DATA_DIR: folder, ERASURE_LIST: list, LEAD_WEBHOOK_URL: webhook.url })
  const url = await ready
  expect(await sendLead(url, 'ada')).toBe(202)
  const body = new URLSearchParams({ phone: '(555) 210-0199' })
  expect((await fetch(`${url}/stop`, { method: 'POST', body })).status).toBe(200)
  child.kill('SIGTERM')
  expect((await exit).code).toBe(0)
  expect(webhook.deliveries).toEqual([])
  // The server's helpers end with it.
  await expect.poll(() => String(spawnSync('ps', ['-eo', 'args']).stdout)).not.toContain(list)
  await webhook.down()
})

test('if it can’t start, the server prints one line per problem, without a stack trace, and exits with code 1', async () => {
  const port = await takePort()
  for (const [env, lines] of [
    [
      { PORT: port },
      `Port ${port} on 127.0.0.1 is in use. Stop the program that uses it, or set PORT to another number.`,
    ],
    [{ HOST: '192.0.2.1' }, 'HOST is "192.0.2.1", which is not an address of this machine.'],
    [
      { PORT: 'eighty', SITE_URL: 'example.org' },
      'Invalid configuration:\n  - PORT is "eighty", but must be a number from 0 to 65535.\n  - SITE_URL is "example.org", but must be a URL such as https://www.example.org, without a path.',
    ],
  ] as [Record<string, string>, string][]) {
    const { code, stderr } = await start(env).exit
    expect([code, stderr]).toEqual([1, `${lines}\n`])
  }
})

test('a public site with launch blockers and a METRICS_PORT in use sends alerts and accepts leads', async () => {
  const METRICS_PORT = await takePort()
  const { channel, ALERT_WEBHOOK_URL } = await openChannel()
  const env = { METRICS_PORT, ALERT_WEBHOOK_URL, SITE_URL: 'https://www.example.org', TRUST_PROXY: '' }
  const { url, output } = start(env)
  expect(await sendLead(await url, 'ada')).toBe(202)
  const messages = expect.poll(() => channel.messages.join())
  await messages.toMatch(/Can’t serve metrics. Port \d+ on 127.0.0.1 is in use./)
  await messages.toMatch(/live with \d+ launch blockers? .*calling_hours_unreviewed:CALL_LIST.*npm run launch-check/)
  expect(output()).toMatch(/"code":"launch_blockers".*"names":"[^"]*no_trusted_proxy:TRUST_PROXY/)
})

test('if the store’s thread crashes, the alert is saved and sent, and the server exits with an error', async () => {
  const folder = newFolder()
  const { channel, ALERT_WEBHOOK_URL } = await openChannel()
  const crashOnSignal = `import { isMainThread } from 'node:worker_threads'
    const channel = new BroadcastChannel('crash')
    if (isMainThread) process.on('SIGUSR2', () => channel.postMessage(''))
    else channel.onmessage = () => { throw new Error('crash') }`
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(crashOnSignal)}`
  const { child, exit, url } = start({ DATA_DIR: folder, ALERT_WEBHOOK_URL, NODE_OPTIONS })
  await url
  child.kill('SIGUSR2')
  expect((await exit).code).toBe(1)
  expect(channel.messages).toEqual([expect.stringMatching('ALERT: The server crashed')])
  expect(rowsOf(storeFile(folder), 'SELECT code, times_sent, ended_at FROM alerts')).toEqual([
    { code: 'service_crashed', times_sent: 1, ended_at: null },
  ])
})

test('a new store is logged, because DATA_DIR might be wrong; after a manual restore, erased people are erased again, and what isn’t logged is', async () => {
  const folder = newFolder()
  const file = storeFile(folder)
  const created = start({ DATA_DIR: folder, ERASURE_KEY })
  await created.url
  created.child.kill('SIGTERM')
  expect((await created.exit).stdout).toContain(`"event":"created a new store","file":"${file}"`)
  const [id = '', other = ''] = insertLeads(file, [{}, { firstName: 'Bob' }])
  const list = join(folder, 'erasures.txt')
  writeFileSync(list, `2030-01-16T12:00:00.000Z ${id}\n`)
  // What's in the store if a process was killed before it logged a stop.
  const database = new DatabaseSync(file)
  database.exec(`INSERT INTO do_not_call (contact, added_at, n) VALUES ('2125550101', 1000, 0)`)
  database.close()
  const { child, exit, output } = start({ DATA_DIR: folder, ERASURE_KEY })
  await expect.poll(output).toMatch(/"code":"erased_again".*"leads":1/)
  await expect.poll(() => readFileSync(list, 'utf8')).toMatch(/\S+ do-not-call 2125550101\n$/)
  child.kill('SIGTERM')
  expect((await exit).stdout).not.toContain('created a new store')
  expect(rowsOf(file, 'SELECT id, state FROM leads ORDER BY state')).toEqual([
    { id: other, state: 'accepted' },
    { id, state: 'erased' },
  ])
})
