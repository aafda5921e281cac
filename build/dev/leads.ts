/** Lead intake for the development server: the real receiver, store, and deliveries, with sample leads. */
import { rmSync } from 'node:fs'
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { contactFields } from '../../domain/contact-fields.ts'
import { PROGRESS_PATH } from '../../domain/drop-off.ts'
import { createApp } from '../../server/app.ts'
import { type Config, OWN_LEAD_ENDPOINT } from '../../server/config.ts'
import { createDeliveryWorker } from '../../server/delivery/worker.ts'
import type { Site } from '../../server/http/site.ts'
import { openStore } from '../../server/store/open-store.ts'
import { root } from '../build.ts'

/** From the project's folder. */
export const LEADS_FOLDER = '.cache/dev-leads'
const PATHS = [OWN_LEAD_ENDPOINT, PROGRESS_PATH, '/healthz', '/readyz']

export async function startScratchLeads(settings: Config, { showContacts }: { readonly showContacts: boolean }) {
  const dataDir = join(root, LEADS_FOLDER)
  // The same made-up person twice would be a repeat, which is not delivered, so every start begins with an empty store.
  rmSync(dataDir, { recursive: true, force: true })
  const config: Config = { ...settings, dataDir, databaseUrl: null }
  const store = await openStore(config, {
    onCreated: () => {},
    onCrash: error => {
      throw error
    },
  })
  const url = await startWebhook(showContacts)
  const worker = createDeliveryWorker({ store, webhook: { url, secrets: config.webhookSecrets }, log: () => {} })
  worker.start()

  const shown = Object.assign(Object.create(store) as typeof store, {
    async capture(submission: Parameters<typeof store.capture>[0]) {
      const lead = await store.capture(submission)
      const reason = lead.state === 'held' ? `: ${submission.holdReason}` : ''
      console.log(`\n  Lead received: ${lead.state}${reason}${lead.state === 'accepted' ? '' : ', so not delivered'}`)
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
    isFor: (request: IncomingMessage) => PATHS.includes(new URL(request.url ?? '/', 'http://localhost').pathname),
    async handle(site: Site, request: IncomingMessage, response: ServerResponse) {
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

/** Accepts every delivery and shows it in the terminal. */
async function startWebhook(showContacts: boolean): Promise<string> {
  const server = createServer(async (request, response) => {
    console.log(`\n${describeDelivery(request, await text(request), showContacts)}`)
    response.writeHead(204).end()
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  server.unref()
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const personal = [...contactFields, 'name', 'e164', 'address', 'ipAddress', 'browser', 'userAgent', 'clientAddress']
const PERSONAL = new RegExp(`^(${personal.join('|')})`, 'i')

/** Contact details are cut to their first letter unless they are to be shown. */
function describeDelivery(
  { method, url = '/', headers }: IncomingMessage,
  body: string,
  showContacts: boolean,
): string {
  const shown = (name: string, value: unknown) =>
    showContacts || typeof value !== 'string' || !PERSONAL.test(name) ? value : value.replace(/(?<=^.).+/su, '…')
  const query = [...new URL(url, 'http://webhook').searchParams].map(
    ([name, value]) => `${name} = ${shown(name, value)}`,
  )
  const json = body === '' ? [] : JSON.stringify(JSON.parse(body, shown), null, 2).split('\n')
  const signed = headers['webhook-signature'] === undefined ? 'not signed' : 'signed'
  const lines = [...query, ...json].map(line => `    ${line}`)
  return [`  The webhook got a ${method}, ${headers['webhook-id']}, ${signed}`, ...lines].join('\n')
}
