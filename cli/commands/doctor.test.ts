import { truncateSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createStore, insertLeads, someLead } from '../../tests/support/lead-fixtures.ts'
import { leads, NOW } from '../../tests/support/leads-command.ts'
import { listen, Receiver } from '../../tests/support/receiver.ts'

let store: Awaited<ReturnType<typeof createStore>>
beforeEach(async () => {
  store = await createStore()
})
afterEach(() => store.remove())

async function withReceiver<T>(work: (url: string, receiver: Receiver) => Promise<T>): Promise<T> {
  const receiver = new Receiver()
  const server = await listen(receiver.handle)
  try {
    return await work(server.url, receiver)
  } finally {
    await server.close()
  }
}

test('when all is well every line is ok, and no lead was sent', async () => {
  await withReceiver(async (url, receiver) => {
    insertLeads(store.file, [{ delivery: 'delivered' }])
    const env = { LEAD_WEBHOOK_URL: `${url}/secret-path`, LEAD_WEBHOOK_SECRET: 'hush' }
    const { code, out, err } = await leads(['doctor'], { ...store, env })
    expect({ code, err }).toEqual({ code: 0, err: '' })
    expect(out.replace(/^ok .*\n/gm, '')).toBe('\nAll is well.\n')
    for (const words of ['version 1', 'full sync', 'quick check', 'takes writes', 'free', 'can be reached', 'signed']) {
      expect(out).toContain(words)
    }
    expect(out).not.toContain('secret-path')
    expect(out).not.toContain('hush')
    expect(receiver.leads).toEqual([])
  })
})

test('every fault of the settings is a line', async () => {
  const { code, out } = await leads(['doctor'], { ...store, env: { PORT: 'x', TRUSTEDFORM: 'x' } })
  expect(code).toBe(1)
  expect(out).toMatch(/^fault {4}Settings {2}PORT .*\nfault {4}Settings {2}TRUSTEDFORM .*\n\n2 faults, 0 warnings\.\n$/)
})

describe('the store', () => {
  test('that is not there yet is a warning, and is not made', async () => {
    const dataDir = `${store.dataDir}/none`
    const { code, out } = await leads(['doctor'], { dataDir })
    expect(code).toBe(0)
    expect(out).toContain(`warning  Store     There is no store at ${dataDir}/leads.sqlite yet.`)
    expect((await leads(['doctor'], { dataDir })).out).toBe(out)
  })

  test('that is damaged is a fault', async () => {
    insertLeads(
      store.file,
      Array.from({ length: 500 }, () => ({})),
    )
    truncateSync(store.file, 60_000)
    const { code, out } = await leads(['doctor'], store)
    expect(code).toBe(1)
    expect(out).toMatch(/^fault {4}Store .*damaged.*/m)
  })

  test('that is no database is a fault', async () => {
    writeFileSync(store.file, 'not a database, however long it may be'.repeat(100))
    const { code, out } = await leads(['doctor'], store)
    expect(code).toBe(1)
    expect(out).toMatch(/^fault {4}Store .*is not a database/m)
  })

  test('that is locked is a warning', async () => {
    const other = new DatabaseSync(store.file)
    other.exec('BEGIN IMMEDIATE')
    const { code, out } = await leads(['doctor'], store)
    other.close()
    expect(code).toBe(0)
    expect(out).toContain('warning  Store     Another program has held it locked')
  })
})

describe('the backlog', () => {
  test('what waits a while is no reason to worry', async () => {
    insertLeads(store.file, [{ receivedAt: NOW - 5 * 60_000 }])
    expect((await leads(['doctor'], store)).out).toContain(
      'ok       Backlog   1 lead waits for delivery, the oldest for 5 min.',
    )
  })

  test('what waits for long, was given up or is held is a warning', async () => {
    insertLeads(store.file, [
      {},
      { receivedAt: someLead.receivedAt + 1 },
      { delivery: 'dead' },
      { state: 'held', delivery: null },
      { state: 'held', delivery: null },
    ])
    const { code, out } = await leads(['doctor'], store)
    expect(code).toBe(0)
    expect(out).toContain('warning  Backlog   2 leads wait for delivery, the oldest for 24 h.')
    expect(out).toContain('warning  Backlog   1 delivery was given up')
    expect(out).toContain('warning  Backlog   2 leads are held for a look')
  })
})

describe('the webhook', () => {
  test('that is not set is a warning', async () => {
    expect((await leads(['doctor'], store)).out).toContain('warning  Webhook   LEAD_WEBHOOK_URL is not set')
  })

  test('where nothing listens is a fault', async () => {
    const url = await withReceiver(async closedSoon => closedSoon)
    const { code, out } = await leads(['doctor'], { ...store, env: { LEAD_WEBHOOK_URL: url } })
    expect(code).toBe(1)
    expect(out).toMatch(/^fault {4}Webhook {3}127\.0\.0\.1:\d+ cannot be reached: nothing listens there/m)
  })

  test('that does not speak TLS is a fault for an https address', async () => {
    const server = createServer(socket => socket.on('error', () => {}).end('plain words'))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const env = { LEAD_WEBHOOK_URL: `https://127.0.0.1:${port}/` }
    const { code, out } = await leads(['doctor'], { ...store, env })
    server.close()
    expect(code).toBe(1)
    expect(out).toMatch(/^fault {4}Webhook .*cannot be reached/m)
  })

  test('that is elsewhere and not https is a warning', async () => {
    // An address that is never routed: whether it fails at once or not, the line about encryption is there.
    const { out } = await leads(['doctor'], { ...store, env: { LEAD_WEBHOOK_URL: 'http://0.0.0.0:1/' } })
    expect(out).toContain('warning  Webhook   Leads travel to it unencrypted')
  })
})

test('the words say what the colours say', async () => {
  const coloured = await leads(['doctor'], { ...store, terminal: { colours: true } })
  expect(coloured.out).toContain('\u001b[33mwarning')
  expect((await leads(['doctor'], { ...store, terminal: { colours: false } })).out).not.toContain('\u001b[3')
})
