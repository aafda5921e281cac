/** `test-webhook`: sends one made-up lead to the webhook, marked as a test, and says what came back. */

import { answerInWords, sendTestLead } from '../../../server/delivery/test-lead.ts'
import type { Webhook } from '../../../server/delivery/webhook.ts'
import { plain } from '../../../server/export/plain-text.ts'
import type { Command } from '../../command.ts'
import { exitCodes, Failure } from '../../failure.ts'

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
    const sent = await sendTestLead(webhook, now(), 'leads test-webhook')
    const { answer, host, method, outcome } = sent
    const signed = webhookSecrets.length === 0 ? 'not signed' : 'signed'
    await out.write(`Sent to ${host}: a ${method}, ${signed}, with a made-up lead of “Test Lead”.\n`)
    const body = 'excerpt' in answer ? plain(answer.excerpt).trim() : ''
    await out.write(`${answerInWords(sent)}\n${body === '' ? '' : `Its words: ${body}\n`}`)
    return outcome.kind === 'delivered' ? exitCodes.done : exitCodes.failed
  },
}
