/** Page views of a real server that is killed or stopped: a kill costs the last ten seconds, and nothing is counted twice. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { type ServerProcess, spawnServer } from '../support/server-process.ts'

let dataDir: string
let server: ServerProcess
beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), 'page-views-'))
  server = spawnServer({ DATA_DIR: dataDir })
})
afterEach(async () => {
  server.child.kill('SIGKILL')
  await server.exit
  rmSync(dataDir, { recursive: true })
})

async function stored(): Promise<number | undefined> {
  const store = openSqliteStore(storeFile(dataDir), { access: 'read' })
  const { page } = await store.funnel({ by: ['page'], since: '2000-01-01', until: '2999-12-31', timeZone: 'UTC' })
  await store.close()
  return page[0]?.views
}

async function visit(times: number): Promise<void> {
  const url = await server.url
  for (let time = 0; time < times; time++) {
    const answer = await fetch(url, { headers: { 'user-agent': 'Mozilla/5.0 (Macintosh) Safari/605.1.15' } })
    await answer.text()
  }
}

// A server that has just opened its store writes at once, and then every ten seconds.
test('a server that is killed loses the views since its last write, and the next one counts none twice', async () => {
  await visit(3)
  await expect.poll(stored, { timeout: 15_000 }).toBe(3)
  await visit(2)
  server.child.kill('SIGKILL')
  await server.exit
  expect(await stored()).toBe(3)
  server = spawnServer({ DATA_DIR: dataDir })
  await visit(1)
  server.child.kill('SIGTERM')
  await server.exit
  expect(await stored()).toBe(4)
})

test('a server that is stopped stores everything it counted', async () => {
  await visit(5)
  server.child.kill('SIGTERM')
  expect((await server.exit).code).toBe(0)
  expect(await stored()).toBe(5)
})
