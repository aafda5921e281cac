/** The desk over a million leads on both engines: Today, searches and filtered pages; and what ten open desks cost captures. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { campaignKey } from '../domain/campaign.ts'
import { joinStore, moveStore, openStore, type StoreSettings } from '../server/store/open-store.ts'
import { deskOver } from '../tests/support/desk.ts'
import { spawnDesk } from '../tests/support/desk-process.ts'
import { createStore, fillStore } from '../tests/support/lead-fixtures.ts'
import { createDatabase } from '../tests/support/postgres-server.ts'
import { withPostgres, writeBy } from './captures/postgres.ts'
import { captureInto } from './captures/sqlite.ts'
import type { Visitors } from './desk-visitors.ts'
import { median } from './median.ts'
import { progress } from './progress.ts'
import { printTable, verdict } from './table.ts'

const LEADS = 1_000_000
const DESKS = 10
const RUNS = 7
const ROUNDS = 3
const TODAY_BAR_MS = 1000
const SEARCH_BAR_MS = 300
const CAPTURE_BAR = 0.9
/** Today is shared by all who ask within a second. */
const TODAY_REST_MS = 1100
const timeZone = 'America/New_York'

const radio = campaignKey({ utm_source: 'radio', utm_campaign: 'spring-4' })
const lists: readonly object[] = [
  { search: 'nobody@example.org' },
  { search: 'last1z' },
  { search: 'first' },
  { search: '5559990000' },
  { search: '2030' },
  { search: 'zq' },
  { search: 'last1z', state: 'repeat' },
  { search: 'nobody', page: '/advertorial' },
  {},
  { state: 'held' },
  { delivery: 'dead', page: '/advertorial' },
  { campaign: radio },
  { page: '/nothing' },
  { campaign: campaignKey({ utm_source: 'nothing' }) },
]

export async function measureDesk(): Promise<void> {
  progress(`filling a store with ${LEADS.toLocaleString('en-US')} leads`)
  const sqlite = await createStore()
  try {
    fillStore(sqlite.file, LEADS, Date.now())
    await measureDeskOnSqlite(sqlite.dataDir)
    await withPostgres(async serverUrl => {
      const database = await createDatabase(serverUrl)
      progress('moving all of it to PostgreSQL')
      await moveStore(sqlite, database.url, { onProgress() {} })
      await measureDeskOnPostgres(database.url)
      await database.remove()
    })
  } finally {
    sqlite.remove()
  }
}

export async function measureDeskOnSqlite(dataDir: string): Promise<void> {
  await measureOn('SQLite', { dataDir, databaseUrl: null }, async () => (await captureInto(dataDir)).perSecond)
}

export async function measureDeskOnPostgres(databaseUrl: string): Promise<void> {
  const settings = { dataDir: '/nowhere', databaseUrl }
  await measureOn('PostgreSQL', settings, async () => (await writeBy(1, 'captures', databaseUrl)).perSecond)
}

async function measureOn(engine: string, settings: StoreSettings, capture: () => Promise<number>): Promise<void> {
  const server = await openStore(settings, { onCreated() {}, onCrash() {} })
  progress(`${engine}: counting leads, as the server does`)
  while (await server.countLeads({ timeZone, restMs: 2 * 3_600_000 }));
  await server.close()
  const cookie = await signIn(settings)
  const env = { TIME_ZONE: timeZone, DATA_DIR: settings.dataDir, DATABASE_URL: settings.databaseUrl ?? '' }
  const desk = spawnDesk(env)
  try {
    const url = await desk.url
    await measureAnswers(engine, url, cookie)
    await measureCaptures(engine, { url, cookie, desks: DESKS }, capture)
  } finally {
    desk.child.kill()
    await desk.exit
  }
}

/** By an invitation and a passkey, as everybody; the session is in the store, so the desk's process knows it. */
async function signIn(settings: StoreSettings): Promise<string> {
  const store = await joinStore(settings, { access: 'write' })
  const { cookie } = await deskOver(store).signedIn('Maria Lopez', 'look')
  await store.close()
  return cookie
}

async function measureAnswers(engine: string, url: string, cookie: string): Promise<void> {
  const headers = { cookie, origin: url, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  const timed = async (path: string, body?: object) => {
    const started = performance.now()
    const answer = await fetch(
      `${url}${path}`,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    const read = (await answer.json()) as { leads?: readonly unknown[] }
    if (!answer.ok) throw new Error(`${path} was answered with ${answer.status}.`)
    return { ms: performance.now() - started, found: read.leads?.length }
  }
  const search = (filter: object) => timed('/api/leads/search', { filter })
  const rows: string[][] = []
  const add = (what: string, found: string, times: readonly number[], bar: number) =>
    rows.push([what, found, `${Math.round(median(times))} ms`, `${bar} ms`, verdict(median(times) < bar)])
  progress(`${engine}: Today`)
  add('Today, the first time', '', [(await timed('/api/today')).ms], TODAY_BAR_MS)
  const todays: number[] = []
  for (let run = 0; run < RUNS; run++) {
    await sleep(TODAY_REST_MS)
    todays.push((await timed('/api/today')).ms)
  }
  add('Today', '', todays, TODAY_BAR_MS)
  const first = await search({ search: 'nobody@example.org' })
  for (const filter of lists) {
    progress(`${engine}: ${JSON.stringify(filter)}`)
    const times: number[] = []
    let found = 0
    for (let run = 0; run < RUNS; run++) {
      const answer = await search(filter)
      times.push(answer.ms)
      found = answer.found ?? 0
    }
    add(JSON.stringify(filter), `${found}`, times, SEARCH_BAR_MS)
  }
  console.log(
    `  ${engine}: the first search after the start, which waits for the rest of the leads: ${Math.round(first.ms)} ms\n`,
  )
  printTable([`${LEADS.toLocaleString('en-US')} leads, ${engine}`, 'on the page', 'median', 'bar', ''], rows)
}

async function measureCaptures(engine: string, visitors: Visitors, capture: () => Promise<number>): Promise<void> {
  const without: number[] = []
  const beside: number[] = []
  const searches: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    progress(`${engine}: captures, round ${round + 1} of ${ROUNDS}`)
    without.push(await capture())
    const child = openDesks(visitors, searches)
    await sleep(1000)
    beside.push(await capture())
    child.kill()
  }
  const share = median(beside) / median(without)
  printTable(
    [`leads a second, ${engine}`, 'without', `${DESKS} desks`, 'share', 'bar', '', 'searches', 'median'],
    [
      [
        'captures',
        median(without).toFixed(0),
        median(beside).toFixed(0),
        share.toFixed(2),
        `${CAPTURE_BAR}`,
        verdict(share >= CAPTURE_BAR),
        `${searches.length}`,
        `${Math.round(median(searches))} ms`,
      ],
    ],
  )
}

function openDesks(visitors: Visitors, searches: number[]): ChildProcess {
  const child = fork(join(import.meta.dirname, 'desk-visitors.ts'), { execArgv: [] })
  child.on('message', message => {
    const { ok, ms } = message as { ok: boolean; ms: number }
    if (!ok) throw new Error('A desk was refused its search.')
    searches.push(ms)
  })
  child.send(visitors)
  return child
}
