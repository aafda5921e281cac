/** kill -9 of the desk in the middle of a call. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, inject, onTestFinished, test } from 'vitest'
import { connectStore, openStore, type StoreSettings } from '../../server/store/open-store.ts'
import { createTestDesk } from '../support/desk.ts'
import { createStore } from '../support/lead-fixtures.ts'
import { contactOf, submissionOf } from '../support/lead-store.ts'
import { createDatabase } from '../support/postgres-server.ts'
import { spawnDesk } from '../support/processes.ts'

/** An empty store, a lead, and the cookie of an editor who's signed in. */
async function prepare(databaseUrl: string | null) {
  const { dataDir, remove } = await createStore()
  onTestFinished(remove)
  const settings: StoreSettings = { dataDir, databaseUrl }
  if (databaseUrl !== null) await (await openStore(settings, { onCreated() {}, onCrash() {} })).close()
  const store = await connectStore(settings, { access: 'write' })
  const contact = { ...contactOf('Ada'), phone: '(212) 555-0101' }
  const submission = { ...submissionOf('Ada', await store.saveConsentText('I agree')), contact }
  const { id } = await store.capture(submission)
  const { cookie } = await createTestDesk(store).signedIn('Maria')
  await store.close()
  return { id, cookie, env: { DATA_DIR: dataDir, DATABASE_URL: databaseUrl ?? '' } }
}

test.each(['SQLite', 'PostgreSQL'])(
  '%s: the claim and the start of the call are there after a restart',
  async engine => {
    let databaseUrl: string | null = null
    if (engine === 'PostgreSQL') {
      const database = await createDatabase(inject('postgresUrl'))
      onTestFinished(database.remove)
      databaseUrl = database.url
    }
    const { id, cookie, env } = await prepare(databaseUrl)
    const start = async () => {
      const desk = spawnDesk(env)
      onTestFinished(() => void desk.child.kill('SIGKILL'))
      const url = await desk.url
      const headers = { cookie, origin: url, 'content-type': 'application/json' }
      const send = async (path: string, body?: object) => {
        const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
        return (await fetch(`${url}/api/calls/${path}`, request)).json()
      }
      return { desk, send }
    }

    const before = await start()
    expect(await before.send(`${id}/claim`, {})).toMatchObject({ kind: 'open' })
    // The test also runs at night.
    expect(await before.send(`${id}/start`, { overrideReason: 'a test' })).toMatchObject({ kind: 'started' })
    before.desk.child.kill('SIGKILL')
    await before.desk.exit

    const after = await start()
    expect(await after.send('unfinished')).toMatchObject({ calls: [{ leadId: id, firstName: 'Ada' }] })
    expect(await after.send(id)).toMatchObject({ claim: { name: 'Maria', mine: true }, startedAt: expect.any(Number) })
    expect(await after.send(`${id}/outcome`, { outcome: 'no answer' })).toMatchObject({ kind: 'saved' })
    expect(await after.send('unfinished')).toEqual({ calls: [] })
  },
)

test('a request not to be called that a killed desk didn’t log is logged when it starts again', async () => {
  const { env } = await prepare(null)
  // What's in the store if the desk is killed before it writes the line.
  const store = await connectStore({ dataDir: env.DATA_DIR, databaseUrl: null }, { access: 'write' })
  await store.addToDoNotCall({ contacts: [{ phone: '(212) 555-0101' }], by: 'Maria' })
  await store.close()
  const list = join(env.DATA_DIR, 'erasures.txt')
  const desk = spawnDesk({ ...env, ERASURE_LIST: list })
  onTestFinished(() => void desk.child.kill('SIGKILL'))
  await desk.url
  expect(readFileSync(list, 'utf8')).toMatch(/^\S+ do-not-call 2125550101\n$/)
})
