import { describe, expect, test } from 'vitest'
import { clientOf, createRateLimit } from './rate-limit.ts'

describe('leads of one address', () => {
  test('are fine up to 10 in 10 minutes, many up to 60, and too many above', () => {
    let now = 0
    const limit = createRateLimit({ now: () => now })
    const kinds = Array.from({ length: 62 }, () => limit.count('192.0.2.1').kind)
    expect(kinds).toEqual([...Array(10).fill('fine'), ...Array(50).fill('many'), 'too many', 'too many'])
    expect(limit.count('192.0.2.2').kind).toBe('fine')
    now = 599_000
    expect(limit.count('192.0.2.1')).toEqual({ kind: 'too many', retryAfterSeconds: 1 })
    now = 600_000
    expect(limit.count('192.0.2.1').kind).toBe('fine')
  })

  test('do not fill the memory: beyond the limit, the oldest client is forgotten', () => {
    let now = 0
    const limit = createRateLimit({ now: () => now++, softLimit: 1, mostClients: 100 })
    for (let client = 0; client < 1000; client++) limit.count(`client ${client}`)
    expect(limit.clients).toBe(100)
    expect(limit.count('client 999').kind).toBe('many')
    expect(limit.count('client 0').kind).toBe('fine')
  })
})

describe('leads of many addresses', () => {
  test.each([
    ['one network', 60, (index: number) => `2001:db8:1:${index.toString(16)}::1`, '2001:db8:1:ffff::1'],
    ['everywhere', 300, (index: number) => `10.0.${index >> 8}.${index & 255}`, '10.1.1.1'],
  ] as const)('from %s are held above %i in 10 minutes, and never refused', (from, most, address, later) => {
    let now = 0
    const limit = createRateLimit({ now: () => now, totalLimit: from === 'everywhere' ? most : 3000 })
    const verdicts = Array.from({ length: 1000 }, (_, index) => limit.count(address(index)))
    expect(verdicts.slice(0, most)).toEqual(Array(most).fill({ kind: 'fine' }))
    expect(verdicts.slice(most)).toEqual(Array(1000 - most).fill({ kind: 'many', from }))
    if (from === 'one network') expect(limit.count('2001:db8:2::1').kind).toBe('fine')
    now = 600_000
    expect(limit.count(later).kind).toBe('fine')
  })

  test('that could not be stored are forgiven', () => {
    const limit = createRateLimit({ softLimit: 1, hardLimit: 1, networkLimit: 1, totalLimit: 1 })
    for (const client of [1, 1, 2, 3]) {
      const address = `2001:db8:1:${client}::1`
      expect(limit.count(address).kind).toBe('fine')
      limit.forgive(address)
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
])('the client at %s is counted as %s', (address, client) => {
  expect(clientOf(address)).toBe(client)
})
