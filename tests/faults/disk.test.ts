/** The production server keeps serving, and recovers, when its disk is full, read-only, or frozen, or its log can't be written. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, onTestFinished, test } from 'vitest'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { killAfterTest, newFolder } from '../support/after-test.ts'
import { mountOwnDisk } from '../support/disks.ts'
import { freePort } from '../support/free-port.ts'
import { storedLeads } from '../support/lead-fixtures.ts'
import { sendLead } from '../support/lead-load.ts'
import { onDemand } from '../support/on-demand.ts'
import { spawnServer } from '../support/processes.ts'

await onDemand('site')

const disk = mountOwnDisk()

afterAll(() => disk?.remove())

const statusOf = async (url: string) => (await fetch(url)).status

async function stop(child: ChildProcess): Promise<number | null> {
  const exit = once(child, 'exit')
  child.kill('SIGTERM')
  return (await exit)[0]
}

describe.runIf(disk)('the store’s disk', () => {
  async function start() {
    const server = killAfterTest(spawnServer({ DATA_DIR: disk?.folder ?? '' }))
    const url = await server.url
    return {
      url,
      child: server.child,
      readiness: () => expect.poll(() => statusOf(`${url}/readyz`)),
      lines: (code: string) =>
        server
          .output()
          .split('\n')
          .filter(line => line.includes(`"code":"${code}"`)),
    }
  }
  test('isn’t mounted: an installation refuses leads instead of storing them on the mount point, until it is', async () => {
    const first = await start()
    expect(await sendLead(first.url, 'before')).toBe(202)
    await stop(first.child)
    disk?.detach()
    onTestFinished(() => void disk?.attach())
    const server = killAfterTest(spawnServer({ DATA_DIR: disk?.folder ?? '', NEW_STORE_NEEDS_MARKER: 'yes' }))
    const url = await server.listening
    await expect
      .poll(async () => (await fetch(`${url}/readyz`)).json())
      .toMatchObject({ status: 'failed', reason: expect.stringContaining('mount it') })
    expect(await sendLead(url, 'during')).toBe(503)
    await expect.poll(server.output).toMatch(/"code":"leads_refused".*"level":"alert"/)
    expect(readdirSync(disk?.folder ?? '')).toEqual([])
    disk?.attach()
    await expect.poll(() => sendLead(url, 'after')).toBe(202)
    expect(storedNames()).toEqual(expect.arrayContaining(['before', 'after']))
    expect(await stop(server.child)).toBe(0)
  })

  const storedNames = () => storedLeads(storeFile(disk?.folder ?? '')).map(lead => lead['firstName'])

  test.each([
    ['full', 'the disk is full.', () => disk?.fill(), () => disk?.empty()],
    ['read-only', 'the disk has a read or write error.', () => disk?.makeReadOnly(), () => disk?.makeWritable()],
  ])(
    'is %s: leads get a 503 until it recovers, pages are still served, and the log says why',
    async (name, reason, fail, recover) => {
      const { url, child, readiness, lines } = await start()
      expect(await sendLead(url, `before-${name}`)).toBe(202)
      fail()
      try {
        expect(await sendLead(url, `during-${name}`)).toBe(503)
        await readiness().toBe(503)
        expect([await statusOf(url), await statusOf(`${url}/healthz`)]).toEqual([200, 200])
        await expect
          .poll(() => lines('leads_refused').map(line => JSON.parse(line)))
          .toMatchObject([{ level: 'alert', reason }])
      } finally {
        recover()
      }
      expect(await sendLead(url, `after-${name}`)).toBe(202)
      await readiness().toBe(200)
      const names = storedNames()
      expect(names).toContain(`before-${name}`)
      expect(names).toContain(`after-${name}`)
      expect(names).not.toContain(`during-${name}`)
      expect(await stop(child)).toBe(0)
    },
  )

  test('is frozen: a lead waits for its response, but pages are still served', async () => {
    const { url, child, readiness } = await start()
    expect(await sendLead(url, 'before')).toBe(202)
    disk?.freeze()
    let responded = false
    const waiting = sendLead(url, 'frozen').finally(() => {
      responded = true
    })
    try {
      await readiness().toBe(503)
      for (const path of ['/', '/advertorial', '/healthz']) expect(await statusOf(url + path), path).toBe(200)
      expect(responded).toBe(false)
    } finally {
      disk?.thaw()
    }
    expect(await waiting).toBe(202)
    await readiness().toBe(200)
    expect(storedNames()).toContain('frozen')
    expect(await stop(child)).toBe(0)
  })
})

describe('the log', () => {
  test('loses its reader: pages are still served, leads are accepted, and the server stops cleanly', async () => {
    const { child, url, exit } = killAfterTest(spawnServer({ DATA_DIR: newFolder() }))
    const address = await url
    child.stdout?.destroy()
    for (let turn = 0; turn < 5; turn++)
      expect([await sendLead(address, `closed-${turn}`), await statusOf(address)]).toEqual([202, 200])
    child.kill('SIGTERM')
    expect(await exit).toMatchObject({ code: 0, stderr: '' })
  })

  test.runIf(disk)('is on a full disk: once there is room again, it says how many lines were lost', async () => {
    const file = join(disk?.folder ?? '', 'server.log')
    // Choose the port here, because the log with the server's URL goes to the file.
    const port = await freePort()
    const logFile = openSync(file, 'a')
    const { child } = killAfterTest(spawnServer({ DATA_DIR: newFolder(), PORT: String(port) }, { logFile }))
    closeSync(logFile)
    const url = `http://127.0.0.1:${port}`
    await expect.poll(() => statusOf(`${url}/readyz`).catch(() => null)).toBe(200)
    disk?.fill()
    // The file's last block still has room for a few lines.
    for (let turn = 0; turn < 60; turn++) await fetch(url + '/'.padEnd(60, 'x'))
    expect(await sendLead(url, 'unlogged')).toBe(202)
    disk?.empty()
    expect(await statusOf(`${url}/advertorial`)).toBe(200)
    expect(await stop(child)).toBe(0)

    const lines = readFileSync(file, 'utf8').split('\n')
    const notice = lines.findIndex(line => line.includes('"code":"log_lines_lost"'))
    expect(JSON.parse(lines[notice] ?? '').lines).toBeGreaterThan(1)
    // Only the line before the notice can be cut off; every line after it is complete.
    const after = lines.slice(notice + 1).filter(line => line !== '')
    const events = after.map(line => JSON.parse(line))
    expect(events.slice(-3)).toMatchObject([{ path: '/advertorial' }, { code: 'stopping' }, { code: 'stopped' }])
  })

  test('has a stalled reader: at most 16 MB is buffered, and every dropped line is counted', async () => {
    const logFile = join(import.meta.dirname, '../../server/process/log.ts')
    const script = `
      const { log } = await import(process.argv[1])
      for (let turn = 0; turn < 1000; turn++) {
        for (let line = 0; line < 10; line++) log('request', { filler: 'x'.repeat(4000) })
        await new Promise(setImmediate)
      }
      console.error(process.stdout.writableLength)
      if (process.stdout.writableLength > 0) await new Promise(resolve => process.stdout.once('drain', resolve))
      log('stopped')`
    const child = spawn(process.execPath, ['--input-type=module', '-e', script, logFile], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    killAfterTest({ child })
    const [buffered] = await once(child.stderr, 'data')
    expect(Number(buffered)).toBeLessThan(17 * 1024 * 1024)
    const lines = (await text(child.stdout)).split('\n').filter(line => line !== '')
    const events = lines.map(line => JSON.parse(line))
    const lost = events.find(({ code }) => code === 'log_lines_lost').lines
    expect(events.filter(({ code }) => code === 'request').length + lost).toBe(10_000)
    expect(events.at(-1)?.code).toBe('stopped')
  })
})
