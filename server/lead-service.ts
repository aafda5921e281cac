/** Puts the lead service together: the store, the receiver in front of it and the worker that empties its outbox. */
import type { Hono } from 'hono'
import { plainForm } from '../content/plain-form.ts'
import { consentAsPresented } from '../domain/consent.ts'
import type { Config } from './config.ts'
import type { Webhook } from './delivery/send.ts'
import { createDeliveryWorker, type DeliveryWorker } from './delivery/worker.ts'
import { createClientAddress } from './http/client-address.ts'
import { type Site, textOf } from './http/load-site.ts'
import { createRateLimit } from './http/rate-limit.ts'
import { createCapture } from './leads/capture.ts'
import { createKnowsConsent, rememberConsent } from './leads/consents.ts'
import { createFormPage } from './leads/form-page.ts'
import { createReadiness } from './leads/readiness.ts'
import { createReceiver } from './leads/receive.ts'
import type { ReceiverEnv } from './leads/received.ts'
import { openSqliteDatabase } from './leads/sqlite-database.ts'
import { storeFile } from './leads/store-file.ts'
import { type Log, log as realLog } from './log.ts'

export interface LeadService {
  readonly receiver: Hono<ReceiverEnv>
  /** Whether the store takes writes. */
  isReady(): Promise<boolean>
  /** Delivers what is in the outbox, from now on. Without a webhook, leads are kept. */
  start(): void
  /** Finishes what is under way, then closes the store. */
  stop(): Promise<void>
}

type Settings = Pick<Config, 'dataDir' | 'webhookUrl' | 'webhookSecret' | 'trustProxy' | 'siteUrl'>

export async function openLeadService(config: Settings, site: Site, log: Log = realLog): Promise<LeadService> {
  const database = openSqliteDatabase(storeFile(config.dataDir))
  await rememberConsent(database, consentAsPresented(), Date.now())
  const worker: DeliveryWorker | null =
    config.webhookUrl === null
      ? null
      : createDeliveryWorker({ database, log, webhook: webhookOf(config.webhookUrl, config.webhookSecret) })
  const capture = createCapture(database, { onAccepted: () => worker?.wake() })
  const submissionError = textOf(site.submissionError)
  return {
    receiver: createReceiver({
      capture: async submission => {
        const lead = await capture(submission)
        if (lead.state === 'held') log('a lead is held for a look', { lead: lead.id })
        return lead
      },
      knowsConsent: createKnowsConsent(database),
      rateLimit: createRateLimit(),
      clientAddress: createClientAddress(config.trustProxy),
      siteUrl: config.siteUrl,
      renderForm: createFormPage(textOf(site.plainForm)),
      renderProblem: () => submissionError,
      unansweredMessage: plainForm.unanswered,
    }),
    isReady: createReadiness(database),
    start: () => worker?.start(),
    async stop() {
      await worker?.stop()
      await database.close()
    },
  }
}

function webhookOf(url: string, secret: string | null): Webhook {
  return secret === null ? { url } : { url, secret }
}
