/** Processes that open the same store at the same time all get it, and the schema is created once. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { rowsOf } from '../support/lead-fixtures.ts'

const ROUNDS = 5
const names = ['first', 'second', 'third']

/** Opens a store at a given time, the same for all processes, and writes its name into it. */
const OPENER = `
  const { openSqliteStore } = await import(process.argv[1])
  process.on('message', async ({ file, at, name }) => {
    // Busy-wait: a timer would fire late by a different amount in each process.
    while (Date.now() < at);
    try {
      const store = openSqliteStore(file)
      await store.saveConsentText(name)
      await store.close()
      process.send('opened')
    } catch (error) {
      process.send(String(error))
    }
  })
  process.send('ready')`
const storeModule = join(import.meta.dirname, '../../server/store/sqlite/sqlite-store.ts')

let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'together-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

/** SQLite counts schema changes, so a step that ran twice would show. */
function structureOf(file: string) {
  return ['PRAGMA schema_version', 'PRAGMA user_version', 'PRAGMA quick_check', 'SELECT sql FROM sqlite_schema'].map(
    text => rowsOf(file, text),
  )
}

/** A store left by a server that was killed before it created the tables. */
function leaveEmpty(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL')
  database.close()
}

describe('three processes that open one store at once', () => {
  let openers: readonly ChildProcess[]

  beforeAll(async () => {
    openers = names.map(() =>
      spawn(process.execPath, ['--input-type=module', '-e', OPENER, storeModule], {
        stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
      }),
    )
    await Promise.all(openers.map(opener => once(opener, 'message')))
  })

  afterAll(() => {
    for (const opener of openers) opener.kill('SIGKILL')
  })

  function openTogether(file: string): Promise<unknown[]> {
    const at = Date.now() + 30
    return Promise.all(
      openers.map(async (opener, index) => {
        opener.send({ file, at, name: names[index] ?? '' })
        const [answer] = await once(opener, 'message')
        return answer
      }),
    )
  }

  test.each<[string, (file: string) => void]>([
    ['missing', () => {}],
    ['old', leaveEmpty],
  ])('all get a store that is %s', async (_, prepare) => {
    const alone = join(folder, 'alone.sqlite')
    prepare(alone)
    await openSqliteStore(alone).close()
    for (let round = 0; round < ROUNDS; round++) {
      const file = join(folder, `${round}.sqlite`)
      prepare(file)
      expect(await openTogether(file), `round ${round}`).toEqual(names.map(() => 'opened'))
      expect(structureOf(file), `round ${round}`).toEqual(structureOf(alone))
      const written = rowsOf(file, 'SELECT presented FROM consents ORDER BY presented')
      expect(written).toEqual(names.map(presented => ({ presented })))
    }
  })
})
