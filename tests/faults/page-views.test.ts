/** Page views of a real server that is killed, or stopped: what was seen more than a second ago is in the store. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { NO_CAMPAIGN } from '../../domain/campaign.ts'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { rowsOf } from '../support/lead-fixtures.ts'
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
  const [line] = await store.funnel({ by: 'page', since: '2000-01-01', until: '2999-12-31', timeZone: 'UTC' })
  await store.close()
  return line?.views
}

async function visit(times: number): Promise<void> {
  const url = await server.url
  for (let time = 0; time < times; time++) {
    const answer = await fetch(url, { headers: { 'user-agent': 'Mozilla/5.0 (Macintosh) Safari/605.1.15' } })
    await answer.text()
  }
}

test('views are in the store a moment later, and stay there when the server is killed', async () => {
  await visit(3)
  await expect.poll(stored).toBe(3)
  server.child.kill('SIGKILL')
  await server.exit
  expect(await stored()).toBe(3)
})

const posted = () => rowsOf(storeFile(dataDir), 'SELECT SUM(views) AS views FROM page_counts')[0]?.['views']

test('what a server that was killed had noted, the next one sums up', async () => {
  await server.url
  server.child.kill('SIGKILL')
  await server.exit
  const killed = openSqliteStore(storeFile(dataDir), { access: 'write' })
  const place = { day: '2030-01-31', page: '/', variant: '', campaign: NO_CAMPAIGN, asks: true }
  await killed.addPageCounts([{ ...place, views: 3, bots: 0, prefetches: 0, declined: 0, thanked: 0 }])
  await killed.close()
  expect(posted()).toBe(null)
  server = spawnServer({ DATA_DIR: dataDir })
  await expect.poll(posted).toBe(3)
  expect(await stored()).toBe(3)
})

test('a server that is stopped hands over what it has counted to the last', async () => {
  await visit(5)
  server.child.kill('SIGTERM')
  expect((await server.exit).code).toBe(0)
  expect(await stored()).toBe(5)
  expect(posted()).toBe(5)
})
