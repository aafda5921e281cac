/** A real SMTP server that keeps what it gets, and misbehaves if told to. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'

export interface ReceivedMail {
  readonly to: readonly string[]
  /** As it arrived, with headers. */
  readonly source: string
}

/** Thrown where the server should answer with this code. */
const refusal = (responseCode: number, text = 'no, ann@example.org') => Object.assign(new Error(text), { responseCode })

export class MailReceiver {
  readonly mails: ReceivedMail[] = []
  /** The SMTP code for the sender, the recipient (`only` this one), or the message, instead of taking it. */
  refuses: { sender?: number; recipient?: number; only?: string; text?: string; message?: number } = {}
  /** Keeps the mail, and hangs up before it says so. */
  dies = false
  close: () => Promise<void> = async () => {}

  /** Returns SMTP_URL. */
  async open(options: SMTPServerOptions = {}): Promise<string> {
    const server = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      logger: false,
      onAuth: ({ username, password }, _, done) =>
        username === 'team' && password === 'p@ss' ? done(null, { user: 'team' }) : done(refusal(535)),
      onMailFrom: (_, __, done) => done(this.refuses.sender ? refusal(this.refuses.sender) : undefined),
      onRcptTo: ({ address }, _, done) => {
        const { recipient, only = address, text: says } = this.refuses
        done(recipient && only === address ? refusal(recipient, says) : undefined)
      },
      onData: (stream, { envelope }, done) => {
        text(stream).then(source => {
          if (!this.refuses.message) this.mails.push({ to: envelope.rcptTo.map(({ address }) => address), source })
          if (this.dies) for (const { _socket } of connections(server)) _socket.destroy()
          else done(this.refuses.message ? refusal(this.refuses.message) : undefined)
        }, done)
      },
      ...options,
    })
    // A client that hangs up is one of the things we test.
    server.on('error', () => {})
    server.listen(0, '127.0.0.1')
    await once(server.server, 'listening')
    this.close = () => new Promise(resolve => server.close(() => resolve()))
    return `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`
  }
}

/** The library offers no way to hang up. */
const connections = (server: SMTPServer) =>
  (server as unknown as { connections: Set<{ _socket: { destroy(): void } }> }).connections
