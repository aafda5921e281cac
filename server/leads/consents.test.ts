import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createKnowsConsent, hasConsent, rememberConsent } from './consents.ts'
import type { Database } from './database.ts'
import { openSqliteDatabase } from './sqlite-database.ts'

let folder: string
let database: Database
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'consents-'))
  database = openSqliteDatabase(join(folder, 'leads.db'))
})
afterEach(async () => {
  await database.close()
  rmSync(folder, { recursive: true })
})

test('a text is stored once, under its hash, with the first moment it was seen', async () => {
  const version = await rememberConsent(database, 'I agree', 1000)
  expect(await rememberConsent(database, 'I agree', 2000)).toBe(version)
  // printf 'I agree' | sha256sum
  expect(version).toBe('99955b75e054416577b88fcec811270c93bff6f1bc421f01e3da7c1b18ec61e3')
  expect(await database.read(sql => sql('SELECT * FROM consents'))).toEqual([
    { version, presented: 'I agree', first_seen_at: 1000 },
  ])
})

test('every stored version is known, also one that another process stored later, and nothing else is', async () => {
  const knowsConsent = createKnowsConsent(version => hasConsent(database, version))
  const first = await rememberConsent(database, 'first', 1000)
  expect(await knowsConsent(first)).toBe(true)
  const other = openSqliteDatabase(join(folder, 'leads.db'))
  const second = await rememberConsent(other, 'second', 2000)
  await other.close()
  expect(await knowsConsent(second)).toBe(true)
  for (const unknown of ['', 'f'.repeat(64), "' OR 1=1", first.toUpperCase()])
    expect(await knowsConsent(unknown)).toBe(false)
})

test('a known version is not looked up again', async () => {
  let lookedUp = 0
  const knowsConsent = createKnowsConsent(version => {
    lookedUp++
    return hasConsent(database, version)
  })
  const version = await rememberConsent(database, 'first', 1000)
  for (let time = 0; time < 3; time++) await knowsConsent(version)
  expect(lookedUp).toBe(1)
})
