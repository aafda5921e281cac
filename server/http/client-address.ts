/** The client's address: the socket's, or the one a trusted proxy reports. */
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
    // Read from the right: each proxy appends the address it got the request from, and anything farther left could be made up.
    for (let end = forwardedFor.length; end > 0 && isTrusted(client); ) {
      const comma = forwardedFor.lastIndexOf(',', end - 1)
      const entry = forwardedFor.slice(comma + 1, end).trim()
      const reported = normalize(entry) ?? normalize(withoutPort(entry))
      if (reported === null) break
      client = reported
      end = comma
    }
    return client
  }
}

export function isProxyEntry(entry: string): boolean {
  try {
    addProxy(new BlockList(), entry)
    return true
  } catch {
    return false
  }
}

function addProxy(list: BlockList, entry: string): void {
  if (entry.includes('%')) throw new RangeError(`${entry} includes a zone.`)
  const [text = '', prefix, ...rest] = entry.trim().split('/')
  const address = normalize(text)
  if (address === null || rest.length > 0) throw new RangeError(`${entry} is not an address.`)
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4'
  if (prefix === undefined) list.addAddress(address, family)
  else if (/^\d{1,3}$/.test(prefix)) list.addSubnet(address, Number(prefix), family)
  else throw new RangeError(`${entry} is not a range of addresses.`)
}

/** Converts IPv4-mapped IPv6 addresses to IPv4 and drops zones. */
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

/** Any visitor can forge X-Forwarded-For, but an address that sends it for multiple visitors is a proxy. */
const MIN_PROXY_VISITORS = 3
const MAX_PEERS = 1000

/** Alerts about a proxy that isn't in TRUST_PROXY, before all visitors count as one client and their leads are put on hold. */
export function createProxyWatch(clientAddress: ClientAddress, alerts: Alerts) {
  const visitorsOf = new Map<string, Set<string>>()

  /** `address`: the client's, from `clientAddress`. */
  return (address: string, socketAddress: string | undefined, header: Header): void => {
    const forwarded = header('x-forwarded-for') ?? header('forwarded')
    if (forwarded === undefined) return
    const peer = clientAddress(socketAddress, undefined)
    if (address !== peer) return
    const visitors = visitorsOf.get(peer) ?? new Set()
    if (visitorsOf.size < MAX_PEERS) visitorsOf.set(peer, visitors)
    if (visitors.size < MIN_PROXY_VISITORS) visitors.add(forwarded)
    if (visitors.size < MIN_PROXY_VISITORS) return
    alerts.raise(
      'trust_proxy_missing',
      'Leads are coming through a proxy that isn’t in TRUST_PROXY. All visitors appear to share one address, so after ten leads in ten minutes, new ones are put on hold. Set TRUST_PROXY to the proxy’s address, make sure it sends X-Forwarded-For, and restart.',
    )
  }
}
