/** `check webhook`, `check alert`, and `check mail`: send one test message and report the result. */
import { alertChannels } from '../../server/alerts/channels.ts'
import { describeResponse, sendTestLead } from '../../server/delivery/test-lead.ts'
import { plain } from '../../server/export/plain-text.ts'
import { createMailer, mailHost, mailServerOf } from '../../server/mail/mailer.ts'
import { type Config, webhookOf } from '../../server/settings/config.ts'
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

const testText = (what: string, { siteUrl }: Config, command: string) =>
  `TEST: this is what ${what} from ${new URL(siteUrl).host} look like. Nothing is wrong. (leads check ${command})`

export const testAlert: Command = {
  summary: 'Send a test alert.',
  about:
    'Sends “TEST: …” to ALERT_WEBHOOK_URL and MAIL_TO, just as the server would. Nothing is stored. Check the channel and the inboxes, too: a server can accept a message and still not show it.',
  async run({ readConfig, now, out }) {
    const config = readConfig()
    const channels = alertChannels(config)
    if (channels.length === 0) {
      throw new CommandError('Neither ALERT_WEBHOOK_URL nor MAIL_TO is set: alerts only go to the log.')
    }
    const text = testText('alerts', config, 'alert')
    const failures: string[] = []
    for (const { name, tell } of channels) {
      const failure = await tell(text, `test-${now()}`)
      if (failure === null) await out.write(`${name} accepted the message. Check that it shows up.\n`)
      else failures.push(`${name} did not accept the message: ${failure}.`)
    }
    if (failures.length > 0) throw new CommandError(failures.join('\n'))
  },
}

export const testMail: Command = {
  summary: 'Send a test letter to each address in MAIL_TO.',
  about:
    'Sends a letter to each through SMTP_URL, just as the server would, and says which the mail server refuses, and why. Check that it’s in the inbox, and not among spam.',
  async run({ readConfig, now, out }) {
    const config = readConfig()
    const server = mailServerOf(config)
    if (server === null) throw new CommandError('SMTP_URL is not set: there is no mail server to test.')
    if (config.mailTo.length === 0) throw new CommandError('MAIL_TO is not set: nobody would get the test letter.')
    const text = `${testText('letters', config, 'mail')}\n`
    const failures: string[] = []
    for (const to of config.mailTo) {
      const letter = { id: `test-${now()}`, to, subject: 'TEST: nothing is wrong', text }
      const outcome = await createMailer(server).send(letter)
      const host = mailHost(server)
      if (outcome.kind !== 'delivered') failures.push(`${host} did not take the letter to ${to}: ${outcome.reason}.`)
      else await out.write(`${host} took the letter to ${to}. Check that it shows up in the inbox.\n`)
    }
    if (failures.length > 0) throw new CommandError(failures.join('\n'))
  },
}
