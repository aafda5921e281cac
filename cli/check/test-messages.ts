/** `check webhook` and `check alert`: send one test message and report the result. */
import { postAlert } from '../../server/alerts/alerts.ts'
import { describeResponse, sendTestLead } from '../../server/delivery/test-lead.ts'
import { plain } from '../../server/export/plain-text.ts'
import { webhookOf } from '../../server/settings/config.ts'
import { type Command, CommandError } from '../command.ts'

export const testWebhook: Command = {
  summary: 'Send a test lead to the webhook and show the response.',
  about:
    'Sends one lead to LEAD_WEBHOOK_URL just as the server would, signed if there is a secret. Nothing is stored. The person is fictional: Test Lead, test@example.com, (555) 555-0100. In JSON, the message has type lead.test and "test": true. In a query string, only the name shows that it’s a test.',
  async run({ readConfig, now, out }) {
    const webhook = webhookOf(readConfig())
    if (webhook === null) throw new CommandError('LEAD_WEBHOOK_URL is not set: there is no webhook to test.')
    const sent = await sendTestLead(webhook, now(), 'leads check webhook')
    const { response, host, method, outcome } = sent
    const signed = webhook.secrets?.length ? 'signed' : 'not signed'
    await out.write(`Sent the fictional lead “Test Lead” to ${host} (${method}, ${signed}).\n`)
    const body = 'excerpt' in response ? plain(response.excerpt).trim() : ''
    if (body !== '') await out.write(`Response: ${body}\n`)
    if (outcome.kind !== 'delivered') throw new CommandError(describeResponse(sent))
    await out.write(`${describeResponse(sent)}\n`)
  },
}

export const testAlert: Command = {
  summary: 'Send a test alert.',
  about:
    'Sends {"text": "TEST: …"} to ALERT_WEBHOOK_URL just as the server would. Nothing is stored. Check the channel too: a webhook can accept a message and still not show it.',
  async run({ readConfig, out }) {
    const { alertUrl, siteUrl } = readConfig()
    if (alertUrl === null) throw new CommandError('ALERT_WEBHOOK_URL is not set: alerts only go to the log.')
    // Show only the host: the path is often secret.
    const { host } = new URL(alertUrl)
    const text = `TEST: this is what alerts from ${new URL(siteUrl).host} look like. Nothing is wrong. (leads check alert)`
    const failure = await postAlert(alertUrl, text)
    if (failure !== null) throw new CommandError(`${host} did not accept the message: ${failure}.`)
    await out.write(`${host} accepted the message. Check that it shows up in the channel.\n`)
  },
}
