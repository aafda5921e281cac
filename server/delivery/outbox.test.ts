import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { captureLead, contactOf, type LeadStore, openLeadStore, query } from '../../tests/faults/lead-store.ts'
import type { Database } from '../leads/database.ts'
import { eraseLeads } from '../leads/erase-leads.ts'
import {
  backlog,
  type LeasedDelivery,
  leaseDue,
  nextDueAt,
  recordDead,
  recordDelivered,
  recordRetry,
} from './outbox.ts'

const NOW = 1_772_366_400_000
const LEASE_MS = 60_000
const failure = { at: NOW + 10, durationMs: 5, status: 500, reason: 'answered 500' }

let store: LeadStore
let database: Database

beforeEach(() => {
  store = openLeadStore()
  database = store.database
})

afterEach(() => store.remove())

async function leaseOne(now = NOW): Promise<LeasedDelivery> {
  const [delivery] = await leaseDue(database, now, LEASE_MS, 1)
  if (!delivery) throw new Error('nothing is due')
  return delivery
}

function deliveryOf(leadId: string) {
  return query(database, 'SELECT state, attempts, next_at, finished_at FROM deliveries WHERE lead_id = $1', [leadId])
}

function traces(): Promise<readonly unknown[]> {
  return query(database, `SELECT lead_id FROM attempts UNION ALL SELECT lead_id FROM history WHERE event <> 'received'`)
}

describe('a lease', () => {
  test('gives what is needed to send the lead', async () => {
    const leadId = await captureLead(database, { name: 'ada', certificateId: 'c'.repeat(40), at: NOW })
    expect(await leaseDue(database, NOW, LEASE_MS, 10)).toEqual([
      {
        leadId,
        webhookId: `lead_${leadId}`,
        attempts: 0,
        leasedUntil: NOW + LEASE_MS,
        contact: contactOf('ada'),
        certificateId: 'c'.repeat(40),
      },
    ])
  })

  test('is given to one worker only, and ends by itself', async () => {
    await captureLead(database, { name: 'ada', at: NOW })
    const first = await leaseOne()
    expect(await leaseDue(database, NOW + LEASE_MS - 1, LEASE_MS, 10)).toEqual([])
    const again = await leaseOne(NOW + LEASE_MS)
    expect(again.webhookId).toBe(first.webhookId)
  })

  test('takes the longest due first, no more than asked for, and nothing before its time', async () => {
    const dueAt = { third: NOW - 1, first: NOW - 30, second: NOW - 20, later: NOW + 1 }
    for (const [name, at] of Object.entries(dueAt)) await captureLead(database, { name, at })
    const names = (leased: readonly LeasedDelivery[]) => leased.map(each => each.contact.firstName).sort()
    expect(names(await leaseDue(database, NOW, LEASE_MS, 2))).toEqual(['first', 'second'])
    expect(names(await leaseDue(database, NOW, LEASE_MS, 10))).toEqual(['third'])
  })

  test('is never given for an erased lead, even if its delivery were still there; nor does that wake the worker', async () => {
    const leadId = await captureLead(database, { name: 'ada', at: NOW })
    await database.write(sql => sql(`UPDATE leads SET state = 'erased', email = NULL WHERE id = $1`, [leadId]))
    expect(await leaseDue(database, NOW, LEASE_MS, 10)).toEqual([])
    expect(await nextDueAt(database)).toBeNull()
  })

  test('is not given twice when many ask at once', async () => {
    for (let index = 0; index < 20; index++) await captureLead(database, { name: `n${index}`, at: NOW })
    const leased = (await Promise.all(Array.from({ length: 10 }, () => leaseDue(database, NOW, LEASE_MS, 3)))).flat()
    expect(leased).toHaveLength(20)
    expect(new Set(leased.map(each => each.leadId)).size).toBe(20)
  })
})

