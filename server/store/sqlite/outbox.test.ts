import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { captureLead, contactOf, type LeadStore, openLeadStore } from '../../../tests/faults/lead-store.ts'
import type { LeasedDelivery, Settlement } from '../outbox.ts'
import type { Store } from '../store.ts'

const NOW = 1_772_366_400_000
const LEASE_MS = 60_000
const ATTEMPT_MS = 5
const delivered = { durationMs: ATTEMPT_MS, status: 200, result: 'delivered' } as const
const failure = { durationMs: ATTEMPT_MS, status: 500, reason: 'answered 500' } as const
const dead = { ...failure, result: 'dead' } as const
const retry = { ...failure, result: 'retry', retryInMs: 5000 } as const

let leads: LeadStore
let store: Store
let now: number

beforeEach(() => {
  now = NOW
  leads = openLeadStore(() => now)
  store = leads.store
})

afterEach(() => leads.remove())

async function captureAt(at: number, name: string): Promise<string> {
  now = at
  const leadId = await captureLead(store, { name })
  now = NOW
  return leadId
}

const lease = (limit: number) => store.lease({ limit, leaseMs: LEASE_MS })

async function leaseOne(): Promise<LeasedDelivery> {
  const [delivery] = await lease(1)
  if (!delivery) throw new Error('nothing is due')
  return delivery
}

type HowItEnded = typeof delivered | typeof dead | typeof retry

function settle({ leadId, leaseToken }: LeasedDelivery, ended: HowItEnded): Promise<boolean> {
  return store.settle({ leadId, leaseToken, ...ended } satisfies Settlement)
}

function deliveryOf(leadId: string) {
  return leads.rows('SELECT state, attempts, next_at, finished_at FROM deliveries WHERE lead_id = ?', leadId)
}

function traces(): readonly unknown[] {
  return leads.rows(`SELECT lead_id FROM attempts UNION ALL SELECT lead_id FROM history WHERE event <> 'received'`)
}

describe('a lease', () => {
  test('gives what is needed to send the lead', async () => {
    const leadId = await captureLead(store, { name: 'ada', certificateId: 'c'.repeat(40) })
    expect(await lease(10)).toMatchObject([
      {
        leadId,
        webhookId: `lead_${leadId}`,
        leaseToken: expect.stringMatching(/^[0-9a-f-]{36}$/),
        attempts: 0,
        contact: contactOf('ada'),
        certificate: { url: `https://cert.trustedform.com/${'c'.repeat(40)}`, formKnown: true },
      },
    ])
    expect(deliveryOf(leadId)).toMatchObject([{ state: 'pending', next_at: NOW + LEASE_MS }])
  })

  test('is given to one worker only, and ends by itself', async () => {
    await captureLead(store, { name: 'ada' })
    const first = await leaseOne()
    now = NOW + LEASE_MS - 1
    expect(await lease(10)).toEqual([])
    now = NOW + LEASE_MS
    const again = await leaseOne()
    expect(again.webhookId).toBe(first.webhookId)
    expect(again.leaseToken).not.toBe(first.leaseToken)
  })

  test('takes the longest due first, no more than asked for, and nothing before its time', async () => {
    const dueAt = { third: NOW - 1, first: NOW - 30, second: NOW - 20, later: NOW + 1 }
    for (const [name, at] of Object.entries(dueAt)) await captureAt(at, name)
    const names = (leased: readonly LeasedDelivery[]) => leased.map(each => each.contact.firstName)
    expect(names(await lease(2))).toEqual(['first', 'second'])
    expect(names(await lease(10))).toEqual(['third'])
  })

  test('is never given for an erased lead, even if its delivery were still there; nor does that wake the worker', async () => {
    const leadId = await captureLead(store, { name: 'ada' })
    leads.exec(`UPDATE leads SET state = 'erased', email = NULL WHERE id = '${leadId}'`)
    expect(await lease(10)).toEqual([])
    expect(await store.nextDue()).toBeNull()
  })

  test('is not given twice when many ask at once', async () => {
    for (let index = 0; index < 20; index++) await captureLead(store, { name: `n${index}` })
    const leased = (await Promise.all(Array.from({ length: 10 }, () => lease(3)))).flat()
    expect(leased).toHaveLength(20)
    expect(new Set(leased.map(each => each.leadId)).size).toBe(20)
  })
})

