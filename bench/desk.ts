/** The desk over a million leads on both engines: Today, searches and filtered pages; and what ten open desks cost captures. */
import { type ChildProcess, execFileSync, fork } from 'node:child_process'
import { copyFileSync, existsSync, mkdirSync, renameSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { campaignKey } from '../domain/campaign.ts'
import { joinStore, moveStore, openStore, type StoreSettings } from '../server/store/open-store.ts'
import { storeFile } from '../server/store/sqlite/files.ts'
import { deskOver } from '../tests/support/desk.ts'
import { spawnDesk } from '../tests/support/desk-process.ts'
import { createStore, fillStore } from '../tests/support/lead-fixtures.ts'
import { createDatabase } from '../tests/support/postgres-server.ts'
import { withPostgres, writeBy } from './captures/postgres.ts'
import { captureInto } from './captures/sqlite.ts'
import type { Searched, Visitors } from './desk-visitors.ts'
import { median } from './median.ts'
import { progress } from './progress.ts'
import { printTable, verdict } from './table.ts'

const LEADS = 1_000_000
const DESKS = 10
const RUNS = 7
/** So many, because PostgreSQL's own housekeeping falls into one or another, and takes more of the computer than all desks do. */
const ROUNDS = 15
const TODAY_BAR_MS = 1000
const SEARCH_BAR_MS = 300
const CAPTURE_BAR = 0.9
/** As often as a page does that is open while leads come in. */
const TODAY_EVERY_MS = 5000
/** A fast typist. */
const SEARCH_EVERY_MS = 1000
/** What takes longer than any bar is told as it is, but not waited for without end. */
const PATIENCE_MS = 30_000
/** The first search waits until all leads are read. */
const FIRST_PATIENCE_MS = 180_000
/** So much time for all runs of one question. */
const QUESTION_MS = 15_000
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

/** `kept`: a folder where the million leads are kept for the next time; they take minutes to make. */
export async function measureDesk(kept?: string): Promise<void> {
  execFileSync(process.execPath, [join(import.meta.dirname, '../desk/build/if-stale.ts')], { stdio: 'inherit' })
  const sqlite = await createStore()
  // Both begin with the same leads: the measurement itself captures hundreds of thousands.
  const moved = await createStore()
  try {
    await fill(sqlite.file, kept)
    copyFileSync(sqlite.file, moved.file)
    await measureDeskOnSqlite(sqlite.dataDir)
    await withPostgres(async serverUrl => {
      const database = await createDatabase(serverUrl)
      const onProgress = everyTenth((leads: number) => `moving to PostgreSQL: ${inWords(leads)} leads`)
      await moveStore(moved, database.url, { onProgress })
      await measureDeskOnPostgres(database.url)
      await database.remove()
    })
  } finally {
    sqlite.remove()
    moved.remove()
  }
}

async function fill(file: string, kept?: string): Promise<void> {
  const keptFile = kept === undefined ? undefined : storeFile(kept)
  if (keptFile !== undefined && existsSync(keptFile)) {
    progress(`taking the leads that are kept at ${keptFile}`)
    copyFileSync(keptFile, file)
    return
  }
  const onProgress = everyTenth((leads: number) => `filling a store: ${inWords(leads)} leads`)
  fillStore(file, LEADS, Date.now(), onProgress)
  if (kept === undefined || keptFile === undefined) return
  mkdirSync(kept, { recursive: true })
  copyFileSync(file, `${keptFile}.part`)
  renameSync(`${keptFile}.part`, keptFile)
}

const inWords = (leads: number) => leads.toLocaleString('en-US')

function everyTenth(say: (leads: number) => string): (leads: number) => void {
  let said = 0
  return leads => {
    if (leads < said + LEADS / 10) return
    said = leads
    progress(say(leads))
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
  for (let turn = 0; await server.countLeads({ timeZone, restMs: 2 * 3_600_000 }); turn++) {
    if (turn % 200 === 0) progress(`${engine}: counting leads, as the server does: ${turn}`)
  }
  await server.close()
  const cookie = await signIn(settings)
  const env = { TIME_ZONE: timeZone, DATA_DIR: settings.dataDir, DATABASE_URL: settings.databaseUrl ?? '' }
  const desk = spawnDesk(env)
  try {
    const url = await desk.url
    await measureAnswers(engine, url, cookie)
    const visitors = { url, cookie, desks: DESKS, todayEveryMs: TODAY_EVERY_MS, searchEveryMs: SEARCH_EVERY_MS }
    await measureCaptures(engine, visitors, capture)
    const { ms } = await askerOf(url, cookie)('/api/today')
    console.log(
      `  ${engine}: Today at once after all these captures: ${Math.round(ms)} ms, ${verdict(ms < TODAY_BAR_MS)}\n`,
    )
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

function askerOf(url: string, cookie: string) {
  const headers = { cookie, origin: url, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  /** Without an answer it took for ever: a bar that is missed, and no reason to measure nothing else. */
  return async (path: string, body?: object, patienceMs = PATIENCE_MS) => {
    const started = performance.now()
    const signal = AbortSignal.timeout(patienceMs)
    const asked = body ? { method: 'POST', headers, signal, body: JSON.stringify(body) } : { headers, signal }
    try {
      const answer = await fetch(`${url}${path}`, asked)
      const read = (await answer.json()) as { leads?: readonly unknown[] }
      if (answer.ok) return { ms: performance.now() - started, found: read.leads?.length }
      progress(`${path} was answered with ${answer.status}`)
    } catch (error) {
      progress(`${path} was not answered: ${error instanceof Error ? error.name : 'unknown'}`)
    }
    return { ms: Number.POSITIVE_INFINITY, found: undefined }
  }
}

async function measureAnswers(engine: string, url: string, cookie: string): Promise<void> {
  const timed = askerOf(url, cookie)
  const search = (filter: object, patienceMs?: number) => timed('/api/leads/search', { filter }, patienceMs)
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
  const first = await search({ search: 'nobody@example.org' }, FIRST_PATIENCE_MS)
  for (const filter of lists) {
    progress(`${engine}: ${JSON.stringify(filter)}`)
    const times: number[] = []
    let found = 0
    const until = performance.now() + QUESTION_MS
    for (let run = 0; run < RUNS && performance.now() < until; run++) {
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
  const searches: Searched[] = []
  let seconds = 0
  const captureAlone = async () => void without.push(await capture())
  const captureBeside = async () => {
    const child = openDesks(visitors, searches)
    const started = performance.now()
    await sleep(2000)
    beside.push(await capture())
    seconds += (performance.now() - started) / 1000
    child.kill()
  }
  for (let round = 0; round < ROUNDS; round++) {
    progress(`${engine}: captures without desks and beside ${DESKS}, round ${round + 1} of ${ROUNDS}`)
    // Each is the first as often as the other: the more leads there are, the longer a capture takes.
    const [first, second] = round % 2 ? [captureBeside, captureAlone] : [captureAlone, captureBeside]
    await first()
    await second()
  }
  // Round by round: what else the computer does changes from minute to minute.
  const share = median(beside.map((each, round) => each / (without[round] as number)))
  const unanswered = searches.filter(({ ok }) => !ok).length
  printTable(
    [
      `leads a second, ${engine}`,
      'without',
      `${DESKS} desks`,
      'share',
      'bar',
      '',
      'searches a second',
      'median',
      'failed',
    ],
    [
      [
        'captures',
        median(without).toFixed(0),
        median(beside).toFixed(0),
        share.toFixed(2),
        `${CAPTURE_BAR}`,
        verdict(share >= CAPTURE_BAR),
        (searches.length / seconds).toFixed(1),
        `${Math.round(median(searches.map(({ ms }) => ms)))} ms`,
        `${unanswered}`,
      ],
    ],
  )
  console.log(
    `  Each desk keeps an event stream open, fetches Today every ${TODAY_EVERY_MS / 1000} s, and every ${SEARCH_EVERY_MS / 1000} s searches for a new text:\n` +
      '  a page of leads with their number, as the page in the browser asks for it.\n',
  )
}

function openDesks(visitors: Visitors, searches: Searched[]): ChildProcess {
  const child = fork(join(import.meta.dirname, 'desk-visitors.ts'), { execArgv: [] })
  child.on('message', message => void searches.push(message as Searched))
  child.send(visitors)
  return child
}
