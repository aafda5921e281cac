/** Stops from the website and from the CRM, through the production app. */

import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { organization, words } from '../../site-folder/site.ts'
import { BUILT } from '../../tests/support/built-site.ts'
import { contactOf } from '../../tests/support/lead-store.ts'
import { listen } from '../../tests/support/receiver.ts'
import { onEachEngine } from '../../tests/support/store-engines.ts'
import { createApp } from '../app.ts'
import { loadSite } from '../http/site.ts'
import { readConfig } from '../settings/config.ts'
import { StoreUnavailable } from '../store/store-errors.ts'

const { contactMessages, stopContact } = words.en
const { stopContact: spanish } = words.es

const site = loadSite(BUILT)
const secret = `whsec_${Buffer.from('a secret of the CRM for tests').toString('base64')}`

onEachEngine('a stop', harness => {
  let server: Awaited<ReturnType<typeof listen>>
  let alerts: string[]
  let isDown: boolean
  let writing: Promise<void> | null

  const serve = (env: Record<string, string>) => {
    // The harness opens its store for each test.
    const store = new Proxy(harness.store, {
      get: (_, name) => {
        if (isDown) return () => Promise.reject(new StoreUnavailable('the disk is full.'))
        const operation = Reflect.get(harness.store, name)
        return name === 'addToDoNotCall' && writing
          ? (request: never) => writing?.then(() => operation(request))
          : operation
      },
    })
    const raise = (code: string) => alerts.push(code)
    return listen(createApp(readConfig(env), { site: () => site, store, log: () => {}, alerts: { raise } }))
  }
  beforeEach(async () => {
    alerts = []
    isDown = false
    writing = null
    server = await serve({ CRM_STOP_SECRET: secret, TRUST_PROXY: '127.0.0.1' })
  })
  afterEach(() => server.close())

  const listed = async () =>
    (await harness.store.doNotCallList({ after: '', limit: 999 })).map(({ contact }) => contact)
  const post = async (fields: Record<string, string>, path = '/stop', headers: Record<string, string> = {}) => {
    const response = await fetch(`${server.url}${path}`, { method: 'POST', headers, body: new URLSearchParams(fields) })
    return {
      status: response.status,
      headers: response.headers,
      text: (await response.text()).replaceAll('&#x27;', "'"),
    }
  }

  test('from the website is on disk when the page says so, and the page is the same for everyone', async () => {
    await harness.capture('ada')
    const [lead] = await harness.all()
    const known = await post({ phone: lead?.phone ?? '', email: lead?.email ?? '' })
    expect(await listed()).toHaveLength(2)
    const stranger = await post({ phone: '+1 212.555.0187', email: '' })
    expect(await listed()).toContain('2125550187')
    const again = await post({ phone: '', email: 'Someone@Example.org' })
    expect(await listed()).toContain('someone@example.org')
    for (const { status, text, headers } of [known, stranger, again]) {
      expect([status, text, headers.get('cache-control')]).toEqual([200, known.text, 'no-store'])
      expect(text).toContain(stopContact.done.heading)
      expect(headers.get('content-security-policy')).toContain("default-src 'none'")
    }
    expect((await post({ phone: '2125550188' }, '/es/stop')).text).toContain(spanish.done.heading)
    // A number in the wrong box, too.
    await post({ phone: 'me@example.org', email: '(212) 555-0189' })
    expect(await listed()).toEqual(expect.arrayContaining(['2125550188', '2125550189', 'me@example.org']))
  })

  interface Sent {
    readonly id?: string
    readonly body?: string
    readonly at?: number
    readonly key?: string
    readonly signedId?: string
  }

  /** Signs as the CRM would. */
  async function crm(
    content: object | string,
    { id = 'msg_1', at = Date.now(), key = secret, signedId = id, body }: Sent = {},
  ) {
    const signed = typeof content === 'string' ? content : JSON.stringify(content)
    const timestamp = String(Math.floor(at / 1000))
    const bytes = Buffer.from(key.replace('whsec_', ''), 'base64')
    const signature = createHmac('sha256', bytes).update(`${signedId}.${timestamp}.${signed}`).digest('base64')
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': `v1a,x v1,AAAA v1,${signature}`,
    }
    return (await fetch(`${server.url}/api/do-not-call`, { method: 'POST', headers, body: body ?? signed })).status
  }

  test('from the CRM is recorded by phone, email, or lead, once per ID', async () => {
    await harness.capture('ada')
    const [lead] = await harness.all()
    expect(await crm({ phone: '+12125550187' }, { id: 'a' })).toBe(200)
    expect(await crm({ email: 'Me@example.org', phone: null }, { id: 'b' })).toBe(200)
    expect(await listed()).toEqual(['2125550187', 'me@example.org'])
    expect(await crm({ leadId: lead?.id }, { id: 'c' })).toBe(200)
    expect(await listed()).toHaveLength(4)
    await harness.store.removeFromDoNotCall({ contacts: [{ phone: '2125550187' }], by: 'Ann', request: null })
    expect(await crm({ phone: '+12125550187' }, { id: 'a' })).toBe(200)
    expect(await listed()).toHaveLength(3)
    const same = await Promise.all([1, 2, 3, 4].map(() => crm({ phone: '2125550188' }, { id: 'd' })))
    expect(same).toEqual([200, 200, 200, 200])
    const recorded = await harness.rows(`SELECT done_by FROM do_not_call_history WHERE contact = '2125550188'`)
    expect(recorded).toEqual([{ done_by: 'CRM' }])
    expect(await crm({ leadId: 'unknown' }, { id: 'e' })).toBe(422)
  })

  test.each(['website', 'CRM'])(
    'from the %s tells the CRM about every lead with the number, except the one it named',
    async from => {
      const ada = contactOf('ada')
      const named = await harness.capture('ada')
      const other = await harness.capture('ada', { contact: { ...ada, email: 'other@example.org' } })
      await harness.deliverAll()
      if (from === 'CRM') expect(await crm({ leadId: named.id })).toBe(200)
      else expect((await post({ phone: ada.phone })).status).toBe(200)
      const told = (await harness.store.queuedEvents({ lane: 'stops', limit: 9 })).map(({ leadId }) => leadId)
      expect(told.toSorted()).toEqual(from === 'CRM' ? [other.id] : [named.id, other.id].toSorted())
      const [request] = (await harness.store.stopRequests({ limit: 9 })).requests
      expect(request).toMatchObject({ source: from === 'CRM' ? 'crm' : 'web' })
    },
  )

  // The rest is decided above the store.
  if (harness.engine === 'PostgreSQL') return

  test.each<[Record<string, string>, string]>([
    [{}, stopContact.missing],
    [{ phone: '  ', email: '' }, stopContact.missing],
    [{ phone: '555-01' }, contactMessages.phoneInvalid],
    [{ phone: '+44 20 7946 0958' }, contactMessages.phoneForeign],
    [{ email: 'nobody' }, contactMessages.emailInvalid],
    [{ email: 'zed@example' }, contactMessages.emailInvalid],
    // One box, two contacts: neither would be listed as it is.
    [{ email: 'ann@example.org,2125557701' }, contactMessages.emailInvalid],
    [{ phone: '2125557701@example' }, contactMessages.emailInvalid],
    [{ phone: '2125550187', email: `${'x'.repeat(250)}@example.org` }, contactMessages.emailInvalid],
  ])('%j is shown again with an error, and nothing is recorded', async (fields, error) => {
    const { status, text } = await post(fields)
    expect([status, text.includes(error), await listed()]).toEqual([422, true, []])
    expect(text).toContain('aria-invalid="true"')
    expect(text).not.toContain('{{')
  })

  test('with characters that can’t be stored is refused, and nothing is recorded', async () => {
    expect((await post({ phone: '2125550187', email: 'a\0b@example.org' })).status).toBe(400)
    for (const content of [{ leadId: 'a\0b' }, { phone: '2125550187', email: null, note: '\ud800' }])
      expect(await crm(content)).toBe(422)
    expect([await listed(), await harness.rows('SELECT * FROM crm_messages')]).toEqual([[], []])
  })

  test('what was typed is shown as text', async () => {
    expect((await post({ phone: '"><script>{{error:email}}' })).text).toContain(
      'value="&#34;&#62;&#60;script&#62;{{error',
    )
  })

  test('isn’t recorded over the limit, while the store is down, or if another site sent it: the page gives the number to call', async () => {
    const expectRefusal = async (answer: ReturnType<typeof post>, status: number) => {
      const { text, ...refused } = await answer
      expect([refused.status, text.includes(stopContact.notRecorded.heading)]).toEqual([status, true])
      expect(text).toContain(organization.phone)
    }
    isDown = true
    // Failures don't count toward the limit.
    for (let tried = 0; tried < 25; tried++) await expectRefusal(post({ phone: '2125550187' }), 503)
    isDown = false
    for (let index = 0; index < 20; index++) expect((await post({ phone: `21255501${10 + index}` })).status).toBe(200)
    await expectRefusal(post({ phone: '2125550187' }), 429)
    const other = { 'x-forwarded-for': '203.0.113.7' }
    await expectRefusal(post({ phone: '2125550187' }, '/stop', { ...other, 'sec-fetch-site': 'cross-site' }), 403)
    await expectRefusal(post({ phone: `2125550187${'0'.repeat(17_000)}` }, '/stop', other), 413)
    expect(await listed()).toHaveLength(20)
    expect((await post({ phone: '2125550187' }, '/stop', other)).status).toBe(200)
    expect(alerts).toEqual([])
  })

  test('with a mistake is shown 60 times in ten minutes, then refused, and a correct one is still recorded', async () => {
    for (let time = 0; time < 60; time++) expect((await post({ phone: '1' })).status).toBe(422)
    const refused = await post({ phone: '1' })
    expect([refused.status, refused.text.length < 2048]).toEqual([429, true])
    expect(refused.text).toContain(stopContact.notRecorded.heading)
    expect((await post({ phone: '2125550187' })).status).toBe(200)
  })

  const floodFrom = (addressOf: (index: number) => string, count: number) =>
    Promise.all(
      Array.from({ length: count }, async (_, index) => {
        const headers = { 'x-forwarded-for': addressOf(index) }
        return (await post({ phone: `212555${1000 + index}` }, '/stop', headers)).status
      }),
    )

  test('in a flood raises an alert, and is still recorded', async () => {
    expect(new Set(await floodFrom(index => `203.0.113.${index}`, 205))).toEqual(new Set([200]))
    expect(await listed()).toHaveLength(205)
    expect(new Set(alerts)).toEqual(new Set(['stop_flood']))
  })

  test('from one network’s many clients is refused, and from everyone else is recorded', async () => {
    const statuses = await floodFrom(index => `2001:db8:1:${index.toString(16)}::1`, 100)
    expect([200, 429].map(wanted => statuses.filter(status => status === wanted).length)).toEqual([60, 40])
    expect(await floodFrom(() => '2001:db8:2::1', 1)).toEqual([200])
    expect(alerts).toEqual([])
  })

  test('that the store can’t keep up with is refused at once, and everyone else’s is recorded', async () => {
    const written = Promise.withResolvers<void>()
    writing = written.promise
    const statuses: number[] = []
    const flood = Array.from({ length: 330 }, async (_, index) => {
      const address = `203.0.${index % 2}.${index % 250}`
      statuses.push((await post({ phone: `212555${1000 + index}` }, '/stop', { 'x-forwarded-for': address })).status)
    })
    await expect.poll(() => statuses.length).toBeGreaterThan(0)
    expect(new Set(statuses)).toEqual(new Set([503]))
    written.resolve()
    await Promise.all(flood)
    expect(await listed()).toHaveLength(statuses.filter(status => status === 200).length)
  })

  test('from the CRM with a wrong signature or time is refused, and nothing is written', async () => {
    const stop = { phone: '2125550187' }
    const forged = [
      { key: `whsec_${Buffer.from('somebody else’s secret').toString('base64')}` },
      { body: JSON.stringify({ phone: '2125550188' }) },
      { signedId: 'another' },
      { at: Date.now() - 6 * 60_000 },
      { at: Date.now() + 6 * 60_000 },
      { id: 'x'.repeat(201) },
    ]
    for (const difference of forged) expect([difference, await crm(stop, difference)]).toEqual([difference, 401])
    const unsigned = await fetch(`${server.url}/api/do-not-call`, { method: 'POST', body: JSON.stringify(stop) })
    expect(unsigned.status).toBe(401)
    const nothing = ['', 'x', '[]', 'null', {}, { phone: '12' }, { phone: 5 }, { leadId: 7 }]
    for (const content of nothing) expect([content, await crm(content)]).toEqual([content, 422])
    expect(await crm(stop, { id: 'big', body: 'x'.repeat(17_000) })).toBe(413)
    // Two were signed by the CRM, so one of the clocks is wrong.
    expect(alerts).toEqual(['clocks_differ', 'clocks_differ'])
    expect(await listed()).toEqual([])
    expect(await harness.rows('SELECT * FROM crm_messages')).toEqual([])
    expect(await crm(stop, { at: Date.now() - 4 * 60_000 })).toBe(200)
    isDown = true
    expect(await crm(stop, { id: 'later' })).toBe(503)
  })

  test('from the CRM is refused without CRM_STOP_SECRET, and only as a POST', async () => {
    expect((await fetch(`${server.url}/api/do-not-call`)).status).toBe(405)
    await server.close()
    server = await serve({})
    expect(await crm({ phone: '2125550187' })).toBe(404)
    expect(await listed()).toEqual([])
  })
})
