/** Every number that opens a list is that list's length: on a store where anything may have happened, on both engines. */
import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { DEMO_CALLING_HOURS as hours } from '../../domain/calling/hours.ts'
import { callOutcomeNames, UNRECORDED } from '../../domain/calling/outcomes.ts'
import { campaignKey } from '../../domain/campaigns/campaign.ts'
import { DAY, HOUR, MINUTE } from '../../domain/durations.ts'
import type { Contact } from '../../domain/leads/lead.ts'
import { OUR_CALL_PAGE, PHONE_PAGE } from '../../domain/leads/phone-lead.ts'
import { asOneRequest } from '../../server/store/facts/do-not-call/stops.ts'
import { createLeadId } from '../../server/store/facts/leads/lead-id.ts'
import { createTestDesk, type DeskClient } from '../../tests/support/desk.ts'
import { bodyOf } from '../../tests/support/desk-harness.ts'
import {
  bob,
  contactOf,
  ERASURE_KEY,
  maria,
  type OpenEngine,
  saying,
  submissionOf,
} from '../../tests/support/lead-store.ts'
import { passTime } from '../../tests/support/pass-time.ts'
import { CONSENT, dead, delivered, engines, retry } from '../../tests/support/store-engines.ts'
import { zoneAtNoon } from '../../tests/support/zone-at-noon.ts'
import type { TodayCalls } from '../browser/client.ts'
import { callPeriods } from '../limits.ts'

vi.mock(import('../../domain/calling/hours.ts'), async original => {
  const { alwaysOpen } = await import('../../tests/support/always-open.ts')
  return { ...(await original()), createCallingClock: () => alwaysOpen }
})

const timeZone = zoneAtNoon()
const names = ['ada', 'ben', 'cal', 'dee', 'eve', 'fay', 'gus', 'hal']
const campaigns = [{}, { utm_source: 'radio' }, { utm_source: 'tv', utm_campaign: 'spring' }]

/** What happens: an action, and numbers that choose whom it's about and how it goes. */
const happening = fc.tuple(
  fc.constantFrom(
    ...([
      'submit',
      'submit',
      'submit',
      'review',
      'call',
      'call',
      'call',
      'they call',
      'they call',
      'add',
      'undo',
      'stop',
      'take back',
    ] as const),
    ...(['client', 'send', 'send', 'erase', 'correct', 'time passes', 'time passes', 'roll up'] as const),
  ),
  fc.nat(1000),
  fc.nat(1000),
)
type Happening = typeof happening extends fc.Arbitrary<infer Value> ? Value : never

const pick = <Item>(from: readonly Item[], at: number) => from[at % from.length] as Item
const phone = (index: number) => `(212) 555-01${String(index % 9).padStart(2, '0')}`
const anyOutcome = [...callOutcomeNames, UNRECORDED] as const

/** Came in on another day. */
async function insertLead({ store, change }: OpenEngine, [, one, other]: Happening, consentVersion: string) {
  const at = (await store.storeTime()) - (one % 30) * DAY - other * MINUTE
  const id = createLeadId(at)
  const state = pick(['accepted', 'repeat', 'rejected'], other)
  await change(
    `INSERT INTO leads (id, received_at, state, contact, email, phone, person_key, client_address, user_agent, page, campaign,
       campaign_key, variant, trusted_form, consent_version)
     VALUES ('${id}', ${at}, '${state}', '${JSON.stringify(contactOf('old'))}', 'old@example.org', '5550102030', '${id}', '', '',
       '/', '{}', '${campaignKey(pick(campaigns, one))}', '', 'off', '${consentVersion}')`,
  )
  return id
}

