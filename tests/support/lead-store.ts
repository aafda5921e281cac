/** A real store in a temporary folder, with leads captured the way the receiver captures them. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { CallOutcomeName } from '../../domain/calling/outcomes.ts'
import { certificateUrl } from '../../domain/leads/certificate.ts'
import type { Submission } from '../../server/store/operations/leads/capture.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import type { Store } from '../../server/store/store.ts'
import type { SeenAlert } from '../../server/store/tables/alerts.ts'
import { yearOfBirth } from './answers.ts'
import { rowsOf, writeNewStore } from './lead-fixtures.ts'

/** The key for hashing the contact details of erased people. */
export const ERASURE_KEY = 'for-tests-only-for-tests-only-for-tests'

export const maria = { id: 'maria', name: 'Maria' }
export const bob = { id: 'bob', name: 'Bob' }

/** A store on either engine, open for one test. */
export interface OpenEngine {
  readonly store: Store
  /** Opens another connection to the same store, as another process would. */
  openAnother(): Promise<Store>
  /** Runs SQL directly, bypassing the store. */
  change(sql: string): Promise<void>
  rows(sql: string): readonly object[] | Promise<readonly object[]>
  remove(): Promise<void>
}

export type LeadStore = ReturnType<typeof openLeadStore>

export function openLeadStore(now: () => number = Date.now) {
  const folder = mkdtempSync(join(tmpdir(), 'leads-'))
  const file = join(folder, 'leads.sqlite')
  writeNewStore(file)
  const { store, openAnother, close } = trackConnections(openSqliteStore(file, { now }), async () =>
    openSqliteStore(file, { access: 'write', now }),
  )
  return {
    store,
    openAnother,
    file,
    rows: (text: string, ...parameters: (string | number)[]) => rowsOf(file, text, ...parameters),
    async change(sql: string) {
      const database = new DatabaseSync(file, { timeout: 5000 })
      database.exec(sql)
      database.close()
    },
    async remove() {
      await close()
      rmSync(folder, { recursive: true })
    },
  }
}

/** Remembers every connection that's opened, so `close` can close them all. */
export function trackConnections(store: Store, open: () => Promise<Store>) {
  const opened = [store]
  return {
    store,
    async openAnother() {
      const another = await open()
      opened.push(another)
      return another
    },
    close: async () => void (await Promise.all(opened.map(each => each.close()))),
  }
}

/** Use each name once: a second lead from the same person would be a repeat, which isn't delivered. */
export async function captureLead(
  store: Pick<Store, 'capture' | 'saveConsentText'>,
  { name, certificateId }: { readonly name: string; readonly certificateId?: string },
): Promise<string> {
  const consentVersion = await store.saveConsentText('I agree')
  const { id } = await store.capture({
    ...submissionOf(name, consentVersion),
    certificate: certificateId ? { kind: 'present', url: certificateUrl(certificateId) } : { kind: 'none' },
  })
  return id
}

export function submissionOf(name: string, consentVersion: string): Submission {
  return {
    contact: contactOf(name),
    page: '/',
    campaign: {},
    variant: '',
    clientAddress: '192.0.2.1',
    userAgent: 'test',
    certificate: { kind: 'none' },
    trustedForm: 'off',
    consentVersion,
    questionnaireVersion: null,
    language: 'en',
    holdReason: null,
    deliver: true,
    announceRepeat: false,
    callFromDesk: true,
  }
}

export function contactOf(name: string) {
  return {
    firstName: name,
    lastName: 'Lovelace',
    dateOfBirth: `${yearOfBirth}-12-10`,
    email: `${name}@example.org`,
    phone: '(555) 210-0199',
  }
}

/** A problem that a process sees right now. */
export function seenAlert(differences: Partial<SeenAlert> = {}): SeenAlert {
  const what = { code: 'held_leads_waiting', source: '', text: 'Leads wait.', size: 0, timesSent: 0 }
  return { ...what, startedAgoMs: 0, seenAgoMs: 0, lastsMs: 180_000, ...differences }
}

/** What came of a call, about one lead. */
export const saying = (leadId: string, outcome: CallOutcomeName, callbackAt: number | null = null) => ({
  leadId,
  outcomes: [{ outcome, callbackAt, leads: [leadId] }],
  note: null,
})
