/** The funnel over more than ten million views by 200 campaigns a day for a year, and a million leads, on both engines. */
import { campaignKey } from '../../domain/campaign.ts'
import { createCalendar } from '../../server/calendar.ts'
import { joinStore, moveStore, openStore } from '../../server/store/open-store.ts'
import type { FunnelGroup } from '../../server/store/reports/kept-counts.ts'
import { funnelGroups } from '../../server/store/reports/kept-counts.ts'
import type { PageCounts } from '../../server/store/reports/page-counts.ts'
import type { Store } from '../../server/store/store.ts'
import { createStore, fillStore } from '../../tests/support/lead-fixtures.ts'
import { createDatabase } from '../../tests/support/postgres-server.ts'
import { withPostgres } from '../captures/postgres.ts'
import { median } from '../median.ts'
import { runLeads } from '../million-leads.ts'
import { progress } from '../progress.ts'
import { printTable, verdict } from '../table.ts'

const LEADS = 1_000_000
const DAYS = 365
const CAMPAIGNS = 200
const PAGES = ['/', '/advertorial']
const VIEWS = 75
const RUNS = 7
const BAR_MS = 300

const timeZone = 'America/New_York'
const ever = { since: '2000-01-01', until: '2999-12-31', timeZone }

export async function measureFunnel(): Promise<void> {
  progress(`filling a store with ${LEADS.toLocaleString('en-US')} leads`)
  const sqlite = await createStore()
  try {
    fillStore(sqlite.file, LEADS, Date.now())
    const store = await openStore({ dataDir: sqlite.dataDir, databaseUrl: null }, { onCreated() {}, onCrash() {} })
    await addViews(store)
    const counting = await countAll(store)
    await store.close()
    console.log(`  SQLite: counting ${LEADS.toLocaleString('en-US')} leads for the first time: ${counting}\n`)
    await measureOn('SQLite', { dataDir: sqlite.dataDir, databaseUrl: null })
    await withPostgres(async serverUrl => {
      const database = await createDatabase(serverUrl)
      progress('moving all of it to PostgreSQL')
      await moveStore(sqlite, database.url, { onProgress() {} })
      const settings = { dataDir: '/nowhere', databaseUrl: database.url }
      const moved = await openStore(settings, { onCreated() {}, onCrash() {} })
      const again = await countAll(moved)
      await moved.close()
      console.log(`  PostgreSQL: counting ${LEADS.toLocaleString('en-US')} leads for the first time: ${again}\n`)
      await measureOn('PostgreSQL', settings)
      await database.remove()
    })
  } finally {
    sqlite.remove()
  }
}

async function addViews(store: Store): Promise<void> {
  const calendar = createCalendar(timeZone)
  const today = calendar.dateOf(Date.now())
  for (let ago = 0; ago < DAYS; ago++) {
    progress(`counting views, day ${ago + 1} of ${DAYS}`)
    const day = calendar.daysAfter(today, -ago)
    const counts = PAGES.flatMap(page =>
      Array.from({ length: CAMPAIGNS }, (_, index): PageCounts => {
        const names = {
          utm_source: `source-${index % 5}`,
          utm_medium: 'cpc',
          utm_campaign: `campaign-of-spring-${index}`,
        }
        const place = { day, page, variant: '', campaign: campaignKey(names), asks: true }
        return { ...place, views: VIEWS, bots: 1, prefetches: 1, declined: 5, thanked: 1 }
      }),
    )
    await store.addPageCounts(counts)
    await store.postPageCounts()
  }
}

async function countAll(store: Store): Promise<string> {
  const started = performance.now()
  let pieces = 0
  while (await store.countLeads({ timeZone, restMs: 2 * 3_600_000 })) {
    if (++pieces % 50 === 0) progress(`counting leads, piece ${pieces}`)
  }
  const ms = performance.now() - started
  return `${(ms / 1000).toFixed(1)} s in ${pieces} pieces, ${(ms / pieces).toFixed(1)} ms each`
}

type Settings = Parameters<typeof joinStore>[0]

async function measureOn(engine: string, settings: Settings): Promise<void> {
  const rows: string[][] = []
  const store = await joinStore(settings, { access: 'read' })
  for (const by of funnelGroups) {
    progress(`${engine}, by ${by}`)
    const { ms, lines } = await inTheStore(store, by)
    const env = { TIME_ZONE: timeZone, DATA_DIR: settings.dataDir, DATABASE_URL: settings.databaseUrl ?? '' }
    const times: number[] = []
    for (let run = 0; run < RUNS; run++) {
      times.push((await runLeads(env, ['funnel', '--by', by, '--since', ever.since, '--json'])).ms)
    }
    const sum = (of: 'views' | 'submitted') =>
      lines.reduce((total, line) => total + line[of], 0).toLocaleString('en-US')
    rows.push([
      `${engine}, by ${by}`,
      `${lines.length}`,
      sum('views'),
      sum('submitted'),
      `${Math.round(ms)} ms`,
      `${Math.round(median(times))} ms`,
      `${BAR_MS} ms`,
      verdict(median(times) < BAR_MS),
    ])
  }
  await store.close()
  printTable(['funnel', 'lines', 'views', 'leads', 'in the store', 'whole process', 'bar', ''], rows)
}

async function inTheStore(store: Store, by: FunnelGroup) {
  const times: number[] = []
  let lines = await store.funnel({ by, ...ever })
  for (let run = 0; run < RUNS; run++) {
    const started = performance.now()
    lines = await store.funnel({ by, ...ever })
    times.push(performance.now() - started)
  }
  return { ms: median(times), lines }
}
