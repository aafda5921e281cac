/** The desk over a million leads on both engines: Today, searches and filtered lists, memory, and a clean restart. */
import { copyFileSync, readFileSync } from 'node:fs'
import { campaignKey } from '../domain/campaign.ts'
import { connectStore, moveStore, openStore, type StoreSettings } from '../server/store/open-store.ts'
import { deskOver } from '../tests/support/desk.ts'
import { createStore, fillStore } from '../tests/support/lead-fixtures.ts'
import { createDatabase, startPostgres } from '../tests/support/postgres-server.ts'
import { spawnDesk, spawnServer } from '../tests/support/processes.ts'
import { median, printTable, progress, verdict } from './table.ts'

const LEADS = 1_000_000
const RUNS = 7
const TODAY_BAR_MS = 1000
const SEARCH_BAR_MS = 100
const SHORT_SEARCH_BAR_MS = 1000
const LIST_BAR_MS = 300
const RESTART_BAR_MS = 2000
const MEMORY_BAR_MB = 200
const timeZone = 'America/New_York'

const lists: readonly (readonly [filter: object, barMs: number])[] = [
  [{ search: 'nobody@example.org' }, SEARCH_BAR_MS],
  [{ search: 'last1z' }, SEARCH_BAR_MS],
  [{ search: 'first' }, SEARCH_BAR_MS],
  [{ search: '5559990000' }, SEARCH_BAR_MS],
  [{ search: '203' }, SEARCH_BAR_MS],
  [{ search: 'last1z', state: 'repeat' }, SEARCH_BAR_MS],
  [{ search: 'zq' }, SHORT_SEARCH_BAR_MS],
  [{}, LIST_BAR_MS],
  [{ state: 'held' }, LIST_BAR_MS],
  [{ delivery: 'dead', page: '/advertorial' }, LIST_BAR_MS],
  [{ campaign: campaignKey({ utm_source: 'radio', utm_campaign: 'spring-4' }) }, LIST_BAR_MS],
  [{ page: '/nothing' }, LIST_BAR_MS],
  [{ campaign: campaignKey({ utm_source: 'nothing' }) }, LIST_BAR_MS],
]

export async function measureDesk(): Promise<void> {
  const sqlite = await createStore()
  const moved = await createStore()
  const postgres = await startPostgres()
  try {
    progress(`filling a store with ${LEADS.toLocaleString('en-US')} leads`)
    fillStore(sqlite.file, LEADS, Date.now())
    copyFileSync(sqlite.file, moved.file)
    await measureOn('SQLite', { dataDir: sqlite.dataDir, databaseUrl: null })
    const database = await createDatabase(postgres.url)
    progress('moving the leads to PostgreSQL')
    await moveStore(moved, database.url)
    await measureOn('PostgreSQL', { dataDir: moved.dataDir, databaseUrl: database.url })
  } finally {
    await postgres.remove()
    sqlite.remove()
    moved.remove()
  }
}

async function measureOn(engine: string, settings: StoreSettings): Promise<void> {
  progress(`${engine}: bringing the counts and the search index up to date, as the server does`)
  const store = await openStore(settings, { onCreated() {}, onCrash() {} })
  while (await store.rollUpLeads({ timeZone }));
  await store.close()
  const env = { TIME_ZONE: timeZone, DATA_DIR: settings.dataDir, DATABASE_URL: settings.databaseUrl ?? '' }
  const rows: string[][] = []
  const add = (what: string, figure: number, unit: string, bar: number) =>
    rows.push([what, `${Math.round(figure)} ${unit}`, `${bar} ${unit}`, verdict(figure <= bar)])

  const restarted = performance.now()
  const server = spawnServer(env)
  await server.url
  add('Restart until leads are accepted', performance.now() - restarted, 'ms', RESTART_BAR_MS)
  server.child.kill('SIGTERM')
  await server.exit

  const cookie = await signIn(settings)
  const desk = spawnDesk(env)
  try {
    const ask = askerOf(await desk.url, cookie)
    progress(`${engine}: Today and the lists`)
    add('Today, first view', await ask('/api/today'), 'ms', TODAY_BAR_MS)
    for (const [filter, bar] of lists) {
      const times: number[] = []
      for (let run = 0; run < RUNS; run++) times.push(await ask('/api/leads/search', { filter }))
      add(JSON.stringify(filter), median(times), 'ms', bar)
    }
    add('Memory of the desk', residentMegabytes(desk.child.pid), 'MB', MEMORY_BAR_MB)
  } finally {
    desk.child.kill()
    await desk.exit
  }
  printTable([`${LEADS.toLocaleString('en-US')} leads, ${engine}`, 'Figure', 'Bar', ''], rows)
}

/** The session is in the store, so the desk process accepts it. */
async function signIn(settings: StoreSettings): Promise<string> {
  const store = await connectStore(settings, { access: 'write' })
  const { cookie } = await deskOver(store).signedIn('Maria Lopez', 'viewer')
  await store.close()
  return cookie
}

function askerOf(url: string, cookie: string): (path: string, body?: object) => Promise<number> {
  const headers = { cookie, origin: url, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  return async (path, body) => {
    const started = performance.now()
    const answer = await fetch(
      `${url}${path}`,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    await answer.text()
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`)
    return performance.now() - started
  }
}

function residentMegabytes(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
