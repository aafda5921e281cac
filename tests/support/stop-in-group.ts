/**
 * `npm start` in a process group of its own, as systemd and a terminal have it, that is told to stop as a group while
 * visitors download slowly and a delivery is under way. The signal then comes twice: npm passes it on.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { BUILT } from '../../build/site-build.ts'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { COMPILE_CACHE } from './compile-cache.ts'
import { rowsOf } from './lead-fixtures.ts'
import { sendLead } from './lead-load.ts'
import { NO_SETTINGS_FILE } from './no-settings-file.ts'

const SLOW_VISITORS = 5
/** A piece every so often: some two seconds for the largest file. */
const PIECE_BYTES = 8 * 1024
const PIECE_EVERY_MS = 60
const WEBHOOK_MS = 1500

export interface Stopped {
  readonly code: number | null
  /** Of the slow downloads, how many bytes are missing at their ends. */
  readonly missingBytes: readonly number[]
  readonly deliveries: readonly unknown[]
  readonly said: string
}

export async function stopInGroup(signal: 'SIGTERM' | 'SIGINT'): Promise<Stopped> {
  const dataDir = mkdtempSync(join(tmpdir(), 'group-'))
  const underWay = Promise.withResolvers<void>()
  const webhook = createServer((_, response) => {
    underWay.resolve()
    setTimeout(() => response.end('taken'), WEBHOOK_MS)
  })
  await new Promise<void>(resolve => webhook.listen(0, '127.0.0.1', resolve))
  const { port } = webhook.address() as AddressInfo
  // Without its scripts before and after: the site is built.
  const child = spawn('npm', ['start', '--ignore-scripts'], {
    cwd: join(import.meta.dirname, '../..'),
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: process.env['PATH'],
      PORT: '0',
      TRUST_PROXY: '127.0.0.1',
      DATA_DIR: dataDir,
      LEAD_WEBHOOK_URL: `http://127.0.0.1:${port}/`,
      ...COMPILE_CACHE,
      ...NO_SETTINGS_FILE,
    },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', chunk => {
      said += chunk
    })
  }
  const exit = new Promise<number | null>(resolve => child.on('close', resolve))
  try {
    while (!said.includes('"code":"store_open"')) {
      if (child.exitCode !== null) throw new Error(`The server ended before it listened: ${said}`)
      await sleep(20)
    }
    const url = /"code":"listening".*?"url":"([^"]+)"/.exec(said)?.[1] ?? ''
    const downloads = Array.from({ length: SLOW_VISITORS }, () => downloadSlowly(url))
    await sendLead(url, 'ada')
    await Promise.all([underWay.promise, sleep(200)])
    process.kill(-(child.pid ?? 0), signal)
    const missingBytes = await Promise.all(downloads)
    const code = await exit
    const deliveries = rowsOf(storeFile(dataDir), 'SELECT state, attempts FROM deliveries')
    return { code, missingBytes, deliveries, said }
  } finally {
    child.kill('SIGKILL')
    webhook.closeAllConnections()
    webhook.close()
    rmSync(dataDir, { recursive: true, force: true })
  }
}

/** Of the pages' scripts. */
export function largestScript(): { readonly path: string; readonly bytes: number } {
  const assets = join(BUILT, 'assets')
  const scripts = readdirSync(assets)
    .filter(name => name.endsWith('.js'))
    .map(name => ({ path: `/assets/${name}`, bytes: statSync(join(assets, name)).size }))
  const [largest] = scripts.toSorted((a, b) => b.bytes - a.bytes)
  if (!largest) throw new Error('The site has no script.')
  return largest
}

/** A piece at a time. Answers with how much did not come. */
function downloadSlowly(url: string): Promise<number> {
  const { hostname, port } = new URL(url)
  const largest = largestScript()
  return new Promise(resolve => {
    let received = 0
    let headBytes = 0
    const socket = connect(Number(port), hostname, () =>
      socket.write(`GET ${largest.path} HTTP/1.1\r\nHost: localhost\r\n\r\n`),
    )
    socket.pause()
    const timer = setInterval(() => {
      const piece: Buffer | null = socket.read(PIECE_BYTES) ?? socket.read()
      if (!piece) return
      if (headBytes === 0) headBytes = piece.indexOf('\r\n\r\n') + 4
      received += piece.length
      if (received - headBytes >= largest.bytes) socket.destroy()
    }, PIECE_EVERY_MS)
    socket.on('error', () => {})
    socket.on('close', () => {
      clearInterval(timer)
      resolve(Math.max(0, largest.bytes - (received - headBytes)))
    })
  })
}
