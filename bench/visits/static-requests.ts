/** What counting page views and dealing out variants cost the pages themselves: all ways in turns, in one run. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openConnection, rawGet } from '../captures/raw-connection.ts'
import { median } from '../median.ts'
import { progress } from '../progress.ts'
import { printTable, verdict } from '../table.ts'
import type { SiteWork } from './site-process.ts'

const ways: readonly SiteWork[] = ['not counting', 'counting', 'counting, dealing out two variants']
/** In each, the servers are new: what the compiler makes of the same code differs from process to process. */
const ROUNDS = 7
const CONNECTIONS = 16
/** Before that the compiler is still at work, and longer where there is more to compile. */
const WARM_UP = 20_000
/** So few at a time that whatever else this computer does in a moment is done to all of them alike. */
const REQUESTS_AT_A_TIME = 1000
/** As many in each place of the order. */
const TURNS = 21
const BAR = 0.95

interface SiteServer {
  readonly way: SiteWork
  readonly child: ChildProcess
  readonly send: (count: number) => Promise<void>
  readonly close: () => Promise<void>
}

interface Measured {
  readonly way: SiteWork
  readonly perSecond: number
  /** Of the server's processor time, which other programs do not take from. */
  readonly microseconds: number
  /** Of what the server without counting reached in the same round. */
  readonly shareASecond: number
  readonly shareByProcessor: number
}

export async function measureStaticRequests(): Promise<void> {
  const measured: Measured[] = []
  for (let round = 0; round < ROUNDS; round++) measured.push(...(await measureRound(round)))
  const rows = ways.map(way => {
    const ofWay = measured.filter(each => each.way === way)
    const figure = (name: Exclude<keyof Measured, 'way'>) => median(ofWay.map(each => each[name]))
    return [
      way,
      figure('perSecond').toFixed(0),
      `${figure('microseconds').toFixed(1)} µs`,
      figure('shareASecond').toFixed(3),
      figure('shareByProcessor').toFixed(3),
      `${BAR}`,
      way === 'not counting' ? '' : verdict(figure('shareByProcessor') >= BAR),
    ]
  })
  printTable(['pages', 'a second', 'processor each', 'share a second', 'by processor', 'bar', ''], rows)
}

async function measureRound(round: number): Promise<readonly Measured[]> {
  const servers = await Promise.all(ways.map(startServer))
  try {
    for (const { way, send } of servers) {
      progress(`warming up: ${way}, round ${round + 1} of ${ROUNDS}`)
      await send(WARM_UP)
    }
    const totals = new Map(ways.map(way => [way, { seconds: 0, microseconds: 0 }]))
    for (let turn = 0; turn < TURNS; turn++) {
      progress(`all in turns, round ${round + 1} of ${ROUNDS}, turn ${turn + 1} of ${TURNS}`)
      // Who comes first changes, too; and nobody has two turns in a row, in which the second finds the processor's caches full of its own.
      const first = turn % servers.length
      for (const { way, child, send } of [...servers.slice(first), ...servers.slice(0, first)]) {
        const before = await processorTime(child)
        const started = performance.now()
        await send(REQUESTS_AT_A_TIME)
        const total = totals.get(way) ?? { seconds: 0, microseconds: 0 }
        total.seconds += (performance.now() - started) / 1000
        total.microseconds += (await processorTime(child)) - before
      }
    }
    const bare = totals.get('not counting') ?? { seconds: 0, microseconds: 0 }
    return [...totals].map(([way, { seconds, microseconds }]) => ({
      way,
      perSecond: (TURNS * REQUESTS_AT_A_TIME) / seconds,
      microseconds: microseconds / (TURNS * REQUESTS_AT_A_TIME),
      shareASecond: bare.seconds / seconds,
      shareByProcessor: bare.microseconds / microseconds,
    }))
  } finally {
    for (const { close } of servers) await close()
  }
}

async function startServer(way: SiteWork): Promise<SiteServer> {
  const folder = mkdtempSync(join(tmpdir(), 'visits-bench-'))
  const child = fork(join(import.meta.dirname, 'site-process.ts'), [way, folder], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  const [port] = await once(child, 'message')
  const url = `http://127.0.0.1:${port}`
  const requests = someRequests(url)
  let sent = 0
  return {
    way,
    child,
    async send(count) {
      const end = sent + count
      await Promise.all(
        Array.from({ length: CONNECTIONS }, async () => {
          // New ones each time: a server closes connections that wait for their turn.
          const connection = await openConnection(url)
          while (sent < end) {
            const status = await connection.send(requests[sent++ % requests.length] ?? '')
            if (status !== 200) throw new Error(`A page was answered with ${status}.`)
          }
          connection.close()
        }),
      )
    },
    async close() {
      child.send('stop')
      await once(child, 'exit')
      rmSync(folder, { recursive: true })
    },
  }
}

async function processorTime(child: ChildProcess): Promise<number> {
  child.send('how much?')
  const [microseconds] = await once(child, 'message')
  return microseconds as number
}

/** Visitors with a hundred browsers and an address each, half of them by campaigns, a quarter with the id of a click. */
function someRequests(url: string): readonly string[] {
  return Array.from({ length: 5000 }, (_, index) => {
    const campaign = index % 2 ? `?utm_source=source-${index % 7}&utm_campaign=spring-${index % 30}` : ''
    const click = index % 4 === 1 ? `&gclid=Cj0KCQjw${index.toString(36)}` : ''
    return rawGet(new URL(`${url}/${campaign}${click}`), {
      'Accept-Encoding': 'gzip, deflate, br',
      'User-Agent': `Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.${index % 100}.0 Safari/537.36`,
      'X-Forwarded-For': `198.18.${index >> 8}.${index & 255}`,
    })
  })
}
