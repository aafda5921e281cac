/** A store of each engine in turn, and what the tests of the contract do with it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, beforeEach, describe } from 'vitest'
import { submissionOf } from '../../../tests/support/lead-store.ts'
import { engines, type OpenEngine } from '../../../tests/support/store-engines.ts'
import type { CapturedLead, Submission } from '../capture.ts'
import type { LeadFilter, LeadRecord } from '../lead-records.ts'
import { leadPages } from '../leads.ts'
import type { LeasedDelivery, Settlement } from '../outbox.ts'
import type { Store } from '../store.ts'

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

/** Empty at the start of each test. */
export interface Scene {
  readonly store: Store
  readonly open: OpenEngine
  readonly consentVersion: string
  capture(name: string, differences?: Partial<Submission>, into?: Store): Promise<CapturedLead>
  /** Ids and times go by the millisecond: those of one and the same are in no order. */
  captureInTurn(name: string): Promise<string>
  leaseOne(leaseMs?: number, from?: Store): Promise<LeasedDelivery>
  all(filter?: LeadFilter): Promise<readonly LeadRecord[]>
  names(filter: LeadFilter): Promise<readonly (string | null)[]>
}

export function onEachEngine(about: string, tests: (scene: Scene) => void): void {
  describe.each(engines)(`${about}, on $name`, engine => {
    let open: OpenEngine
    let consentVersion: string

    beforeEach(async () => {
      open = await engine.open()
      consentVersion = await open.store.rememberConsent(CONSENT)
    })
    afterEach(() => open.remove())

    const capture: Scene['capture'] = (name, differences = {}, into = open.store) =>
      into.capture({ ...submissionOf(name, consentVersion), ...differences })

    async function all(filter: LeadFilter = {}): Promise<readonly LeadRecord[]> {
      const leads: LeadRecord[] = []
      for await (const page of leadPages(open.store, { filter, order: 'oldest first', limit: 100 })) leads.push(...page)
      return leads
    }

    tests({
      get store() {
        return open.store
      },
      get open() {
        return open
      },
      get consentVersion() {
        return consentVersion
      },
      capture,
      async captureInTurn(name) {
        const { id } = await capture(name)
        await sleep(2)
        return id
      },
      async leaseOne(leaseMs = HOUR, from = open.store) {
        const [leased] = await from.lease({ limit: 1, leaseMs })
        if (!leased) throw new Error('nothing is due')
        return leased
      },
      all,
      names: async filter => (await all(filter)).map(({ firstName }) => firstName),
    })
  })
}
