/** Measures the desk with a million leads on both engines: Today, searches and filtered lists, calls, memory, and a clean restart. */
import { randomUUID } from 'node:crypto'
import { copyFileSync, readFileSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { DEFAULT_CALLING_HOURS } from '../domain/calling/hours.ts'
import { callOutcomeNames } from '../domain/calling/outcomes.ts'
import { campaignKey } from '../domain/campaigns/campaign.ts'
import { formatPhone } from '../domain/contact/phone.ts'
import { DAY, HOUR } from '../domain/durations.ts'
import { phoneMark } from '../server/store/facts/leads/person-keys.ts'
import { connectStore, moveStore, openStore, type StoreSettings } from '../server/store/open-store.ts'
import { createTestDesk, type SessionHeaders, sessionHeaders } from '../tests/support/desk.ts'
import { createStore, leadInserter, type StoredLead, someLead } from '../tests/support/lead-fixtures.ts'
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
/** Every open desk asks for changes every three seconds. */
const DESKS = 10
const MAX_POLL_MS = 100
/** Calls made in the last 30 days. */
const ATTEMPTS = 100_000
const MAX_CALL_FIGURES_MS = 300
const MAX_RESTART_MS = 2000
const MAX_MEMORY_MB = 200
const timeZone = 'America/New_York'
const unfinished = ['no answer', 'voicemail', 'no answer', 'call back']
/** Everyone who isn't on the list was reached in the end. */
const final = ['going ahead', 'not interested', 'wrong number']

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
    fillCalls(sqlite.file)
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

/** Fills a store with made-up leads: mostly delivered, some repeats, a few held, dead, or pending. */
function fillStore(file: string, count: number, until: number): void {
  const database = new DatabaseSync(file)
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = OFF; PRAGMA cache_size = -200000')
    const insert = leadInserter(database)
    for (let index = 0; index < count; index++) {
      if (index % 10_000 === 0) database.exec('BEGIN')
      insert(syntheticLead(index, until - (count - index) * 60_000))
      if (index % 10_000 === 9999 || index === count - 1) database.exec('COMMIT')
    }
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)')
  } finally {
    database.close()
  }
}

const sources = ['news', 'search', 'social', 'mail', 'radio']

function syntheticLead(index: number, receivedAt: number): StoredLead {
  const scattered = (index * 2_654_435_761) % 2 ** 32
  const state = index % 20 === 7 ? 'repeat' : index % 5000 === 11 ? 'held' : 'accepted'
  const delivery = index % 10_000 === 3 ? 'dead' : index % 20_000 === 5 ? 'pending' : 'delivered'
  return {
    ...someLead,
    receivedAt,
    firstName: `First${scattered.toString(36)}`,
    lastName: `Last${index.toString(36)}`,
    email: `person.${scattered.toString(36)}.${index}@example.org`,
    phone: formatPhone(`555${String(scattered % 10_000_000).padStart(7, '0')}`),
    state,
    heldReason: state === 'held' ? 'many from one address' : null,
    page: index % 3 === 0 ? '/advertorial' : '/',
    campaign: { utm_source: sources[index % 5] ?? '', utm_campaign: `spring-${index % 40}` },
    delivery: state === 'accepted' ? delivery : null,
    nextAt: receivedAt,
  }
}

interface AcceptedLead {
  readonly id: string
  readonly phone: string
  readonly key: string
  readonly at: number
}

/**
 * The newest leads are on the list, in several time zones: new, tried, or promised a callback. Ten people called the last 30 days' other
 * leads, two or three times each, within five days, and the last call ended it. One call in a hundred was undone.
 */
