/** Stories on each engine: what only a database can show, such as locks, races, and that a long story costs no more than a short one. */
import { expect, onTestFinished, test } from 'vitest'
import { DEMO_CALLING_HOURS as hours } from '../../../domain/calling/hours.ts'
import { planOf } from '../../../domain/calling/plan.ts'
import { tell } from '../../../domain/calling/story.ts'
import { bob, contactOf, maria, saying, submissionOf } from '../../../tests/support/lead-store.ts'
import { rowsOf } from '../../../tests/support/postgres-server.ts'
import { databaseWithStore } from '../../../tests/support/shared-postgres.ts'
import { held, onEachEngine } from '../../../tests/support/store-engines.ts'
import { storyWithId } from '../facts/calls/stories.ts'
import { type EventRow, eventColumns, eventOf } from '../facts/calls/story-rows.ts'
import { createCaptures } from '../operations/leads/capture.ts'
import { dialect as postgresDialect } from '../postgres/dialect.ts'
import { rowsFrom, type Tx } from '../sql.ts'
import { dialect as sqliteDialect } from '../sqlite/dialect.ts'
import { inSqlite } from '../sqlite/transactions.ts'

const phone = '(212) 555-0101'

onEachEngine('stories', harness => {
  const { store } = harness
  const capture = async (name: string, more: object = {}) =>
    (await harness.capture(name, { contact: { ...contactOf(name), phone }, ...more })).id
  /** PostgreSQL's driver returns big numbers as text. */
  const times = new Set(['at', 'calledAt', 'callbackAt'])
  const rows = async <R>(sql: string) =>
    (await harness.rows(sql)).map(row =>
      Object.fromEntries(
        Object.entries(row).map(([name, value]) => [name, times.has(name) && value !== null ? Number(value) : value]),
      ),
    ) as unknown as readonly R[]
  const eventsNow = async () =>
    (await rows<object>(`SELECT ${eventColumns} FROM story_events ORDER BY n`))
      .flatMap(row => rowsFrom<EventRow>(Object.keys(row), [Object.values(row)]))
      .map(eventOf)

  /** What's saved must be what the events come to. */
  async function expectPlanOfEvents() {
    const events = await eventsNow()
    expect(events.map(({ n }) => n)).toEqual(events.map((_, index) => index + 1))
    const [saved] = await rows<{ plan: string | null }>('SELECT plan FROM stories')
    const plan = planOf(tell(events))
    const isOpen = plan.calls.length + plan.promises.length > 0
    expect(saved?.plan ?? null).toEqual(isOpen ? JSON.stringify(plan) : null)
    const calls = await rows<{ n: number; outcome: string }>('SELECT n, outcome FROM calls ORDER BY n')
    expect(calls).toEqual(tell(events).calls.map(({ n, outcome }) => ({ n, outcome })))
  }

  test('whatever happens at once to a number, the plan is that of its events', async () => {
    const another = await harness.openAnother()
    const ada = await capture('ada')
    for (let round = 0; round < 5; round++) {
      await store.startCall({ leadId: ada, person: maria, hours, overrideReason: 'a test' })
      const call = { leadId: ada, person: maria, hours }
      await Promise.all([
        store.withdrawCall(call),
        another.withdrawCall(call),
        another.saveCall({ ...call, ...saying(ada, 'no answer') }),
        store.claimCall({ leadId: ada, person: bob, takeOver: true }),
        another.skipCall({ leadId: ada, person: bob }),
        capture(`person ${round}`),
        capture('ada'),
        store.setCallPlace({ leadId: ada, value: 'FL Central', by: 'Bob' }),
      ])
    }
    await expectPlanOfEvents()
  })

  test('of two who save or undo the same call at once, one succeeds', async () => {
    const another = await harness.openAnother()
    const ada = await capture('ada')
    await store.claimCall({ leadId: ada, person: maria, takeOver: false })
    const call = { person: maria, hours, ...saying(ada, 'not interested') }
    const saved = await Promise.all([store.saveCall(call), another.saveCall(call)])
    expect(saved.map(({ kind }) => kind).toSorted()).toEqual(['closed', 'saved'])
    const callId = saved.flatMap(each => (each.kind === 'saved' ? [each.callId] : []))[0] ?? ''
    const undo = { callId, person: maria, hours }
    const undone = await Promise.all([store.undoCall(undo), another.undoCall(undo)])
    expect(undone.filter(each => each !== null)).toHaveLength(1)
    await expectPlanOfEvents()
  })

  test('leads on hold aren’t in a story until they’re approved', async () => {
    const onHold = await capture('ada', held)
    expect(await eventsNow()).toEqual([])
    await store.approve({ ids: [onHold], by: 'Maria' })
    expect(await eventsNow()).toMatchObject([{ kind: 'submitted', leadId: onHold }])
    expect(await store.callNext({ person: maria, hours })).toBe(onHold)
  })

  test('a number that’s submitted again and again keeps its promise, its tries, and its place', async () => {
    const ada = await capture('ada')
    await store.claimCall({ leadId: ada, person: maria, takeOver: false })
    const callbackAt = (await store.storeTime()) + 7_200_000
    await store.saveCall({ person: maria, hours, ...saying(ada, 'call back', callbackAt) })
    await store.setCallPlace({ leadId: ada, value: 'FL Central', by: 'Maria' })
    // In one batch, and more than planning reads.
    await Promise.all(Array.from({ length: 120 }, (_, index) => capture(`person ${index}`)))
    expect(await store.callState({ leadId: ada, personId: bob.id, hours })).toMatchObject({
      call: { promise: { at: callbackAt } },
      chosen: { id: 'FL Central' },
    })
  })

  test('however much visitors and skips add to a number, a “no” and the dials of the last hour count', async () => {
    const ada = await capture('ada')
    await store.startCall({ leadId: ada, person: maria, hours, overrideReason: null })
    await store.saveCall({ person: maria, hours, ...saying(ada, 'not interested') })
    const kinds = [
      `'skipped', '${ada}', 'bob', 'Bob', '{}'`,
      `'preferred', '${ada}', NULL, NULL, '{"time":{"from":1,"until":2}}'`,
      `'replaces', 'someone', '', 'the visitor', '{"from":[],"takenOver":{"desk":true,"language":"en","askedAt":1,"isNew":true,"promise":null,"preferred":null,"answer":null,"outcomes":[],"last":null,"dials":[],"place":null}}'`,
    ]
    const before = (await eventsNow()).length
    const columns = 'story_id, n, at, kind, lead_id, person_id, person_name, detail'
    const added = Array.from({ length: 750 }, (_, index) => {
      const n = before + index + 1
      return `INSERT INTO story_events (${columns}) SELECT id, ${n}, 1, ${kinds[index % 3]} FROM stories;`
    })
    await harness.change(`${added.join('')} UPDATE stories SET counter = ${before + added.length}`)
    const bob = await capture('bob')
    expect(await store.callsOfLeads([ada])).toMatchObject(new Map([[ada, { ended: 'not interested' }]]))
    expect(await store.callState({ leadId: bob, personId: 'cal', hours })).toMatchObject({ block: { why: 'limit' } })
    const [{ plan } = { plan: '' }] = await rows<{ plan: string }>('SELECT plan FROM stories')
    expect(plan).not.toContain(ada)
  })

  test('however often someone submitted, a capture reads the latest part of the story and the person’s open leads', async () => {
    const [dialect, explain, story, person] =
      harness.engine === 'SQLite'
        ? [
            sqliteDialect,
            'EXPLAIN QUERY PLAN',
            'USING INDEX story_events_by_kind (story_id=? AND <expr>=?)',
            'USING INDEX leads_of_a_person (person_key=? AND state=? AND received_at>?)',
          ]
        : [
            postgresDialect,
            'EXPLAIN (GENERIC_PLAN, COSTS OFF)',
            'using story_events_by_kind',
            `(state = ANY ('{accepted,held}'::text[])) AND (received_at > $2)`,
          ]
    // Plans depend on what was in the tables before.
    const unused = harness.engine === 'SQLite' ? null : await databaseWithStore()
    if (unused) onTestFinished(unused.remove)
    let plans = ''
    const run = async (text: string) => {
      const query = `${explain} ${text}`
      plans += JSON.stringify(await (unused ? rowsOf(unused.url, query) : harness.rows(inSqlite(query))))
      return (text.includes('FROM stories WHERE id') ? [{ id: 'story', phone, counter: 1 }] : []) as never
    }
    const sql: Tx = Object.assign(run, { dialect, at: 0 })
    await storyWithId(sql, 'story')
    await createCaptures({
      writers: 1,
      now: () => 0,
      onDue() {},
      insist: change => change(sql, 1),
    }).capture(submissionOf('ada', 'version'))
    expect(plans.split(story)).toHaveLength(5)
    expect(plans).toContain(person)
  })

  test('numbers are in no index, and are gone once no lead has them', async () => {
    const indexed =
      harness.engine === 'SQLite'
        ? `SELECT sql FROM sqlite_schema WHERE type = 'index' AND tbl_name = 'stories'`
        : `SELECT indexdef AS sql FROM pg_indexes WHERE tablename = 'stories'`
    expect(JSON.stringify(await rows(indexed))).not.toContain('phone')
  })

  test('calls have a mark of their own, so other pages don’t reload', async () => {
    const ada = await capture('ada')
    const before = await store.pulse()
    await store.callNext({ person: maria, hours })
    const claimed = await store.pulse()
    expect(claimed.mark).toBe(before.mark)
    expect(claimed.calls).not.toBe(before.calls)
    await store.renewClaim({ leadId: ada, personId: maria.id })
    expect(await store.pulse()).toEqual(claimed)
    await store.saveCall({ person: maria, hours, ...saying(ada, 'no answer'), note: 'Busy' })
    const saved = await store.pulse()
    expect(saved.mark).toBe(before.mark)
    expect(saved.calls).not.toBe(claimed.calls)
  })
})
