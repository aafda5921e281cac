/** The lead service beside the development server: the real receiver, store and deliveries, over made-up leads. */
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { PROGRESS_PATH } from '../../domain/progress.ts'
import { createApp } from '../../server/app.ts'
import type { Config } from '../../server/config.ts'
import { OWN_LEAD_ENDPOINT } from '../../server/config.ts'
import { createDeliveryWorker } from '../../server/delivery/worker.ts'
import type { Site } from '../../server/http/load-site.ts'
import { openStore } from '../../server/store/open-store.ts'
import { root } from '../site-build.ts'
import { showDelivery } from './show-delivery.ts'

export interface ScratchLeads {
  /** From the project's folder. */
  readonly folder: string
  isFor(request: IncomingMessage): boolean
  handle(site: Site, request: IncomingMessage, response: ServerResponse): void
  stop(): Promise<void>
}

const FOLDER = '.cache/dev-leads'
const PATHS = [OWN_LEAD_ENDPOINT, PROGRESS_PATH, '/healthz', '/readyz']

export async function startScratchLeads(
  settings: Config,
  { showContacts }: { readonly showContacts: boolean },
): Promise<ScratchLeads> {
  const dataDir = join(root, FOLDER)
  // The same made-up person twice would be a repeat, which is not delivered: every start begins with an empty store.
  rmSync(dataDir, { recursive: true, force: true })
  const config: Config = { ...settings, dataDir, databaseUrl: null }
  const store = await openStore(config, {
    onCreated: () => {},
    onCrash: error => {
      throw error
    },
  })
  const url = await startWebhook(showContacts)
  const worker = createDeliveryWorker({
    store,
    webhook: { url, secrets: config.webhookSecrets },
    log: () => {},
  })
  worker.start()

  const shown = Object.assign(Object.create(store) as typeof store, {
    async capture(submission: Parameters<typeof store.capture>[0]) {
      const lead = await store.capture(submission)
      const reason = lead.state === 'held' ? `: ${submission.holdReason}` : ''
      console.log(
        `\n  A lead was taken: ${lead.state}${reason}${lead.state === 'accepted' ? '' : ', so not delivered'}`,
      )
      return lead
    },
  })
  let latest: { readonly site: Site; readonly app: Promise<RequestListener> } | null = null
  async function appFor(site: Site): Promise<RequestListener> {
    await store.rememberConsent(site.words.consent)
    await store.rememberQuestionnaire(site.words.questionnaire)
    return createApp(config, { site, store: shown, log: () => {} })
  }

  return {
    folder: FOLDER,
    isFor: request => PATHS.includes(new URL(request.url ?? '/', 'http://localhost').pathname),
    async handle(site, request, response) {
      if (latest?.site !== site) latest = { site, app: appFor(site) }
      const app = await latest.app
      app(request, response)
    },
    async stop() {
      await worker.stop(1000)
      await store.close()
    },
  }
}

/** Takes every delivery, as a webhook that is well does. */
async function startWebhook(showContacts: boolean): Promise<string> {
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    console.log(showDelivery(request, Buffer.concat(chunks).toString(), { showContacts }))
    response.statusCode = 204
    response.end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
