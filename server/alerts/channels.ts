/** Where alerts are sent: a chat's webhook, mail, or both. */
import { createMailer, type MailServer, mailHost, mailServerOf } from '../mail/mailer.ts'
import type { Config } from '../settings/config.ts'

export interface AlertChannel {
  /** A host, because a webhook's path is often its only secret, or one of MAIL_TO. */
  readonly name: string
  /** Returns null on success, otherwise the reason for the failure. */
  tell(text: string, id: string): Promise<string | null>
}

type Settings = Pick<Config, 'alertUrl' | 'smtpUrl' | 'mailFrom' | 'mailTo'>

export function alertChannels(config: Settings): readonly AlertChannel[] {
  const { alertUrl, mailTo } = config
  const server = mailServerOf(config)
  return [
    ...(alertUrl === null ? [] : [chatChannel(alertUrl)]),
    ...(server === null ? [] : mailTo.map(to => mailChannel(server, to))),
  ]
}

export const chatChannel = (url: string, timeoutMs?: number): AlertChannel => ({
  name: new URL(url).host,
  tell: text => postAlert(url, text, timeoutMs),
})

/** The subject has to say what's wrong: it's all that a phone shows. */
function mailChannel(server: MailServer, to: string): AlertChannel {
  const mailer = createMailer(server)
  return {
    name: `${to}, through ${mailHost(server)},`,
    async tell(text, id) {
      const subject = text.length <= 120 ? text : `${text.slice(0, 119).toWellFormed()}…`
      const outcome = await mailer.send({ id, to, subject, text: `${text}\n` })
      return outcome.kind === 'delivered' ? null : outcome.reason
    },
  }
}

const POST_TIMEOUT_MS = 10_000

/** Posts one message in the format Slack and Mattermost use. */
async function postAlert(url: string, text: string, timeoutMs = POST_TIMEOUT_MS): Promise<string | null> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text }),
      // Following a redirect would turn the POST into a GET, and the message would be lost despite the 200.
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    })
    await response.body?.cancel()
    return response.ok ? null : `it responded with status ${response.status}`
  } catch (error) {
    if (error instanceof Error && error.name === 'TimeoutError') return `no response within ${timeoutMs / 1000} s`
    const { code } = ((error as Error).cause ?? {}) as NodeJS.ErrnoException
    return `it can’t be reached (${code ?? 'no connection'})`
  }
}
