/**
 * Ten open desks in a process of their own, each as a fast typist has it: it listens for changes, looks at Today every few seconds
 * while they come, and searches for something new, which asks for a page of leads; how many there are comes with it.
 */
import { connect } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { openConnection, type RawConnection, type RawRequest, rawGet, rawPost } from './captures/raw-connection.ts'

export interface Visitors {
  readonly url: string
  readonly cookie: string
  readonly desks: number
  readonly todayEveryMs: number
  readonly searchEveryMs: number
}

export interface Searched {
  readonly ok: boolean
  /** Until the page of leads was there. */
  readonly ms: number
}

/** A part of a name, of an address, of a number, or a whole one; no two alike. */
function typed(desk: number, turn: number): string {
  const random = Math.floor(Math.random() * 36 ** 5).toString(36)
  const texts = [
    `last${random.slice(0, 3)}`,
    `first${random.slice(0, 2)} last${random.slice(2, 4)}`,
    `person.${random}`,
    `555${String(Math.floor(Math.random() * 10_000_000)).padStart(7, '0')}`,
    String(Math.floor(Math.random() * 10_000)).padStart(4, '0'),
    `${random}@example.org`,
  ]
  return texts[(desk + turn) % texts.length] as string
}

/**
 * With one connection for the searches and one for Today. Real browsers are on other computers. Here they share this one with what
 * is measured, so they cost as little as can be.
 */
async function visit({ url, cookie, todayEveryMs, searchEveryMs }: Visitors, desk: number): Promise<void> {
  const headers = { cookie, origin: url, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  const today = rawGet(new URL('/api/today', url), headers)
  const list = new URL('/api/leads/search', url)
  const [search, look] = [askerAt(url), askerAt(url)]
  listen(url, rawGet(new URL('/api/events', url), headers))
  // People do not all press a key at the same moment.
  await sleep(Math.random() * searchEveryMs)
  let todayAt = Number.NEGATIVE_INFINITY
  for (let turn = 0; ; turn++) {
    const started = performance.now()
    if (started - todayAt > todayEveryMs) {
      todayAt = started
      void look(today).catch(() => {})
    }
    const body = JSON.stringify({ filter: { search: typed(desk, turn) } })
    const ok = (await search(rawPost(list, headers, body)).catch(() => 0)) === 200
    process.send?.({ ok, ms: performance.now() - started } satisfies Searched)
    await sleep(Math.max(0, searchEveryMs - (performance.now() - started)))
  }
}

/** Answers with the status. A connection that the server had closed, since nothing was asked on it, is opened anew, as browsers do. */
function askerAt(url: string): (request: RawRequest) => Promise<number> {
  let connection: RawConnection | undefined
  return async request => {
    const wasUsed = connection
    connection ??= await openConnection(url)
    try {
      return await connection.send(request)
    } catch (error) {
      connection = undefined
      if (!wasUsed) throw error
      connection = await openConnection(url)
      return connection.send(request)
    }
  }
}

/** To the stream of events, of which nothing is read but that it is there. */
function listen(url: string, request: RawRequest): void {
  const { hostname, port } = new URL(url)
  connect(Number(port), hostname)
    .on('error', () => {})
    .resume()
    .write(request, 'latin1')
}

process.once('message', (visitors: Visitors) => {
  for (let desk = 0; desk < visitors.desks; desk++) void visit(visitors, desk)
})