describe('a record', () => {
  test('of a delivery leaves the attempt, a history line and a finished delivery', async () => {
    const leadId = await captureLead(database, { name: 'ada', at: NOW })
    const attempt = { at: NOW + 10, durationMs: 5, status: 200 }
    expect(await recordDelivered(database, await leaseOne(), attempt)).toBe(true)
    expect(await deliveryOf(leadId)).toMatchObject([{ state: 'delivered', attempts: 1, finished_at: NOW + 15 }])
    expect(await query(database, 'SELECT * FROM attempts')).toEqual([
      { lead_id: leadId, at: NOW + 10, duration_ms: 5, outcome: 'delivered', status: 200 },
    ])
    const [line] = await query(database, `SELECT * FROM history WHERE event = 'delivered'`)
    expect(line).toMatchObject({ lead_id: leadId, at: NOW + 15 })
    expect(JSON.parse(String(line?.['detail']))).toEqual({ attempt: 1, outcome: 'delivered' })
  })

  test('of a failure puts it back for later', async () => {
    const leadId = await captureLead(database, { name: 'ada', at: NOW })
    expect(await recordRetry(database, await leaseOne(), failure, NOW + 5000)).toBe(true)
    expect(await deliveryOf(leadId)).toEqual([
      { state: 'pending', attempts: 1, next_at: NOW + 5000, finished_at: null },
    ])
    expect(await leaseDue(database, NOW + 4999, LEASE_MS, 1)).toEqual([])
    expect(await leaseOne(NOW + 5000)).toMatchObject({ leadId, attempts: 1 })
  })

  test('of a dead delivery keeps it, and no worker takes it again', async () => {
    const leadId = await captureLead(database, { name: 'ada', at: NOW })
    expect(await recordDead(database, await leaseOne(), failure)).toBe(true)
    expect(await deliveryOf(leadId)).toMatchObject([{ state: 'dead', finished_at: NOW + 15 }])
    expect(await leaseDue(database, NOW + 365 * 86_400_000, LEASE_MS, 1)).toEqual([])
    expect(await nextDueAt(database)).toBeNull()
  })

  test('of a lead that was erased meanwhile changes nothing', async () => {
    const leadId = await captureLead(database, { name: 'ada', at: NOW })
    const delivery = await leaseOne()
    await eraseLeads(database, [leadId], NOW)
    expect(await recordDelivered(database, delivery, { at: NOW, durationMs: 5, status: 200 })).toBe(false)
    expect(await recordRetry(database, delivery, failure, NOW + 5000)).toBe(false)
    expect(await recordDead(database, delivery, failure)).toBe(false)
    expect(await query(database, 'SELECT * FROM attempts')).toEqual([])
    expect(await deliveryOf(leadId)).toEqual([])
  })

  test('of a failure does not undo what happened after the lease was lost; a success counts all the same', async () => {
    const leadId = await captureLead(database, { name: 'ada', at: NOW })
    const slow = await leaseOne()
    const next = await leaseOne(NOW + LEASE_MS)
    expect(await recordDead(database, slow, failure)).toBe(false)
    expect(await recordRetry(database, slow, failure, NOW)).toBe(false)
    expect(await deliveryOf(leadId)).toMatchObject([{ state: 'pending', next_at: next.leasedUntil }])
    expect(await recordDelivered(database, slow, { at: NOW, durationMs: 5, status: 200 })).toBe(true)
    expect(await recordRetry(database, next, failure, NOW)).toBe(false)
    expect(await deliveryOf(leadId)).toMatchObject([{ state: 'delivered' }])
  })

  test('is whole or nothing: the delivery stays as it was when its history line cannot be written', async () => {
    const leadId = await captureLead(database, { name: 'ada', at: NOW })
    const delivery = await leaseOne()
    await database.write(sql =>
      sql(`CREATE TRIGGER refuse BEFORE INSERT ON history BEGIN SELECT RAISE(ABORT, 'refused'); END`),
    )
    await expect(recordDelivered(database, delivery, { at: NOW, durationMs: 5, status: 200 })).rejects.toThrow()
    expect(await deliveryOf(leadId)).toMatchObject([{ state: 'pending', attempts: 0 }])
    expect(await traces()).toEqual([])
  })
})

describe('what waits', () => {
  test('comes due at its earliest time', async () => {
    expect(await nextDueAt(database)).toBeNull()
    await captureLead(database, { name: 'later', at: NOW + 900 })
    await captureLead(database, { name: 'sooner', at: NOW + 300 })
    expect(await nextDueAt(database)).toBe(NOW + 300)
  })

  test('is counted, with the age of the oldest, apart from what is dead', async () => {
    expect(await backlog(database, NOW)).toEqual({ pending: 0, oldestPendingAgeMs: 0, dead: 0 })
    await captureLead(database, { name: 'dead', at: NOW - 9000 })
    await recordDead(database, await leaseOne(), failure)
    await captureLead(database, { name: 'old', at: NOW - 5000 })
    await captureLead(database, { name: 'new', at: NOW - 1000 })
    expect(await backlog(database, NOW)).toEqual({ pending: 2, oldestPendingAgeMs: 5000, dead: 1 })
  })
})
