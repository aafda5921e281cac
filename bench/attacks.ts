/**
 * Attacks the site and the desk behind the project's nginx, one attack at a time, while visitors view pages and send leads. In turns with
 * each attack, other clients view as many pages: no attack may cost visitors more than that.
 */
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { get } from 'node:https'
import { constants, setPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import { BUILT } from '../build/build.ts'
import { freePort } from '../tests/support/free-port.ts'
import { OTHERS, startNginx } from '../tests/support/nginx.ts'
import { spawnDesk, spawnServer } from '../tests/support/processes.ts'
import { consentVersion, someLead } from './people.ts'
import { median, printTable, progress, verdict } from './table.ts'

const CARRIER = 'carrier'
export const attacks = {
  [CARRIER]: '300 views a second from one carrier’s address, ten files each',
  resets: '3 connections cancel thousands of pages a second',
  unfinishedLeads: '300 connections begin leads and never finish them',
  pages: '3,000 pages a second, most refused',
  wrongLeads: '3,000 leads with mistakes a second',
  stops: '3,000 stops a second, most refused',
  wrongForms: '1,000 forms with mistakes a second',
  longFields: '100 forms a second with 15 KB in one field',
  networkForms: '100 forms with mistakes a second, each from another client in one /48',
  campaigns: '300 pages a second with 200 parameters',
  queryBombs: '100 requests a second with 7 KB of percent signs',
  pipelining: '100 connections pipeline pages without reading',
  wrongRequests: '100 connections pipeline requests that Node would refuse',
  slowReaders: '1,500 connections request files without reading',
  slowHeaders: '1,500 connections never finish their headers',
  slowForms: '1,500 connections send a form a byte every 8 s',
  unreadForms: '1,500 connections post a form full of "<" without reading',
  cookies: '3,000 made-up cookies a second',
  files: '3,000 files a second',
  challenges: '1,000 sign-in challenges a second, each from another client in one /48',
} as const
const AT_THE_DESK: readonly string[] = ['cookies', 'files', 'challenges']

const SITE = 'https://localhost'
const DESK = 'https://desk.localhost'
const ROUNDS = 2
const ROUND_SECONDS = 3
const START_MS = 2000
const END_MS = 1000
const PAGE_EVERY_MS = 50
const LEAD_EVERY_MS = 250
const MAX_MB = 512
/** Two rounds of the same views differ by as much. */
const NOISE = 1.25
const NOISE_MS = 10

interface Place {
  readonly origin: string
  readonly port: number
  /** What its page loads. */
  readonly files: readonly string[]
  /** nginx's workers, the server, and the desk. */
  readonly pids: () => readonly number[]
}

export async function measureAttacks(only: readonly string[] = []): Promise<void> {
  if (spawnSync('nginx', ['-v']).status !== 0) return console.log('  Needs nginx (apt-get install nginx-light).\n')
  const folder = mkdtempSync(join(tmpdir(), 'attacks-'))
  const built = join(folder, 'built')
  cpSync(BUILT, built, { recursive: true })
  const port = { http: await freePort(), https: await freePort() }
  const env = { DATA_DIR: folder, TRUST_PROXY: '127.0.0.1', SITE_URL: SITE }
  const server = spawnServer(env)
  const serverUrl = new URL(await server.url)
  const deskPort = await freePort()
  const deskProcess = spawnDesk({ ...env, DESK_URL: DESK, DESK_PORT: String(deskPort) })
  await deskProcess.url
  const parts = { folder: join(folder, 'nginx'), built, server: serverUrl.host, desk: `127.0.0.1:${deskPort}` }
  const nginx = await startNginx({ ...parts, port })
  const pids = () => [...childrenOf(nginx.pid), ...[server, deskProcess].map(({ child }) => child.pid as number)]
  const placeAt = async (origin: string): Promise<Place> => {
    const place = { origin, port: port.https, files: [], pids }
    let page = await request(place, '/')
    // nginx has just started.
    for (; page.status !== 200; page = await request(place, '/')) await sleep(100)
    return { ...place, files: [...new Set(page.text.match(/\/assets\/[\w.-]+/g))] }
  }
  try {
    const places = { site: await placeAt(SITE), desk: await placeAt(DESK) }
    const rows: string[][] = []
    for (const [kind, what] of Object.entries(attacks)) {
      if (only.length > 0 && !only.includes(kind)) continue
      progress(what)
      const row = await compare(kind, places[AT_THE_DESK.includes(kind) ? 'desk' : 'site'], places.site)
      rows.push([what, ...row])
      progress(row.join('  '))
    }
    const head = ['Attack', 'A second', 'CPU each, ms', 'views', 'Page p50, ms', 'views', 'p95, ms', 'views']
    printTable([...head, 'Refused', 'Failed', 'Leads', 'MB', ''], rows)
  } finally {
    deskProcess.child.kill()
    server.child.kill('SIGKILL')
    await Promise.all([deskProcess.exit, server.exit, nginx.stop()])
    rmSync(folder, { recursive: true })
  }
}

async function compare(kind: string, place: Place, site: Place): Promise<string[]> {
  const attacked: Round[] = []
  const viewed: Round[] = []
  for (let count = 0; count < ROUNDS; count++) {
    const attack = await round(kind, null, place, site)
    attacked.push(attack)
    viewed.push(await round('views', attack, place, site))
  }
  const idle = await round('views', null, place, site)
  const middle = (of: (each: Round) => number) =>
    [attacked, viewed].map(rounds => median(rounds.map(of))) as [number, number]
  const sum = (of: (each: Round) => number) => attacked.reduce((total, each) => total + of(each), 0)
  const isMet = ([attack, views]: readonly [number, number], spare: number) => attack <= views * NOISE + spare
  const [cpu, p50, p95] = [
    middle(each => (each.cpuMs - idle.cpuMs) / each.perSecond),
    middle(each => each.p50),
    middle(each => each.p95),
  ]
  const mb = Math.max(...attacked.map(each => each.mb))
  const [failed, sent, accepted] = [sum(each => each.failed), sum(each => each.sent), sum(each => each.accepted)]
  const refused = sum(each => each.refused)
  // Its files and connections cost something, too.
  const isCheap = kind === CARRIER ? refused === 0 : isMet(cpu, 0)
  // If that many views can't even be made, pages can't take longer than beside them.
  const [made, wanted] = [viewed, attacked].map(rounds => median(rounds.map(each => each.perSecond))) as [
    number,
    number,
  ]
  const isQuick = made < wanted / 2 || isMet(p95, NOISE_MS)
  const met = isCheap && isQuick && failed === 0 && accepted === sent && mb <= MAX_MB
  const times = [...p50, ...p95, refused, failed].map(figure => String(Math.round(figure)))
  const perSecond = String(Math.round(median(attacked.map(each => each.perSecond))))
  return [
    perSecond,
    ...cpu.map(ms => ms.toFixed(2)),
    ...times,
    `${accepted} of ${sent}`,
    String(Math.round(mb)),
    verdict(met),
  ]
}

interface Round {
  /** What visitors got, in milliseconds. */
  readonly p50: number
  readonly p95: number
  readonly failed: number
  readonly sent: number
  readonly accepted: number
  readonly perSecond: number
  readonly openedPerSecond: number
  /** In each second. */
  readonly cpuMs: number
  readonly mb: number
  readonly refused: number
}

/** `like`: views as many pages as that round had requests, on as many new connections. */
async function round(
  kind: string,
  like: Pick<Round, 'perSecond' | 'openedPerSecond'> | null,
  place: Place,
  site: Place,
): Promise<Round> {
  const script = join(import.meta.dirname, 'attackers.ts')
  const { origin, port, files } = place
  const cpuBefore = sumOf(place.pids(), cpuMsOf)
  const started = performance.now()
  const rate = [like?.perSecond ?? 0, Math.min(like?.openedPerSecond ?? 0, like?.perSecond ?? 0)].map(String)
  const words = [script, kind, origin, String(port), files.join(), consentVersion, ...rate]
  const attackers = spawn(process.execPath, words, { stdio: ['ignore', 'pipe', 'inherit'] })
  const counted = text(attackers.stdout)
  // Real attackers would run on other machines; keep these from starving the server.
  setPriority(attackers.pid as number, constants.priority.PRIORITY_LOW)
  await sleep(START_MS)
  let mb = 0
  const watch = setInterval(() => {
    mb = Math.max(mb, sumOf(place.pids(), residentMb))
  }, 200)
  const seen = await visit(place, site)
  clearInterval(watch)
  attackers.kill()
  await once(attackers, 'close')
  const seconds = (performance.now() - started) / 1000
  const { begun, refused, opened }: { begun: number; refused: number; opened: number } = JSON.parse(await counted)
  const cpuMs = (sumOf(place.pids(), cpuMsOf) - cpuBefore) / seconds
  // What's still open ends.
  await sleep(END_MS)
  const at = (share: number) => seen.pages[Math.floor(share * (seen.pages.length - 1))] ?? Number.POSITIVE_INFINITY
  return {
    ...seen,
    p50: at(0.5),
    p95: at(0.95),
    perSecond: begun / seconds,
    openedPerSecond: opened / seconds,
    cpuMs,
    mb,
    refused,
  }
}

/** Views pages and sends leads, each over a new connection and from another client, like people who have just arrived. */
async function visit(place: Place, site: Place) {
  const pages: number[] = []
  let [failed, sent, accepted] = [0, 0, 0]
  const inFlight: Promise<unknown>[] = []
  const until = performance.now() + ROUND_SECONDS * 1000
  const every = async (pauseMs: number, act: () => Promise<void>) => {
    while (performance.now() < until) {
      inFlight.push(act())
      await sleep(pauseMs)
    }
  }
  await Promise.all([
    every(PAGE_EVERY_MS, async () => {
      const start = performance.now()
      if ((await request(place, '/')).status === 200) pages.push(performance.now() - start)
      else failed++
    }),
    every(LEAD_EVERY_MS, async () => {
      sent++
      const { path, headers } = someLead()
      if ((await request(site, path, headers)).status === 202) accepted++
    }),
  ])
  await Promise.all(inFlight)
  return { pages: pages.sort((one, other) => one - other), failed, sent, accepted }
}

let visitors = 0

function request({ origin, port }: Place, path: string, headers: Readonly<Record<string, string>> = {}) {
  visitors++
  const { hostname } = new URL(origin)
  const client = `11.${(visitors >> 16) & 255}.${(visitors >> 8) & 255}.${visitors & 255}`
  const from = { agent: false, localAddress: OTHERS, rejectUnauthorized: false, servername: hostname }
  return new Promise<{ readonly status: number; readonly text: string }>(resolve => {
    const outgoing = get(
      { host: '127.0.0.1', port, path, headers: { ...headers, host: hostname, 'x-real-ip': client }, ...from },
      async response => resolve({ status: response.statusCode ?? 0, text: await text(response).catch(() => '') }),
    )
    outgoing.on('error', () => resolve({ status: 0, text: '' }))
  })
}

const childrenOf = (pid: number) =>
  readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ').map(Number)

const residentMb = (pid: number) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024

/** In user and system mode, in hundredths of a second. The name before may have spaces. */
function cpuMsOf(pid: number): number {
  const [, , , , , , , , , , , user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(user) + Number(system)) * 10
}

const sumOf = (pids: readonly number[], of: (pid: number) => number) => pids.reduce((sum, pid) => sum + of(pid), 0)