function fillCalls(file: string): void {
  const database = new DatabaseSync(file)
  const now = Date.now()
  const leads = database
    .prepare(
      `SELECT leads.id, leads.phone, person_key AS key, received_at AS at FROM leads JOIN stories ON stories.id = leads.id
       WHERE received_at > ? AND counter = 1 ORDER BY leads.id`,
    )
    .all(now - 30 * DAY) as unknown as readonly AcceptedLead[]
  const [called, listed] = [leads.slice(0, -CALLS), leads.slice(-CALLS)]
  database.exec('BEGIN')
  moveNumbers(database, listed)
  for (const [index, { id, at }] of listed.entries()) {
    const outcome = index % 3 === 1 ? { outcome: 'no answer' } : { outcome: 'call back', callback_at: at + HOUR }
    const said = { kind: 'said', at: at + 60_000, by: index % 10, ...outcome }
    addEvents(database, id, index % 3 === 0 ? [] : [said])
  }
  const callsOf = Map.groupBy(Array.from({ length: ATTEMPTS }).keys(), index => index % called.length)
  for (const [index, { id, at }] of called.entries()) {
    const times = (callsOf.get(index) ?? []).map(call => {
      const scattered = ((call * 2_654_435_761) % 2 ** 32) / 2 ** 32
      return { call, at: Math.round(at + scattered * Math.min(now - at, 5 * DAY)) }
    })
    let n = 1
    const events = times
      .toSorted((one, other) => one.at - other.at)
      .flatMap(({ call, at: dialedAt }, index) => {
        const isLast = index === times.length - 1
        const kinds = isLast ? final : unfinished
        const [by, outcome] = [call % 10, kinds[call % kinds.length] ?? '']
        const isUndone = call % 100 === 0 && !isLast
        const dial = n + 1
        n += isUndone ? 3 : 2
        return [
          { kind: 'dialed', at: dialedAt, by },
          {
            kind: 'said',
            at: dialedAt + 90_000,
            by,
            refers_to: dial,
            outcome,
            callback_at: outcome === 'call back' ? dialedAt + DAY : null,
          },
          ...(isUndone ? [{ kind: 'corrected', at: dialedAt + 95_000, by, refers_to: dial + 1 }] : []),
        ]
      })
    addEvents(database, id, events)
  }
  database.exec('COMMIT')
  database.close()
}

function moveNumbers(database: DatabaseSync, leads: readonly AcceptedLead[]): void {
  const codes = ['212', '808', '305', '213', '208', '502']
  const lead = database.prepare('UPDATE leads SET phone = ?, person_key = ? WHERE id = ?')
  const story = database.prepare('UPDATE stories SET phone = ?, mark = ? WHERE id = ?')
  for (const [index, { id, phone, key }] of leads.entries()) {
    const number = `${codes[index % 6]}${phone.slice(3)}`
    lead.run(number, `${key.slice(0, 8)}${phoneMark(number)}${key.slice(13)}`, id)
    story.run(number, phoneMark(number), id)
  }
}

interface FilledEvent {
  readonly kind: string
  readonly at: number
  readonly by: number
  readonly refers_to?: number
  readonly outcome?: string
  readonly callback_at?: number | null
}

/** After the submission, which the desk calls. The server makes the plan. */
function addEvents(database: DatabaseSync, leadId: string, events: readonly FilledEvent[]): void {
  const insert = database.prepare(
    `INSERT INTO story_events (story_id, n, kind, at, lead_id, person_id, person_name, id, refers_to, outcome, callback_at, place)
     VALUES (?1, ?2, ?3, ?4, ?1, ?5, ?6, ?7, ?8, ?9, ?10, 'NY Eastern')`,
  )
  for (const [index, { kind, at, by, refers_to = null, outcome = null, callback_at = null }] of events.entries()) {
    insert.run(leadId, index + 2, kind, at, `agent-${by}`, `Agent ${by}`, randomUUID(), refers_to, outcome, callback_at)
  }
  database.prepare('UPDATE stories SET counter = ?, stale = 1 WHERE id = ?').run(events.length + 1, leadId)
  const detail = JSON.stringify({ desk: true, language: 'en' })
  database.prepare('UPDATE story_events SET detail = ? WHERE story_id = ? AND n = 1').run(detail, leadId)
}

