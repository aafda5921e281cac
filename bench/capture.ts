/** How many leads a second are on disk before they are answered, next to what the bare store can do in the same run. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { consent } from '../content/contact-form.ts'
import { consentAsPresented } from '../domain/consent.ts'
import { type Contact, leadQuery } from '../domain/lead.ts'
import { consentVersionOf } from '../server/consent-version.ts'
import { storeFile } from '../server/store/sqlite/files.ts'
import { openSqliteStore } from '../server/store/sqlite/sqlite-store.ts'
import { listen, Receiver } from '../tests/support/receiver.ts'
import { spawnServer } from '../tests/support/server-process.ts'
import { median } from './median.ts'
import { progress } from './progress.ts'
import { openConnection, type RawConnection, type RawRequest, rawGet } from './raw-connection.ts'
import { printTable, verdict } from './table.ts'

const CONNECTIONS = 32
const WARM_UP_SECONDS = 3
const SECONDS = 3
const ROUNDS = 3
/** More than any server could take in a round. */
const MOST_REQUESTS = 100_000
const version = consentVersionOf(consentAsPresented(consent))

let people = 0
const someone = (): Contact => {
  const number = String(++people).padStart(10, '0')
  return {
    firstName: 'Bench',
    lastName: 'Mark',
    dateOfBirth: '1965-01-01',
    email: `person${number}@example.org`,
    phone: `(${number.slice(0, 3)}) ${number.slice(3, 6)}-${number.slice(6)}`,
  }
}

interface Rate {
  readonly perSecond: number
  readonly p99: number
}

/** Keeps so many calls under way until the time is over. What begins during the warm-up is not counted. */
async function measureRate(work: () => Promise<void>, atOnce = CONNECTIONS): Promise<Rate> {
  const times: number[] = []
  const counting = performance.now() + WARM_UP_SECONDS * 1000
  const end = counting + SECONDS * 1000
  const loop = async () => {
    for (let before = performance.now(); before < end; before = performance.now()) {
      await work()
      if (before >= counting) times.push(performance.now() - before)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, loop))
  const took = (performance.now() - counting) / 1000
  const p99 = times.toSorted((a, b) => a - b)[Math.floor(times.length * 0.99)] ?? 0
  return { perSecond: times.length / took, p99 }
}

export async function bareStore(atOnce = CONNECTIONS): Promise<Rate> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-store-'))
  try {
    return await captureInto(folder, atOnce)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Captures straight into the store of a folder, as many at once as there are connections. */
export async function captureInto(dataDir: string, atOnce = CONNECTIONS): Promise<Rate> {
  const store = openSqliteStore(storeFile(dataDir))
  await store.rememberConsent(consentAsPresented(consent))
  const facts = {
    page: '/',
    campaign: {},
    clientAddress: '127.0.0.1',
    userAgent: 'bench',
    certificate: { kind: 'none' } as const,
    consentVersion: version,
    holdReason: null,
  }
  const rate = await measureRate(async () => void (await store.capture({ ...facts, contact: someone() })), atOnce)
  await store.close()
  return rate
}

/** It believes our forwarded-for header, so that each lead has its own address. */
async function withServer<T>(env: Record<string, string>, work: (url: string) => Promise<T>): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-server-'))
  const server = spawnServer({ DATA_DIR: folder, TRUST_PROXY: '127.0.0.1', ...env })
  try {
    return await work(await server.url)
  } finally {
    server.child.kill('SIGTERM')
    await server.exit
    rmSync(folder, { recursive: true })
  }
}

/** Of one lead, with an address of its own. */
function nextRequest(url: string): RawRequest {
  const contact = someone()
  const address = `10.${(people >> 16) & 255}.${(people >> 8) & 255}.${people & 255}`
  return rawGet(new URL(`/api/leads?${leadQuery(contact)}`, url), {
    'Sec-Fetch-Site': 'same-origin',
    'X-Consent-Version': version,
    'X-Forwarded-For': address,
  })
}

async function sendLead(connection: RawConnection, request: RawRequest): Promise<void> {
  const status = await connection.send(request)
  if (status !== 202) throw new Error(`A lead was answered with ${status}.`)
}

/** The requests are made before the clock runs: what the sender does takes from what the server could do. */
function throughServer(): Promise<Rate> {
  return withServer({}, async url => {
    const requests = Array.from({ length: MOST_REQUESTS }, () => nextRequest(url))
    const connections = await Promise.all(Array.from({ length: CONNECTIONS }, () => openConnection(url)))
    const free = [...connections]
    const rate = await measureRate(async () => {
      const connection = free.pop()
      const request = requests.pop()
      if (!connection || !request) throw new Error('More calls than connections or requests.')
      await sendLead(connection, request)
      free.push(connection)
    })
    for (const connection of connections) connection.close()
    return rate
  })
}

/** From the request's start to its arrival at the webhook, with nothing else going on. */
async function leadToWebhook(): Promise<number[]> {
  const webhook = new Receiver()
  const listening = await listen(webhook.handle)
  const times = await withServer({ LEAD_WEBHOOK_URL: listening.url }, async url => {
    const measured: number[] = []
    const connection = await openConnection(url)
    for (let lead = 1; lead <= 20; lead++) {
      const started = performance.now()
      await sendLead(connection, nextRequest(url))
      while (webhook.leads.length < lead) await new Promise(resolve => setImmediate(resolve))
      measured.push(performance.now() - started)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
    connection.close()
    return measured
  })
  await listening.close()
  return times
}

export async function measureCapture(): Promise<void> {
  const bare: Rate[] = []
  const served: Rate[] = []
  for (let round = 1; round <= ROUNDS; round++) {
    progress(`leads a second, round ${round} of ${ROUNDS}`)
    bare.push(await bareStore())
    served.push(await throughServer())
  }
  const alone = await bareStore(1)
  progress('from the lead to the webhook')
  const delays = await leadToWebhook()
  const bareRate = median(bare.map(rate => rate.perSecond))
  const servedRate = median(served.map(rate => rate.perSecond))
  const ratio = servedRate / bareRate
  const p99 = median(served.map(rate => rate.p99))
  printTable(
    ['what', 'figure', 'bar', ''],
    [
      ['bare store, one lead at a time, leads a second', alone.perSecond.toFixed(0), '', ''],
      [`bare store, ${CONNECTIONS} at once, leads a second`, bareRate.toFixed(0), '', ''],
      ['through the server, leads a second', servedRate.toFixed(0), '', ''],
      ['share of the bare store', ratio.toFixed(2), '0.50 or more', verdict(ratio >= 0.5)],
      ['answer of the server, 99th percentile, ms', p99.toFixed(1), '50 or less', verdict(p99 <= 50)],
      ['lead to webhook, idle, median ms', median(delays).toFixed(1), '', ''],
      [
        'lead to webhook, idle, worst of 20, ms',
        Math.max(...delays).toFixed(1),
        '250 or less',
        verdict(Math.max(...delays) <= 250),
      ],
    ],
  )
}
