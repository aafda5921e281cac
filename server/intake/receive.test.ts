/** Which leads are accepted, put on hold, or refused for now. */
import { mkdtempSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { leadQuery } from '../../domain/lead.ts'
import { eligibleAnswers } from '../../tests/support/answers.ts'
import { lockStore } from '../../tests/support/disks.ts'
import { ada, type LeadReceiver, sendQuery, startLeadReceiver } from '../../tests/support/lead-receiver.ts'

let receiver: LeadReceiver
afterEach(() => receiver.close())

describe('many leads from many addresses', () => {
  const fromAddress = (number: number, address: string) =>
    sendQuery(receiver, { email: `person${number}@example.org` }, { 'x-forwarded-for': address })
  const states = async () => (await receiver.rows('leads')).map(lead => [lead['state'], lead['held_reason']])

  test('of one network are held, and the flood is told once', async () => {
    receiver = await startLeadReceiver({ rateLimit: { networkLimit: 2 }, trustedProxies: ['127.0.0.1'] })
    for (const number of [1, 2, 3, 4]) expect((await fromAddress(number, `2001:db8:7:${number}::1`)).status).toBe(202)
    const held = ['held', 'many from one network']
    expect(await states()).toEqual([['accepted', null], ['accepted', null], held, held])
    const alert = { code: 'lead_flood', level: 'alert' }
    const alerts = receiver.lines.filter(({ level }) => level === 'alert')
    expect(alerts).toEqual([{ ...alert, from: 'one network' }])
  })

  test('of everybody together are held', async () => {
    receiver = await startLeadReceiver({ rateLimit: { totalLimit: 1 }, trustedProxies: ['127.0.0.1'] })
    for (const number of [1, 2]) expect((await fromAddress(number, `203.0.113.${number}`)).status).toBe(202)
    expect(await states()).toEqual([
      ['accepted', null],
      ['held', 'many from everywhere'],
    ])
    expect(receiver.lines).toContainEqual(expect.objectContaining({ code: 'lead_flood', from: 'everywhere' }))
  })
})

describe('the name that a lead comes under', () => {
  /** With headers that fetch would not send. */
  function sendUnder(headers: Record<string, string>, email = 'ada@example.org'): Promise<number | undefined> {
    const own = { 'sec-fetch-site': 'same-origin', 'x-consent-version': receiver.consentVersion }
    return new Promise((resolve, reject) => {
      const target = `${receiver.endpoint}?${leadQuery({ ...ada, email })}`
      const outgoing = request(target, { headers: { ...own, ...headers } }, incoming => {
        incoming.resume().on('end', () => resolve(incoming.statusCode))
      })
      outgoing.on('error', reject).end()
    })
  }

  test('must be the public one when there is one; else the lead is held, and that is told', async () => {
    receiver = await startLeadReceiver({ publicName: 'www.example.org' })
    const names = [
      { host: 'evil.example' },
      { host: 'www.example.org.evil.example' },
      { host: '127.0.0.1' },
      { host: '99999999999999999999' },
      { host: 'evil.example', referer: 'https://evil.example/', origin: 'https://evil.example' },
    ]
    for (const [index, headers] of names.entries()) {
      expect([headers, await sendUnder(headers, `${index}@example.org`)]).toEqual([headers, 202])
    }
    const leads = await receiver.rows('leads')
    expect(leads.map(lead => [lead['state'], lead['held_reason']])).toEqual(
      names.map(() => ['held', 'it came under another name']),
    )
    expect(await receiver.rows('deliveries')).toEqual([])
    expect(receiver.lines.filter(({ level }) => level === 'alert')).toMatchObject([{ code: 'lead_host_unknown' }])
  })

  test('is known from the page when a proxy has changed the Host header, and a port does not matter', async () => {
    receiver = await startLeadReceiver({ publicName: 'www.example.org' })
    const names = [
      { host: 'WWW.example.org' },
      { host: 'www.example.org:8443' },
      { host: '10.0.0.1', referer: 'https://www.example.org/?ref=tv' },
    ]
    for (const [index, headers] of names.entries()) {
      expect([headers, await sendUnder(headers, `${index}@example.org`)]).toEqual([headers, 202])
    }
    expect((await receiver.rows('leads')).map(lead => lead['campaign'])).toEqual(['{}', '{}', '{"ref":"tv"}'])
  })

  test('is any when there is no public one', async () => {
    receiver = await startLeadReceiver()
    expect(await sendUnder({ host: 'my-laptop.local' })).toBe(202)
  })
})

test('while the store is locked, visitors are told to try again, and leads are accepted once it is free', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'faults-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  receiver = await startLeadReceiver({
    folder,
    store: { busyTimeoutMs: 100 },
    rateLimit: { softLimit: 3, hardLimit: 4 },
  })
  const { consentVersion, questionnaireVersion } = receiver
  const send = (name: string) => sendQuery(receiver, { email: `${name}@example.org` })
  expect((await send('before')).status).toBe(202)
  const lock = await lockStore(join(folder, 'leads.db'))
  try {
    // More often than the hard limit allows: a visitor who retries during an outage did nothing wrong.
    for (let attempt = 0; attempt < 5; attempt++) {
      const refused = await send('during')
      expect(refused.status).toBe(503)
      expect(refused.headers.get('retry-after')).toBe('30')
      expect(refused.headers.get('cache-control')).toBe('no-store')
      expect(await refused.json()).toEqual({ status: 'refused', message: 'Leads cannot be received at the moment.' })
    }
    const form = { ...eligibleAnswers, ...ada, consentVersion, questionnaireVersion, page: '/' }
    const headers = { 'sec-fetch-site': 'same-origin' }
    const posted = await fetch(receiver.endpoint, { method: 'POST', headers, body: new URLSearchParams(form) })
    expect(posted.status).toBe(503)
    expect((await sendQuery(receiver, { email: 'nobody' })).status).toBe(422)
  } finally {
    await lock.release()
  }
  expect((await send('during')).status).toBe(202)
  expect((await send('after')).status).toBe(202)
  const leads = await receiver.rows('leads')
  expect(leads.map(lead => [lead['email'], lead['state']])).toEqual(
    ['before', 'during', 'after'].map(name => [`${name}@example.org`, 'accepted']),
  )
  expect(await receiver.rows('deliveries')).toHaveLength(3)
  expect(receiver.failures).toEqual([])
})
