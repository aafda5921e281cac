import { describe, expect, test } from 'vitest'
import { clientOf, createRateLimit } from './rate-limit.ts'

describe('from one address', () => {
  test('10 are allowed in 10 minutes, held up to 60, and refused above that', () => {
    let now = 0
    const limit = createRateLimit({ now: () => now, softLimit: 10, hardLimit: 60 })
    const kinds = Array.from({ length: 62 }, () => limit.count('192.0.2.1').kind)
    expect(kinds).toEqual([...Array(10).fill('allow'), ...Array(50).fill('hold'), 'refuse', 'refuse'])
    expect(limit.count('192.0.2.2').kind).toBe('allow')
    now = 599_000
    expect(limit.count('192.0.2.1')).toEqual({ kind: 'refuse', retryAfterSeconds: 1 })
    now = 600_000
    expect(limit.count('192.0.2.1').kind).toBe('allow')
  })

  test('memory is bounded: beyond the limit, the oldest client is forgotten', () => {
    let now = 0
    const limit = createRateLimit({ now: () => now++, softLimit: 1, maxClients: 100 })
    for (let client = 0; client < 1000; client++) limit.count(`client ${client}`)
    expect(limit.count('client 900').kind).toBe('hold')
    expect(limit.count('client 899').kind).toBe('allow')
  })
})

describe('from many addresses', () => {
  test.each([
    ['one network', 60, (index: number) => `2001:db8:1:${index.toString(16)}::1`, '2001:db8:1:ffff::1'],
    ['everywhere', 300, (index: number) => `10.0.${index >> 8}.${index & 255}`, '10.1.1.1'],
  ] as const)('(%s) what is above %i in 10 minutes is held but never refused', (from, limitOf, address, later) => {
    let now = 0
    const limit = createRateLimit({ now: () => now, networkLimit: 60, totalLimit: 300 })
    const verdicts = Array.from({ length: 1000 }, (_, index) => limit.count(address(index)))
    expect(verdicts.slice(0, limitOf)).toEqual(Array(limitOf).fill({ kind: 'allow' }))
    const held = verdicts.slice(limitOf)
    expect(held).toMatchObject(Array(1000 - limitOf).fill({ kind: 'hold', from, limit: limitOf }))
    expect(held.at(-1)).toMatchObject({ count: 1000 })
    if (from === 'one network') expect(limit.count('2001:db8:2::1').kind).toBe('allow')
    now = 600_000
    expect(limit.count(later).kind).toBe('allow')
  })

  test('what is held counts toward no other limit: one client or network can’t use up everyone’s', () => {
    const limit = createRateLimit({ softLimit: 3, networkLimit: 20, totalLimit: 60 })
    const client = (network: number, index: number) => `2001:db8:${network}:${index}::1`
    for (let count = 0; count < 1000; count++) limit.count(client(1, 1))
    expect(limit.count(client(1, 2)).kind).toBe('allow')
    for (let index = 0; index < 1000; index++) limit.count(client(1, index))
    expect(limit.count('192.0.2.1').kind).toBe('allow')
    // What wasn't stored isn't taken off from what never counted.
    for (let count = 0; count < 1000; count++) limit.uncount(client(1, 1))
    for (let index = 0; index < 60; index++) limit.count(`10.0.0.${index}`)
    expect(limit.count('192.0.2.1')).toMatchObject({ kind: 'hold', from: 'everywhere' })
  })

  test('what comes from one network is refused where it says so, and nobody else’s is', () => {
    let now = 0
    const limit = createRateLimit({ now: () => now, networkHardLimit: 3 })
    const kinds = [1, 2, 3, 4, 5].map(client => limit.count(`2001:db8:1:${client}::1`).kind)
    expect(kinds).toEqual(['allow', 'allow', 'allow', 'refuse', 'refuse'])
    for (const other of ['2001:db8:2::1', '192.0.2.1', '192.0.2.2', '192.0.2.3', '192.0.2.4']) {
      expect(limit.count(other).kind).toBe('allow')
    }
    now = 590_000
    expect(limit.count('2001:db8:1:6::1')).toEqual({ kind: 'refuse', retryAfterSeconds: 10 })
    now = 600_000
    expect(limit.count('2001:db8:1:6::1').kind).toBe('allow')
  })

  test('what couldn’t be stored doesn’t count', () => {
    const limit = createRateLimit({ softLimit: 1, hardLimit: 1, networkLimit: 1, totalLimit: 1 })
    for (const client of [1, 1, 2, 3]) {
      const address = `2001:db8:1:${client}::1`
      expect(limit.count(address).kind).toBe('allow')
      limit.uncount(address)
    }
  })
})

test.each([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2::6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2:0:0:0:6', '2001:db8:1:2::/64'],
  ['2001:db8::6', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['64:ff9b::192.0.2.1', '64:ff9b:0:0::/64'],
  ['1::', '1:0:0:0::/64'],
  ['unknown', 'unknown'],
])('the client at %s is counted as %s', (address, client) => expect(clientOf(address)).toBe(client))
