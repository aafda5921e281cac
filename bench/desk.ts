/** Measures the desk with a million leads on both engines: Today, searches and filtered lists, calls, memory, and a clean restart. */
import { randomUUID } from 'node:crypto'
import { copyFileSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { campaignKey } from '../domain/campaign.ts'
import { newCall } from '../server/store/calls/queue.ts'
import { connectStore, moveStore, openStore, type StoreSettings } from '../server/store/open-store.ts'
import { createTestDesk } from '../tests/support/desk.ts'
import { createStore, fillStore } from '../tests/support/lead-fixtures.ts'
import { createDatabase, startPostgres } from '../tests/support/postgres-server.ts'
import { spawnDesk, spawnServer } from '../tests/support/processes.ts'
import { median, printTable, progress, verdict } from './table.ts'

const LEADS = 1_000_000
const RUNS = 7
const MAX_TODAY_MS = 1000
const MAX_SEARCH_MS = 100
const MAX_SHORT_SEARCH_MS = 1000
const MAX_LIST_MS = 300
const CALLS = 5000
const MAX_CALLS_MS = 100
/** Calls made in the last 30 days. */
const ATTEMPTS = 100_000
const MAX_CALL_FIGURES_MS = 300
const MAX_RESTART_MS = 2000
const MAX_MEMORY_MB = 200
const DAY = 24 * 60 * 60_000
const timeZone = 'America/New_York'
const outcomes = ['no answer', 'voicemail', 'no answer', 'call back', 'going ahead', 'not interested', 'wrong number']

const lists: readonly (readonly [filter: object, limitMs: number])[] = [
  [{ search: 'nobody@example.org' }, MAX_SEARCH_MS],
  [{ search: 'last1z' }, MAX_SEARCH_MS],
  [{ search: 'first' }, MAX_SEARCH_MS],
  [{ search: '5559990000' }, MAX_SEARCH_MS],
  [{ search: '203' }, MAX_SEARCH_MS],
  [{ search: 'last1z', state: 'repeat' }, MAX_SEARCH_MS],
  [{ search: 'zq' }, MAX_SHORT_SEARCH_MS],
  [{}, MAX_LIST_MS],
  [{ state: 'held' }, MAX_LIST_MS],
  [{ delivery: 'dead', page: '/advertorial' }, MAX_LIST_MS],
  [{ campaign: campaignKey({ utm_source: 'radio', utm_campaign: 'spring-4' }) }, MAX_LIST_MS],
  [{ page: '/nothing' }, MAX_LIST_MS],
  [{ campaign: campaignKey({ utm_source: 'nothing' }) }, MAX_LIST_MS],
]

export async function measureDesk(): Promise<void> {
  const sqlite = await createStore()
  const moved = await createStore()
  const postgres = await startPostgres()
  try {
    progress(`filling a store with ${LEADS.toLocaleString('en-US')} leads`)
    fillStore(sqlite.file, LEADS, Date.now())
    queueCalls(sqlite.file)
    recordCalls(sqlite.file)
    copyFileSync(sqlite.file, moved.file)
    await measureOn('SQLite', { dataDir: sqlite.dataDir, databaseUrl: null })
    const database = await createDatabase(postgres.url)
    progress('moving the leads to PostgreSQL')
    await moveStore(moved.dataDir, database.url)
    await measureOn('PostgreSQL', { dataDir: moved.dataDir, databaseUrl: database.url })
  } finally {
    await postgres.remove()
    sqlite.remove()
    moved.remove()
  }
}

/** Puts the newest leads on the call list, with numbers in several time zones. The others have left it. */
function queueCalls(file: string): void {
  const database = new DatabaseSync(file)
  const newest = `SELECT id FROM leads WHERE state = 'accepted' ORDER BY id DESC LIMIT ${CALLS}`
  const codes = ['212', '808', '305', '213', '208', '502']
  const code = `CASE rowid % 6 ${codes.map((each, index) => `WHEN ${index} THEN '${each}'`).join(' ')} END`
  const kind = `CASE rowid % 3 WHEN 0 THEN 'new' WHEN 1 THEN 'retry' ELSE 'callback' END`
  database.exec(`
    UPDATE leads SET phone = ${code} || substr(phone, 4) WHERE id IN (${newest});
    INSERT INTO calls (lead_id, kind, due_at, tries) SELECT id, ${kind}, received_at, 0 FROM leads WHERE id IN (${newest});
    INSERT INTO calls (lead_id, kind, due_at, tries, ended_at, ended)
    SELECT id, 'new', received_at, 1, received_at, 'going ahead' FROM leads WHERE state = 'accepted' AND id NOT IN (${newest})`)
  database.close()
}

/** Calls by ten people to the last 30 days' leads, two or three each, within five days. One in a hundred is undone. */
function recordCalls(file: string): void {
  const database = new DatabaseSync(file)
  const now = Date.now()
  const leads = database
    .prepare(`SELECT id, phone, received_at AS at FROM leads WHERE state = 'accepted' AND received_at > ? ORDER BY id`)
    .all(now - 30 * DAY) as unknown as readonly { id: string; phone: string; at: number }[]
  const attempts = Array.from({ length: ATTEMPTS }, (_, index) => {
    const { id: lead_id, phone, at } = leads[index % leads.length] as (typeof leads)[number]
    const scattered = ((index * 2_654_435_761) % 2 ** 32) / 2 ** 32
    const started_at = Math.round(at + scattered * Math.min(now - at, 5 * DAY))
    const outcome = outcomes[index % outcomes.length] ?? ''
    return {
      ...{ id: randomUUID(), lead_id, phone, place: 'NY Eastern', outcome },
      ...{ person_id: `caller-${index % 10}`, person_name: `Caller ${index % 10}` },
      ...{ started_at, saved_at: started_at + 90_000, corrects: null as string | null },
      callback_at: outcome === 'call back' ? started_at + DAY : null,
      waited_ms: index < leads.length ? Math.round(scattered ** 4 * DAY) : null,
      call_before: JSON.stringify(newCall(at)),
    }
  })
  const undone = attempts
    .filter((_, index) => index % 100 === 0)
    .map(attempt => ({
      ...attempt,
      ...{ id: randomUUID(), saved_at: attempt.saved_at + 5000, outcome: 'undone', corrects: attempt.id },
      ...{ callback_at: null, waited_ms: null, call_before: null },
    }))
  const rows = [...attempts, ...undone].toSorted((a, b) => a.saved_at - b.saved_at)
  const names = Object.keys(rows[0] ?? {})
  const insert = database.prepare(`INSERT INTO call_attempts (${names.join()}) VALUES (${names.map(() => '?').join()})`)
  database.exec('BEGIN')
  for (const row of rows) insert.run(...Object.values(row))
  database.exec('COMMIT')
  database.close()
}

async function measureOn(engine: string, settings: StoreSettings): Promise<void> {
  progress(`${engine}: updating the counts and the search index, as the server does`)
  const store = await openStore(settings, { onCreated() {}, onCrash() {} })
  while (await store.rollUpLeads({ timeZone }));
  await store.close()
  const env = {
    CALL_LIST: 'on',
    TIME_ZONE: timeZone,
    DATA_DIR: settings.dataDir,
    DATABASE_URL: settings.databaseUrl ?? '',
  }
  const rows: string[][] = []
  const add = (what: string, result: number, unit: string, limit: number) =>
    rows.push([what, `${Math.round(result)} ${unit}`, `${limit} ${unit}`, verdict(result <= limit)])

  const restarted = performance.now()
  const server = spawnServer(env)
  await server.url
  add('Restart until leads are accepted', performance.now() - restarted, 'ms', MAX_RESTART_MS)
  server.child.kill('SIGTERM')
  await server.exit

  const cookie = await signIn(settings)
  const desk = spawnDesk(env)
  try {
    const timeRequest = createRequestTimer(await desk.url, cookie)
    progress(`${engine}: Today and the lists`)
    add('Today, first view', await timeRequest('/api/today'), 'ms', MAX_TODAY_MS)
    const made = `${ATTEMPTS.toLocaleString('en-US')} calls in 30 days, first view`
    add(made, await timeRequest('/api/today/calls?period=30d'), 'ms', MAX_CALL_FIGURES_MS)
    for (const [filter, limit] of lists) {
      const times: number[] = []
      for (let run = 0; run < RUNS; run++) times.push(await timeRequest('/api/leads/search', { filter }))
      add(JSON.stringify(filter), median(times), 'ms', limit)
    }
    for (const [what, path, body] of [
      [`Calls, with ${CALLS.toLocaleString('en-US')} open`, '/api/calls'],
      ['Call next', '/api/calls/next', {}],
    ] as const) {
      const times: number[] = []
      for (let run = 0; run < RUNS; run++) times.push(await timeRequest(path, body))
      add(what, median(times), 'ms', MAX_CALLS_MS)
    }
    add('The desk’s memory', residentMegabytes(desk.child.pid), 'MB', MAX_MEMORY_MB)
  } finally {
    desk.child.kill()
    await desk.exit
  }
  printTable([`${LEADS.toLocaleString('en-US')} leads, ${engine}`, 'Result', 'Limit', ''], rows)
}

/** The session is in the store, so the desk process accepts it. */
async function signIn(settings: StoreSettings): Promise<string> {
  const store = await connectStore(settings, { access: 'write' })
  const { cookie } = await createTestDesk(store).signedIn('Maria Lopez', 'caller')
  await store.close()
  return cookie
}

/** Returns a function that sends a request and resolves to its duration in milliseconds. */
function createRequestTimer(url: string, cookie: string): (path: string, body?: object) => Promise<number> {
  const headers = { cookie, origin: url, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  return async (path, body) => {
    const started = performance.now()
    const response = await fetch(
      `${url}${path}`,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    await response.text()
    if (!response.ok) throw new Error(`${path} returned status ${response.status}.`)
    return performance.now() - started
  }
}

function residentMegabytes(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
