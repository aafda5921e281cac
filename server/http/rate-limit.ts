/**
 * Rate-limits leads per client in two steps, since whole mobile networks share an address: first hold, then refuse. Clients
 * with many addresses are also counted by network and in total; those leads are held, never refused.
 */
import { isIPv6 } from 'node:net'

export interface RateLimitOptions {
  readonly now?: () => number
  readonly windowMs?: number
  /** More than this many per client are put on hold, */
  readonly softLimit?: number
  /** and more than this many are refused. */
  readonly hardLimit?: number
  /** More than this many from one IPv6 network (/48) are put on hold. */
  readonly networkLimit?: number
  /** More than this many in total are put on hold. */
  readonly totalLimit?: number
  /** Beyond this, the oldest client is forgotten. */
  readonly mostClients?: number
}

export type Verdict =
  | { readonly kind: 'fine' }
  | { readonly kind: 'many'; readonly from: 'one address' | 'one network' | 'everywhere' }
  | { readonly kind: 'too many'; readonly retryAfterSeconds: number }

export type RateLimit = ReturnType<typeof createRateLimit>

const EVERYBODY = 'everybody'

export function createRateLimit(options: RateLimitOptions = {}) {
  const {
    now = () => performance.now(),
    windowMs = 600_000,
    softLimit = 10,
    hardLimit = 60,
    networkLimit = 60,
    totalLimit = 3000,
    mostClients = 50_000,
  } = options
  const clients = createWindows(windowMs, mostClients)
  const networks = createWindows(windowMs, mostClients)
  const total = createWindows(windowMs, 1)

  return {
    count(address: string): Verdict {
      const time = now()
      const client = clients.at(clientOf(address), time)
      if (client.count >= hardLimit) {
        const retryAfterSeconds = Math.max(1, Math.ceil((client.startedAt + windowMs - time) / 1000))
        return { kind: 'too many', retryAfterSeconds }
      }
      const network = networkOf(address)
      const ofClient = ++client.count
      const ofNetwork = network === null ? 0 : ++networks.at(network, time).count
      const ofAll = ++total.at(EVERYBODY, time).count
      if (ofClient > softLimit) return { kind: 'many', from: 'one address' }
      if (ofNetwork > networkLimit) return { kind: 'many', from: 'one network' }
      if (ofAll > totalLimit) return { kind: 'many', from: 'everywhere' }
      return { kind: 'fine' }
    },
    /** Uncounts a lead that couldn't be stored: a visitor who retries during an outage did nothing wrong. */
    forgive(address: string): void {
      clients.takeBack(clientOf(address))
      networks.takeBack(networkOf(address) ?? '')
      total.takeBack(EVERYBODY)
    },
    get clients() {
      return clients.size
    },
  }
}

function createWindows(windowMs: number, most: number) {
  // Oldest first: new windows go to the end.
  const windows = new Map<string, { readonly startedAt: number; count: number }>()
  // One iterator for good: a new one would walk past every deleted entry.
  const oldestFirst = windows.keys()
  return {
    at(name: string, time: number) {
      const current = windows.get(name)
      if (current && time < current.startedAt + windowMs) return current
      const window = { startedAt: time, count: 0 }
      windows.delete(name)
      windows.set(name, window)
      if (windows.size > most) windows.delete(oldestFirst.next().value as string)
      return window
    },
    takeBack(name: string): void {
      const window = windows.get(name)
      if (window && window.count > 0) window.count--
    },
    get size() {
      return windows.size
    },
  }
}

/** A household or phone has a whole IPv6 /64 and may use a new address for every request. */
export function clientOf(address: string): string {
  const groups = ipv6Groups(address)
  return groups ? `${groups.slice(0, 4).join(':')}::/64` : address
}

/** Anyone can get a /48 with 65,536 of those from a provider. No one gets that many IPv4 addresses. */
function networkOf(address: string): string | null {
  return ipv6Groups(address)?.slice(0, 3).join(':') ?? null
}

/** The eight numbers of an IPv6 address, however it is abbreviated. */
function ipv6Groups(address: string): readonly string[] | null {
  if (!address.includes(':') || !isIPv6(address)) return null
  const hostname = URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1)
  if (hostname === undefined) return null
  const [front = '', back = ''] = hostname.split('::')
  const groups = front === '' ? [] : front.split(':')
  const tail = back === '' ? [] : back.split(':')
  return hostname.includes('::') ? [...groups, ...Array(8 - groups.length - tail.length).fill('0'), ...tail] : groups
}
