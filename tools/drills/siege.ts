/**
 * Attacks the server and the desk, one attack at a time, while visitors load pages and send leads. No attack should
 * noticeably slow visitors down or use much memory.
 */
import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:http'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { progress } from '../../bench/table.ts'
import { sendLead } from '../../tests/support/lead-load.ts'
import { spawnDesk, spawnServer } from '../../tests/support/processes.ts'

const PAGE_EVERY_MS = 50
const LEAD_EVERY_MS = 250

const attacks = {
  'no attack': null,
  '100 connections pipeline pages without reading': { kind: 'pipelining', target: 'server' },
  '2,000 connections read 1 KB a second': { kind: 'slowReaders', target: 'server' },
  '1,500 connections never finish their headers': { kind: 'slowHeaders', target: 'server' },
  '80 requests a second with a 15 KB query string': { kind: 'queryBombs', target: 'server' },
  '1,500 connections post a form full of "<" without reading': { kind: 'unreadForms', target: 'server' },
  '4 connections send 12 forms a second with 15 KB in one field': { kind: 'longFields', target: 'server' },
  '1,800 connections send a form a byte every 8 s': { kind: 'slowForms', target: 'server' },
  '100 connections pipeline requests that Node would refuse': { kind: 'refusedRequests', target: 'server' },
  '90 forms and 270 pages a second with hundreds of parameters': { kind: 'campaigns', target: 'server' },
  '1,000 sign-in challenges a second from one IPv6 network': { kind: 'challenges', target: 'desk' },
  '200 connections request 20 files each from the desk without reading': { kind: 'unreadAssets', target: 'desk' },
} as const

export interface SiegeReport {
  readonly attack: string
  /** How long each page took, in milliseconds, sorted. */
  readonly pages: readonly number[]
  readonly pagesFailed: number
  readonly leadsSent: number
  readonly leadsAccepted: number
  /** Peak resident memory of the attacked process. */
  readonly peakMb: number
}

export async function runSiege(seconds: number): Promise<readonly SiegeReport[]> {
  const dataDir = mkdtempSync(join(tmpdir(), 'siege-'))
  // Trusts our X-Forwarded-For headers, so the rate limit sees each visitor as a different client.
  const server = spawnServer({ DATA_DIR: dataDir, TRUST_PROXY: '127.0.0.1' })
  const reports: SiegeReport[] = []
  try {
    const serverUrl = await server.url
    const desk = spawnDesk({ DATA_DIR: dataDir, SITE_URL: serverUrl, TRUST_PROXY: '127.0.0.1' })
    try {
      const targets = {
        server: { url: serverUrl, path: await scriptOf(serverUrl), pid: server.child.pid ?? 0 },
        desk: { url: await desk.url, path: await scriptOf(await desk.url), pid: desk.child.pid ?? 0 },
      }
      for (const [attack, how] of Object.entries(attacks)) {
        progress(attack)
        const { url, path, pid } = targets[how?.target ?? 'server']
        const script = fileURLToPath(new URL('./siege-attackers.ts', import.meta.url))
        const attackers = how && spawn(process.execPath, [script, how.kind, url, path], { stdio: 'inherit' })
        // Real attackers would run on other machines; keep these from starving the server.
        if (attackers?.pid) setPriority(attackers.pid, constants.priority.PRIORITY_LOW)
        // Give all of them time to connect.
        if (attackers) await sleep(5000)
        let peakMb = 0
        const watch = setInterval(() => {
          peakMb = Math.max(peakMb, residentMb(pid))
        }, 200)
        reports.push({ attack, ...(await visit(serverUrl, seconds * 1000)), peakMb })
        clearInterval(watch)
        attackers?.kill()
      }
    } finally {
      desk.child.kill()
      await desk.exit
    }
  } finally {
    server.child.kill('SIGKILL')
    await server.exit
    rmSync(dataDir, { recursive: true })
  }
  return reports
}

async function scriptOf(url: string): Promise<string> {
  const page = await (await fetch(url)).text()
  return /\/assets\/[^"]+\.js/.exec(page)?.[0] ?? '/'
}

let visitors = 0

/** Loads pages and sends leads, each over a new connection, like visitors who have just arrived. */
async function visit(url: string, ms: number) {
  const pages: number[] = []
  let [pagesFailed, leadsSent, leadsAccepted] = [0, 0, 0]
  const inFlight: Promise<unknown>[] = []
  const until = performance.now() + ms
  const every = async (pauseMs: number, act: () => Promise<void>) => {
    while (performance.now() < until) {
      inFlight.push(act())
      await sleep(pauseMs)
    }
  }
  await Promise.all([
    every(PAGE_EVERY_MS, async () => {
      const tookMs = await loadPage(url)
      if (tookMs === null) pagesFailed++
      else pages.push(tookMs)
    }),
    every(LEAD_EVERY_MS, async () => {
      leadsSent++
      if ((await sendLead(url, `visitor-${visitors++}`)) === 202) leadsAccepted++
    }),
  ])
  await Promise.all(inFlight)
  return { pages: pages.sort((a, b) => a - b), pagesFailed, leadsSent, leadsAccepted }
}

/** Milliseconds until the last byte; null if the page failed to load. */
function loadPage(url: string): Promise<number | null> {
  const start = performance.now()
  return new Promise(resolve => {
    get(url, { agent: false }, response => {
      response.resume().on('end', () => resolve(response.statusCode === 200 ? performance.now() - start : null))
    }).on('error', () => resolve(null))
  })
}

function residentMb(pid: number): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024
}
