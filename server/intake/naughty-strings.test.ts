/** Naughty strings through every public door: nothing breaks, and what's stored is what it seems. */
import { createHmac } from 'node:crypto'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readEmail } from '../../domain/contact/email.ts'
import { parseDoNotCall } from '../../domain/do-not-call/do-not-call.ts'
import { isStorable } from '../../domain/text/text.ts'
import { BUILT } from '../../tests/support/built-site.ts'
import { contactOf } from '../../tests/support/lead-store.ts'
import { naughtyStrings, realNames } from '../../tests/support/naughty-strings.ts'
import { listen } from '../../tests/support/receiver.ts'
import { onEachEngine } from '../../tests/support/store-engines.ts'
import { createApp } from '../app.ts'
import { loadSite } from '../http/site.ts'
import { copyIn } from '../http/site-manifest.ts'
import { readConfig } from '../settings/config.ts'
import { entryOf } from '../store/facts/do-not-call/stops.ts'
import { versionOf } from '../store/facts/leads/hashes.ts'

const site = loadSite(BUILT)
const { consent, questionnaire } = copyIn(site.copy, 'en')
const secret = `whsec_${Buffer.from('a secret of the CRM for tests').toString('base64')}`
const contact = { ...contactOf('ada'), firstName: 'Ada', lastName: 'Lovelace' }

/** Control characters, what turns the text around it, and what doesn't show. Joiners may be part of a name. */
const HIDDEN = /[\p{Cc}\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff]/u

onEachEngine('a naughty string', harness => {
  let server: Awaited<ReturnType<typeof listen>>
  let sent = 0

  beforeEach(async () => {
    await harness.store.saveConsentText(consent)
    await harness.store.saveQuestionnaire(questionnaire)
    const config = readConfig({ CRM_STOP_SECRET: secret, TRUST_PROXY: '127.0.0.1', LEAD_FLOOD_LIMIT: '100000' })
    server = await listen(
      createApp(config, { site: () => site, store: harness.store, log: () => {}, alerts: { raise: () => {} } }),
    )
  })
  afterEach(() => server.close())

  /** Each request comes from another client. */
  async function request(path: string, headers: Record<string, string> = {}, body?: URLSearchParams | string) {
    const from = {
      'x-forwarded-for': `10.${sent >> 16}.${(sent >> 8) & 255}.${sent++ & 255}`,
      'sec-fetch-site': 'same-origin',
    }
    const versions = { 'x-consent-version': versionOf(consent), 'x-questionnaire-version': versionOf(questionnaire) }
    const init = body === undefined ? {} : { method: 'POST', body }
    const response = await fetch(server.url + path, {
      ...init,
      redirect: 'manual',
      headers: { ...from, ...versions, ...headers },
    })
    return { status: response.status, text: await response.text() }
  }

  const lead = (fields: object, headers = {}) =>
    request(`/api/leads?${new URLSearchParams({ ...contact, ...fields })}`, headers)
  const form = (fields: object) =>
    request('/api/leads', {}, new URLSearchParams({ ...contact, consentVersion: versionOf(consent), ...fields }))
  function crm(message: object) {
    const [id, at, body] = [`msg_${sent}`, Math.floor(Date.now() / 1000), JSON.stringify(message)]
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    const signature = `v1,${createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64')}`
    return request(
      '/api/do-not-call',
      { 'webhook-id': id, 'webhook-timestamp': `${at}`, 'webhook-signature': signature },
      body,
    )
  }

  const doors: Readonly<Record<string, (text: string) => Promise<{ status: number; text: string }>>> = {
    firstName: firstName => lead({ firstName }),
    lastName: lastName => lead({ lastName }),
    dateOfBirth: dateOfBirth => lead({ dateOfBirth }),
    email: email => lead({ email }),
    phone: phone => lead({ phone }),
    certificate: xxTrustedFormCertUrl => lead({ xxTrustedFormCertUrl }),
    campaign: text => lead({}, { referer: `${server.url}/?${new URLSearchParams({ utm_campaign: text, ref: text })}` }),
    'form, again': text => form({ firstName: text, lastName: '', email: text, phone: text, 'dateOfBirth-month': text }),
    'form, hidden': text => form({ campaign: text, asked: text, page: text, variant: text, consentVersion: text }),
    'stop by phone': phone => request('/stop', {}, new URLSearchParams({ phone })),
    'stop by email': email => request('/es/stop', {}, new URLSearchParams({ email })),
    'CRM by phone': phone => crm({ phone }),
    'CRM by email': email => crm({ email }),
    'CRM by lead': leadId => crm({ leadId }),
    'sent lead': text =>
      request('/api/sent-lead', {}, new URLSearchParams({ token: text, phone: text, newPhone: text, from: text })),
    page: text => request(`/?${new URLSearchParams({ utm_source: text, variant: text })}`),
    path: text => request(`/${encodeURIComponent(text.toWellFormed())}`),
  }

  test('never causes an error, is never half done, and is never stored as something else', async () => {
    const broken: unknown[] = []
    for (const [door, knock] of Object.entries(doors)) {
      const answers = await Promise.all(naughtyStrings.map(async given => ({ door, given, ...(await knock(given)) })))
      broken.push(...answers.filter(({ status }) => status >= 500))
      broken.push(...answers.filter(({ text }) => /<script>alert|<img src=x/.test(text)))
    }
    expect(broken).toEqual([])

    const leads = await harness.all()
    expect(leads.length).toBeGreaterThan(200)
    for (const { firstName, lastName, email, phone, dateOfBirth, campaign } of leads) {
      for (const name of [firstName, lastName, ...Object.values(campaign ?? {})]) expect(name).not.toMatch(HIDDEN)
      expect(email).not.toMatch(HIDDEN)
      expect([readEmail(email ?? ''), isStorable([phone, campaign])]).toEqual([email, true])
      expect([phone, dateOfBirth]).toEqual([
        expect.stringMatching(/^\d{10}$|^\(\d{3}\) \d{3}-\d{4}$/),
        expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
      ])
    }
    const entries = await harness.store.doNotCallList({ after: '', limit: 999 })
    expect(entries.length).toBeGreaterThan(5)
    for (const { contact: entry } of entries) {
      const read = parseDoNotCall(entry)
      expect([entry, read && entryOf(read)]).toEqual([entry, entry])
      // In a file to import, # starts a comment.
      expect(entry).not.toMatch(/^#|\p{Cc}/u)
    }
  })

  test('that’s a name stays as it is, and is found', async () => {
    for (const lastName of realNames) expect([lastName, (await lead({ lastName })).status]).toEqual([lastName, 202])
    const stored = (await harness.all()).map(({ lastName }) => lastName)
    expect(stored.toSorted()).toEqual(realNames.toSorted())
    await harness.store.indexLeads({ limit: 1000 })
    const found = async (search: string) => (await harness.all({ search })).map(({ lastName }) => lastName)
    for (const name of realNames) expect([name, await found(name)]).toEqual([name, expect.arrayContaining([name])])
    for (const typed of ['Kaiulani', "Ka'iulani", 'KA‘IULANI']) expect(await found(typed)).toEqual(['Kaʻiulani'])
    expect((await found("o'brien")).toSorted()).toEqual(["O'Brien", 'O‘Brien', 'O’Brien'].toSorted())
  })
})
