import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createStore, insertLeads, rowsOf } from '../../../tests/support/lead-fixtures.ts'
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

describe('the store is written anew', () => {
  const ada = { firstName: 'Ada', lastName: 'Lovelace', dateOfBirth: '1968-12-10', campaign: { gclid: 'abc' } }
  let store: Awaited<ReturnType<typeof createStore>>
  beforeEach(async () => {
    store = await createStore()
  })
  afterEach(() => store.remove())

  async function writtenAnew(id: string): Promise<boolean> {
    const pages = () => rowsOf(store.file, 'PRAGMA freelist_count')[0]?.['freelist_count']
    const database = new DatabaseSync(store.file)
    // Pages that nothing needs: only writing the store anew takes them away.
    database.exec(
      'CREATE TABLE ballast (text TEXT) STRICT; INSERT INTO ballast VALUES (hex(zeroblob(9000))); DROP TABLE ballast',
    )
    database.close()
    expect(pages()).toBeGreaterThan(0)
    const opened = openSqliteStore(store.file, { access: 'write' })
    expect(await opened.erase([id])).toEqual({ leads: 1, traces: 'none' })
    await opened.close()
    return pages() === 0
  }

  test('not for what a namesake of the same birthday, or a longer address at the same phone, still holds', async () => {
    const [id = ''] = insertLeads(store.file, [
      { ...ada, email: 'ada@example.org' },
      { ...ada, email: 'other@example.org', phone: '(555) 010-9999' },
      { ...ada, firstName: 'Anada', email: 'anada@example.org' },
    ])
    expect(await writtenAnew(id)).toBe(false)
  })

  test('when a copy is left over beside that of a namesake', async () => {
    const [id = ''] = insertLeads(store.file, [
      { ...ada, email: 'ada@example.org' },
      { ...ada, email: 'other@example.org', phone: '(555) 010-9999' },
    ])
    leaveBehind(`${ada.firstName}${ada.lastName}${ada.dateOfBirth}`)
    expect(await writtenAnew(id)).toBe(true)
  })

  test('when a copy is left over in the index of sources', async () => {
    const [id = ''] = insertLeads(store.file, [ada])
    leaveBehind(`${id}/{"gclid":"abc"}`)
    expect(await writtenAnew(id)).toBe(true)
    expect(occurrences(store.file, ['"gclid":"abc"'])).toEqual([0])
  })

  /** A copy in the unused part of a page, as SQLite leaves one behind without secure_delete. */
  function leaveBehind(text: string): void {
    const database = new DatabaseSync(store.file)
    database.exec(`PRAGMA secure_delete = OFF; CREATE TABLE moved (row TEXT) STRICT;
      INSERT INTO moved VALUES ('${text}'); DELETE FROM moved`)
    database.close()
  }
})

test('of people erased from a store of thousands, in which pages were split all the time, nothing stays', async () => {
  const store = await createStore()
  const names = Array.from({ length: 6000 }, () => crypto.randomUUID())
  const ids: string[] = []
  for (let start = 0; start < names.length; start += 50) {
    const people = names.slice(start, start + 50)
    ids.push(
      ...insertLeads(
        store.file,
        people.map(name => ({ firstName: name, email: `${name}@example.org` })),
      ),
    )
  }
  const erased = ids.flatMap((id, index) => (index % 60 === 0 ? [{ id, name: `${names[index]}` }] : []))
  const opened = openSqliteStore(store.file, { access: 'write' })
  for (const { id } of erased) expect(await opened.erase([id])).toEqual({ leads: 1, traces: 'none' })
  const files = readdirSync(store.dataDir).map(name => readFileSync(join(store.dataDir, name)))
  expect(erased.filter(({ name }) => files.some(bytes => bytes.includes(name)))).toEqual([])
  await opened.close()
  store.remove()
}, 30_000)