async function happen(open: OpenEngine, before: readonly Happening[], happenings: readonly Happening[]): Promise<void> {
  const { store } = open
  const consentVersion = await store.saveConsentText(CONSENT)
  const leads: string[] = []
  const calls: string[] = []
  for (const one of before) leads.push(await insertLead(open, one, consentVersion))
  for (const [what, one, other] of happenings) {
    const lead = pick(leads, one) ?? ''
    const person = pick([maria, bob], other)
    const by = person.name
    const contacts = [pick([{ email: `${pick(names, one)}@example.org` }, { phone: phone(one) }], other)]
    switch (what) {
      case 'submit': {
        // Two people share a number. Another address makes it another lead, which looks like the same person.
        const name = pick(names, (one % 9) + (other % 2))
        const email = `${name}@${pick(['example.org', 'example.net', 'example.com'], other)}`
        const contact = { ...contactOf(name), phone: phone(one), email }
        const holdReason = other % 7 === 0 ? 'a link in the name' : null
        const submission = {
          ...submissionOf('', consentVersion),
          contact,
          holdReason,
          campaign: pick(campaigns, other),
        }
        leads.push((await store.capture(submission)).id)
        break
      }
      case 'review':
        if (one % 2) await store.approve({ ids: leads, by })
        else await store.reject({ ids: [lead], by, reason: 'a joke' })
        break
      case 'call': {
        await store.startCall({ leadId: lead, person, hours, overrideReason: 'asked' })
        const outcome = pick(anyOutcome, other)
        if (outcome === UNRECORDED) break
        const about = [lead, ...(one % 3 === 0 ? leads.filter((_, index) => index % 2 === 0) : [])]
        const callbackAt = outcome === 'call back' ? (await store.storeTime()) + 2 * HOUR : null
        const outcomes = [{ outcome, callbackAt, leads: [...new Set(about)] }]
        const saved = await store.saveCall({ person, hours, leadId: lead, outcomes, note: null })
        if (saved.kind === 'saved') calls.push(saved.callId)
        break
      }
      case 'they call': {
        await store.takeCall({ leadId: lead, person, hours })
        if (other % 4 === 0) break
        const outcome = pick(['going ahead', 'not interested', 'going ahead'] as const, one)
        const saved = await store.saveCall({ person, hours, ...saying(lead, outcome) })
        if (saved.kind === 'saved') calls.push(saved.callId)
        break
      }
      case 'add': {
        const contact = { ...contactOf(pick(names, one)), phone: phone(other) }
        const page = pick([PHONE_PAGE, OUR_CALL_PAGE], other)
        const added = { ...submissionOf('', consentVersion), contact, page, consentTakenBy: by }
        leads.push((await store.capture(added)).id)
        break
      }
      case 'undo':
        await store.undoCall({ hours, callId: pick(calls, one) ?? '', person })
        break
      case 'stop':
        await store.addToDoNotCall({ ...asOneRequest(contacts, `${one} ${by}`), by, source: 'desk' })
        break
      case 'take back':
        await store.undoDoNotCall({ requestId: `${one} ${by}`, by })
        break
      case 'client':
        await store.clientFromCrm({ webhookId: `${one} ${other}`, leadId: lead, on: '2026-01-31' })
        break
      case 'send':
        for (const leased of await store.lease({ limit: 1 + (one % 5), leaseMs: HOUR }))
          await store.settle(pick([delivered, delivered, dead, retry], other)(leased))
        break
      case 'erase':
        if (other % 2) await store.erase({ ids: [lead], key: ERASURE_KEY, by })
        break
      case 'correct': {
        const found = await store.find(lead)
        if (!found?.phone) break
        const seen = contactOfLead(found as unknown as Contact)
        const corrected = { ...seen, ...(other % 2 ? { phone: phone(other) } : { lastName: 'Byron' }) }
        const { contact: _, campaign: __, variant: ___, ...facts } = submissionOf('', consentVersion)
        const spoken = { ...facts, consentTakenBy: by }
        const result = await store.correctLead({ leadId: lead, person, seen, corrected, reason: 'a typo', spoken })
        if (result.kind === 'corrected') leads.push(result.leadId)
        break
      }
      case 'time passes':
        await passTime(open, pick([HOUR, 2 * HOUR + 16 * MINUTE, DAY, 7 * DAY], other), lead)
        break
      case 'roll up':
        while (await store.rollUpLeads({ timeZone }));
    }
  }
}

const contactOfLead = ({ firstName, lastName, dateOfBirth, email, phone }: Contact): Contact => ({
  firstName,
  lastName,
  dateOfBirth,
  email,
  phone,
})

interface Found {
  readonly path: string
  readonly count: number
  readonly filter?: object
  readonly only?: string
}

/** Numbers that open a list, wherever they are in an answer. */
function figuresIn(answer: unknown, path = ''): readonly Found[] {
  if (typeof answer !== 'object' || answer === null) return []
  const { count, filter, only } = answer as Partial<Found>
  const own = count !== undefined && (filter ?? only) !== undefined ? [{ ...(answer as Found), path }] : []
  return [...own, ...Object.entries(answer).flatMap(([name, value]) => figuresIn(value, `${path}/${name}`))]
}

async function lengthOf(client: DeskClient, { filter, only }: Found): Promise<number> {
  if (only !== undefined) {
    const { ready, later } = await bodyOf<Record<'ready' | 'later', object[]>>(client.fetch(`/api/calls?only=${only}`))
    return ready.length + later.length
  }
  const { leads } = await bodyOf<{ leads: object[] }>(
    client.fetch('/api/leads/search', { body: { filter, limit: 200 } }),
  )
  return leads.length
}

const periods = callPeriods.map(period => `/api/today/calls?period=${period}`)
const year = new Date().getFullYear()
const costs = `/api/costs?from=${year - 1}-01&to=${year}-12`
const pages = ['/api/today', ...periods, '/api/health', '/api/campaigns?from=2020-01-01&to=2099-12-31', costs]

test.each(engines)('every number that opens a list is that list’s length, on $name', async engine => {
  const some = (size: number) => fc.array(happening, { minLength: size / 2, maxLength: size })
  const isTrue = fc.asyncProperty(some(12), some(120), async (before, happenings) => {
    const open = await engine.open()
    try {
      await happen(open, before, happenings)
      const env = { TIME_ZONE: timeZone, LEAD_WEBHOOK_URL: 'https://crm.example.org/leads', CALL_LIST: 'on' }
      const client = await createTestDesk(open.store, { env }).signedIn('Lou', 'agent')
      for (const page of pages) {
        for (const figure of figuresIn(await bodyOf(client.fetch(page)), page))
          expect([figure.path, figure.count]).toEqual([figure.path, await lengthOf(client, figure)])
      }
      for (const page of periods) {
        const { agents, missed, ...all } = await bodyOf<TodayCalls>(client.fetch(page))
        const moving = all.outcomes.find(({ outcome }) => outcome === 'going ahead')
        expect([page, moving?.people.count]).toEqual([page, all.goingAhead.count])
        for (const each of [all, ...agents]) {
          const { goingAhead, reached, everyone, people, calledUs } = each
          expect([page, goingAhead.count <= reached.count, reached.count <= everyone.count]).toEqual([page, true, true])
          expect(everyone.count).toBeLessThanOrEqual(people.count + calledUs.count)
        }
        for (const { name, missedCallbacks } of agents)
          expect([page, name, missed.filter(({ by }) => by === name).length]).toEqual([
            page,
            name,
            missedCallbacks.count,
          ])
      }
    } finally {
      await open.remove()
    }
  })
  await fc.assert(isTrue, { numRuns: 2, endOnFailure: true })
})
