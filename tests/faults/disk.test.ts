/** The production server on a disk of its own that gets full, read-only or stands still: what visitors are told, and that it recovers. */
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { consent } from '../../content/panel/contact-form.ts'
import { consentAsPresented } from '../../domain/consent.ts'
import { leadQuery } from '../../domain/lead.ts'
import { versionOf } from '../../server/presented-version.ts'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { rowsOf } from '../support/lead-fixtures.ts'
import { mountOwnDisk } from '../support/own-disk.ts'
import { type ServerProcess, spawnServer } from '../support/server-process.ts'
import { contactOf } from './lead-store.ts'

vi.setConfig({ testTimeout: 20_000, hookTimeout: 20_000 })

const disk = mountOwnDisk()
const consentVersion = versionOf(consentAsPresented(consent))
let server: ServerProcess
let url: string

beforeEach(async () => {
  server = spawnServer({ DATA_DIR: disk?.folder ?? '' })
  url = await server.url
})
afterEach(async () => {
  server.child.kill('SIGTERM')
  expect((await server.exit).code).toBe(0)
})
afterAll(() => disk?.remove())

/** A page that does not come at once does not come. */
const statusOf = async (path: string) => (await fetch(url + path, { signal: AbortSignal.timeout(3000) })).status

async function sendLead(name: string): Promise<number> {
  const response = await fetch(`${url}/api/leads?${leadQuery(contactOf(name))}`, {
    headers: { 'sec-fetch-site': 'same-origin', 'x-consent-version': consentVersion },
  })
  return response.status
}

function storedNames(): unknown[] {
  return rowsOf(storeFile(disk?.folder ?? ''), "SELECT contact ->> 'firstName' AS name FROM leads").map(
    row => row['name'],
  )
}

/** /readyz remembers its answer for a while. */
const readiness = () => expect.poll(() => statusOf('/readyz'))

const eventsOf = (event: string) =>
  server
    .said()
    .split('\n')
    .filter(line => line.includes(`"event":"${event}"`))

test.runIf(disk).each([
  ['full', 'the disk is full.', () => disk?.fill(), () => disk?.empty()],
  ['read-only', 'the disk failed to read or write.', () => disk?.makeReadOnly(), () => disk?.makeWritable()],
])(
  'the disk is %s: leads are refused with 503 until it has recovered, pages are served, and the log says why',
  async (fault, reason, fail, recover) => {
    expect(await sendLead(`before-${fault}`)).toBe(202)
    fail()
    try {
      expect(await sendLead(`while-${fault}`)).toBe(503)
      await readiness().toBe(503)
      expect([await statusOf('/'), await statusOf('/healthz')]).toEqual([200, 200])
      const [alert = '', ...others] = eventsOf('leads are refused')
      expect(JSON.parse(alert)).toMatchObject({ level: 'alert', reason })
      expect([others, eventsOf('accepting leads again')]).toEqual([[], []])
    } finally {
      recover()
    }
    expect(await sendLead(`after-${fault}`)).toBe(202)
    await readiness().toBe(200)
    expect(eventsOf('accepting leads again')).toHaveLength(1)
    const names = storedNames()
    expect(names).toContain(`before-${fault}`)
    expect(names).toContain(`after-${fault}`)
    expect(names).not.toContain(`while-${fault}`)
  },
)

test.runIf(disk)('the disk stands still: a lead waits for its answer, and no page waits with it', async () => {
  expect(await sendLead('before')).toBe(202)
  disk?.freeze()
  let answered = false
  const waiting = sendLead('meanwhile').finally(() => {
    answered = true
  })
  try {
    await readiness().toBe(503)
    expect([await statusOf('/'), await statusOf('/advertorial'), await statusOf('/healthz')]).toEqual([200, 200, 200])
    expect(answered).toBe(false)
  } finally {
    disk?.thaw()
  }
  expect(await waiting).toBe(202)
  await readiness().toBe(200)
  expect(storedNames()).toContain('meanwhile')
})
