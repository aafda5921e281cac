/**
 * Nothing but SQLite opens the store's files: closing a descriptor of one drops every lock this process has on it. The next program
 * would then reset the memory that the others have mapped, and they'd die.
 */
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { backUpStore, connectStore, inspectStore, planRestore } from '../../server/store/open-store.ts'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { killAfterTest, newFolder } from '../support/after-test.ts'
import { sendLead } from '../support/lead-load.ts'
import { captureLead, ERASURE_KEY } from '../support/lead-store.ts'
import { leads } from '../support/leads-command.ts'
import { onDemand } from '../support/on-demand.ts'
import { spawnDesk, spawnServer } from '../support/processes.ts'

await Promise.all([onDemand('site'), onDemand('desk')])

/** Linux lists every lock, with the process and the file's inode. */
const LOCKS = '/proc/locks'

function lockHolders(file: string): readonly number[] {
  const inode = statSync(file).ino
  const locks = readFileSync(LOCKS, 'utf8').matchAll(/POSIX .* (\d+) [0-9a-f]+:[0-9a-f]+:(\d+) /g)
  return [...locks].filter(([, , ino]) => Number(ino) === inode).map(([, pid]) => Number(pid))
}

let dataDir: string
beforeEach(() => {
  dataDir = newFolder()
})

function expectLocked(by: number | undefined, when: string): void {
  const file = storeFile(dataDir)
  for (const each of [file, `${file}-shm`]) expect(lockHolders(each), `${each} ${when}`).toContain(by)
}

describe.runIf(existsSync(LOCKS))('a process that has the store open keeps its locks', () => {
  test('while it opens, inspects, copies, and erases', async () => {
    const file = storeFile(dataDir)
    const settings = { dataDir, databaseUrl: null }
    const store = openSqliteStore(file)
    onTestFinished(() => store.close())
    const id = await captureLead(store, { name: 'Ada' })
    expectLocked(process.pid, 'at first')
    const copy = join(dataDir, 'copy')
    const operations: Record<string, () => Promise<unknown>> = {
      'opening it again': async () => openSqliteStore(file).close(),
      'connecting to write': async () => (await connectStore(settings, { access: 'write' })).close(),
      'connecting to read': async () => (await connectStore(settings, { access: 'read' })).close(),
      'a health check': () => inspectStore(settings),
      erasing: () => store.erase({ ids: [id], key: ERASURE_KEY, by: 'test' }),
      'a backup': () => backUpStore(settings, copy),
      'a refused restore': () => expect(planRestore(settings, copy, 0)).rejects.toThrow('has the store open'),
    }
    for (const [name, operate] of Object.entries(operations)) {
      await operate()
      expectLocked(process.pid, `after ${name}`)
    }
  })

  test.each(['SIGTERM', 'SIGKILL'] as const)('as server and desk, after %s and beside commands', async signal => {
    const startServer = async (lead: string) => {
      const server = killAfterTest(spawnServer({ DATA_DIR: dataDir, ERASURE_KEY }))
      expect(await sendLead(await server.url, lead)).toBe(202)
      return server
    }
    const first = await startServer('ada')
    const desk = killAfterTest(spawnDesk({ DATA_DIR: dataDir, ERASURE_KEY }))
    await desk.url
    // The desk keeps the log, so the server opens a store whose log isn't empty.
    first.child.kill(signal)
    await first.exit
    const second = await startServer('bob')
    const besideOthers = { dataDir, busyTimeoutMs: 60_000 }
    const commands = [
      ['people'],
      ['export'],
      ['do-not-call', '--list'],
      ['doctor'],
      ['erase', '--phone', '5552100199', '--under-five-years', '--yes'],
      ['backup', join(dataDir, 'copy')],
    ]
    for (const command of [[], ...commands]) {
      const { code, err } = command.length > 0 ? await leads(command, besideOthers) : { code: 0, err: '' }
      expect(code, err).toBe(0)
      for (const { child } of [desk, second]) expectLocked(child.pid, `after ${command[0] ?? 'the restart'}`)
    }
  })
})
