/** Every way to ask not to be called, with every way to take it back, while the CRM is up, down, paused, or takes no events. */
import { createHmac } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { DEMO_CALLING_HOURS } from '../domain/calling/hours.ts'
import { removalNotice } from '../domain/do-not-call/do-not-call.ts'
import { HOUR } from '../domain/durations.ts'
import { createApp } from '../server/app.ts'
import { loadSite } from '../server/http/site.ts'
import { readConfig } from '../server/settings/config.ts'
import type { LeasedMessage } from '../server/store/operations/deliveries/lease.ts'
import { newFolder } from './support/after-test.ts'
import { BUILT } from './support/built-site.ts'
import { createTestDesk, type DeskClient } from './support/desk.ts'
import { bodyOf, type DeskHarness, deskPerTest } from './support/desk-harness.ts'
import { contactOf } from './support/lead-store.ts'
import { leads } from './support/leads-command.ts'
import { listen } from './support/receiver.ts'
import { dead, deliverAll, delivered, retry } from './support/store-engines.ts'

vi.mock(import('../domain/calling/hours.ts'), async original => {
  const { alwaysOpen } = await import('./support/always-open.ts')
  return { ...(await original()), createCallingClock: () => alwaysOpen }
})

const site = loadSite(BUILT)
const secret = `whsec_${Buffer.from('a secret of the CRM for tests').toString('base64')}`
const asked = { askedBy: 'person', askedOn: '2030-01-31' }

/** Someone whose lead the CRM has. Another person's lead with the same number waits to be sent. */
interface Person {
  readonly phone: string
  readonly email: string
  readonly sent: string
  readonly waiting: string
}

interface Answer {
  readonly callId: string
  readonly requestId: string
  readonly notice: string | null
}

/** What becomes of the stop, and what the CRM knows then. */
const crms = {
  up: { settle: delivered, knows: 'told' },
  down: { settle: retry, knows: 'told' },
  paused: { settle: retry, knows: 'not told' },
  query: { settle: (stop: LeasedMessage) => ({ ...dead(stop), status: null, isUnsent: true }), knows: 'not told' },
} as const

