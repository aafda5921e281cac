/** Whose request it is: the socket's address, or the one that a trusted proxy names. */
import { BlockList, isIP } from 'node:net'

const MOST_REMEMBERED = 1000

export type ClientAddress = (socketAddress: string | undefined, forwardedFor: string | undefined) => string

/** Trusted proxies are addresses (10.0.0.1) or ranges (10.0.0.0/8). */
export function createClientAddress(trustedProxies: readonly string[]): ClientAddress {
  const trusted = new BlockList()
  for (const entry of trustedProxies) addProxy(trusted, entry)
  const isTrusted = remembering(address => trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4'))
  // Behind a proxy it is always the same.
  let [peerAddress, peer, isProxy] = ['', 'unknown', false]

  return (socketAddress = '', forwardedFor) => {
    if (socketAddress !== peerAddress) {
      peerAddress = socketAddress
      peer = normalize(socketAddress) ?? 'unknown'
      isProxy = peer !== 'unknown' && isTrusted(peer)
    }
    if (!isProxy || forwardedFor === undefined) return peer
    // Nearly always one address and nothing else, and every page asks.
    if (isDottedQuad(forwardedFor)) return forwardedFor
    let client = peer
    // From the right: each proxy appends whom it heard from, and what stands further left may be the client's invention.
    for (let end = forwardedFor.length; end >= 0 && isTrusted(client); ) {
      const comma = end === 0 ? -1 : forwardedFor.lastIndexOf(',', end - 1)
      const entry = forwardedFor.slice(comma + 1, end).trim()
      const named = normalize(entry) ?? normalize(withoutPort(entry))
      if (named === null) break
      client = named
      end = comma
    }
    return client
  }
}

/** For the configuration, which reports every fault in plain words. */
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

/** The same few proxies ask all the time, and to look them up takes as long as to parse a lead. */
function remembering(look: (address: string) => boolean): (address: string) => boolean {
  const verdicts = new Map<string, boolean>()
  return address => {
    let verdict = verdicts.get(address)
    if (verdict === undefined) {
      verdict = look(address)
      // Without a proxy in front, anybody's address may come here.
      if (verdicts.size < MOST_REMEMBERED) verdicts.set(address, verdict)
    }
    return verdict
  }
}

/** One form for one address: IPv4 inside IPv6 is IPv4, and a zone belongs to the machine, not to the address. */
function normalize(address: string): string | null {
  if (isDottedQuad(address)) return address
  const bare = address.replace(/%.*$/, '').toLowerCase()
  const mapped = bare.replace(/^::ffff:(?=\d+\.)/, '')
  return isIP(mapped) === 0 ? null : mapped
}

const [DOT, ZERO, NINE] = [46, 48, 57]

/** What Node's isIPv4 says, by hand: asked for every page, its regular expression takes longer than to deal a variant. */
export function isDottedQuad(text: string): boolean {
  if (text.length < 7 || text.length > 15) return false
  let [numbers, digits, number] = [1, 0, 0]
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (code === DOT) {
      if (digits === 0) return false
      numbers++
      digits = 0
      number = 0
    } else {
      if (code < ZERO || code > NINE || (digits > 0 && number === 0)) return false
      digits++
      number = number * 10 + code - ZERO
      if (number > 255) return false
    }
  }
  return numbers === 4 && digits > 0
}

/** Some proxies write 192.0.2.1:4711 or [2001:db8::1]:4711. */
function withoutPort(entry: string): string {
  return entry.replace(/^\[(.*)\](?::\d+)?$/, '$1').replace(/^([\d.]+):\d+$/, '$1')
}