async function measureOn(engine: string, settings: StoreSettings): Promise<void> {
  progress(`${engine}: updating the counts and the search index, as the server does`)
  const store = await openStore(settings, { onCreated() {}, onCrash() {} })
  while (await store.rollUpLeads({ timeZone }));
  await store.planStaleStories(DEFAULT_CALLING_HOURS)
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

  const session = await signIn(settings)
  const desk = spawnDesk(env)
  try {
    const send = createSender(await desk.url, session)
    const timeRequest = async (path: string, body?: object) => (await send(path, body)).ms
    progress(`${engine}: Today and the lists`)
    add('Today, first view', await timeRequest('/api/today'), 'ms', MAX_TODAY_MS)
    const made = `${ATTEMPTS.toLocaleString('en-US')} calls in 30 days, first view`
    add(made, await timeRequest('/api/today/calls?period=30d'), 'ms', MAX_CALL_FIGURES_MS)
    const [day, yearAgo] = [Date.now(), Date.now() - 365 * DAY].map(at => new Date(at).toISOString().slice(0, 10))
    const [month, monthYearAgo] = [day, yearAgo].map(date => date?.slice(0, 7))
    add('Campaigns, a year', await timeRequest(`/api/campaigns?from=${yearAgo}&to=${day}`), 'ms', MAX_LIST_MS)
    add('Costs, a year', await timeRequest(`/api/costs?from=${monthYearAgo}&to=${month}`), 'ms', MAX_LIST_MS)
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
    const polls: number[] = []
    for (let run = 0; run < RUNS; run++) {
      const started = performance.now()
      await Promise.all(Array.from({ length: DESKS }, () => timeRequest('/api/pulse')))
      polls.push(performance.now() - started)
    }
    add(`${DESKS} open desks ask for changes`, median(polls), 'ms', MAX_POLL_MS)
    for (const [outcome, times] of await timeOutcomes(send)) add(outcome, median(times), 'ms', MAX_CALLS_MS)
    add('The desk’s memory', residentMegabytes(desk.child.pid), 'MB', MAX_MEMORY_MB)
  } finally {
    desk.child.kill()
    await desk.exit
  }
  printTable([`${LEADS.toLocaleString('en-US')} leads, ${engine}`, 'Result', 'Limit', ''], rows)
}

/** The session is in the store, so the desk process accepts it. */
async function signIn(settings: StoreSettings): Promise<SessionHeaders> {
  const store = await connectStore(settings, { access: 'write' })
  const maria = await createTestDesk(store).signedIn('Maria Lopez', 'agent')
  await store.close()
  return sessionHeaders(maria)
}

type Send = <Answer>(path: string, body?: object) => Promise<{ readonly ms: number; readonly answer: Answer }>

/** Saves each outcome of calls to people on the list, as made on another phone: at night, nobody can be dialed. */
async function timeOutcomes(send: Send): Promise<ReadonlyMap<string, number[]>> {
  type Listed = Readonly<Record<'ready' | 'later', readonly { readonly leadId: string }[]>>
  const { ready, later } = (await send<Listed>('/api/calls')).answer
  const people = [...ready, ...later]
  const timesOf = new Map(callOutcomeNames.map(outcome => [outcome as string, [] as number[]]))
  for (const [outcome, times] of timesOf) {
    for (const { leadId } of people.splice(0, RUNS)) {
      await send(`/api/calls/${leadId}/claim`, {})
      type Choices = { readonly callbackChoices: readonly { readonly at: number }[] }
      const [choice] = (await send<Choices>(`/api/calls/${leadId}`)).answer.callbackChoices
      const said = outcome === 'call back' ? { outcome, callbackAt: choice?.at } : { outcome }
      const { ms, answer } = await send<{ readonly kind: string }>(`/api/calls/${leadId}/outcome`, {
        outcomes: [{ ...said, leads: [leadId] }],
        calledAt: null,
      })
      if (answer.kind !== 'saved') throw new Error(`${outcome}: ${JSON.stringify(answer)}`)
      times.push(ms)
    }
  }
  return timesOf
}

/** Returns a function that sends a request and resolves to its duration in milliseconds, and the answer. */
function createSender(url: string, session: SessionHeaders): Send {
  const headers = { ...session, origin: url, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  return async (path, body) => {
    const started = performance.now()
    const response = await fetch(
      `${url}${path}`,
      body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers },
    )
    const answer = await response.json()
    if (!response.ok) throw new Error(`${path} returned status ${response.status}.`)
    return { ms: performance.now() - started, answer }
  }
}

function residentMegabytes(pid: number | undefined): number {
  return Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024
}