// On one engine: server/store tests each of these operations on both.
describe('a stop', () => {
  const harness = deskPerTest() as DeskHarness & { readonly file: string }
  let maria: DeskClient
  let server: Awaited<ReturnType<typeof listen>>
  let folder: string
  let list: string
  beforeEach(async () => {
    folder = newFolder()
    list = join(folder, 'erasures.txt')
    const { store } = harness
    const env = { CRM_STOP_SECRET: secret, TRUST_PROXY: '127.0.0.1' }
    server = await listen(
      createApp(readConfig(env), { site: () => site, store, log: () => {}, alerts: { raise: () => {} } }),
    )
    const desk = createTestDesk(store, { env: { LEAD_WEBHOOK_URL: 'http://x', CALL_LIST: 'on' } })
    maria = await desk.signedIn('Maria', 'editor')
  })
  afterEach(() => server.close())

  const send = (path: string, body: object) => maria.fetch(path, { body })
  const answerOf = (path: string, body: object) => bodyOf<Answer>(send(path, body))
  async function outcomeOf({ sent }: Person, outcome: string, about: readonly string[]) {
    await send(`/api/calls/${sent}/claim`, {})
    return answerOf(`/api/calls/${sent}/outcome`, { outcomes: [{ outcome, leads: about }] })
  }
  async function form(path: string, { phone, email }: Person) {
    const headers = { 'x-forwarded-for': `203.0.113.${phone.slice(-3, -1)}` }
    const body = new URLSearchParams({ phone, email })
    expect((await fetch(`${server.url}${path}`, { method: 'POST', headers, body })).status).toBe(200)
  }
  async function fromCrm({ sent }: Person) {
    const [body, id, time] = [JSON.stringify({ leadId: sent }), `msg_${sent}`, `${Math.floor(Date.now() / 1000)}`]
    const key = Buffer.from(secret.replace('whsec_', ''), 'base64')
    const signature = `v1,${createHmac('sha256', key).update(`${id}.${time}.${body}`).digest('base64')}`
    const headers = { 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature }
    expect((await fetch(`${server.url}/api/do-not-call`, { method: 'POST', headers, body })).status).toBe(200)
  }
  async function command(...args: readonly string[]) {
    const dataDir = dirname(harness.file)
    const run = await leads(['do-not-call', ...args], { dataDir, env: { ERASURE_LIST: list }, now: Date.now() })
    expect([run.code, run.err]).toEqual([0, expect.stringContaining('added')])
  }
  const addBy = async (source: string, { phone, email }: Person) => {
    const asked = { source, ...(source !== 'desk' && { askedOn: '2030-01-31' }) }
    const add = (contact: string) => answerOf('/api/do-not-call', { contact, asked })
    return [await add(phone), await add(email)]
  }
  const undoEntries = async (_: Person, saved: unknown) => {
    const undo = ({ requestId }: Answer) => answerOf('/api/do-not-call/undo', { requestId })
    const [phone, email] = saved as readonly [Answer, Answer]
    return [await undo(phone), await undo(email)]
  }
  const onPage = ({ sent }: Person, action: string, more: object) =>
    answerOf(`/api/leads/${sent}/actions`, { action, contacts: ['phone', 'email'], ...more })
  const seen = (isListed: boolean) => ({ state: 'accepted', doNotCall: { email: isListed, phone: isListed } })

  const undoCall = async (_: Person, saved: unknown) => [
    await answerOf('/api/calls/undo', { callId: (saved as Answer).callId }),
  ]
  const remove = async ({ phone, email }: Person) => [
    await answerOf('/api/do-not-call/remove', { entries: [phone, email], request: asked }),
  ]
  const allowOnPage = async (person: Person) => [
    await onPage(person, 'allow calls', { seen: seen(true), request: asked }),
  ]

  type Stop = (person: Person) => Promise<unknown>
  type Undo = (person: Person, saved: unknown) => Promise<readonly Answer[]>
  const doors: Readonly<Record<string, { readonly stop: Stop; readonly undo: Undo }>> = {
    'a call': { stop: person => outcomeOf(person, 'never call again', [person.sent]), undo: undoCall },
    'a wrong number': {
      stop: person => outcomeOf(person, 'wrong number', [person.sent, person.waiting]),
      undo: undoCall,
    },
    'the lead’s page': {
      stop: person => onPage(person, 'do not call', { seen: seen(false) }),
      undo: async (person, saved) => [await onPage(person, 'undo do not call', saved as Answer)],
    },
    'the list in the desk': { stop: person => addBy('desk', person), undo: undoEntries },
    'a letter': { stop: person => addBy('letter', person), undo: undoEntries },
    'an email': { stop: person => addBy('email', person), undo: remove },
    '/stop': { stop: person => form('/stop', person), undo: allowOnPage },
    '/es/stop': { stop: person => form('/es/stop', person), undo: allowOnPage },
    'the CRM': { stop: fromCrm, undo: allowOnPage },
    'the terminal': {
      async stop({ phone, email }) {
        await command('--phone', phone)
        await command('--email', email)
      },
      undo: remove,
    },
    'an imported list': {
      async stop({ phone, email }) {
        const file = join(folder, 'list.csv')
        writeFileSync(file, `Name,Phone,Email\nAda,${phone},${email}\n`)
        await command(file)
      },
      undo: remove,
    },
  }

  type Crm = keyof typeof crms
  interface Stopped extends Person {
    readonly crm: Crm
    saved?: unknown
  }

  /** One for each of the CRM's states. */
  async function people(): Promise<readonly Stopped[]> {
    const capture = (name: string, phone: string) => harness.capture(name, { contact: { ...contactOf(name), phone } })
    const numbered = Object.keys(crms).map((crm, index) => ({ crm: crm as Crm, index, phone: `80855501${index}0` }))
    const sent = await Promise.all(numbered.map(({ index, phone }) => capture(`ada${index}`, phone)))
    await deliverAll(harness.store)
    const waiting = await Promise.all(numbered.map(({ index, phone }) => capture(`bob${index}`, phone)))
    return numbered.map(({ crm, index, phone }) => {
      const [ours = '', other = ''] = [sent[index], waiting[index]]
      return { crm, phone, email: `ada${index}@example.org`, sent: ours, waiting: other }
    })
  }
  const leased = async (lane: 'leads' | 'stops') => harness.store.lease({ lane, limit: 99, leaseMs: HOUR })
  const toTell = async () =>
    (await harness.store.queuedEvents({ lane: 'stops', limit: 99 }))
      .map(({ leadId, type }) => [leadId, type])
      .toSorted()
  async function start(id: string) {
    await send(`/api/calls/${id}/claim`, {})
    return (await bodyOf<{ kind: string }>(send(`/api/calls/${id}/start`, {}))).kind
  }

  test.each(Object.keys(doors))('by %s: called never, told once or listed, and taken back whole', async name => {
    const { stop, undo } = doors[name] as (typeof doors)[string]
    const stopped = await people()
    for (const one of stopped) one.saved = await stop(one)
    const ids = stopped.flatMap(({ sent, waiting }) => [sent, waiting])
    expect(await harness.store.leadsOnDoNotCallList(ids)).toEqual(new Set(ids))
    expect(await harness.store.callNext({ person: { id: 'joe', name: 'Joe' }, hours: DEMO_CALLING_HOURS })).toBeNull()
    for (const { waiting } of stopped) expect(await start(waiting)).not.toBe('started')
    expect(await leased('leads')).toEqual([])

    // The CRM hears of the lead it has, once, unless it told us.
    const isTold = name !== 'the CRM'
    const told = isTold ? stopped.map(({ sent }) => [sent, 'lead.do_not_call']) : []
    expect(await toTell()).toEqual(told)
    const stops = await leased('stops')
    for (const { crm, sent } of stopped) {
      const [event] = stops.filter(({ leadId }) => leadId === sent)
      if (event && crm !== 'paused') await harness.store.settle(crms[crm].settle(event))
      if (event && crm === 'paused')
        await harness.change(`UPDATE outbox SET lease_token = NULL WHERE id = '${event.id}'`)
    }

    for (const one of stopped) {
      const notices = (await undo(one, one.saved)).flatMap(({ notice }) => notice ?? [])
      expect([one.crm, notices]).toEqual([one.crm, [removalNotice(isTold ? crms[one.crm].knows : 'told', 'editor')]])
    }
    expect(await harness.store.leadsOnDoNotCallList(ids)).toEqual(new Set())
    const sentNow = (await leased('leads')).map(({ leadId }) => leadId)
    expect(sentNow.filter(id => ids.includes(id)).toSorted()).toEqual(stopped.map(({ waiting }) => waiting).toSorted())
    const mayKnow = stopped.filter(({ crm }) => !isTold || crms[crm].knows === 'told')
    expect(await toTell()).toEqual(mayKnow.map(({ sent }) => [sent, 'lead.calls_allowed']))
    for (const { sent } of stopped) expect(await start(sent)).toBe('started')
  })
})
