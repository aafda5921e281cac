/** Whose request it is: the socket's address, or the one that a trusted proxy names. */
import { BlockList, isIP } from 'node:net'
import type { Alerts } from '../alerts/alerts.ts'

export type ClientAddress = (socketAddress: string | undefined, forwardedFor: string | undefined) => string

/** Trusted proxies are addresses (10.0.0.1) or ranges (10.0.0.0/8). */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = new BlockList()
  for (const entry of trustedProxies) addProxy(trusted, entry)
  const isTrusted = (address: string) => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')

  return (socketAddress = '', forwardedFor = '') => {
    let client = normalize(socketAddress)
    if (client === null) return 'unknown'
    // From the right: each proxy appends whom it heard from, and anything further left may be the client's invention.
    for (let end = forwardedFor.length; end > 0 && isTrusted(client); ) {
      const comma = forwardedFor.lastIndexOf(',', end - 1)
      const entry = forwardedFor.slice(comma + 1, end).trim()
      const named = normalize(entry) ?? normalize(withoutPort(entry))
      if (named === null) break
      client = named
      end = comma
    }
    return client
  }
}

/** For the configuration, which reports every mistake in plain words. */
export function isProxyEntry(entry: string): boolean {
  try {
    addProxy(new BlockList(), entry)
    return true
  } catch {
    return false
  }
}

function addProxy(list: BlockList, entry: string): void {
  if (entry.includes('%')) throw new RangeError(`${entry} names a zone, which is no address.`)
  const [text = '', prefix, ...rest] = entry.trim().split('/')
  const address = normalize(text)
  if (address === null || rest.length > 0) throw new RangeError(`${entry} is not an address.`)
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (prefix === undefined) list.addAddress(address, family)
  else if (/^\d{1,3}$/.test(prefix)) list.addSubnet(address, Number(prefix), family)
  else throw new RangeError(`${entry} is not a range of addresses.`)
}

/** One form for one address: IPv4 inside IPv6 is IPv4, and a zone belongs to the machine, not to the address. */
function normalize(address: string): string | null {
  const bare = address.replace(/%.*$/, '').toLowerCase()
  const mapped = bare.replace(/^::ffff:(?=\d+\.)/, '')
  return isIP(mapped) === 0 ? null : mapped
}

/** Some proxies write 192.0.2.1:4711 or [2001:db8::1]:4711. */
function withoutPort(entry: string): string {
  return entry.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
}

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

/**
 * Alerts about a proxy that TRUST_PROXY doesn't name, with the first lead: after ten, all visitors' leads would be held.
 */
export function createProxyWatch(clientAddress: ClientAddress, alerts: Alerts) {
  const visitorsOf = new Map<string, Set<string>>()

  return (socketAddress: string | undefined, header: Header): void => {
    const forwarded = header('x-forwarded-for') ?? header('forwarded')
    if (forwarded === undefined) return
    const neighbor = clientAddress(socketAddress, undefined)
    if (clientAddress(socketAddress, header('x-forwarded-for')) !== neighbor) return
    if (!isWithinReach(neighbor) && visitorsSeen(neighbor, forwarded) < VISITORS_OF_A_PROXY) return
    alerts.raise(
      'trust_proxy_missing',
      'Leads are coming through a proxy that isn’t in TRUST_PROXY. All visitors appear to share one address, so after ten leads in ten minutes, new ones are put on hold. Set TRUST_PROXY to the proxy’s address, make it send X-Forwarded-For, and restart.',
    )
  }

  function visitorsSeen(neighbor: string, forwarded: string): number {
    const visitors = visitorsOf.get(neighbor) ?? new Set()
    if (visitorsOf.size < MOST_REMEMBERED) visitorsOf.set(neighbor, visitors)
    if (visitors.size < VISITORS_OF_A_PROXY) visitors.add(forwarded)
    return visitors.size
  }
}

/** Loopback and private networks, which no visitor from the internet has. */
function isWithinReach(address: string): boolean {
  const family = isIP(address)
  return family !== 0 && withinReach.check(address, family === 6 ? 'ipv6' : 'ipv4')
}
