import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStore, insertLeads } from '../../tests/support/lead-fixtures.ts'
import { eraseLeads } from './erase-leads.ts'
import { openSqliteDatabase } from './sqlite-database.ts'
import { containsAny } from './sqlite-forget.ts'

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'forget-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

test('a trace is found wherever it stands, also across the border of two chunks', () => {
  const file = join(folder, 'large')
  const chunk = 4 * 1024 * 1024
  for (const at of [0, chunk - 3, chunk, 2 * chunk - 1, 2 * chunk + 90]) {
    const bytes = Buffer.alloc(2 * chunk + 100)
    bytes.write('trace', at)
    writeFileSync(file, bytes)
    expect(containsAny(file, ['other', 'trace'])).toBe(true)
    expect(containsAny(file, ['other', 'trade'])).toBe(false)
  }
})

test('nothing to look for is nowhere', () => {
  const file = join(folder, 'small')
  writeFileSync(file, 'text')
  expect(containsAny(file, [])).toBe(false)
  expect(containsAny(file, [''])).toBe(false)
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
  const database = openSqliteDatabase(store.file, { joining: true })
  for (const { id } of erased) expect(await eraseLeads(database, [id], 0)).toEqual({ leads: 1, unreadable: true })
  const files = readdirSync(store.dataDir).map(name => readFileSync(join(store.dataDir, name)))
  expect(erased.filter(({ name }) => files.some(bytes => bytes.includes(name)))).toEqual([])
  await database.close()
  store.remove()
}, 30_000)
