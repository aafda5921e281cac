/** Counts leads per client in two steps, since whole mobile networks share an address: first hold them, then refuse. */
import { isIPv6 } from 'node:net'

export interface RateLimitOptions {
  readonly now?: () => number
  readonly windowMs?: number
  /** Above this many in a window, leads are stored but held. */
  readonly softLimit?: number
  /** Above this many in a window, leads are refused. */
  readonly hardLimit?: number
  /** The memory's bound: beyond it, the client whose window began first is forgotten. */
  readonly mostClients?: number
}

export type Verdict =
  | { readonly kind: 'fine' }
  | { readonly kind: 'many' }
  | { readonly kind: 'too many'; readonly retryAfterSeconds: number }

export interface RateLimit {
  /** Counts one lead of this client. */
  count(address: string): Verdict
  /** Takes one back that could not be stored: a visitor who tries again during an outage did nothing wrong. */
  forgive(address: string): void
  readonly clients: number
}

interface Window {
  readonly startedAt: number
  count: number
}

export function createRateLimit(options: RateLimitOptions = {}): RateLimit {
  const {
    now = () => performance.now(),
    windowMs = 600_000,
    softLimit = 10,
    hardLimit = 60,
    mostClients = 50_000,
  } = options
  // In the order in which the windows began, since a client's new window is put at the end.
  const windows = new Map<string, Window>()
  // Kept for good, since it goes on where it stands: a new one would walk past every window that was ever dropped.
  const oldestFirst = windows.keys()

  function windowOf(client: string, time: number): Window {
    const current = windows.get(client)
    if (current && time < current.startedAt + windowMs) return current
    const window = { startedAt: time, count: 0 }
    windows.delete(client)
    windows.set(client, window)
    if (windows.size > mostClients) windows.delete(oldestFirst.next().value as string)
    return window
  }

  return {
    count(address) {
      const time = now()
      const window = windowOf(clientOf(address), time)
      if (window.count >= hardLimit) {
        const retryAfterSeconds = Math.max(1, Math.ceil((window.startedAt + windowMs - time) / 1000))
        return { kind: 'too many', retryAfterSeconds }
      }
      window.count++
      return { kind: window.count > softLimit ? 'many' : 'fine' }
    },
    forgive(address) {
      const window = windows.get(clientOf(address))
      if (window && window.count > 0) window.count--
    },
    get clients() {
      return windows.size
    },
  }
}

/** A household or a phone has a whole /64 of IPv6, and may use another address of it for every request. */
export function clientOf(address: string): string {
  if (!address.includes(':') || !isIPv6(address)) return address
  const hostname = URL.parse(`http://[${address}]/`)?.hostname.slice(1, -1)
  if (hostname === undefined) return address
  const [front = '', back = ''] = hostname.split('::')
  const groups = front === '' ? [] : front.split(':')
  const tail = back === '' ? [] : back.split(':')
  const full = hostname.includes('::')
    ? [...groups, ...Array(8 - groups.length - tail.length).fill('0'), ...tail]
    : groups
  return `${full.slice(0, 4).join(':')}::/64`
}
