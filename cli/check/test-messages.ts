/** `check webhook` and `check alert`: sends one test message and says what happened. */
import { postAlert } from '../../server/alerts/alerting.ts'
import { answerInWords, sendTestLead } from '../../server/delivery/test-lead.ts'
import { plain } from '../../server/export/plain-text.ts'
import { type Command, CommandError } from '../command.ts'

export const testWebhook: Command = {
  summary: 'Send a made-up lead to the webhook and show the answer.',
  about:
    'Sends one lead to LEAD_WEBHOOK_URL just as the server would, signed if there is a secret. Nothing is stored. The person is made up: Test Lead, test@example.com, (555) 555-0100. As JSON, the message has the type lead.test and "test": true. As a query string, only the name says that it is a test.',
  async run({ readConfig, now, out }) {
    const { webhookUrl: url, webhookFormat: format, webhookSecrets: secrets } = readConfig()
    if (url === null) throw new CommandError('LEAD_WEBHOOK_URL is not set: there is no webhook to test.')
    const sent = await sendTestLead({ url, format, secrets }, now(), 'leads check webhook')
    const { answer, host, method, outcome } = sent
    const signed = secrets.length === 0 ? 'not signed' : 'signed'
    await out.write(`Sent to ${host}: a ${method}, ${signed}, with a made-up lead “Test Lead”.\n`)
    const body = 'excerpt' in answer ? plain(answer.excerpt).trim() : ''
    if (body !== '') await out.write(`Answer: ${body}\n`)
    if (outcome.kind !== 'delivered') throw new CommandError(answerInWords(sent))
    await out.write(`${answerInWords(sent)}\n`)
  },
}

export const testAlert: Command = {
  summary: 'Send a test message to the alert address.',
  about:
    'Sends {"text": "TEST: …"} to ALERT_WEBHOOK_URL just as the server would. Nothing is stored. Also look at the channel: an address may accept a message without showing it to anyone.',
  async run({ readConfig, out }) {
    const { alertUrl, siteUrl } = readConfig()
    if (alertUrl === null) throw new CommandError('ALERT_WEBHOOK_URL is not set: alerts only go to the log.')
    // The path is often the address's only secret.
    const { host } = new URL(alertUrl)
    const text = `TEST: this is what alerts from ${new URL(siteUrl).host} look like. Nothing is wrong. (leads check alert)`
    const failure = await postAlert(alertUrl, text)
    if (failure !== null) throw new CommandError(`${host} did not accept the message: ${failure}.`)
    await out.write(`${host} accepted the message. Check that it is in the channel.\n`)
  },
}
