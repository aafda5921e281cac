/**
 * A process to be killed: it takes leads over HTTP, and answers 202 when they are on disk; the worker delivers them.
 * Run as `node lead-process.ts STORE_FILE WEBHOOK_URL`; it prints the port that it listens on.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createDeliveryWorker } from '../../server/delivery/worker.ts'
import { createCapture } from '../../server/leads/capture.ts'
import { rememberConsent } from '../../server/leads/consents.ts'
import { openSqliteDatabase } from '../../server/leads/sqlite-database.ts'
import { contactOf } from './lead-store.ts'

const [file = '', url = ''] = process.argv.slice(2)

const database = openSqliteDatabase(file)
const consentVersion = await rememberConsent(database, 'I agree', Date.now())
// A short lease, since the test waits for what the killed ones held.
const worker = createDeliveryWorker({ database, webhook: { url }, timeoutMs: 1000, leaseMs: 1500, log: () => {} })
const capture = createCapture(database, { onAccepted: worker.wake })

const server = createServer(async (request, response) => {
  const name = new URL(request.url ?? '/', 'http://localhost').searchParams.get('name') ?? ''
  try {
    await capture({
      contact: contactOf(name),
      page: '/',
      campaign: {},
      clientAddress: '192.0.2.1',
      userAgent: 'test',
      certificate: { kind: 'none' },
      consentVersion,
      holdReason: null,
    })
    response.writeHead(202).end()
  } catch {
    response.writeHead(503).end()
  }
})
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
worker.start()
