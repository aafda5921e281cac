/**
 * Detects a proxy that is missing from TRUST_PROXY. All visitors then seem to come from the proxy, and after ten leads the
 * next ones are put on hold. Alert on the first lead, not on the eleventh.
 */
import { BlockList, isIP } from 'node:net'
import type { Alerts } from '../alerts/alerts.ts'
import type { ClientAddress } from '../http/client-address.ts'

type Header = (name: string) => string | undefined

/** Anyone can send such a header from a public address; one address that sends it for several visitors is a proxy. */
const VISITORS_OF_A_PROXY = 3
const MOST_REMEMBERED = 1000

const withinReach = new BlockList()
for (const [network, prefix] of [
  ['127.0.0.0', 8],
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['100.64.0.0', 10],
] as const) {
  withinReach.addSubnet(network, prefix, 'ipv4')
}
withinReach.addAddress('::1', 'ipv6')
withinReach.addSubnet('fc00::', 7, 'ipv6')
withinReach.addSubnet('fe80::', 10, 'ipv6')

export function createProxyWatch(clientAddress: ClientAddress, alerts: Alerts) {
  const visitorsOf = new Map<string, Set<string>>()

  return (socketAddress: string | undefined, header: Header): void => {
    const forwarded = header('x-forwarded-for') ?? header('forwarded')
    if (forwarded === undefined) return
    const neighbour = clientAddress(socketAddress, undefined)
    if (clientAddress(socketAddress, header('x-forwarded-for')) !== neighbour) return
    if (!isWithinReach(neighbour) && visitorsSeen(neighbour, forwarded) < VISITORS_OF_A_PROXY) return
    alerts.raise(
      'trust_proxy_missing',
      'Leads come through a proxy that TRUST_PROXY does not name, so that all visitors seem to have one address: after ten leads in ten minutes the next ones are held. Set TRUST_PROXY to the proxy’s address, let it send X-Forwarded-For, and restart.',
    )
  }

  function visitorsSeen(neighbour: string, forwarded: string): number {
    const visitors = visitorsOf.get(neighbour) ?? new Set()
    if (visitorsOf.size < MOST_REMEMBERED) visitorsOf.set(neighbour, visitors)
    if (visitors.size < VISITORS_OF_A_PROXY) visitors.add(forwarded)
    return visitors.size
  }
}

/** Loopback and private networks, which no visitor from the internet has. */
function isWithinReach(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && withinReach.check(address, family === 6 ? 'ipv6' : 'ipv4')
}
