/** Visitors who send leads over HTTP, one after the other, and keep what they were told. */
import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { consent } from '../../content/panel/contact-form.ts'
import { consentAsPresented } from '../../domain/consent.ts'
import { leadQuery } from '../../domain/lead.ts'
import { versionOf } from '../../server/presented-version.ts'
import { contactOf } from '../faults/lead-store.ts'

const consentVersion = versionOf(consentAsPresented(consent))

export interface LoadOptions {
  /** Where a lead may be sent at this moment. */
  readonly servers: () => readonly string[]
  readonly visitors: number
  /** The longest that a visitor waits before the next lead. */
  readonly pauseMs: number
  readonly random: () => number
}

export interface LeadAnswer {
  /** By `performance.now()`. */
  readonly at: number
  /** Null when the server died over it. */
  readonly status: number | null
}

export interface LeadLoad {
  readonly sent: ReadonlySet<string>
  /** The first names of those who were told 202. */
  readonly acknowledged: ReadonlySet<string>
  readonly answers: readonly LeadAnswer[]
  stop(): Promise<void>
}

/** Without a 202, the visitor sends the same lead again, to any server, as people do. */
export function startLoad({ servers, visitors, pauseMs, random }: LoadOptions): LeadLoad {
  const agent = new Agent({ keepAlive: true })
  const sent = new Set<string>()
  const acknowledged = new Set<string>()
  const answers: LeadAnswer[] = []
  let running = true

  async function sendUntilAcknowledged(name: string): Promise<void> {
    while (running) {
      const places = servers()
      const url = places[Math.floor(random() * places.length)]
      const status = url === undefined ? null : await sendLead(url, name, agent)
      if (url !== undefined) answers.push({ at: performance.now(), status })
      if (status === 202) return void acknowledged.add(name)
      await sleep(20)
    }
  }

  const all = Array.from({ length: visitors }, async () => {
    while (running) {
      const name = `lead-${sent.size}`
      sent.add(name)
      await sendUntilAcknowledged(name)
      await sleep(random() * pauseMs)
    }
  })

  return {
    sent,
    acknowledged,
    answers,
    async stop() {
      running = false
      await Promise.all(all)
      agent.destroy()
    },
  }
}

let senders = 0

/** The status, or null when the server died over it. The server must believe the forwarded-for header of loopback. */
export function sendLead(url: string, name: string, agent?: Agent): Promise<number | null> {
  senders++
  const headers = {
    'sec-fetch-site': 'same-origin',
    'x-consent-version': consentVersion,
    // Of one address, more than a few would be held.
    'x-forwarded-for': `10.${(senders >> 16) & 255}.${(senders >> 8) & 255}.${senders & 255}`,
  }
  return new Promise(resolve => {
    get(`${url}/api/leads?${leadQuery(contactOf(name))}`, { ...(agent && { agent }), headers }, response => {
      response.resume()
      resolve(response.statusCode ?? null)
    }).on('error', () => resolve(null))
  })
}
