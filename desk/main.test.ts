import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openStore } from '../server/store/open-store.ts'
import { storeFile } from '../server/store/sqlite/files.ts'
import { submissionOf } from '../tests/support/lead-store.ts'
import { type DeskProcess, PROGRAM_ENV, spawnDesk } from '../tests/support/processes.ts'
import { BUILT_DESK, builtPages, DeskNotBuilt } from './server/pages.ts'

let folder: string
let desk: DeskProcess | null = null

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'desk-'))
})
afterEach(async () => {
  desk?.child.kill('SIGKILL')
  await desk?.exit
  desk = null
  rmSync(folder, { recursive: true })
})

async function start(): Promise<string> {
  await (await createStore()).close()
  desk = spawnDesk({ DATA_DIR: folder })
  return desk.url
}

const createStore = () => openStore({ dataDir: folder, databaseUrl: null }, { onCreated: () => {}, onCrash: () => {} })

/** `fetch` can't override the Host header. */
async function statusOf(port: string, host: string): Promise<number | undefined> {
  const [response] = await once(request({ port, headers: { host }, family: 4 }).end(), 'response')
  response.resume()
  return response.statusCode
}

test('the desk accepts only its own hostname, disconnects clients that don’t read, and stops on a signal', async () => {
  const url = await start()
  const page = await fetch(url)
  expect([page.status, page.headers.get('content-type')]).toEqual([200, expect.stringContaining('text/html')])
  expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
  expect((await fetch(`${url}/api/session`)).status).toBe(401)
  const { port } = new URL(url)
  expect(await statusOf(port, `localhost:${port}`)).toBe(200)
  for (const host of [`127.0.0.1:${port}`, `evil.example:${port}`]) expect(await statusOf(port, host)).toBe(421)
  const asset = `/assets/${readdirSync(join(BUILT_DESK, 'assets')).find(name => name.endsWith('.js'))}`
  const client = connect(Number(port), '127.0.0.1').pause()
  client.on('error', () => {})
  client.write(`GET ${asset} HTTP/1.1\r\nHost: localhost:${port}\r\n\r\n`.repeat(20))
  await expect.poll(() => desk?.output()).toContain('sends requests without reading responses')
  client.destroy()
  desk?.child.kill('SIGTERM')
  expect(await desk?.exit).toBe(0)
  expect(desk?.output()).toContain('"code":"stopped"')
})

test('--help prints usage; a failed start prints one clear line', async () => {
  expect(() => builtPages(folder)).toThrow(DeskNotBuilt)
  desk = spawnDesk({ DATA_DIR: join(folder, 'nowhere') })
  expect(await desk.exit).toBe(1)
  expect(desk.output()).toMatch(/^There is no store at .* yet\. .*npm start.*\n$/)
  desk = spawnDesk({ DATA_DIR: folder, DESK_URL: 'http://desk.example.org' })
  expect(await desk.exit).toBe(1)
  expect(desk.output()).toContain('plain http only works for http://localhost:3001')
  const run = (...args: string[]) =>
    spawnSync(process.execPath, [join(import.meta.dirname, 'main.ts'), ...args], { encoding: 'utf8', env: PROGRAM_ENV })
  const help = run('--help')
  expect([help.status, help.stderr]).toEqual([0, ''])
  expect(help.stdout).toContain('--demo')
  const wrong = run('--dmeo')
  expect(wrong.status).toBe(1)
  expect(wrong.stderr).toContain("Unknown option '--dmeo'")
  expect(wrong.stderr).not.toContain('at ')
})

test('an interrupted bulk job finishes after the desk restarts', async () => {
  const store = await createStore()
  const consentVersion = await store.saveConsentText(JSON.stringify({ text: 'I agree', button: 'Call me' }))
  const held = { holdReason: 'a link in the name' }
  const captured = await Promise.all(
    Array.from({ length: 60 }, (_, index) => store.capture({ ...submissionOf(`n${index}`, consentVersion), ...held })),
  )
  const job = { action: 'reject', by: 'Maria', skipped: 0, reason: 'spam', again: false } as const
  const { id } = await store.startJob({ ...job, leads: captured })
  // The killed desk still holds the lease, which expires after the restart.
  await store.leaseJob({ leaseMs: 600_000 })
  desk = spawnDesk({ DATA_DIR: folder })
  await desk.url
  const database = new DatabaseSync(storeFile(folder))
  database.exec('UPDATE desk_jobs SET leased_until = 0')
  database.close()
  await expect.poll(async () => store.job(id)).toMatchObject({ changed: 60, finishedAt: expect.any(Number) })
  await store.close()
})
