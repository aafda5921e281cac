/** A webhook that speaks https, and a server that trusts its certificate only when the operator says so. */
import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { createStore, insertLeads, rowsOf } from '../support/lead-fixtures.ts'
import { spawnServer } from '../support/server-process.ts'
import { testCertificateFile } from '../support/test-certificate.ts'
import { MisbehavingWebhook } from './webhook.ts'

let store: Awaited<ReturnType<typeof createStore>>
let webhook: MisbehavingWebhook
let stopServer: () => Promise<void> = async () => {}

beforeEach(async () => {
  store = await createStore()
  webhook = new MisbehavingWebhook('https')
  await webhook.up()
})

afterEach(async () => {
  await stopServer()
  await webhook.down()
  store.remove()
})

test('a lead waits while the certificate is not trusted, and is delivered once it is', async () => {
  insertLeads(store.file, [{ firstName: 'Ada', nextAt: 0 }])
  startServer({})
  await expect.poll(attempts).toEqual([{ outcome: 'certificate not trusted', state: 'pending' }])
  expect(webhook.deliveries).toEqual([])
  await stopServer()

  comesDueAgain()
  startServer({ NODE_EXTRA_CA_CERTS: testCertificateFile })
  await expect.poll(attempts).toContainEqual({ outcome: 'delivered', state: 'delivered' })
  expect(webhook.deliveries).toMatchObject([{ query: { firstName: 'Ada' }, serverName: 'localhost' }])
})

function startServer(env: Readonly<Record<string, string>>): void {
  const LEAD_WEBHOOK_URL = `https://localhost:${webhook.port}/hook`
  const { child, exit } = spawnServer({ DATA_DIR: store.dataDir, LEAD_WEBHOOK_URL, ...env })
  stopServer = async () => {
    child.kill('SIGKILL')
    await exit
  }
}

function attempts() {
  return rowsOf(store.file, 'SELECT outcome, state FROM attempts JOIN deliveries USING (lead_id) ORDER BY at')
}

/** As when the wait between two attempts is over. */
function comesDueAgain(): void {
  const database = new DatabaseSync(store.file)
  database.exec('UPDATE deliveries SET next_at = 0')
  database.close()
}
