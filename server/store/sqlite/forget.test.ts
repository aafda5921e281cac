import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ERASURE_KEY, submissionOf } from '../../../tests/faults/lead-store.ts'
import { createStore, insertLeads, rowsOf, someLead } from '../../../tests/support/lead-fixtures.ts'
import { occurrences } from './forget.ts'
import { openSqliteStore } from './sqlite-store.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forget-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a trace is counted wherever it stands, once, also across the border of two chunks', () => {
  const file = join(folder, 'large')
  const chunk = 4 * 1024 * 1024
  const places = [0, chunk - 3, chunk + 2, 2 * chunk - 5, 2 * chunk, 2 * chunk + 90]
  const bytes = Buffer.alloc(2 * chunk + 100)
  for (const at of places) bytes.write('trace', at)
  writeFileSync(file, bytes)
  expect(occurrences(file, ['trace', 'trade', 'a longer one, so that chunks overlap by more than the trace'])).toEqual([
    ...[places.length, 0, 0],
  ])
})

test('nothing to look for is nowhere', () => {
  const file = join(folder, 'small')
  writeFileSync(file, 'text')
  expect(occurrences(file, [])).toEqual([])
  expect(occurrences(file, [''])).toEqual([0])
})

describe('a copy of a campaign in the unused part of a page', () => {
  const ada = { campaign: { gclid: 'abc' } }
  let store: Awaited<ReturnType<typeof createStore>>
  beforeEach(async () => {
    store = await createStore()
  })
  afterEach(() => store.remove())

  /** As SQLite leaves them behind in the index of sources when it splits a page. */
  function leaveBehind(text: string): void {
    const database = new DatabaseSync(store.file)
    database.exec(`PRAGMA secure_delete = OFF; BEGIN;
      INSERT INTO leads (id, received_at, state, page, campaign, campaign_key, consent_version)
        SELECT 'x' || value, 0, 'erased', '/', '${text}', '${text}', version FROM consents, json_each('[1,2,3,4,5,6,7,8,9,10,11,12,13,14,15,16,17,18,19,20]');
      DELETE FROM leads WHERE id LIKE 'x%'; COMMIT; PRAGMA wal_checkpoint(TRUNCATE)`)
    database.close()
  }

  function isInIndex(text: string): boolean {
    const bytes = readFileSync(store.file)
    const pages = rowsOf(store.file, `SELECT pgoffset, pgsize FROM dbstat WHERE name = 'leads_by_campaign'`)
    return pages.some(page =>
      bytes.subarray(Number(page['pgoffset'])).subarray(0, Number(page['pgsize'])).includes(text),
    )
  }

  const erase = async (id: string) => {
    const opened = openSqliteStore(store.file, { access: 'write' })
    const erasure = await opened.erase({ ids: [id], key: ERASURE_KEY })
    await opened.close()
    return erasure
  }

  test('is told of, and gone when the server has started next', async () => {
    const [id = ''] = insertLeads(store.file, [ada])
    const trace = `${id}/{"gclid":"abc"}`
    leaveBehind(trace)
    expect(await erase(id)).toMatchObject({ leads: 1, traces: 'until the next start' })
    expect(isInIndex(trace)).toBe(true)
    await openSqliteStore(store.file).close()
    expect(isInIndex(trace)).toBe(false)
    expect(rowsOf(store.file, 'SELECT * FROM chores')).toEqual([])
  })

  test('is not there as a rule', async () => {
    const [id = ''] = insertLeads(store.file, [ada])
    expect(await erase(id)).toMatchObject({ leads: 1, traces: 'none' })
    expect(occurrences(store.file, ['"gclid":"abc"'])).toEqual([0])
  })
})

describe('of people erased from a store of thousands, nothing stays', () => {
  let store: Awaited<ReturnType<typeof createStore>>
  let people: readonly { readonly id: string; readonly name: string }[]
  beforeEach(async () => {
    store = await createStore()
    const names = Array.from({ length: 2000 }, () => crypto.randomUUID())
    const ids: string[] = []
    for (let start = 0; start < names.length; start += 50) {
      const some = names.slice(start, start + 50)
      ids.push(
        ...insertLeads(
          store.file,
          some.map((name, index) => ({
            receivedAt: someLead.receivedAt + start + index,
            firstName: name,
            email: `${name}@example.org`,
            userAgent: name,
          })),
        ),
      )
    }
    people = ids.map((id, index) => ({ id, name: `${names[index]}` }))
  })
  afterEach(() => store.remove())

  const readable = (some: typeof people) => {
    const files = readdirSync(store.dataDir).map(name => readFileSync(join(store.dataDir, name)))
    return some.filter(({ name }) => files.some(bytes => bytes.includes(name)))
  }

  test('when it is one here and there', async () => {
    const erased = people.filter((_, index) => index % 60 === 0)
    const opened = openSqliteStore(store.file, { access: 'write' })
    for (const { id } of erased) {
      expect(await opened.erase({ ids: [id], key: ERASURE_KEY })).toMatchObject({ leads: 1 })
    }
    expect(readable(erased)).toEqual([])
    await opened.close()
  })

  test('when it is one after the other, so that records beside each other become empty', async () => {
    const erased = people.slice(0, 1000)
    const opened = openSqliteStore(store.file, { access: 'write' })
    let leads = 0
    for (let after: string | null = ''; after !== null; ) {
      const order = { before: someLead.receivedAt + erased.length, after, limit: 100, key: ERASURE_KEY }
      const erasure: Awaited<ReturnType<typeof opened.eraseBefore>> = await opened.eraseBefore(order)
      leads += erasure.leads
      after = erasure.last
    }
    expect(leads).toBe(1000)
    expect(readable(erased)).toEqual([])
    await opened.close()
  })
})

test('captures go on while people are erased beside them', async () => {
  const store = await createStore()
  insertLeads(
    store.file,
    Array.from({ length: 1500 }, (_, index) => ({ email: `p${index}@example.org` })),
  )
  const server = openSqliteStore(store.file)
  const consentVersion = await server.rememberConsent('I agree')
  const operator = openSqliteStore(store.file, { access: 'write' })
  const ids = rowsOf(store.file, 'SELECT id FROM leads').map(({ id }) => String(id))
  let erasing = true
  const erased = operator.erase({ ids, key: ERASURE_KEY }).finally(() => {
    erasing = false
  })
  let captured = 0
  while (erasing) {
    await server.capture(submissionOf(`person-${captured}`, consentVersion))
    if (erasing) captured++
    await new Promise(resolve => setImmediate(resolve))
  }
  expect(await erased).toMatchObject({ leads: 1500 })
  // One for each batch at least: an erasure in one piece would let none in.
  expect(captured).toBeGreaterThan(10)
  await operator.close()
  await server.close()
  store.remove()
})
