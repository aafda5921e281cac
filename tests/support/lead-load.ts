/** Load generator: visitors who send one lead after another over HTTP. Records the responses. */

import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { consentAsPresented } from '../../domain/leads/as-presented.ts'
import { leadQuery } from '../../domain/leads/lead.ts'
import { versionOf } from '../../server/store/facts/leads/hashes.ts'
import { words } from '../../site-folder/site.ts'
import { contactOf } from './lead-store.ts'

const { consent } = words.en

const consentVersion = versionOf(consentAsPresented(consent))

export interface LoadOptions {
  readonly servers: () => readonly string[]
  readonly visitors: number
  /** The longest pause before the next try or lead. */
  readonly pauseMs: number
  readonly random: () => number
}

export type LeadLoad = ReturnType<typeof startLoad>

/** Like real people, each visitor resends a lead until it's accepted, each time to a random server. */
export function startLoad({ servers, visitors, pauseMs, random }: LoadOptions) {
  const agent = new Agent({ keepAlive: true })
  const sent = new Set<string>()
  const acknowledged = new Set<string>()
  const responses: { readonly status: number | null }[] = []
  let running = true

  async function sendUntilAcknowledged(name: string): Promise<void> {
    while (running) {
      const urls = servers()
      const url = urls[Math.floor(random() * urls.length)]
      const status = url === undefined ? null : await sendLead(url, name, agent)
      if (url !== undefined) responses.push({ status })
      if (status === 202) return void acknowledged.add(name)
      await sleep(random() * pauseMs)
    }
  }

  const loops = Array.from({ length: visitors }, async () => {
    while (running) {
      const name = `lead-${sent.size}`
      sent.add(name)
      await sendUntilAcknowledged(name)
      await sleep(random() * pauseMs)
    }
  })

  return {
    sent,
    /** First names on the leads that got a 202. */
    acknowledged,
    responses,
    async stop() {
      running = false
      await Promise.all(loops)
      agent.destroy()
    },
  }
}

let senders = 0

/** Returns the status, or null if the connection failed. */
export function sendLead(url: string, name: string, agent?: Agent): Promise<number | null> {
  senders++
  const headers = {
    'sec-fetch-site': 'same-origin',
    'x-consent-version': consentVersion,
    // Leads beyond the first few from an address would be put on hold.
    'x-forwarded-for': `10.${(senders >> 16) & 255}.${(senders >> 8) & 255}.${senders & 255}`,
  }
  return new Promise(resolve => {
    get(`${url}/api/leads?${leadQuery(contactOf(name))}`, { ...(agent && { agent }), headers }, response => {
      response.resume()
      resolve(response.statusCode ?? null)
    }).on('error', () => resolve(null))
  })
}
