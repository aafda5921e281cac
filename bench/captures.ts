/** Measures leads per second on both engines: the store alone and through one server, compared with bare INSERTs. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openPostgresStore } from '../server/store/postgres/postgres-store.ts'
import { storeFile } from '../server/store/sqlite/files.ts'
import { openSqliteStore } from '../server/store/sqlite/sqlite-store.ts'
import type { Store } from '../server/store/store.ts'
import { createDatabase, runOn, startPostgres } from '../tests/support/postgres-server.ts'
import { spawnServer } from '../tests/support/processes.ts'
import { saveConsentAndQuestions, someRequest, someSubmission } from './people.ts'
import { printTable, progress, verdict } from './table.ts'

const ROUNDS = 3
const CALLERS = 32
const WARM_UP_MS = 3000
const MEASURE_MS = 3000
/** More than a server can handle in one measurement. */
const MAX_REQUESTS = 100_000
const MIN_SQLITE_SHARE = 0.5
const MIN_POSTGRES_RATE = 1000
const MAX_P99_MS = 50

interface Rate {
  readonly perSecond: number
  readonly p50: number
  readonly p99: number
}

export async function measureCaptures(): Promise<void> {
  const postgres = await startPostgres()
  const onPostgres = <T>(work: (url: string) => Promise<T>) => inNewDatabase(postgres.url, work)
  const measured: Record<string, () => Promise<Rate>> = {
    'SQLite: store alone': () => inNewFolder(dir => captureInto(openSqliteStore(storeFile(dir)))),
    'SQLite: store alone, one caller': () => inNewFolder(dir => captureInto(openSqliteStore(storeFile(dir)), 1)),
    'SQLite: through the server': () => inNewFolder(dir => throughServer({ DATA_DIR: dir })),
    'PostgreSQL: bare INSERTs': () => onPostgres(insertBare),
    'PostgreSQL: store alone': () => onPostgres(async url => captureInto(await openPostgresStore(url))),
    'PostgreSQL: store alone, one caller': () => onPostgres(async url => captureInto(await openPostgresStore(url), 1)),
    'PostgreSQL: through the server': () =>
      onPostgres(url => inNewFolder(dir => throughServer({ DATA_DIR: dir, DATABASE_URL: url }))),
  }
  const rates = new Map<string, Rate[]>()
  try {
    // Every round measures everything once, so background load affects all results equally.
    for (let round = 1; round <= ROUNDS; round++) {
      for (const [name, measure] of Object.entries(measured)) {
        const rate = await measure()
        rates.set(name, [...(rates.get(name) ?? []), rate])
        progress(`round ${round} of ${ROUNDS}: ${name}: ${rate.perSecond.toFixed(0)}/s`)
      }
    }
  } finally {
    await postgres.remove()
  }
  printRates(rates)
}

function printRates(rates: ReadonlyMap<string, readonly Rate[]>): void {
  const medianRate = (name: string) => {
    const sorted = (rates.get(name) ?? []).toSorted((one, other) => one.perSecond - other.perSecond)
    return sorted[Math.floor(sorted.length / 2)] as Rate
  }
  printTable(
    ['What', 'Leads/s', 'p50, ms', 'p99, ms'],
    [...rates.keys()].map(name => {
      const { perSecond, p50, p99 } = medianRate(name)
      return [name, perSecond.toFixed(0), p50.toFixed(1), p99.toFixed(1)]
    }),
  )
  const share = medianRate('SQLite: through the server').perSecond / medianRate('SQLite: store alone').perSecond
  const { perSecond, p99 } = medianRate('PostgreSQL: store alone')
  printTable(
    ['What', 'Result', 'Target', ''],
    [
      ['SQLite: server / store alone', share.toFixed(2), `${MIN_SQLITE_SHARE}`, verdict(share >= MIN_SQLITE_SHARE)],
      ['PostgreSQL: leads/s', perSecond.toFixed(0), `${MIN_POSTGRES_RATE}`, verdict(perSecond >= MIN_POSTGRES_RATE)],
      ['PostgreSQL: p99, ms', p99.toFixed(1), `${MAX_P99_MS}`, verdict(p99 <= MAX_P99_MS)],
    ],
  )
}

