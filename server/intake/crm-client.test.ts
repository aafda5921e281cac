/** The CRM's reports of clients, through the production app. What's signed, and how, is tested with stops. */
import { createHmac } from 'node:crypto'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { BUILT } from '../../tests/support/built-site.ts'
import { listen } from '../../tests/support/receiver.ts'
import { onSqlite } from '../../tests/support/store-engines.ts'
import { createApp } from '../app.ts'
import { loadSite } from '../http/site.ts'
import { readConfig } from '../settings/config.ts'

const site = loadSite(BUILT)
const secret = `whsec_${Buffer.from('a secret of the CRM for tests').toString('base64')}`

onSqlite('a client that the CRM reports', harness => {
  let url: string
  const serve = async (env: Record<string, string>) => {
    const services = { site: () => site, store: harness.store, log: () => {}, alerts: { raise: () => {} } }
    const server = await listen(createApp(readConfig(env), services))
    onTestFinished(() => server.close())
    url = server.url
  }
  beforeEach(() => serve({ CRM_STOP_SECRET: secret }))

  async function report(message: object, { id = 'msg_1', at = Date.now(), key = secret } = {}) {
    const [body, time] = [JSON.stringify(message), Math.floor(at / 1000)]
    const hmac = createHmac('sha256', Buffer.from(key.replace('whsec_', ''), 'base64'))
    const signature = `v1,${hmac.update(`${id}.${time}.${body}`).digest('base64')}`
    const headers = { 'webhook-id': id, 'webhook-timestamp': `${time}`, 'webhook-signature': signature }
    const response = await fetch(`${url}/api/clients`, { method: 'POST', headers, body })
    const { message: told } = (await response.json()) as { message: string }
    return [response.status, told.split(/[.:]/, 1)[0]]
  }

  test('is recorded once; forged, late, unreadable, and unknown ones are told apart', async () => {
    const { id: leadId } = await harness.capture('ada')
    const refused = [401, 'The signature is wrong, or the time is more than five minutes off']
    expect(
      await report({ leadId }, { key: `whsec_${Buffer.from('a secret of a stranger').toString('base64')}` }),
    ).toEqual(refused)
    expect(await report({ leadId }, { at: Date.now() - 6 * 60_000 })).toEqual(refused)
    for (const wrong of [
      {},
      { leadId: 7 },
      { leadId, on: '2030-02-30' },
      { leadId, on: '2999-01-01' },
      { leadId, on: 5 },
    ])
      expect([wrong, (await report(wrong))[0]]).toEqual([wrong, 422])
    expect(await report({ leadId: 'x' })).toEqual([202, 'Nothing recorded'])
    expect(await harness.historyOf(leadId)).toEqual([])
    expect(await report({ leadId, on: '2026-01-31' })).toEqual([200, 'Recorded'])
    expect(await report({ leadId, on: '2026-01-31' })).toEqual([200, 'Already recorded'])
    expect(await harness.historyOf(leadId)).toEqual([['client', { on: '2026-01-31', by: 'CRM' }]])
  })

  test('is refused without CRM_STOP_SECRET', async () => {
    await serve({})
    expect((await report({ leadId: 'x' }))[0]).toBe(404)
  })
})
