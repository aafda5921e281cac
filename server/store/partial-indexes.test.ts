/** An engine uses a partial index only for statements that repeat its condition. Otherwise, each of them reads the whole table. */
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { DEMO_CALLING_HOURS as hours } from '../../domain/calling/hours.ts'
import { HOUR } from '../../domain/durations.ts'
import { bob, maria, saying } from '../../tests/support/lead-store.ts'
import { rowsOf } from '../../tests/support/postgres-server.ts'
import { databaseWithStore } from '../../tests/support/shared-postgres.ts'
import { held, onEachEngine } from '../../tests/support/store-engines.ts'
import { schema, sqliteDdl } from './schema.ts'

const partial = Object.entries(schema(sqliteDdl)).flatMap(([table, ddl]) =>
  [...ddl.matchAll(/CREATE INDEX (\w+) ON [^;]*? WHERE /g)].map(([, index = '']) => ({ table, index })),
)

const isPartlyIndexed = new RegExp(`^(${[...new Set(partial.map(({ table }) => table))].join('|')})$`)

/** From a line of a plan. SQLite lists what it looks for in parentheses. In the order of an index, it stops at a limit. */
function tableReadWhole(line: string, statement: string): string {
  const [, name = 'nothing'] =
    /^(?:SCAN|SEARCH) (\w+)\b(?! USING INDEX)[^(]*$/.exec(line) ?? /Seq Scan on (\w+)/.exec(line) ?? []
  return new RegExp(`(\\w+) AS ${name}\\b`).exec(statement)?.[1] ?? name
}

onEachEngine('partial indexes', harness => {
  const { store, capture } = harness

  /** What has a partial index: calls, the list of calls and of stops, leads that aren't as most are, and the outbox. */
  async function runThem() {
    const ada = (await capture('ada')).id
    const call = { leadId: ada, person: maria, hours }
    await capture('hal', held)
    await store.planStaleStories(hours)
    await store.callNext(call)
    await store.startCall({ ...call, overrideReason: null })
    await store.unfinishedCalls(maria.id)
    const saved = await store.saveCall({ ...call, ...saying(ada, 'going ahead') })
    await store.recentCalls(maria.id)
    await store.markClient({ leadId: ada, on: '2030-01-31', by: 'Maria' })
    const period = { since: 0, until: Date.now() + HOUR }
    await store.clientsByCampaign(period)
    await store.undoCall({ ...call, callId: saved.kind === 'saved' ? saved.callId : '' })
    await store.savedCalls({ ...period, after: null, limit: 9 })
    await store.callStats(period)
    await store.callTotals(period)
    await store.callList({ personId: bob.id, hours, limit: 9, dayEnds: 0 })
    await store.callsWaiting(hours)
    await store.hasOpenCalls()
    await store.pulse()
    await store.backlog()
    await store.nextDue()
    await store.count({ cameIn: 'phone' })
    for (const state of ['held', 'repeat'] as const)
      await store.page({ filter: { state }, order: 'newest first', limit: 9, after: null })
    const contacts = [{ phone: '5550100000' }]
    await store.addToDoNotCall({ contacts, by: 'Maria' })
    await store.stopRequests({ limit: 9 })
    await store.removeFromDoNotCall({ contacts, by: 'Maria', request: null })
    await store.restoreRemovals({ ...period, by: 'Bob', removedBy: 'Maria', reason: 'a test' })
  }

  test('are used by all statements that rely on them', async () => {
    const statements = await recorded(harness.engine, runThem)
    // Without rows, PostgreSQL would read a table rather than an index.
    const empty = harness.engine === 'SQLite' ? null : await databaseWithStore()
    if (empty) onTestFinished(empty.remove)
    const used = new Set<string>()
    for (const statement of statements) {
      const rows = empty
        ? await rowsOf(
            `${empty.url}?options=-c%20enable_seqscan%3Doff`,
            `EXPLAIN (GENERIC_PLAN, COSTS OFF) ${statement}`,
          )
        : await harness.rows(`EXPLAIN QUERY PLAN ${statement}`)
      for (const line of rows.map(row => `${Object.values(row).at(-1)}`)) {
        const index = partial.find(({ index }) => line.split(' ').includes(index))
        if (index) used.add(index.index)
        else expect(tableReadWhole(line, statement), `${statement}\n${line}`).not.toMatch(isPartlyIndexed)
      }
    }
    // PostgreSQL chooses among indexes by what's in the table.
    if (!empty) expect(partial.filter(({ index }) => !used.has(index))).toEqual([])
  })
})

/** The statements that `run` runs. */
async function recorded(engine: string, run: () => Promise<unknown>): Promise<readonly string[]> {
  const spy = engine === 'SQLite' ? vi.spyOn(DatabaseSync.prototype, 'prepare') : vi.spyOn(pg.Client.prototype, 'query')
  await run()
  const texts = spy.mock.calls.map(([query]: readonly unknown[]) =>
    typeof query === 'string' ? query : `${(query as { readonly text?: string } | undefined)?.text}`,
  )
  spy.mockRestore()
  return [...new Set(texts)].filter(text => /^\s*(SELECT|WITH|UPDATE|DELETE|INSERT)/.test(text))
}
