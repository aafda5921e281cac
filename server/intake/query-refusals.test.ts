/** What arrives as a lead's query and is none, or is written in an odd way. */
import { request } from 'node:http'
import { afterEach, describe, expect, test } from 'vitest'
import { contactMessages } from '../../content/panel/contact-form.ts'
import { ada, type LeadReceiver, sendQuery, startLeadReceiver } from '../../tests/support/lead-receiver.ts'

let receiver: LeadReceiver
afterEach(() => receiver.close())

async function start(): Promise<void> {
  receiver = await startLeadReceiver()
}

/** A request that fetch would not send: any method, any header, any target. */
function send(
  method: string,
  target: string,
  headers: Record<string, string>,
): Promise<{ status: number; headers: NodeJS.Dict<string | string[]> }> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(receiver.endpoint)
    const outgoing = request({ hostname, port, method, path: target, headers }, incoming => {
      incoming.resume().on('end', () => resolve({ status: incoming.statusCode ?? 0, headers: incoming.headers }))
    })
    outgoing.on('error', reject).end()
  })
}

describe('what is not a lead', () => {
  test('is answered 422 with the same messages as in the browser', async () => {
    await start()
    const response = await sendQuery(receiver, {
      firstName: ' ',
      dateOfBirth: '2020-01-01',
      email: 'nobody',
      phone: '123',
    })
    expect(response.status).toBe(422)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toEqual({
      status: 'invalid',
      errors: {
        firstName: contactMessages.firstNameRequired,
        dateOfBirth: contactMessages.ageOutOfBounds,
        email: contactMessages.emailInvalid,
        phone: contactMessages.phoneInvalid,
      },
    })
    const empty = await fetch(receiver.endpoint, { headers: { 'x-consent-version': receiver.consentVersion } })
    expect(empty.status).toBe(422)
    expect(Object.keys(((await empty.json()) as { errors: object }).errors)).toEqual(Object.keys(ada))
    expect(await receiver.rows('leads')).toEqual([])
  })

  test.each<[string, Record<string, string>]>([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of our domain', { 'sec-fetch-site': 'same-site' }],
    ['the address bar', { 'sec-fetch-site': 'none' }],
    ['a page without the consent', { 'x-consent-version': '' }],
    ['a page with a consent that was never ours', { 'x-consent-version': 'f'.repeat(64) }],
    ['a prefetch', { 'sec-purpose': 'prefetch;prerender' }],
    ['an older prefetch', { purpose: 'prefetch' }],
  ])('from %s is refused with 403', async (_, headers) => {
    await start()
    const response = await sendQuery(receiver, {}, headers)
    expect(response.status).toBe(403)
    expect(response.headers.get('cache-control')).toBe('no-store')
    expect(await response.json()).toMatchObject({ status: 'refused' })
    expect(await receiver.rows('leads')).toEqual([])
  })

  test('made-up consent versions do not keep a lead from an older page out', async () => {
    await start()
    const older = await receiver.store.rememberConsent('the consent of an older page')
    const madeUp = Array.from({ length: 300 }, (_, number) => number.toString(16).padStart(64, '0'))
    const statuses = await Promise.all(
      madeUp.map(async version => (await sendQuery(receiver, {}, { 'x-consent-version': version })).status),
    )
    expect(new Set(statuses)).toEqual(new Set([403]))
    expect((await sendQuery(receiver, {}, { 'x-consent-version': older })).status).toBe(202)
  })

  test('with a query over 2 KB is answered 414, and just below it is read', async () => {
    await start()
    expect((await sendQuery(receiver, {}, {}, `&x=${'y'.repeat(2048)}`)).status).toBe(414)
    const own = { 'x-consent-version': receiver.consentVersion }
    expect((await fetch(`${receiver.endpoint}?x=${'y'.repeat(2046)}`, { headers: own })).status).toBe(422)
    expect((await fetch(`${receiver.endpoint}?x=${'y'.repeat(2047)}`, { headers: own })).status).toBe(414)
  })

  test.each(['HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'PROPFIND'])(
    'sent with %s is answered 405 and not stored',
    async method => {
      await start()
      const query = new URLSearchParams(ada).toString()
      const { status, headers } = await send(method, `/api/leads?${query}`, {
        'x-consent-version': receiver.consentVersion,
      })
      expect([status, headers['allow'], headers['cache-control']]).toEqual([405, 'GET, POST', 'no-store'])
      expect(await receiver.rows('leads')).toEqual([])
    },
  )
})

describe('odd encodings', () => {
  test.each([
    ['invalid percent-encoding', 'firstName=A%ZZda%', 'A%ZZda%'],
    ['invalid UTF-8', 'firstName=Ada%ff%fe', 'Ada\uFFFD\uFFFD'],
    ['a NUL', 'firstName=A%00da', 'A da'],
    ['a lone surrogate', 'firstName=Ada%ed%a0%80', 'Ada\uFFFD\uFFFD\uFFFD'],
    ['a parameter twice, of which the first counts', 'firstName=Ada&firstName=Eve', 'Ada'],
  ])('%s does not fail', async (_, firstName, stored) => {
    await start()
    const rest = new URLSearchParams({ ...ada, firstName: '' }).toString().replace('firstName=&', '')
    const { status } = await send('GET', `/api/leads?${firstName}&${rest}`, {
      'x-consent-version': receiver.consentVersion,
    })
    expect(status).toBe(202)
    expect((await receiver.rows('leads'))[0]?.['firstName']).toBe(stored)
  })
})
