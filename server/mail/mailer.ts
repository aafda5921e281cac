/**
 * Sends mail through the operator's SMTP server. Reasons for a failure are plain English and leave out what the server said, because
 * it often repeats the address.
 */
import { createTransport } from 'nodemailer'
import { readEmail } from '../../domain/contact/email.ts'
import { MINUTE, SECOND } from '../../domain/durations.ts'
import type { Outcome } from '../delivery/webhook.ts'
import type { Config } from '../settings/config.ts'

export interface Letter {
  /** The same for every attempt, so a mail program shows a letter that was sent twice only once. */
  readonly id: string
  readonly to: string
  /** Replaces the name in MAIL_FROM. */
  readonly senderName?: string
  readonly subject: string
  readonly text: string
  readonly html?: string
  readonly headers?: Readonly<Record<string, string>>
}

export interface MailServer {
  readonly url: string
  readonly from: string
}

export interface Mailer {
  /** `status`: the SMTP code, if the server answered. */
  send(letter: Letter): Promise<Outcome>
}

/** Null if mail isn't set up. */
export const mailServerOf = ({ smtpUrl, mailFrom }: Pick<Config, 'smtpUrl' | 'mailFrom'>): MailServer | null =>
  smtpUrl === null || mailFrom === null ? null : { url: smtpUrl, from: mailFrom }

export const mailHost = ({ url }: Pick<MailServer, 'url'>): string => new URL(url).host

export function createMailer({ url, from }: MailServer, timeoutMs = 15 * SECOND): Mailer {
  const { protocol, hostname, port, username, password } = new URL(url)
  const secure = protocol === 'smtps:'
  const host = hostname.replace(/^\[|\]$/g, '')
  const transport = createTransport({
    host,
    port: Number(port || (secure ? 465 : 587)),
    secure,
    requireTLS: !secure && !isLocal(host),
    // A local relay often has a certificate that nobody signed.
    tls: { rejectUnauthorized: !isLocal(host) },
    ...(username && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  })
  const sender = readEmail(from) ?? from
  return {
    async send({ id, to, senderName, subject, text, html, headers }) {
      try {
        const { response } = await withTimeout(
          transport.sendMail({
            messageId: `<${id}@${sender.slice(sender.indexOf('@') + 1)}>`,
            from: senderName === undefined ? from : { name: senderName, address: sender },
            // As an object, because the library would split a text at its commas.
            to: { name: '', address: to },
            subject,
            text,
            ...(html !== undefined && { html }),
            // No vacation replies.
            headers: { 'Auto-Submitted': 'auto-generated', ...headers },
          }),
          MINUTE,
        )
        return { kind: 'delivered', status: Number.parseInt(response, 10) || 250 }
      } catch (error) {
        return outcomeOf(error as SmtpError)
      }
    },
  }
}

/** A server that answers byte by byte never runs into the socket's timeout. */
function withTimeout<Result>(sending: Promise<Result>, timeoutMs: number): Promise<Result> {
  const { promise, reject } = Promise.withResolvers<never>()
  const timer = setTimeout(() => reject(Object.assign(new Error('too slow'), { code: 'ETIMEDOUT' })), timeoutMs)
  return Promise.race([sending, promise]).finally(() => clearTimeout(timer))
}

interface SmtpError extends Error {
  readonly code?: string
  readonly command?: string
  readonly responseCode?: number
  readonly response?: string
}

function outcomeOf({ code = '', command = '', response = '', responseCode }: SmtpError): Outcome {
  const status = responseCode ?? null
  const retry = (reason: string) => ({ kind: 'retry', status, reason, retryAfter: null }) as const
  if (code === 'EAUTH') return retry('the mail server refused the user name or password in SMTP_URL')
  if (code === 'ETLS') return retry('the mail server offers no encryption (TLS)')
  if (code === 'EDNS') return retry('the mail server’s name in SMTP_URL isn’t known')
  if (status === null) {
    return retry(
      code === 'ETIMEDOUT'
        ? 'the mail server took too long'
        : `no connection to the mail server (${code || 'unknown error'})`,
    )
  }
  if (command === 'MAIL FROM') return retry(`the mail server refused the sender in MAIL_FROM (${status})`)
  const isRecipient = command === 'RCPT TO'
  // Not about the address: the server doesn't relay our mail, or distrusts us (RFC 3463).
  if (isRecipient && / [45]\.7\.\d/.test(response)) return retry(`the mail server refused to send our mail (${status})`)
  const reason = `the mail server refused the ${isRecipient ? 'recipient' : 'message'} (${status})`
  const failure = status >= 500 ? ({ kind: 'gone', status, reason } as const) : retry(reason)
  return isRecipient ? { ...failure, isAddressRefused: true } : failure
}

const isLocal = (host: string) => host === 'localhost' || host === '::1' || host.startsWith('127.')
