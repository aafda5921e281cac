/** Processes that open the same store at the same time all succeed, and the schema is created only once. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, onTestFinished, test } from 'vitest'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { newFolder } from '../support/after-test.ts'
import { rowsOf } from '../support/lead-fixtures.ts'
import { PROGRAM_ENV } from '../support/processes.ts'

const ROUNDS = 5
const names = ['first', 'second', 'third']

/** Opens a store at a given time, the same for all processes, and writes the process's name into it. */
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

/** SQLite counts schema changes, so a migration step that ran twice would show up. */
const structureOf = (file: string) =>
  ['PRAGMA schema_version', 'PRAGMA user_version', 'PRAGMA quick_check', 'SELECT sql FROM sqlite_schema'].map(text =>
    rowsOf(file, text),
  )

/** A store left behind by a server that was killed before it created the tables. */
function leaveEmpty(file: string): void {
  const database = new DatabaseSync(file)
  database.exec('PRAGMA journal_mode = WAL')
  database.close()
}

test('three processes can open a missing or empty store at the same time', async () => {
  const folder = newFolder()
  const args = ['--input-type=module', '-e', OPENER, storeModule]
  const stdio = ['ignore', 'inherit', 'inherit', 'ipc'] as const
  const openers = names.map(() => spawn(process.execPath, args, { env: PROGRAM_ENV, stdio: [...stdio] }))
  onTestFinished(() => {
    for (const opener of openers) opener.kill('SIGKILL')
  })
  await Promise.all(openers.map(opener => once(opener, 'message')))
  for (let round = 0; round < 2 * ROUNDS; round++) {
    const [file, alone] = [`${round}.sqlite`, `${round}-alone.sqlite`].map(name => join(folder, name)) as [
      string,
      string,
    ]
    if (round >= ROUNDS) for (const each of [file, alone]) leaveEmpty(each)
    await openSqliteStore(alone).close()
    const at = Date.now() + 30
    const results = openers.map(async (opener, index) => {
      opener.send({ file, at, name: names[index] })
      return (await once(opener, 'message'))[0]
    })
    expect(await Promise.all(results), `round ${round}`).toEqual(names.map(() => 'opened'))
    expect(structureOf(file), `round ${round}`).toEqual(structureOf(alone))
    const written = rowsOf(file, 'SELECT presented FROM consents ORDER BY presented')
    expect(written).toEqual(names.map(presented => ({ presented })))
  }
})