describe('a settlement', () => {
  test('of a delivery leaves the attempt, a history line and a finished delivery', async () => {
    const leadId = await captureLead(store, { name: 'ada' })
    const delivery = await leaseOne()
    now = NOW + 15
    expect(await settle(delivery, delivered)).toBe(true)
    expect(deliveryOf(leadId)).toMatchObject([{ state: 'delivered', attempts: 1, finished_at: NOW + 15 }])
    expect(leads.rows('SELECT * FROM attempts')).toEqual([
      { lead_id: leadId, at: NOW + 10, duration_ms: 5, outcome: 'delivered', status: 200 },
    ])
    const [line] = leads.rows(`SELECT * FROM history WHERE event = 'delivered'`)
    expect(line).toMatchObject({ lead_id: leadId, at: NOW + 15 })
    expect(JSON.parse(String(line?.['detail']))).toEqual({ attempt: 1, outcome: 'delivered' })
  })

  test('of a failure puts it back for later', async () => {
    const leadId = await captureLead(store, { name: 'ada' })
    expect(await settle(await leaseOne(), retry)).toBe(true)
    expect(deliveryOf(leadId)).toEqual([{ state: 'pending', attempts: 1, next_at: NOW + 5000, finished_at: null }])
    now = NOW + 4999
    expect(await lease(1)).toEqual([])
    now = NOW + 5000
    expect(await leaseOne()).toMatchObject({ leadId, attempts: 1 })
  })

  test('of a dead delivery keeps it, and no worker takes it again', async () => {
    const leadId = await captureLead(store, { name: 'ada' })
    const delivery = await leaseOne()
    now = NOW + 15
    expect(await settle(delivery, dead)).toBe(true)
    expect(deliveryOf(leadId)).toMatchObject([{ state: 'dead', finished_at: NOW + 15 }])
    now = NOW + 365 * 86_400_000
    expect(await lease(1)).toEqual([])
    expect(await store.nextDue()).toBeNull()
  })

  test('of a failure does not undo what happened after the lease was lost; a success counts all the same', async () => {
    const leadId = await captureLead(store, { name: 'ada' })
    const slow = await leaseOne()
    now = NOW + LEASE_MS
    const next = await leaseOne()
    expect(await settle(slow, dead)).toBe(false)
    expect(await settle(slow, retry)).toBe(false)
    expect(deliveryOf(leadId)).toMatchObject([{ state: 'pending', next_at: NOW + 2 * LEASE_MS }])
    expect(await settle(slow, delivered)).toBe(true)
    expect(await settle(next, retry)).toBe(false)
    expect(deliveryOf(leadId)).toMatchObject([{ state: 'delivered' }])
  })

  test('of a failure counts once, and not after the operator has asked for the lead anew', async () => {
    const leadId = await captureLead(store, { name: 'ada' })
    const delivery = await leaseOne()
    expect(await settle(delivery, dead)).toBe(true)
    expect(await settle(delivery, retry)).toBe(false)
    expect(await store.redeliver({ id: leadId, by: 'Maria' })).toBe(1)
    expect(await settle(delivery, dead)).toBe(false)
    expect(deliveryOf(leadId)).toMatchObject([{ state: 'pending', attempts: 0, next_at: NOW }])
  })

  test('is whole or nothing: the delivery stays as it was when its history line cannot be written', async () => {
    const leadId = await captureLead(store, { name: 'ada' })
    const delivery = await leaseOne()
    leads.exec(`CREATE TRIGGER refuse BEFORE INSERT ON history BEGIN SELECT RAISE(ABORT, 'refused'); END`)
    await expect(settle(delivery, delivered)).rejects.toThrow()
    expect(deliveryOf(leadId)).toMatchObject([{ state: 'pending', attempts: 0 }])
    expect(traces()).toEqual([])
  })
})

describe('what waits', () => {
  test('comes due at its earliest time', async () => {
    expect(await store.nextDue()).toBeNull()
    await captureAt(NOW + 900, 'later')
    await captureAt(NOW + 300, 'sooner')
    expect(await store.nextDue()).toBe(300)
  })

  test('is counted, with the age of the oldest, apart from what is dead', async () => {
    expect(await store.backlog()).toMatchObject({ pending: 0, oldestPendingAgeMs: 0, dead: 0 })
    await captureAt(NOW - 9000, 'dead')
    await settle(await leaseOne(), dead)
    await captureAt(NOW - 5000, 'old')
    await captureAt(NOW - 1000, 'new')
    expect(await store.backlog()).toMatchObject({ pending: 2, oldestPendingAgeMs: 5000, dead: 1 })
  })
})
