/** How the service stands, the switch of deliveries, and a test of the webhook. */
import { Hono } from 'hono'
import { maxLength, object, pipe, string, trim } from 'valibot'
import { answerInWords, sendTestLead } from '../../../server/delivery/test-lead.ts'
import type { TestLeadAnswer } from '../../api/health.ts'
import { LONGEST_REASON } from '../../api/lead.ts'
import { healthOf } from '../health/health.ts'
import { Refused } from '../refusal.ts'
import { jsonBody } from '../request-body.ts'
import type { DeskRequest, DeskServices } from '../services.ts'

export function createHealthRoutes(services: DeskServices): Hono<DeskRequest> {
  const { config, now, store } = services
  return new Hono<DeskRequest>()
    .get('/', async context => context.json(await healthOf(services)))
    .post('/pause', jsonBody(object({ reason: pipe(string(), trim(), maxLength(LONGEST_REASON)) })), async context => {
      await store.pauseDeliveries({ reason: context.req.valid('json').reason, by: context.get('person').name })
      return context.json(await healthOf(services))
    })
    .post('/resume', async context => {
      await store.resumeDeliveries({ by: context.get('person').name })
      return context.json(await healthOf(services))
    })
    .post('/test-lead', async context => {
      const { webhookFormat: format, webhookSecrets: secrets, webhookUrl: url } = config
      if (url === null)
        throw new Refused('changed meanwhile', 'LEAD_WEBHOOK_URL is not set: there is no webhook to test.')
      const sent = await sendTestLead({ url, format, secrets }, now(), 'desk test lead')
      const { durationMs, outcome } = sent
      return context.json<TestLeadAnswer>({
        delivered: outcome.kind === 'delivered',
        words: answerInWords(sent),
        status: outcome.status,
        durationMs,
      })
    })
}
