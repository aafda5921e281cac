/**
 * Ten open desks in a process of their own, each as a fast typist has it: it listens for changes, looks at Today every few seconds
 * while they come, and searches for something new, which asks for a page of leads and for how many there are.
 */
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

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

/** A desk that gets no answer is told so by its browser in the end; the next search is not kept from being made. */
const PATIENCE_MS = 20_000

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

/** Real browsers are on other computers. Here they share this one with what is measured, so they cost as little as can be. */
const agent = new Agent({ keepAlive: true })

interface Asked {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

/** Resolves when the whole answer is there. */
function fetchAll({ url, headers, body }: Asked): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const asking = request(url, { agent, headers, method: body ? 'POST' : 'GET' }, answer => {
      answer.on('end', () => resolve(answer.statusCode === 200))
      answer.on('error', reject)
      answer.resume()
    })
    asking.setTimeout(PATIENCE_MS, () => asking.destroy(new Error('no answer')))
    asking.on('error', (error: NodeJS.ErrnoException) => {
      // The server had closed a connection that was not in use: browsers ask again, too.
      if (asking.reusedSocket && error.code === 'ECONNRESET') resolve(fetchAll({ url, headers, ...(body && { body }) }))
      else reject(error)
    })
    asking.end(body)
  })
}

async function visit({ url, cookie, todayEveryMs, searchEveryMs }: Visitors, desk: number): Promise<void> {
  const headers = { cookie, origin: url, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  const ask = (path: string, body?: string) => fetchAll({ url: `${url}${path}`, headers, ...(body && { body }) })
  request(`${url}/api/events`, { headers }, events => void events.on('error', () => {}).resume()).end()
  // People do not all press a key at the same moment.
  await sleep(Math.random() * searchEveryMs)
  let todayAt = Number.NEGATIVE_INFINITY
  for (let turn = 0; ; turn++) {
    const started = performance.now()
    if (started - todayAt > todayEveryMs) {
      todayAt = started
      void ask('/api/today').catch(() => {})
    }
    const body = JSON.stringify({ filter: { search: typed(desk, turn) } })
    void ask('/api/leads/count', body).catch(() => {})
    const ok = await ask('/api/leads/search', body).catch(() => false)
    process.send?.({ ok, ms: performance.now() - started } satisfies Searched)
    await sleep(Math.max(0, searchEveryMs - (performance.now() - started)))
  }
}

process.once('message', (visitors: Visitors) => {
  for (let desk = 0; desk < visitors.desks; desk++) void visit(visitors, desk)
})
