/**
 * A server with a heap of 512 MB is besieged by a hundred clients that pipeline and never read, two thousand that read a
 * kilobyte a second, and fifteen hundred that never finish their headers, all at once. Meanwhile visitors load pages and
 * send leads.
 */
import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { get } from 'node:http'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { progress } from '../../bench/table.ts'
import { BUILT } from '../../build/site-build.ts'
import { sendLead, startLoad } from '../support/lead-load.ts'
import { spawnServer } from '../support/processes.ts'

const HEAP_MB = 512
/** A server that has had a busy minute uses more memory than one that has just started: that is what to compare with. */
const BUSY_MS = 10_000
const BUSY_VISITORS = 32
const CALM_MS = 20_000
const PAGE_EVERY_MS = 50
const LEAD_EVERY_MS = 250
/** After the attackers have gone: stalled connections are cut off after 30 s, and the memory is given back after that. */
const RECOVERY_MS = 120_000

export interface SiegeReport {
  readonly pages: readonly number[]
  readonly pagesFailed: number
  readonly leadsTaken: number
  readonly leadsSent: number
  /** Resident, in MB. */
  readonly memory: { readonly before: number; readonly most: number; readonly after: number }
  readonly serverCpuSeconds: number
  readonly attackers: { readonly connections: Readonly<Record<string, number>>; readonly cpuSeconds: number }
}

export async function besiege(seconds: number): Promise<SiegeReport> {
  const dataDir = mkdtempSync(join(tmpdir(), 'siege-'))
  const server = spawnServer({
    DATA_DIR: dataDir,
    TRUST_PROXY: '127.0.0.1',
    NODE_OPTIONS: `--max-old-space-size=${HEAP_MB}`,
  })
  try {
    const url = await server.url
    const pid = server.child.pid ?? 0
    tryPriority(pid, constants.priority.PRIORITY_HIGH)
    // Visitors wait for the server, not for their own turn on a busy machine.
    tryPriority(process.pid, constants.priority.PRIORITY_HIGH)
    progress(`a busy moment of ${BUSY_MS / 1000} s, then ${CALM_MS / 1000} s of calm: the memory to compare with`)
    const busy = startLoad({ servers: () => [url], visitors: BUSY_VISITORS, pauseMs: 0, random: Math.random })
    await Promise.all(Array.from({ length: BUSY_VISITORS }, () => browse(url, BUSY_MS)))
    await busy.stop()
    await visit(url, CALM_MS)
    const before = residentMb(pid)
    const cpuBefore = cpuSeconds(pid)

    progress(`${Math.round(before)} MB; the attackers come, for ${seconds} s`)
    const attack = spawn(
      process.execPath,
      [fileURLToPath(new URL('./siege-attackers.ts', import.meta.url)), url, largestScript().path],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    )
    tryPriority(attack.pid ?? 0, constants.priority.PRIORITY_BELOW_NORMAL)
    const told = text(attack.stdout)
    // All of them have come.
    await sleep(5000)
    let most = 0
    const look = setInterval(() => {
      most = Math.max(most, residentMb(pid))
    }, 200)
    const { pages, pagesFailed, leadsSent, leadsTaken } = await visit(url, seconds * 1000)
    clearInterval(look)
    const serverCpuSeconds = cpuSeconds(pid) - cpuBefore
    attack.kill('SIGTERM')
    const attackers = JSON.parse(await told)
    progress(`the attackers are gone, ${pages.length} pages have come; ${RECOVERY_MS / 1000} s to recover`)
    // Visitors go on, as they do: a server that does nothing has no reason to tidy up its memory.
    await visit(url, RECOVERY_MS)
    return {
      pages,
      pagesFailed,
      leadsSent,
      leadsTaken,
      memory: { before, most, after: residentMb(pid) },
      serverCpuSeconds,
      attackers,
    }
  } finally {
    server.child.kill('SIGKILL')
    await server.exit
    rmSync(dataDir, { recursive: true })
  }
}

/** One page after the other, as fast as they come. */
async function browse(url: string, ms: number): Promise<void> {
  for (const until = performance.now() + ms; performance.now() < until; ) await loadPage(url)
}

let visitors = 0

/** Pages and leads, each over a connection of its own, as of a visitor who has just come. */
async function visit(url: string, ms: number) {
  const pages: number[] = []
  let [pagesFailed, leadsSent, leadsTaken] = [0, 0, 0]
  const underWay: Promise<unknown>[] = []
  const until = performance.now() + ms
  const every = async (pauseMs: number, act: () => Promise<void>) => {
    while (performance.now() < until) {
      underWay.push(act())
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
      if ((await sendLead(url, `visitor-${visitors++}`)) === 202) leadsTaken++
    }),
  ])
  await Promise.all(underWay)
  return { pages, pagesFailed, leadsSent, leadsTaken }
}

/** Until its last byte, in milliseconds; null when it did not come. */
function loadPage(url: string): Promise<number | null> {
  const began = performance.now()
  return new Promise(resolve => {
    get(url, { agent: false }, response => {
      response.resume().on('end', () => resolve(response.statusCode === 200 ? performance.now() - began : null))
    }).on('error', () => resolve(null))
  })
}

function residentMb(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  return (Number(fields[11]) + Number(fields[12])) / 100
}

/**
 * As root, the server goes before its attackers, who would have machines of their own, and all of them before what else this
 * machine does: Linux shares the processor among sessions first.
 */
function tryPriority(pid: number, priority: number): void {
  try {
    if (existsSync('/proc/self/autogroup')) writeFileSync('/proc/self/autogroup', '-15')
    setPriority(pid, priority)
  } catch {
    // Not as root: the figures are then worse than they would be.
  }
}

/** Of the site's scripts. */
function largestScript(): { readonly path: string; readonly bytes: number } {
  const assets = join(BUILT, 'assets')
  const scripts = readdirSync(assets)
    .filter(name => name.endsWith('.js'))
    .map(name => ({ path: `/assets/${name}`, bytes: statSync(join(assets, name)).size }))
  const [largest] = scripts.toSorted((a, b) => b.bytes - a.bytes)
  if (!largest) throw new Error('The site has no script.')
  return largest
}
