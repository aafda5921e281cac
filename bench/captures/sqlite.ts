/** The embedded store: what it does by itself, through the server, and how soon a lead is at the webhook. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { listen, Receiver } from '../../tests/support/receiver.ts'
import { rememberWhatIsPresented, someRequest, someSubmission } from './people.ts'
import { CALLERS, measureRate, type Rate } from './rate.ts'
import { openConnection } from './raw-connection.ts'
import { sendLead, withServers } from './through-servers.ts'

export async function bareStore(callers = CALLERS): Promise<Rate> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-store-'))
  try {
    return await captureInto(folder, callers)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** Captures straight into the store of a folder. */
export async function captureInto(dataDir: string, callers = CALLERS): Promise<Rate> {
  const store = openSqliteStore(storeFile(dataDir))
  await rememberWhatIsPresented(store)
  const rate = await measureRate(async () => void (await store.capture(someSubmission())), callers)
  await store.close()
  return rate
}

/** From the request's start to its arrival at the webhook, with nothing else going on. */
export async function leadToWebhook(env: Readonly<Record<string, string>> = {}): Promise<readonly number[]> {
  const webhook = new Receiver()
  const listening = await listen(webhook.handle)
  const times = await withServers(1, { LEAD_WEBHOOK_URL: listening.url, ...env }, async ([url = '']) => {
    const measured: number[] = []
    const connection = await openConnection(url)
    for (let lead = 1; lead <= 20; lead++) {
      const started = performance.now()
      await sendLead(connection, someRequest(url))
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
