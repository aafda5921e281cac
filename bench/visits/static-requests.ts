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
const ROUNDS = 5
const CONNECTIONS = 16
/** Before that the compiler is still at work, and longer where there is more to compile. */
const WARM_UP = 30_000
const REQUESTS = 30_000
const BAR = 0.95

interface Measured {
  readonly perSecond: number
  /** Of the server's processor time, which other programs do not take from. */
  readonly microseconds: number
}

export async function measureStaticRequests(): Promise<void> {
  const measured = new Map<SiteWork, Measured[]>(ways.map(way => [way, []]))
  for (let round = 0; round < ROUNDS; round++) {
    for (const way of ways) {
      progress(`${way}, round ${round + 1} of ${ROUNDS}`)
      measured.get(way)?.push(await measure(way))
    }
  }
  const figures = (way: SiteWork, figure: keyof Measured) => median((measured.get(way) ?? []).map(each => each[figure]))
  const rows = ways.map(way => {
    const share = figures('not counting', 'microseconds') / figures(way, 'microseconds')
    return [
      way,
      figures(way, 'perSecond').toFixed(0),
      `${figures(way, 'microseconds').toFixed(1)} µs`,
      (figures(way, 'perSecond') / figures('not counting', 'perSecond')).toFixed(3),
      share.toFixed(3),
      `${BAR}`,
      way === 'not counting' ? '' : verdict(share >= BAR),
    ]
  })
  printTable(['pages', 'a second', 'processor each', 'share a second', 'by processor', 'bar', ''], rows)
}

async function measure(way: SiteWork): Promise<Measured> {
  const folder = mkdtempSync(join(tmpdir(), 'visits-bench-'))
  const child = fork(join(import.meta.dirname, 'site-process.ts'), [way, folder], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  })
  try {
    const [port] = await once(child, 'message')
    const url = `http://127.0.0.1:${port}`
    const requests = someRequests(url)
    await send(url, requests, WARM_UP)
    const before = await processorTime(child)
    const started = performance.now()
    await send(url, requests, REQUESTS)
    const seconds = (performance.now() - started) / 1000
    return { perSecond: REQUESTS / seconds, microseconds: ((await processorTime(child)) - before) / REQUESTS }
  } finally {
    child.send('stop')
    await once(child, 'exit')
    rmSync(folder, { recursive: true })
  }
}

async function processorTime(child: ChildProcess): Promise<number> {
  child.send('how much?')
  const [microseconds] = await once(child, 'message')
  return microseconds as number
}

async function send(url: string, requests: readonly string[], count: number): Promise<void> {
  let sent = 0
  await Promise.all(
    Array.from({ length: CONNECTIONS }, async () => {
      const connection = await openConnection(url)
      while (sent < count) {
        const status = await connection.send(requests[sent++ % requests.length] ?? '')
        if (status !== 200) throw new Error(`A page was answered with ${status}.`)
      }
      connection.close()
    }),
  )
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
