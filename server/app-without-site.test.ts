import { createHmac } from 'node:crypto'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { organization } from '../site-folder/site.ts'
import { listen } from '../tests/support/receiver.ts'
import { onSqlite } from '../tests/support/store-engines.ts'
import { createAppWithoutSite } from './app-without-site.ts'
import { createAvailability } from './intake/availability.ts'
import { readConfig } from './settings/config.ts'

const key = Buffer.from('a secret of the CRM for tests')

onSqlite('without a site', harness => {
  let url: string
  beforeEach(async () => {
    const alerts = { raise: () => {} }
    const copy = () => ({ languages: {} })
    const availability = createAvailability({ alerts, copy, store: harness.store })
    const config = readConfig({ CRM_STOP_SECRET: `whsec_${key.toString('base64')}` })
    const server = await listen(createAppWithoutSite(config, { availability, alerts, log: () => {} }))
    onTestFinished(() => server.close())
    url = server.url
  })
  const listed = async () => (await harness.store.doNotCallList({ after: '', limit: 9 })).map(({ contact }) => contact)
  const get = async (path: string) => {
    const response = await fetch(url + path)
    return { status: response.status, text: await response.text() }
  }
  const postStop = async (fields: Record<string, string>, path = '/stop') => {
    const response = await fetch(url + path, { method: 'POST', body: new URLSearchParams(fields) })
    return { status: response.status, text: await response.text() }
  }

  test.each(['/', '/advertorial', '/es/', '/xx/', '/api/leads?firstName=Ada', '/api/progress'])(
    '%s is a page that says so, without a name',
    async path => {
      const { status, text } = await get(path)
      expect([status, text.includes('<h1>')]).toEqual([503, true])
      expect(text).not.toContain(organization.name)
      expect(text).toContain(path === '/es/' ? 'no está disponible' : 'This Site Is Not Available')
    },
  )

  test('it’s alive, but not ready', async () => {
    expect((await get('/healthz')).status).toBe(200)
    const { status, text } = await get('/readyz')
    expect([status, JSON.parse(text)]).toEqual([
      503,
      { status: 'failed', reason: expect.stringContaining('SITE_FOLDER') },
    ])
  })

  test('the stop form takes requests, in both languages, and shows mistakes next to what was typed', async () => {
    for (const [path, button] of [
      ['/stop', 'Stop Contacting Me'],
      ['/es/stop', 'No me contacten más'],
    ] as const) {
      const { status, text } = await get(path)
      expect([status, text.includes(`action="${path}"`), text.includes(button)]).toEqual([200, true, true])
      expect(text).not.toContain('{{')
    }
    const wrong = await postStop({ phone: '<12>', email: '' })
    expect([wrong.status, wrong.text]).toEqual([422, expect.stringMatching(/value="&#60;12&#62;".*with 10 digits/s)])
    expect((await postStop({ phone: '', email: '' }, '/es/stop')).text).toContain('Escriba su número de teléfono o')
    expect((await postStop({ phone: '(212) 555-0187', email: '' })).text).toContain('We’ll stop contacting you')
    expect((await postStop({ phone: '', email: 'ada@example.com' }, '/es/stop')).status).toBe(200)
    expect((await listed()).sort()).toEqual(['2125550187', 'ada@example.com'])
  })

  test('the CRM’s stops are taken', async () => {
    const [id, time, body] = ['msg_1', Math.floor(Date.now() / 1000), JSON.stringify({ phone: '2125550187' })]
    const signature = createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')
    const headers = { 'webhook-id': id, 'webhook-timestamp': `${time}`, 'webhook-signature': `v1,${signature}` }
    expect((await fetch(`${url}/api/do-not-call`, { method: 'POST', headers, body })).status).toBe(200)
    expect(await listed()).toEqual(['2125550187'])
  })
})
