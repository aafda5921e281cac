/** Servers that start at the same moment on the same store: all come up, and the schema is created once. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { lockStore } from '../support/disks.ts'
import { rowsOf } from '../support/lead-fixtures.ts'
import { spawnServer } from '../support/processes.ts'
import type { Opening } from './store-opener.ts'

const ROUNDS = 10
const names = ['first', 'second', 'third']

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

/** As left by a server that was killed before it created the tables. */
function leaveEmpty(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL')
  database.close()
}

describe('processes that open one store at once', () => {
  let openers: readonly ChildProcess[]

  beforeAll(async () => {
    openers = names.map(() => fork(join(import.meta.dirname, 'store-opener.ts'), { execArgv: [] }))
    await Promise.all(openers.map(opener => once(opener, 'message')))
  })

  afterAll(() => {
    for (const opener of openers) opener.kill('SIGKILL')
  })

  function openTogether(file: string): Promise<unknown[]> {
    const at = Date.now() + 30
    return Promise.all(
      openers.map(async (opener, index) => {
        opener.send({ file, at, name: names[index] ?? '' } satisfies Opening)
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

test('two servers that find an old store at once both come up and take leads', async () => {
  const file = storeFile(folder)
  const alone = join(folder, 'alone.sqlite')
  for (const each of [file, alone]) leaveEmpty(each)
  // Holds both back until both run.
  const lock = await lockStore(file)
  const servers = [1, 2].map(() => spawnServer({ DATA_DIR: folder }))
  await Promise.all(servers.map(server => server.listening))
  await lock.release()
  try {
    for (const url of await Promise.all(servers.map(server => server.url))) {
      expect((await fetch(`${url}/readyz`)).status).toBe(200)
    }
  } finally {
    for (const { child } of servers) child.kill('SIGKILL')
    await Promise.all(servers.map(({ exit }) => exit))
  }
  await openSqliteStore(alone).close()
  expect(structureOf(file)).toEqual(structureOf(alone))
})
