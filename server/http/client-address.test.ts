import { describe, expect, test } from 'vitest'
import { createClientAddress, isProxyEntry } from './client-address.ts'

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

test.each(['10.0.0.1', '10.0.0.0/8', '::1', '2001:db8::/32', ' 127.0.0.1 '])('“%s” names proxies', entry => {
  expect(isProxyEntry(entry)).toBe(true)
})

test.each(['', 'proxy', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/8/8', '10.0.0', '::/129'])('“%s” does not', entry => {
  expect(isProxyEntry(entry)).toBe(false)
})
