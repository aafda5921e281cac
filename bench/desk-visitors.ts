/** Ten open desks in a process of their own: each listens for changes, looks at Today after them, and searches every second. */
import { setTimeout as sleep } from 'node:timers/promises'

export interface Visitors {
  readonly url: string
  readonly cookie: string
  readonly desks: number
}

/** As the pages do it. */
const TODAY_EVERY_MS = 5000
const SEARCH_EVERY_MS = 1000

const typed = ['nobody@example.org', 'lastz', '5559990000', 'first1 last', '2030', 'person.q']

async function visit({ url, cookie }: Visitors, desk: number): Promise<void> {
  const headers = { cookie, origin: url, 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' }
  const events = await fetch(`${url}/api/events`, { headers })
  void events.body?.pipeTo(new WritableStream())
  let todayAt = 0
  for (let turn = desk; ; turn++) {
    const started = performance.now()
    if (started - todayAt > TODAY_EVERY_MS) {
      todayAt = started
      await (await fetch(`${url}/api/today`, { headers })).text()
    }
    const body = JSON.stringify({ filter: { search: typed[turn % typed.length] } })
    const answer = await fetch(`${url}/api/leads/search`, { method: 'POST', headers, body })
    await answer.text()
    process.send?.({ ok: answer.ok, ms: performance.now() - started })
    await sleep(Math.max(0, SEARCH_EVERY_MS - (performance.now() - started)))
  }
}

process.once('message', (visitors: Visitors) => {
  for (let desk = 0; desk < visitors.desks; desk++) void visit(visitors, desk)
})
