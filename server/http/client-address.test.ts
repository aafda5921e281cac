import { beforeEach, describe, expect, test } from 'vitest'
import { createAlerting } from '../alerts/alerting.ts'
import { createClientAddress, createProxyWatch } from './client-address.ts'

describe('the client address', () => {
  test('is the socket’s if that isn’t a trusted proxy, regardless of the header', () => {
    expect(createClientAddress([])('192.0.2.1', '203.0.113.5')).toBe('192.0.2.1')
    expect(createClientAddress(['10.0.0.1'])('::ffff:192.0.2.1', '203.0.113.5')).toBe('192.0.2.1')
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
  ])('is the rightmost untrusted address that trusted proxies report: “%s” → %s', (header, client) => {
    const clientAddress = createClientAddress(['10.0.0.0/8', '2001:db8:ffff::/48'])
    expect(clientAddress('10.0.0.1', header)).toBe(client)
    expect(clientAddress('::ffff:10.0.0.1', header)).toBe(client)
  })

  test('can come from a proxy with an IPv6 address', () => {
    expect(createClientAddress(['2001:db8:ffff::/48'])('2001:db8:ffff::7', '203.0.113.5')).toBe('203.0.113.5')
    expect(createClientAddress(['fe80::1'])('fe80::1%eth0', '203.0.113.5')).toBe('203.0.113.5')
  })

  test('is unknown if the socket is already closed', () => {
    expect(createClientAddress(['10.0.0.0/8'])(undefined, '203.0.113.5')).toBe('unknown')
  })
})

describe('a proxy missing from TRUST_PROXY', () => {
  let raised: string[]
  beforeEach(() => {
    raised = []
  })

  function watch(...trustedProxies: readonly string[]) {
    const alerts = createAlerting({ log: code => raised.push(code) })
    const clientAddress = createClientAddress(trustedProxies)
    const check = createProxyWatch(clientAddress, alerts)
    return (socketAddress: string, headers: Readonly<Record<string, string>> = {}) =>
      check(clientAddress(socketAddress, headers['x-forwarded-for']), socketAddress, name => headers[name])
  }

  test.each([
    ['198.51.100.2', 'x-forwarded-for'],
    ['::ffff:127.0.0.1', 'x-forwarded-for'],
    ['10.1.2.3', 'forwarded'],
  ])('at %s raises an alert after reporting three visitors in %s', (address, header) => {
    const check = watch('10.9.9.9')
    for (const number of [1, 2]) check(address, { [header]: `203.0.113.${number}` })
    expect(raised).toEqual([])
    check(address, { [header]: '203.0.113.3' })
    expect(raised).toEqual(['trust_proxy_missing'])
  })

  test('raises no alert for a single visitor’s made-up header, a listed proxy, or a missing header', () => {
    const check = watch('127.0.0.1')
    for (let lead = 0; lead < 10; lead++) check('198.51.100.1', { 'x-forwarded-for': '203.0.113.1' })
    for (const number of [1, 2, 3]) check('127.0.0.1', { 'x-forwarded-for': `203.0.113.${number}` })
    for (let lead = 0; lead < 3; lead++) check('198.51.100.2')
    expect(raised).toEqual([])
  })
})
