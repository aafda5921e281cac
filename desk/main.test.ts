import { spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { request } from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { onDemand } from '../tests/support/on-demand.ts'
import { type DeskProcess, PROGRAM_ENV, spawnDesk } from '../tests/support/processes.ts'
import { storePerTest } from '../tests/support/store-engines.ts'
import { BUILT_DESK, builtPages, DeskNotBuilt } from './server/pages.ts'

await onDemand('desk')

const files = storePerTest()
let desk: DeskProcess | null = null

afterEach(async () => {
  desk?.child.kill('SIGKILL')
  await desk?.exit
  desk = null
})

/** `fetch` can't override the Host header. */
async function statusOf(port: string, host: string): Promise<number | undefined> {
  const [response] = await once(request({ port, headers: { host }, family: 4 }).end(), 'response')
  response.resume()
  return response.statusCode
}

test('the desk accepts only its own hostname, disconnects clients that don’t read, and stops on a signal', async () => {
  desk = spawnDesk({ DATA_DIR: files.dataDir })
  const url = await desk.url
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
  expect(() => builtPages(files.dataDir)).toThrow(DeskNotBuilt)
  desk = spawnDesk({ DATA_DIR: join(files.dataDir, 'nowhere') })
  expect(await desk.exit).toBe(1)
  expect(desk.output()).toMatch(/^There is no store at .* yet\. .*npm start.*\n$/)
  desk = spawnDesk({ DATA_DIR: files.dataDir, DESK_URL: 'http://desk.example.org' })
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
