/** `test-webhook`: sends one made-up lead to the webhook, marked as a test, and says what came back. */
import { exchange, type NoAnswer, type WebhookAnswer } from '../../../server/delivery/webhook/exchange.ts'
import { outcomeOf, requestFor, type Webhook } from '../../../server/delivery/webhook/send.ts'
import { createLeadId } from '../../../server/store/lead-id.ts'
import type { LeadToSend } from '../../../server/store/store.ts'
import type { Command } from '../../command.ts'
import { exitCodes, Failure } from '../../failure.ts'
import { plain } from '../../terminal/words.ts'

/** As the server waits. */
const TIMEOUT_MS = 15_000

export const testWebhook: Command = {
  summary: 'Sends one made-up lead to the webhook, marked as a test, and says what came back.',
  usage: [''],
  about:
    'Sends one lead to LEAD_WEBHOOK_URL just as the server would, signed if there is a secret, and shows the answer. Nothing\n' +
    'is stored. The person is made up: Test Lead, test@example.com, (555) 555-0100. As JSON the message is of the type\n' +
    'lead.test and has "test": true. A query string has no place for such a mark: there the name is all that tells.',
  options: {},
  examples: [''],
  mostWords: 0,
  async run({ readConfig, now, out }) {
    const { webhookUrl, webhookFormat, webhookSecrets } = readConfig()
    if (webhookUrl === null) throw new Failure('LEAD_WEBHOOK_URL is not set: there is no webhook to test.')
    const webhook: Webhook = { url: webhookUrl, format: webhookFormat, secrets: webhookSecrets }
    const at = now()
    const lead = testLead(at)
    const request = requestFor({ webhook, webhookId: `test_${lead.leadId}`, lead, now: at }, 'lead.test')
    // The path is often the webhook's only secret.
    const signed = webhookSecrets.length === 0 ? 'not signed' : 'signed'
    await out.write(
      `Sent to ${request.url.host}: a ${request.method}, ${signed}, with a made-up lead of “Test Lead”.\n`,
    )
    const started = performance.now()
    const answer = await exchange(request, { timeoutMs: TIMEOUT_MS })
    await out.write(inWords(answer, Math.round(performance.now() - started)))
    return outcomeOf(answer).kind === 'delivered' ? exitCodes.done : exitCodes.failed
  },
}

function testLead(at: number): LeadToSend {
  const test = 'This is a test: nobody has agreed to anything.'
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
    userAgent: 'leads test-webhook',
    certificate: null,
    trustedForm: 'off',
    consentVersion: 'test',
    consentPresented: JSON.stringify({ text: test, button: 'Test' }),
    questionnaireVersion: 'test',
    questionnairePresented: JSON.stringify({
      questions: [{ id: 'test', question: 'Is this a test?', answer: 'yes' }],
      yes: 'Yes',
      no: 'No',
    }),
  }
}

function inWords(answer: WebhookAnswer | NoAnswer, durationMs: number): string {
  const outcome = outcomeOf(answer)
  if ('failure' in answer) return `It did not answer: ${answer.failure}. A lead would be tried again later.\n`
  const body = plain(answer.excerpt).trim()
  const verdict =
    outcome.kind === 'delivered'
      ? 'a lead would count as delivered'
      : outcome.kind === 'gone'
        ? 'a lead would be given up'
        : 'a lead would be tried again later'
  return `It answered ${answer.status} after ${durationMs} ms: ${verdict}.\n${body === '' ? '' : `Its words: ${body}\n`}`
}
