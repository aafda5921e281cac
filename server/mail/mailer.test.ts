import { once } from 'node:events'
import { createServer } from 'node:net'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { MailReceiver } from '../../tests/support/smtp.ts'
import { createMailer, type Letter } from './mailer.ts'

let receiver: MailReceiver
let url: string
beforeEach(async () => {
  receiver = new MailReceiver()
  url = await receiver.open()
  onTestFinished(() => receiver.close())
})

const from = 'Harbor Light <team@harborlight.test>'
const letter: Letter = { id: 'one', to: 'ann@example.org', subject: 'Hello', text: 'Hello.\n' }
/** On a busy machine, an answer may take a while. */
const send = (smtpUrl = url, more: Partial<Letter> = {}, timeoutMs = 30_000) =>
  createMailer({ url: smtpUrl, from }, timeoutMs).send({ ...letter, ...more })
const withUser = (user: string) => url.replace('smtp://', `smtp://${user}@`)

test('a letter arrives with a stable ID, and a name cannot add a header', async () => {
  const subject = 'Hello\r\nBcc: eve@example.org'
  expect(await send(withUser('team:p%40ss'), { senderName: 'Ann\r\nBcc: eve@example.org', subject })).toEqual({
    kind: 'delivered',
    status: 250,
  })
  const [mail] = receiver.mails
  expect(mail?.to).toEqual([letter.to])
  expect(mail?.source).toMatch(/^Message-ID: <one@harborlight\.test>\r$/m)
  expect(mail?.source).toMatch(/^Auto-Submitted: auto-generated\r$/m)
  expect(mail?.source).not.toMatch(/^Bcc:/m)
})

test.each([
  ['the wrong password', () => send(withUser('team:wrong')), 'retry', 'user name or password'],
  ['a refused sender', () => send(), 'retry', 'refused the sender in MAIL_FROM (550)', { sender: 550 }],
  ['a refused recipient', () => send(), 'gone', 'refused the recipient (550)', { recipient: 550 }],
  [
    'a server that doesn’t relay',
    () => send(),
    'retry',
    'refused to send our mail (550)',
    { recipient: 550, text: '5.7.1 Relaying denied for ann@example.org' },
  ],
  ['a full mailbox', () => send(), 'retry', 'refused the recipient (452)', { recipient: 452 }],
  ['a refused message', () => send(), 'gone', 'refused the message (554)', { message: 554 }],
  ['no server', () => send('smtp://127.0.0.1:1'), 'retry', 'no connection to the mail server'],
] as const)(
  '%s: a reason in plain words, without what the server said',
  async (_, attempt, kind, reason, refuses: MailReceiver['refuses'] = {}) => {
    receiver.refuses = refuses
    const outcome = await attempt()
    expect(outcome).toMatchObject({ kind, reason: expect.stringContaining(reason) })
    expect(JSON.stringify(outcome)).not.toContain('@')
    expect(receiver.mails).toEqual([])
  },
)

test('a server that says nothing is given up on', async () => {
  const silent = createServer()
  silent.listen(0, '127.0.0.1')
  await once(silent, 'listening')
  onTestFinished(() => void silent.close())
  const { port } = silent.address() as { port: number }
  expect(await send(`smtp://127.0.0.1:${port}`, {}, 300)).toMatchObject({
    kind: 'retry',
    reason: 'the mail server took too long',
  })
})

test('a server that dies after it took the mail counts as failed, and gets the same ID again', async () => {
  receiver.dies = true
  expect(await send()).toMatchObject({ kind: 'retry' })
  receiver.dies = false
  expect(await send()).toMatchObject({ kind: 'delivered' })
  const ids = receiver.mails.map(({ source }) => /^Message-ID: (.*)\r$/m.exec(source)?.[1])
  expect(ids).toEqual(['<one@harborlight.test>', '<one@harborlight.test>'])
})

test('without encryption, nothing is sent to another machine', async () => {
  // This machine, though the address doesn't say so.
  const other = url.replace('127.0.0.1', '0.0.0.0')
  expect(await send(other)).toMatchObject({ kind: 'retry', reason: 'the mail server offers no encryption (TLS)' })
  expect(receiver.mails).toEqual([])
})
