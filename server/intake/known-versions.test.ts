import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { rowsOf } from '../../tests/support/lead-fixtures.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import type { Store } from '../store/store.ts'
import { createKnowsVersion } from './known-versions.ts'

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
  const knows = createKnowsVersion(store.hasConsent)
  const first = await store.rememberConsent('first')
  expect(await knows(first)).toBe(true)
  const other = openSqliteStore(join(folder, 'leads.db'))
  const second = await other.rememberConsent('second')
  await other.close()
  expect(await knows(second)).toBe(true)
  for (const unknown of ['', 'f'.repeat(64), "' OR 1=1", first.toUpperCase()]) expect(await knows(unknown)).toBe(false)
})

test('a known version is not looked up again', async () => {
  let lookedUp = 0
  const knows = createKnowsVersion(version => {
    lookedUp++
    return store.hasConsent(version)
  })
  const version = await store.rememberConsent('first')
  for (let time = 0; time < 3; time++) await knows(version)
  expect(lookedUp).toBe(1)
})

/** A stand-in for the store that counts how often it is asked. */
function countingLookUp(stored: ReadonlySet<string>) {
  const lookUp = async (version: string) => {
    lookUp.times++
    return stored.has(version)
  }
  lookUp.times = 0
  return lookUp
}

const versionOf = (number: number) => number.toString(16).padStart(64, '0')

test('an unknown version is looked up once, however often and however close together it comes', async () => {
  const lookUp = countingLookUp(new Set())
  const knows = createKnowsVersion(lookUp, { now: () => 0 })
  await Promise.all(Array.from({ length: 100 }, () => knows(versionOf(1))))
  expect(await knows(versionOf(1))).toBe(false)
  expect(lookUp.times).toBe(1)
})

test('of many unknown versions only the first hundred in five seconds reach the store', async () => {
  let time = 0
  const lookUp = countingLookUp(new Set())
  const knows = createKnowsVersion(lookUp, { now: () => time, known: [versionOf(5000)] })
  for (let number = 0; number < 1000; number++) expect(await knows(versionOf(number))).toBe(false)
  expect(lookUp.times).toBe(100)
  // Made-up versions must not keep the pages' own from being believed.
  expect(await knows(versionOf(5000))).toBe(true)
  time = 5000
  await knows(versionOf(1000))
  expect(lookUp.times).toBe(101)
})

test('a version that another replica stores a moment later is known five seconds after it was asked for', async () => {
  let time = 0
  const stored = new Set<string>()
  const knows = createKnowsVersion(countingLookUp(stored), { now: () => time })
  expect(await knows(versionOf(1))).toBe(false)
  stored.add(versionOf(1))
  time = 4999
  expect(await knows(versionOf(1))).toBe(false)
  time = 5000
  expect(await knows(versionOf(1))).toBe(true)
})

test('a version whose look-up failed is looked up again at once', async () => {
  let fails = true
  const knows = createKnowsVersion(async () => (fails ? Promise.reject(new Error('away')) : true))
  await expect(knows(versionOf(1))).rejects.toThrow('away')
  fails = false
  expect(await knows(versionOf(1))).toBe(true)
})