/** Keeps `callers` calls in flight. Calls that start during the warm-up don't count. */
async function measureRate(call: () => Promise<void>, callers: number): Promise<Rate> {
  const times: number[] = []
  const measureFrom = performance.now() + WARM_UP_MS
  const end = measureFrom + MEASURE_MS
  const loop = async () => {
    for (let started = performance.now(); started < end; started = performance.now()) {
      await call()
      if (started >= measureFrom) times.push(performance.now() - started)
    }
  }
  await Promise.all(Array.from({ length: callers }, loop))
  const perSecond = (times.length * 1000) / (performance.now() - measureFrom)
  times.sort((one, other) => one - other)
  const at = (share: number) => times[Math.floor(times.length * share)] ?? 0
  return { perSecond, p50: at(0.5), p99: at(0.99) }
}

async function captureInto(store: Store, callers = CALLERS): Promise<Rate> {
  await saveConsentAndQuestions(store)
  const rate = await measureRate(async () => void (await store.capture(someSubmission())), callers)
  await store.close()
  return rate
}

/** Inserts one row per lead, each in its own transaction, into a table with only a primary key. */
async function insertBare(url: string): Promise<Rate> {
  await runOn(url, 'CREATE TABLE bare_leads (id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY, lead TEXT)')
  const pool = new pg.Pool({ connectionString: url, max: 16 })
  pool.on('error', () => {})
  const insert = () => pool.query('INSERT INTO bare_leads (lead) VALUES ($1)', [JSON.stringify(someSubmission())])
  const rate = await measureRate(async () => void (await insert()), CALLERS)
  await pool.end()
  return rate
}

/**
 * The server trusts our X-Forwarded-For, so each lead has its own client address. The sender runs on the same two cores, so it
 * builds its requests in advance and doesn't use an HTTP client, which would need as much CPU as the server.
 */
async function throughServer(env: Readonly<Record<string, string>>): Promise<Rate> {
  const server = spawnServer({ TRUST_PROXY: '127.0.0.1', ...env })
  const url = new URL(await server.url)
  const requests = Array.from({ length: MAX_REQUESTS }, () => someRequest(url))
  const idle = await Promise.all(Array.from({ length: CALLERS }, () => openConnection(url)))
  const call = async () => {
    const connection = idle.pop() as Connection
    await connection.send(requests.pop() as string)
    idle.push(connection)
  }
  try {
    return await measureRate(call, CALLERS)
  } finally {
    for (const { socket } of idle) socket.destroy()
    server.child.kill('SIGTERM')
    await server.exit
  }
}

type Connection = Awaited<ReturnType<typeof openConnection>>

async function openConnection({ hostname, port }: URL) {
  let call = Promise.withResolvers<void>()
  let response = ''
  const callback = (length: number, buffer: Uint8Array) => {
    response += (buffer as Buffer).toString('latin1', 0, length)
    if (!response.endsWith('}')) return true
    if (response.startsWith('HTTP/1.1 202')) call.resolve()
    else call.reject(new Error(`A lead got status ${response.slice(9, 12)}.`))
    response = ''
    return true
  }
  const onread = { buffer: Buffer.alloc(4096), callback }
  const socket = connect({ host: hostname, port: Number(port), noDelay: true, onread })
  await once(socket, 'connect')
  socket.on('close', () => call.reject(new Error('The server closed the connection.')))
  return {
    socket,
    send(request: string): Promise<void> {
      call = Promise.withResolvers()
      socket.write(request, 'latin1')
      return call.promise
    },
  }
}

async function inNewFolder<T>(work: (dataDir: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  return work(folder).finally(() => rmSync(folder, { recursive: true }))
}

async function inNewDatabase<T>(serverUrl: string, work: (url: string) => Promise<T>): Promise<T> {
  const database = await createDatabase(serverUrl)
  return work(database.url).finally(() => database.remove())
}
