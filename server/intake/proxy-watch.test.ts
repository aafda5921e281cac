import { beforeEach, expect, test } from 'vitest'
import { createAlerts } from '../alerts/alerts.ts'
import { createClientAddress } from '../http/client-address.ts'
import { createProxyWatch } from './proxy-watch.ts'

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
  'a proxy at %s that TRUST_PROXY does not name is told of with the first lead',
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

test('nothing is told of a proxy that is named, nor without one', () => {
  const notice = watch('127.0.0.1')
  notice('127.0.0.1', visitor(1))
  notice('127.0.0.1')
  notice('198.51.100.2')
  expect(told).toEqual([])
})
