/** Takes a lead into the database: the lead, its history line and its outbox row are on disk together, or not at all. */

import type { Certificate } from '../../domain/certificate.ts'
import type { Contact } from '../../domain/lead.ts'
import { phoneDigits } from '../../domain/phone.ts'
import type { Database, Sql } from './database.ts'
import { addHistory } from './history.ts'
import { createLeadId, type RandomBytes } from './lead-id.ts'

/** The facts of one submission, parsed and checked. */
export interface Submission {
  readonly contact: Contact
  readonly page: string
  readonly campaign: Readonly<Record<string, string>>
  readonly clientAddress: string
  readonly userAgent: string
  readonly certificate: Certificate
  readonly consentVersion: string
  /** Why an operator should look at it before it is delivered, or null. */
  readonly holdReason: string | null
}

export interface CapturedLead {
  readonly id: string
  readonly state: 'accepted' | 'repeat' | 'held'
}

export type Capture = (submission: Submission) => Promise<CapturedLead>

export interface CaptureOptions {
  readonly now?: () => number
  readonly random?: RandomBytes
  /** Told when a lead is on disk and in the outbox, so that its delivery need not wait for the worker's next look. */
  readonly onAccepted?: () => void
}

/** The same person again within this time is a repeat. */
export const REPEAT_WINDOW_MS = 30 * 24 * 60 * 60 * 1000

export function createCapture(database: Database, options: CaptureOptions = {}): Capture {
  const { now = Date.now, random = bytes => crypto.getRandomValues(bytes), onAccepted } = options
  return async submission => {
    const receivedAt = now()
    const id = createLeadId(receivedAt, random)
    const personKey = personKeyOf(submission.contact)
    const lead = await database.write(async sql => {
      // Of two equal submissions at the same instant, the second must see the first.
      await database.lock(sql, personKey)
      const earlier = await findEarlier(sql, personKey, receivedAt)
      // Nobody has called a person whose lead is held: the same person without the fault must not wait behind it.
      const replaces = earlier?.state === 'held' && submission.holdReason === null ? earlier.id : null
      const repeatOf = replaces ? null : (earlier?.id ?? null)
      const state = repeatOf ? 'repeat' : submission.holdReason ? 'held' : 'accepted'
      await storeLead(sql, { id, receivedAt, personKey, repeatOf, state }, submission)
      if (replaces) await replaceHeld(sql, replaces, id, receivedAt)
      if (state === 'accepted') await putIntoOutbox(sql, id, receivedAt)
      return { id, state } as const
    })
    if (lead.state === 'accepted') onAccepted?.()
    return lead
  }
}

export function personKeyOf({ email, phone }: Contact): string {
  return `${email.trim().toLowerCase()}|${phoneDigits(phone)}`
}

interface EarlierLead {
  readonly id: string
  readonly state: string
}

/** The oldest of the window: repeats come after it, so that one step in the index finds it however many there are. */
async function findEarlier(sql: Sql, personKey: string, receivedAt: number): Promise<EarlierLead | null> {
  const [earlier] = await sql(
    `SELECT id, state FROM leads WHERE person_key = $1 AND received_at > $2 AND state IN ('accepted', 'held')
     ORDER BY received_at LIMIT 1`,
    [personKey, receivedAt - REPEAT_WINDOW_MS],
  )
  return earlier ? { id: String(earlier['id']), state: String(earlier['state']) } : null
}

async function replaceHeld(sql: Sql, held: string, by: string, at: number): Promise<void> {
  await sql(`UPDATE leads SET state = 'repeat', repeat_of = $1, held_reason = NULL WHERE id = $2`, [by, held])
  await addHistory(sql, held, at, 'replaced', { by })
}

interface Standing {
  readonly id: string
  readonly receivedAt: number
  readonly personKey: string
  readonly repeatOf: string | null
  readonly state: CapturedLead['state']
}

async function storeLead(sql: Sql, standing: Standing, submission: Submission): Promise<void> {
  const { id, receivedAt, personKey, repeatOf, state } = standing
  const { contact, certificate } = submission
  const heldReason = state === 'held' ? submission.holdReason : null
  await sql(
    `INSERT INTO leads (id, received_at, state, held_reason, repeat_of, first_name, last_name, date_of_birth, email,
       phone, person_key, client_address, user_agent, page, campaign, certificate_id, consent_version)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17)`,
    [
      id,
      receivedAt,
      state,
      heldReason,
      repeatOf,
      contact.firstName,
      contact.lastName,
      contact.dateOfBirth,
      contact.email,
      contact.phone,
      personKey,
      submission.clientAddress,
      submission.userAgent,
      submission.page,
      JSON.stringify(submission.campaign),
      certificate.kind === 'present' ? certificate.id : null,
      submission.consentVersion,
    ],
  )
  const detail = {
    state,
    certificate: certificate.kind,
    ...(heldReason && { heldReason }),
    ...(repeatOf && { repeatOf }),
  }
  await addHistory(sql, id, receivedAt, 'received', detail)
}

export async function putIntoOutbox(sql: Sql, leadId: string, now: number): Promise<void> {
  await sql(
    `INSERT INTO deliveries (lead_id, webhook_id, state, attempts, next_at, created_at)
     VALUES ($1, $2, 'pending', 0, $3, $3)`,
    [leadId, `lead_${leadId}`, now],
  )
}
