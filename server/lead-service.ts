/** Puts the lead service together: the store that leads are captured into, and the worker that empties its outbox. */
import { consent } from '../content/contact-form.ts'
import { consentAsPresented } from '../domain/consent.ts'
import type { Config } from './config.ts'
import type { Webhook } from './delivery/send.ts'
import { createDeliveryWorker, type DeliveryWorker } from './delivery/worker.ts'
import { type Capture, createCapture } from './leads/capture.ts'
import { hasConsent, type KnowsConsent, rememberConsent } from './leads/consents.ts'
import { createReadiness } from './leads/readiness.ts'
import { watchRefusals } from './leads/refusal-watch.ts'
import { openSqliteDatabase } from './leads/sqlite-database.ts'
import { isNewStore, storeFile } from './leads/store-file.ts'
import { type Log, log as realLog } from './log.ts'

export interface LeadService {
  readonly capture: Capture
  /** Whether a version of the consent is one of those in the store. */
  readonly hasConsent: KnowsConsent
  /** Whether the store takes writes. */
  isReady(): Promise<boolean>
  /** Delivers what is in the outbox, from now on. Without a webhook, leads are kept. */
  start(): Promise<void>
  /** Finishes what is under way, then closes the store. */
  stop(): Promise<void>
}

export type LeadSettings = Pick<Config, 'dataDir' | 'webhookUrl' | 'webhookSecret'>

export async function openLeadService(settings: LeadSettings, log: Log = realLog): Promise<LeadService> {
  const { dataDir, webhookUrl, webhookSecret } = settings
  const file = storeFile(dataDir)
  const isNew = isNewStore(file)
  const database = openSqliteDatabase(file)
  // Where leads were kept before, this tells of a wrong DATA_DIR, or of a disk that is not mounted.
  if (isNew) log('a new store was made', { file })
  await rememberConsent(database, consentAsPresented(consent), Date.now())
  const watched = watchRefusals(database, { log })
  const worker: DeliveryWorker | null =
    webhookUrl === null ? null : createDeliveryWorker({ database, log, webhook: webhookOf(webhookUrl, webhookSecret) })
  const capture = createCapture(watched, { onAccepted: () => worker?.wake() })
  return {
    async capture(submission) {
      const lead = await capture(submission)
      if (lead.state === 'held') log('a lead is held for a look', { lead: lead.id })
      return lead
    },
    hasConsent: version => hasConsent(watched, version),
    isReady: createReadiness(watched),
    start: async () => worker?.start(),
    async stop() {
      await worker?.stop()
      await database.close()
    },
  }
}

function webhookOf(url: string, secret: string | null): Webhook {
  return secret === null ? { url } : { url, secret }
}
