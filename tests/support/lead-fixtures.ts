/** Inserts leads straight into a store, for tests and benchmarks of code that reads them. */

import { randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { campaignKey } from '../../domain/campaigns/campaign.ts'
import { phoneDigits } from '../../domain/contact/phone.ts'
import { consentAsPresented } from '../../domain/leads/as-presented.ts'
import type { TrustedFormMode } from '../../domain/leads/lead.ts'
import type { DeliveryState, LeadState } from '../../domain/leads/lead-states.ts'
import { versionOf } from '../../server/store/facts/leads/hashes.ts'
import { firstIdAt } from '../../server/store/facts/leads/lead-id.ts'
import { personKeyOf, phoneMark } from '../../server/store/facts/leads/person-keys.ts'
import { searchText } from '../../server/store/facts/leads/search-text.ts'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { words } from '../../site-folder/site.ts'

const { consent } = words.en

export const someLead = {
  receivedAt: Date.UTC(2030, 0, 15, 12),
  firstName: 'Ada',
  lastName: 'Lovelace',
  dateOfBirth: '1968-12-10',
  email: 'ada@example.org',
  phone: '(555) 010-2030',
  state: 'accepted' as LeadState,
  heldReason: null as string | null,
  page: '/',
  campaign: { utm_source: 'news' } as Readonly<Record<string, string>>,
  certificateId: null as string | null,
  /** A TrustedForm URL in an unknown format. */
  certificateOther: null as string | null,
  trustedForm: null as TrustedFormMode | null,
  /** The questions as presented, if known. */
  questionnaire: null as string | null,
  userAgent: 'Mozilla/5.0 (X11; Linux x86_64) Firefox/150.0',
  clientAddress: '203.0.113.7',
  /** Null if the lead isn't in the outbox. */
  delivery: 'pending' as DeliveryState | null,
  nextAt: Date.UTC(2030, 0, 15, 12),
}

export type StoredLead = Readonly<typeof someLead>

/** A new store in a temporary folder, with the server's schema. */
export async function createStore(): Promise<{ dataDir: string; file: string; remove: () => void }> {
  const dataDir = mkdtempSync(join(tmpdir(), 'leads-'))
  const file = storeFile(dataDir)
  writeNewStore(file)
  return { dataDir, file, remove: () => rmSync(dataDir, { recursive: true }) }
}

/** Creating the tables for each test would take three times as long. */
export const writeNewStore = (file: string) => writeFileSync(file, newStore, { mode: 0o600 })
const newStore = await bytesOfNewStore()

async function bytesOfNewStore(): Promise<Buffer> {
  const folder = mkdtempSync(join(tmpdir(), 'new-'))
  await openSqliteStore(storeFile(folder)).close()
  const bytes = readFileSync(storeFile(folder))
  rmSync(folder, { recursive: true })
  return bytes
}

/** Inserts leads and returns their IDs. */
export function insertLeads(file: string, leads: readonly Partial<StoredLead>[]): readonly string[] {
  const database = new DatabaseSync(file)
  try {
    database.exec('PRAGMA secure_delete = ON; BEGIN')
    const insert = leadInserter(database)
    const ids = leads.map(lead => insert({ ...someLead, ...lead }))
    database.exec('COMMIT')
    return ids
  } finally {
    database.close()
  }
}

/** Queries a store's tables. */
export function rowsOf(
  file: string,
  text: string,
  ...parameters: (string | number)[]
): readonly Record<string, unknown>[] {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    return database
      .prepare(text)
      .all(...parameters)
      .map(row => ({ ...row }))
  } finally {
    database.close()
  }
}

/** All leads, oldest first, each with its contact fields alongside its columns. */
export function storedLeads(file: string): readonly Record<string, unknown>[] {
  return rowsOf(file, 'SELECT * FROM leads ORDER BY rowid').map(row => ({
    ...row,
    ...(typeof row['contact'] === 'string' ? JSON.parse(row['contact']) : {}),
  }))
}

let inserted = 0
/** IDs that sort in insertion order, even within a millisecond, because tests refer to leads by position. */
function idInOrder(receivedAt: number): string {
  const order = (inserted++).toString(16).padStart(8, '0')
  return `${firstIdAt(receivedAt).slice(0, 24)}${order}${randomUUID().slice(0, 4)}`
}

