/**
 * Limits how much comes from one client, from one IPv6 network, and from everyone together. What is over a client's limit doesn't count
 * toward its network, and what is over a network's doesn't count toward the total: otherwise, one sender could use up everyone's share.
 */
import { isIPv6 } from 'node:net'

export interface RateLimitOptions {
  readonly now?: () => number
  /** Above this, what comes from one client is put on hold. */
  readonly softLimit?: number
  /** Above this, it's refused. */
  readonly hardLimit?: number
  /** Above this, what comes from one IPv6 network (/48) is put on hold. */
  readonly networkLimit?: number
  /** Above this, it's refused. */
  readonly networkHardLimit?: number
  /** Above this, everything is put on hold. */
  readonly totalLimit?: number
  readonly windowMs?: number
  /** Beyond this, the oldest client is forgotten. */
  readonly maxClients?: number
}

export type Verdict =
  | { readonly kind: 'allow' }
  | {
      readonly kind: 'hold'
      readonly from: 'one address' | 'one network' | 'everywhere'
      readonly limit: number
      readonly count: number
    }
  | { readonly kind: 'refuse'; readonly retryAfterSeconds: number }

const DEFAULT_WINDOW_MS = 10 * 60_000
const EVERYONE = 'everyone'

export function createRateLimit(options: RateLimitOptions = {}) {
  const {
    now = () => performance.now(),
    hardLimit = Number.POSITIVE_INFINITY,
    softLimit = hardLimit,
    networkHardLimit = Number.POSITIVE_INFINITY,
    networkLimit = networkHardLimit,
    totalLimit = Number.POSITIVE_INFINITY,
    windowMs = DEFAULT_WINDOW_MS,
    maxClients = 50_000,
  } = options
  const clients = createWindows(maxClients, windowMs)
  const networks = createWindows(maxClients, windowMs)
  const total = createWindows(1, windowMs)

  return {
    count(address: string): Verdict {
      const time = now()
      const client = clients.at(clientOf(address), time)
      const networkName = networkOf(address)
      const network = networkName === null ? { startedAt: time, count: 0 } : networks.at(networkName, time)
      const full = [client.count >= hardLimit && client, network.count >= networkHardLimit && network].find(Boolean)
      if (full) {
        const retryAfterSeconds = Math.max(1, Math.ceil((full.startedAt + windowMs - time) / 1000))
        return { kind: 'refuse', retryAfterSeconds }
      }
      const clientCount = ++client.count
      if (clientCount > softLimit) return { kind: 'hold', from: 'one address', limit: softLimit, count: clientCount }
      const networkCount = ++network.count
      if (networkCount > networkLimit)
        return { kind: 'hold', from: 'one network', limit: networkLimit, count: networkCount }
      const totalCount = ++total.at(EVERYONE, time).count
      if (totalCount > totalLimit) return { kind: 'hold', from: 'everywhere', limit: totalLimit, count: totalCount }
      return { kind: 'allow' }
    },
    /** Undoes `count` for what couldn't be stored: retrying during an outage isn't abuse. */
    uncount(address: string): void {
      if (clients.decrement(clientOf(address)) >= softLimit) return
      if (networks.decrement(networkOf(address) ?? '') >= networkLimit) return
      total.decrement(EVERYONE)
    },
  }
}

function createWindows(max: number, windowMs: number) {
  // Oldest first.
  const windows = new Map<string, { readonly startedAt: number; count: number }>()
  // Reuse one iterator: a new one would walk past every deleted entry.
  const oldestFirst = windows.keys()
  return {
    at(name: string, time: number) {
      const current = windows.get(name)
      if (current && time < current.startedAt + windowMs) return current
      const window = { startedAt: time, count: 0 }
      windows.delete(name)
      windows.set(name, window)
      if (windows.size > max) windows.delete(oldestFirst.next().value as string)
      return window
    },
    /** Returns what's left. */
    decrement(name: string): number {
      const window = windows.get(name)
      if (window && window.count > 0) window.count--
      return window?.count ?? 0
    },
  }
}

/** A household or phone has a whole IPv6 /64 and can use a new address for every request. */
export function clientOf(address: string): string {
  const groups = ipv6Groups(address)
  return groups ? `${groups.slice(0, 4).join(':')}::/64` : address
}

/** Anyone can get a /48, with 65,536 /64s, from a provider. No one gets that many IPv4 addresses, so IPv4 returns null. */
function networkOf(address: string): string | null {
  return ipv6Groups(address)?.slice(0, 3).join(':') ?? null
}

/** The eight groups of an IPv6 address, even if it's abbreviated. */
function ipv6Groups(address: string): readonly string[] | null {
  if (!address.includes(':') || !isIPv6(address)) return null
  const hostname = URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1)
  if (hostname === undefined) return null
  const [front = '', back = ''] = hostname.split('::')
  const groups = front === '' ? [] : front.split(':')
  const tail = back === '' ? [] : back.split(':')
  return hostname.includes('::') ? [...groups, ...Array(8 - groups.length - tail.length).fill('0'), ...tail] : groups
}
