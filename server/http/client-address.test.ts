import { beforeEach, describe, expect, test } from 'vitest'
import { createAlerts } from '../alerts/alerts.ts'
import { createClientAddress, createProxyWatch } from './client-address.ts'

describe('the address of the client', () => {
  test('is the socket’s, whatever the header claims', () => {
    expect(createClientAddress([])('192.0.2.1', '203.0.113.5')).toBe('192.0.2.1')
    expect(createClientAddress(['10.0.0.1'])('192.0.2.1', '203.0.113.5')).toBe('192.0.2.1')
  })

  test('is IPv4 when it is IPv4 inside IPv6', () => {
    expect(createClientAddress([])('::ffff:192.0.2.1', undefined)).toBe('192.0.2.1')
  })

  test.each([
    ['203.0.113.5', '203.0.113.5'],
    ['1.1.1.1, 203.0.113.5', '203.0.113.5'],
    ['1.1.1.1, 203.0.113.5, 10.9.8.7', '203.0.113.5'],
    ['203.0.113.5:4711', '203.0.113.5'],
    ['[2001:DB8::1]:4711', '2001:db8::1'],
    ['::ffff:203.0.113.5', '203.0.113.5'],
    ['10.1.1.1, 10.2.2.2', '10.1.1.1'],
    ['1.1.1.1, nonsense', '10.0.0.1'],
    ['1.1.1.1,', '10.0.0.1'],
    ['', '10.0.0.1'],
  ])('behind trusted proxies that say “%s” is the right-most untrusted one: %s', (header, client) => {
    const clientAddress = createClientAddress(['10.0.0.0/8', '2001:db8:ffff::/48'])
    expect(clientAddress('10.0.0.1', header)).toBe(client)
    expect(clientAddress('::ffff:10.0.0.1', header)).toBe(client)
  })

  test('is believed from a proxy with an IPv6 address', () => {
    expect(createClientAddress(['2001:db8:ffff::/48'])('2001:db8:ffff::7', '203.0.113.5')).toBe('203.0.113.5')
    expect(createClientAddress(['fe80::1'])('fe80::1%eth0', '203.0.113.5')).toBe('203.0.113.5')
  })

  test('is unknown when the socket is gone already', () => {
    expect(createClientAddress(['10.0.0.0/8'])(undefined, '203.0.113.5')).toBe('unknown')
  })
})

describe('a proxy missing from TRUST_PROXY', () => {
  let told: string[]
  beforeEach(() => {
    told = []
  })

  function watch(...trustedProxies: readonly string[]) {
    const alerts = createAlerts({ log: code => told.push(code) })
    const notice = createProxyWatch(createClientAddress(trustedProxies), alerts)
    return (socketAddress: string, headers: Readonly<Record<string, string>> = {}) =>
      notice(socketAddress, name => headers[name])
  }

  const visitor = (number: number) => ({ 'x-forwarded-for': `203.0.113.${number}` })

  test.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '10.1.2.3', '172.20.0.5', '192.168.1.1', '100.64.0.9', 'fd00::7'])(
    'a proxy at %s that is missing from TRUST_PROXY raises an alert with the first lead',
    address => {
      const notice = watch('10.9.9.9')
      notice(address, visitor(1))
      notice(address, visitor(2))
      expect(told).toEqual(['trust_proxy_missing'])
    },
  )

  test('so is one that says it in the header that we do not read', () => {
    watch()('10.1.2.3', { forwarded: 'for=203.0.113.1' })
    expect(told).toEqual(['trust_proxy_missing'])
  })

  test('a public address that speaks for several visitors is a proxy; one visitor who makes a header up is not', () => {
    const notice = watch()
    for (let lead = 0; lead < 10; lead++) notice('198.51.100.1', visitor(1))
    expect(told).toEqual([])
    for (const number of [1, 2, 3]) notice('198.51.100.2', visitor(number))
    expect(told).toEqual(['trust_proxy_missing'])
  })

  test('no alert for a listed proxy, nor without one', () => {
    const notice = watch('127.0.0.1')
    notice('127.0.0.1', visitor(1))
    notice('127.0.0.1')
    notice('198.51.100.2')
    expect(told).toEqual([])
  })
})