export function leadInserter(database: DatabaseSync): (lead: StoredLead) => string {
  const presented = consentAsPresented(consent)
  const consentVersion = versionOf(presented)
  database.prepare('INSERT OR IGNORE INTO consents VALUES (?, ?, ?)').run(consentVersion, presented, 0)
  const lead = database.prepare(
    `INSERT INTO leads (id, received_at, state, held_reason, repeat_of, contact, email, phone, person_key,
       client_address, user_agent, page, campaign, campaign_key, certificate_id, consent_version, search_text)
     VALUES (${Array(17).fill('?').join(', ')})`,
  )
  const index = database.prepare('INSERT INTO lead_search (rowid, search_text) VALUES (last_insert_rowid(), ?)')
  const history = database.prepare(`INSERT INTO history VALUES (?, ?, 'received', ?)`)
  const delivery = database.prepare(
    `INSERT INTO outbox (id, lead_id, lane, type, detail, state, attempts, next_at, created_at, finished_at)
     VALUES (?1, ?1, 'leads', 'lead.created', '{}', ?2, ?3, ?4, ?5, ?6)`,
  )
  const attempt = database.prepare('INSERT INTO attempts VALUES (?, ?, 120, ?, ?)')
  const addToStory = storyInserter(database)
  return one => {
    const { receivedAt, state, firstName, lastName, dateOfBirth, email, phone } = one
    const id = idInOrder(receivedAt)
    const personKey = personKeyOf(one)
    const contact = JSON.stringify({ firstName, lastName, dateOfBirth, email, phone })
    const text = searchText(one)
    lead.run(
      ...[id, receivedAt, state, one.heldReason, null, contact, email.toLowerCase(), phoneDigits(phone)],
      ...[personKey, one.clientAddress, one.userAgent, one.page, JSON.stringify(one.campaign)],
      ...[campaignKey(one.campaign), one.certificateId, consentVersion, text],
    )
    index.run(text)
    history.run(
      id,
      receivedAt,
      JSON.stringify({ state, certificate: (one.certificateId ?? one.certificateOther) ? 'present' : 'none' }),
    )
    const { certificateOther, trustedForm, questionnaire } = one
    if (certificateOther ?? trustedForm ?? questionnaire) {
      const version = questionnaire && versionOf(questionnaire)
      if (version) database.prepare('INSERT OR IGNORE INTO questionnaires VALUES (?, ?, 0)').run(version, questionnaire)
      database
        .prepare('UPDATE leads SET certificate_other = ?, trusted_form = ?, questionnaire_version = ? WHERE id = ?')
        .run(certificateOther, trustedForm, version, id)
    }
    if (state === 'accepted') addToStory(id, phoneDigits(phone), receivedAt)
    if (one.delivery) {
      const attempts = one.delivery === 'dead' ? 10 : one.delivery === 'delivered' ? 1 : 0
      const finishedAt = one.delivery === 'pending' ? null : receivedAt + 300
      delivery.run(id, one.delivery, attempts, one.nextAt, receivedAt, finishedAt)
      if (one.delivery === 'delivered') attempt.run(id, receivedAt + 180, 'delivered', 200)
      if (one.delivery === 'dead') attempt.run(id, receivedAt + 180, 'the webhook answered 500', 500)
    }
    return id
  }
}

/** Accepted leads are in the story of their number, which has the ID of its first lead. They're a CRM's, so not on the call list. */
function storyInserter(database: DatabaseSync): (leadId: string, phone: string, at: number) => void {
  const find = database.prepare('SELECT id, counter FROM stories WHERE mark = ? AND phone = ?')
  const insert = database.prepare('INSERT INTO stories (id, mark, phone, counter) VALUES (?, ?, ?, 0)')
  const count = database.prepare('UPDATE stories SET counter = ? WHERE id = ?')
  const event = database.prepare(
    `INSERT INTO story_events (story_id, n, kind, at, lead_id, detail) VALUES (?, ?, 'submitted', ?, ?, ?)`,
  )
  const detail = JSON.stringify({ desk: false, language: 'en' })
  return (leadId, phone, at) => {
    const known = find.get(phoneMark(phone), phone) as { id: string; counter: number } | undefined
    if (!known) insert.run(leadId, phoneMark(phone), phone)
    const { id, counter } = known ?? { id: leadId, counter: 0 }
    count.run(counter + 1, id)
    event.run(id, counter + 1, at, leadId, detail)
  }
}
