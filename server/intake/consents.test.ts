import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rowsOf } from '../../tests/support/lead-fixtures.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { createKnowsConsent } from './consents.ts'

let folder: string
let store: Store
let now: number
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'consents-'))
  now = 1000
  store = openSqliteStore(join(folder, 'leads.db'), { now: () => now })
})
afterEach(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

test('a text is stored once, under its hash, with the first moment it was seen', async () => {
  const version = await store.rememberConsent('I agree')
  now = 2000
  expect(await store.rememberConsent('I agree')).toBe(version)
  // printf 'I agree' | sha256sum
  expect(version).toBe('99955b75e054416577b88fcec811270c93bff6f1bc421f01e3da7c1b18ec61e3')
  expect(rowsOf(join(folder, 'leads.db'), 'SELECT * FROM consents')).toEqual([
    { version, presented: 'I agree', first_seen_at: 1000 },
  ])
})

test('every stored version is known, also one that another process stored later, and nothing else is', async () => {
  const knowsConsent = createKnowsConsent(store.hasConsent)
  const first = await store.rememberConsent('first')
  expect(await knowsConsent(first)).toBe(true)
  const other = openSqliteStore(join(folder, 'leads.db'))
  const second = await other.rememberConsent('second')
  await other.close()
  expect(await knowsConsent(second)).toBe(true)
  for (const unknown of ['', 'f'.repeat(64), "' OR 1=1", first.toUpperCase()])
    expect(await knowsConsent(unknown)).toBe(false)
})

test('a known version is not looked up again', async () => {
  let lookedUp = 0
  const knowsConsent = createKnowsConsent(version => {
    lookedUp++
    return store.hasConsent(version)
  })
  const version = await store.rememberConsent('first')
  for (let time = 0; time < 3; time++) await knowsConsent(version)
  expect(lookedUp).toBe(1)
})
