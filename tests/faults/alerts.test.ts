/** The production server in trouble of its own: what the alert address hears of it. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AlertChannel } from '../support/alert-channel.ts'
import { COMPILE_CACHE } from '../support/compile-cache.ts'
import { sendLead } from '../support/lead-load.ts'
import { NO_SETTINGS_FILE } from '../support/no-settings-file.ts'

vi.setConfig({ testTimeout: 20_000 })

let channel: AlertChannel
let dataDir: string
let child: ChildProcess
let said: string
const clients: Socket[] = []

beforeEach(() => {
  channel = new AlertChannel()
  dataDir = mkdtempSync(join(tmpdir(), 'alerts-'))
})
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy()
  child.kill('SIGKILL')
  await channel.close()
  rmSync(dataDir, { recursive: true })
})

/** With so many files that it may open. */
async function start(openFiles: number): Promise<string> {
  said = ''
  const main = join(import.meta.dirname, '../../server/main.ts')
  child = spawn('sh', ['-c', `ulimit -n ${openFiles} && exec "$0" "$@"`, process.execPath, main], {
    env: {
      PORT: '0',
      DATA_DIR: dataDir,
      ALERT_WEBHOOK_URL: await channel.open(),
      ...COMPILE_CACHE,
      ...NO_SETTINGS_FILE,
    },
  })
  child.stdout?.setEncoding('utf8').on('data', chunk => {
    said += chunk
  })
  await expect.poll(() => said).toContain('"code":"store_open"')
  return /"code":"listening".*?"url":"([^"]+)"/.exec(said)?.[1] ?? ''
}

const heard = () => expect.poll(() => channel.messages.join('\n'))

test('when every connection is busy, visitors are turned away and an alert says so', async () => {
  const { hostname, port } = new URL(await start(64))
  // A form that never arrives keeps its connection busy; an idle one would make room for the next visitor.
  const head = `POST /api/leads HTTP/1.1\r\nHost: ${hostname}\r\nSec-Fetch-Site: same-origin\r\nContent-Type: application/x-www-form-urlencoded`
  const visit = () => {
    const client = connect(Number(port), hostname).on('error', () => {})
    client.write(`${head}\r\nContent-Length: 100\r\n\r\n`)
    clients.push(client)
  }
  await expect
    .poll(() => {
      visit()
      return channel.messages.join('\n')
    })
    .toMatch(/^ALERT: Visitors are turned away: all 16 connections.*connections_refused/)
})

test('a proxy that TRUST_PROXY does not name is heard of with its first lead', async () => {
  expect(await sendLead(await start(1024), 'ada')).toBe(202)
  await heard().toMatch(/^ALERT: Leads come through a proxy that TRUST_PROXY does not name.*trust_proxy_missing/)
  expect(channel.messages.join()).not.toMatch(/ada|10\.0\.|Lovelace/i)
})
