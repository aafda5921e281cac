/** Runs contract tests on each engine, with helpers to capture and deliver leads. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe, vi } from 'vitest'
import type { Submission } from '../../server/store/capture.ts'
import type { LeadFilter, LeadRecord } from '../../server/store/lead-records.ts'
import { leadPages } from '../../server/store/leads.ts'
import type { LeasedDelivery, Settlement } from '../../server/store/outbox.ts'
import type { Store } from '../../server/store/store.ts'
import { submissionOf } from './lead-store.ts'
import { engines, type OpenEngine } from './store-engines.ts'

export const HOUR = 3_600_000
export const CONSENT = JSON.stringify({ text: 'I agree', button: 'Call me' })

export const held = { holdReason: 'a link in the name' }

const settlement = ({ leadId, leaseToken }: LeasedDelivery) => ({ leadId, leaseToken, durationMs: 5, status: 500 })
export const delivered = (leased: LeasedDelivery): Settlement => ({
  ...settlement(leased),
  status: 200,
  result: 'delivered',
})
export const dead = (leased: LeasedDelivery): Settlement => ({ ...settlement(leased), result: 'dead', reason: 'gone' })
export const retry = (leased: LeasedDelivery, retryInMs = HOUR): Settlement => ({
  ...settlement(leased),
  result: 'retry',
  reason: 'it answered 500',
  retryInMs,
})

export type Scene = ReturnType<typeof createScene>

/** Runs the tests on each engine, each with an empty store. */
export function onEachEngine(about: string, tests: (scene: Scene) => void): void {
  describe.each(engines)(`${about}, on $name`, engine => {
    let current: { open: OpenEngine; consentVersion: string }
    beforeEach(async () => {
      const open = await engine.open()
      current = { open, consentVersion: await open.store.saveConsentText(CONSENT) }
    })
    afterEach(() => current.open.remove())
    tests(createScene(() => current))
  })
}

function createScene(current: () => { readonly open: OpenEngine; readonly consentVersion: string }) {
  const store = new Proxy({} as Store, { get: (_, name) => Reflect.get(current().open.store, name) })
  const capture = (name: string, differences: Partial<Submission> = {}, into = store) =>
    into.capture({ ...submissionOf(name, current().consentVersion), ...differences })
  async function all(filter: LeadFilter = {}) {
    const leads: LeadRecord[] = []
    for await (const page of leadPages(store, { filter, order: 'oldest first', limit: 100 })) leads.push(...page)
    return leads
  }
  return {
    /** The current test's. */
    store,
    get open() {
      return current().open
    },
    get consentVersion() {
      return current().consentVersion
    },
    capture,
    /** Leads captured within a millisecond have no order. */
    async captureInTurn(name: string) {
      const { id } = await capture(name)
      await sleep(2)
      return id
    },
    /** On a busy machine, a lead may come due a moment later by the database's clock. */
    leaseOne: (leaseMs = HOUR, from = store) =>
      vi.waitFor(
        async () => {
          const [leased] = await from.lease({ limit: 1, leaseMs })
          return leased ?? Promise.reject(new Error('Nothing is due.'))
        },
        { timeout: 30_000 },
      ),
    async deliverAll() {
      for (const leased of await store.lease({ limit: 100, leaseMs: HOUR })) await store.settle(delivered(leased))
    },
    all,
    names: async (filter: LeadFilter) => (await all(filter)).map(({ firstName }) => firstName),
  }
}
