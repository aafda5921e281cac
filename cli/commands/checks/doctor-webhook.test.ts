/** What the doctor says about the webhook, without sending it a lead. */
import { createServer } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { MisbehavingWebhook } from '../../../tests/faults/webhook.ts'
import { createStore } from '../../../tests/support/lead-fixtures.ts'
import { leads } from '../../../tests/support/leads-command.ts'
import { listen, Receiver } from '../../../tests/support/receiver.ts'
import { trustTestCertificate } from '../../../tests/support/test-certificate.ts'

let store: Awaited<ReturnType<typeof createStore>>
beforeEach(async () => {
  store = await createStore()
})
afterEach(() => store.remove())

async function withReceiver<T>(work: (url: string, receiver: Receiver) => Promise<T>): Promise<T> {
  const receiver = new Receiver()
  const server = await listen(receiver.handle)
  try {
    return await work(server.url, receiver)
  } finally {
    await server.close()
  }
}

describe('the webhook', () => {
  test('that is not set is a warning', async () => {
    expect((await leads(['doctor'], store)).out).toContain('warning  Webhook   LEAD_WEBHOOK_URL is not set')
  })

  test('where nothing listens is a fault', async () => {
    const url = await withReceiver(async closedSoon => closedSoon)
    const { code, out } = await leads(['doctor'], { ...store, env: { LEAD_WEBHOOK_URL: url } })
    expect(code).toBe(1)
    expect(out).toMatch(/^fault {4}Webhook {3}127\.0\.0\.1:\d+ cannot be reached: nothing listens there/m)
  })

  test('that does not speak TLS is a fault for an https address', async () => {
    const server = createServer(socket => socket.on('error', () => {}).end('plain words'))
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as { port: number }
    const env = { LEAD_WEBHOOK_URL: `https://127.0.0.1:${port}/` }
    const { code, out } = await leads(['doctor'], { ...store, env })
    server.close()
    expect(code).toBe(1)
    expect(out).toMatch(/^fault {4}Webhook .*cannot be reached/m)
  })

  test.each([
    [{}, 'ok       Webhook   Leads are sent as a query string, without consent or page.'],
    [{ LEAD_WEBHOOK_FORMAT: 'json' }, 'ok       Webhook   Leads are sent as JSON.'],
    [{}, 'ok       Webhook   Deliveries are not signed'],
    [{ LEAD_WEBHOOK_SECRET: 'x'.repeat(24) }, 'ok       Webhook   Deliveries are signed.'],
    [
      { LEAD_WEBHOOK_SECRET: `${'x'.repeat(24)} ${'y'.repeat(24)}` },
      'ok       Webhook   Deliveries are signed with two secrets. Remove the old one',
    ],
    [
      { LEAD_WEBHOOK_FORMAT: 'json', LEAD_WEBHOOK_SECRET: 'x'.repeat(24) },
      'warning  Webhook   LEAD_WEBHOOK_SECRET does not begin with whsec_',
    ],
  ])('with %o is told of: %s', async (env, line) => {
    await withReceiver(async url => {
      expect((await leads(['doctor'], { ...store, env: { LEAD_WEBHOOK_URL: url, ...env } })).out).toContain(line)
    })
  })

  test('over https is reached when its certificate is trusted, and else a fault', async () => {
    const webhook = new MisbehavingWebhook('https')
    await webhook.up()
    const distrust = trustTestCertificate()
    for (const host of ['localhost', '127.0.0.1']) {
      const env = { LEAD_WEBHOOK_URL: `https://${host}:${webhook.port}/` }
      expect((await leads(['doctor'], { ...store, env })).out).toContain('can be reached over a secure connection')
    }
    distrust()
    const { code, out } = await leads(['doctor'], { ...store, env: { LEAD_WEBHOOK_URL: webhook.url } })
    await webhook.down()
    expect(code).toBe(1)
    expect(out).toMatch(/^fault {4}Webhook .*cannot be reached: its certificate is not trusted/m)
    expect(webhook.deliveries).toEqual([])
  })

  test('that is elsewhere and not https is a warning', async () => {
    // An address that is never routed: whether it fails at once or not, the line about encryption is there.
    const { out } = await leads(['doctor'], { ...store, env: { LEAD_WEBHOOK_URL: 'http://0.0.0.0:1/' } })
    expect(out).toContain('warning  Webhook   Leads travel to it unencrypted')
  })
})
