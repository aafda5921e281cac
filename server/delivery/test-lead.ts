/** Sends a test lead to the webhook and reports the response. For the CLI and the desk. */
import { questionnaireAsPresented } from '../../domain/leads/as-presented.ts'
import { describeOutcome } from '../../domain/leads/lead-states.ts'
import { createLeadId } from '../store/facts/leads/lead-id.ts'
import type { LeadToSend } from '../store/operations/deliveries/lease.ts'
import {
  exchange,
  type NoResponse,
  type Outcome,
  outcomeOf,
  requestFor,
  TIMEOUT_MS,
  type Webhook,
  type WebhookResponse,
} from './webhook.ts'

export interface TestResult {
  /** Only the hostname: the path is often the webhook's only secret. */
  readonly host: string
  readonly method: string
  readonly response: WebhookResponse | NoResponse
  readonly outcome: Outcome
  readonly durationMs: number
}

export async function sendTestLead(webhook: Webhook, at: number, userAgent: string): Promise<TestResult> {
  const lead = testLead(at, userAgent)
  const request = requestFor({ webhook, webhookId: `test_${lead.leadId}`, lead, now: at }, 'lead.test')
  const started = performance.now()
  const response = await exchange(request, { timeoutMs: TIMEOUT_MS })
  const durationMs = Math.round(performance.now() - started)
  return { host: request.url.host, method: request.method, response, outcome: outcomeOf(response), durationMs }
}

export function describeResponse({ response, outcome, durationMs }: TestResult): string {
  if ('failure' in response) return `Failed: ${describeOutcome(response.failure)}. A real lead would be retried later.`
  const verdict = {
    delivered: 'a real lead would count as delivered',
    gone: 'a real lead would not be retried',
    retry: 'a real lead would be retried later',
  }[outcome.kind]
  return `Responded with status ${response.status} after ${durationMs} ms: ${verdict}.`
}

function testLead(at: number, userAgent: string): LeadToSend {
  const test = 'This is a test. No one has given consent.'
  return {
    leadId: createLeadId(at),
    receivedAt: at,
    repeatOf: null,
    contact: {
      firstName: 'Test',
      lastName: 'Lead',
      dateOfBirth: '1970-01-01',
      email: 'test@example.com',
      phone: '(555) 555-0100',
    },
    page: '/',
    campaign: { utm_source: 'test' },
    clientAddress: '192.0.2.1',
    userAgent,
    certificate: null,
    trustedForm: 'off',
    language: 'en',
    consentVersion: 'test',
    consentTakenBy: null,
    consentPresented: JSON.stringify({ text: test, button: 'Test' }),
    questionnaireVersion: 'test',
    questionnairePresented: questionnaireAsPresented({
      questions: [{ id: 'test', text: 'Is this a test?', required: 'yes' }],
      yes: 'Yes',
      no: 'No',
    }),
  }
}
