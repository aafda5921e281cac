/** The production server whose log cannot be written: it goes on, and says later how much of its log was lost. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { setTimeout as wait } from 'node:timers/promises'
import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { consent } from '../../content/panel/contact-form.ts'
import { consentAsPresented } from '../../domain/consent.ts'
import { leadQuery } from '../../domain/lead.ts'
import { versionOf } from '../../server/presented-version.ts'
import { mountOwnDisk } from '../support/own-disk.ts'
import { spawnServer } from '../support/server-process.ts'
import { contactOf } from './lead-store.ts'

vi.setConfig({ testTimeout: 20_000 })

const disk = mountOwnDisk()
const dataDir = mkdtempSync(join(tmpdir(), 'log-'))
const running: ChildProcess[] = []

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL')
})
afterAll(() => {
  disk?.remove()
  rmSync(dataDir, { recursive: true })
})

/** A server that writes its log into a file. Such a log tells nobody here where the server listens. */
async function startWithLogIn(path: string): Promise<{ child: ChildProcess; url: string }> {
  const port = await freePort()
  const file = openSync(path, 'a')
  const { child } = spawnServer({ DATA_DIR: dataDir, PORT: String(port) }, file)
  closeSync(file)
  running.push(child)
  const url = `http://127.0.0.1:${port}`
  await expect
    .poll(() =>
      fetch(`${url}/readyz`).then(
        ({ status }) => status,
        () => null,
      ),
    )
    .toBe(200)
  return { child, url }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  return typeof address === 'object' && address ? address.port : 0
}

async function sendLead(url: string, name: string): Promise<number> {
  const response = await fetch(`${url}/api/leads?${leadQuery(contactOf(name))}`, {
    headers: { 'sec-fetch-site': 'same-origin', 'x-consent-version': versionOf(consentAsPresented(consent)) },
  })
  return response.status
}

async function stop(child: ChildProcess): Promise<number | null> {
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  return (await exit)[0]
}

test('a log that takes nothing at all: pages are served, leads are taken, and it stops gently', async () => {
  const { child, url } = await startWithLogIn('/dev/full')
  for (let turn = 0; turn < 5; turn++) {
    expect(await sendLead(url, `full-${turn}`)).toBe(202)
    expect((await fetch(url)).status).toBe(200)
  }
  expect(await stop(child)).toBe(0)
})

test('a reader of the log that goes away: pages are served, leads are taken, and it stops gently', async () => {
  const { child, url, exit } = spawnServer({ DATA_DIR: dataDir })
  running.push(child)
  const address = await url
  child.stdout?.destroy()
  for (let turn = 0; turn < 5; turn++) {
    expect(await sendLead(address, `closed-${turn}`)).toBe(202)
    expect((await fetch(address)).status).toBe(200)
  }
  child.kill('SIGTERM')
  expect(await exit).toMatchObject({ code: 0, errors: '' })
})

test.runIf(disk)('a log on a disk that gets full says how much was lost once there is room again', async () => {
  const file = join(disk?.folder ?? '', 'server.log')
  const { child, url } = await startWithLogIn(file)
  const longestPath = '/'.padEnd(60, 'x')
  disk?.fill()
  // What is left of the last block of the file is still taken, line by line.
  for (let turn = 0; turn < 60; turn++) await fetch(url + longestPath)
  expect(await sendLead(url, 'meanwhile')).toBe(202)
  disk?.empty()
  expect((await fetch(`${url}/advertorial`)).status).toBe(200)
  expect(await stop(child)).toBe(0)

  const lines = readFileSync(file, 'utf8').split('\n')
  const notice = lines.findIndex(line => line.includes('"event":"log lines were lost"'))
  expect(JSON.parse(lines[notice] ?? '').lines).toBeGreaterThan(1)
  // At most the line before was cut off; all that follow are whole.
  const after = lines.slice(notice + 1).filter(line => line !== '')
  const events = after.map(line => JSON.parse(line))
  expect(events.slice(-3)).toMatchObject([{ path: '/advertorial' }, { event: 'stopping' }, { event: 'stopped' }])
})

test('a reader of the log that has stopped reading: no more than 16 MB wait for it, and every other line is counted', async () => {
  const logFile = join(import.meta.dirname, '../../server/log.ts')
  const script = `
    const { log } = await import(process.argv[1])
    for (let turn = 0; turn < 1000; turn++) {
      for (let line = 0; line < 10; line++) log('request', { filler: 'x'.repeat(4000) })
      await new Promise(setImmediate)
    }
    console.error(process.stdout.writableLength)
    while (process.stdout.writableLength > 0) await new Promise(resolve => setTimeout(resolve, 10))
    log('stopped')`
  const child = spawn(process.execPath, ['--input-type=module', '-e', script, logFile], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  running.push(child)
  const [waiting] = await once(child.stderr, 'data')
  expect(Number(waiting)).toBeLessThan(17 * 1024 * 1024)
  await wait(100)
  const lines = (await text(child.stdout)).split('\n').filter(line => line !== '')
  const events = lines.map(line => JSON.parse(line))
  const lost = events.find(({ code }) => code === 'log_lines_lost').lines
  expect(events.filter(({ code }) => code === 'request').length + lost).toBe(10_000)
  expect(events.at(-1)?.code).toBe('stopped')
})
