/**
 * Corrections of leads' names, email addresses, and phone numbers. The lead has the corrected values; what was submitted stays here as
 * evidence. Both are the person's: the lead is found by either, and erasing it erases both.
 */
import type { Contact } from '../../../domain/lead.ts'
import type { Dialect, Sql, SqlPort } from '../sql.ts'
import { phoneMark, phoneMarkOfKey } from './repeats.ts'

export const correctableFields = ['firstName', 'lastName', 'email', 'phone'] as const
export type CorrectableField = (typeof correctableFields)[number]
export type CorrectableContact = Pick<Contact, CorrectableField>

export interface Correction {
  readonly leadId: string
  readonly at: number
  readonly by: string
  /** Null once erased, like the values. */
  readonly reason: string | null
  /** Only what changed. */
  readonly before: Partial<CorrectableContact> | null
  readonly after: Partial<CorrectableContact> | null
  /** For another number: the sentence that the person said yes to, as JSON: see domain/as-presented.ts. */
  readonly consentVersion: string | null
  readonly consentPresented: string | null
}

type CorrectionRow = Omit<Correction, 'before' | 'after'> & Readonly<Record<'before' | 'after', string | null>>

/** Oldest first. */
export async function correctionsOf(
  sql: Sql,
  { valuesOf }: Dialect,
  leadIds: readonly string[],
): Promise<readonly Correction[]> {
  const rows = await sql<CorrectionRow>(
    `SELECT lead_id AS "leadId", at, person_name AS "by", reason, old_values AS "before", new_values AS "after",
       consent_version AS "consentVersion", consents.presented AS "consentPresented"
     FROM corrections LEFT JOIN consents ON consents.version = corrections.consent_version
     WHERE lead_id IN ${valuesOf('$1')} ORDER BY at, corrections.id`,
    [JSON.stringify(leadIds)],
  )
  return rows.map(({ before, after, ...row }) => ({
    ...row,
    before: before === null ? null : JSON.parse(before),
    after: after === null ? null : JSON.parse(after),
  }))
}

/** What the person submitted, of the values that were corrected since. */
export const submittedOf = (corrections: readonly Pick<Correction, 'before'>[]): Partial<CorrectableContact> =>
  Object.assign({}, ...corrections.toReversed().map(({ before }) => before))

export function createCorrections({ read, dialect }: SqlPort) {
  return {
    /** Corrections of these leads, oldest first. */
    corrections: (leadIds: readonly string[]) => correctionsOf(read, dialect, leadIds),
  }
}

/** SQL: the IDs of leads that had this email address before. `prefix` and `end`: the range of their keys. */
export const hadEmail = ({ prefix, end, email }: Readonly<Record<'prefix' | 'end' | 'email', string>>): string =>
  `SELECT lead_id FROM corrections WHERE person_key >= ${prefix} AND person_key < ${end} AND email = ${email}`

/** SQL: the IDs of leads that had this number before. */
export const hadPhone = ({ mark, phone }: Readonly<Record<'mark' | 'phone', string>>): string =>
  `SELECT lead_id FROM corrections WHERE ${phoneMarkOfKey} = ${mark} AND phone = ${phone}`

/** SQL, a condition on `leads`: it's from the same person as the lead with this ID, by what either has or had before. */
export const isSamePerson = (id: string): string => {
  const key = `(SELECT person_key FROM leads WHERE id = ${id})`
  return `(leads.person_key = ${key} OR leads.person_key IN (SELECT person_key FROM corrections WHERE lead_id = ${id})
    OR leads.id IN (SELECT lead_id FROM corrections WHERE person_key = ${key}))`
}

/** The numbers that these leads had before, to lock them. */
export async function formerPhones(
  sql: Sql,
  { valuesOf }: Dialect,
  leadIds: readonly string[],
): Promise<readonly string[]> {
  const rows = await sql<{ phone: string }>(
    `SELECT DISTINCT phone FROM corrections WHERE lead_id IN ${valuesOf('$1')} AND phone IS NOT NULL`,
    [JSON.stringify(leadIds)],
  )
  return rows.map(({ phone }) => phone)
}

/** The email addresses that a lead had before. */
export async function formerEmails(sql: Sql, leadId: string): Promise<readonly string[]> {
  const rows = await sql<{ email: string }>(
    'SELECT DISTINCT email FROM corrections WHERE lead_id = $1 AND email IS NOT NULL',
    [leadId],
  )
  return rows.map(({ email }) => email)
}

/** Whether a lead that isn't erased had this number before. */
export async function isFormerPhone(sql: Sql, phone: string): Promise<boolean> {
  return (await sql(`${hadPhone({ mark: '$1', phone: '$2' })} LIMIT 1`, [phoneMark(phone), phone])).length > 0
}

export interface KeyedHashes {
  readonly email: (email: string) => string
  readonly phone: (phone: string) => string
}

/** Leaves who corrected what, and hashes by which the erased person can be found. */
export async function eraseCorrections(sql: Sql, leadId: string, hash: KeyedHashes): Promise<void> {
  const rows = await sql<{ id: string; email: string | null; phone: string | null }>(
    'SELECT id, email, phone FROM corrections WHERE lead_id = $1',
    [leadId],
  )
  for (const { id, email, phone } of rows) {
    await sql(
      `UPDATE corrections SET reason = NULL, old_values = NULL, new_values = NULL, person_key = NULL, email = NULL, phone = NULL,
         email_mac = $2, phone_mac = $3 WHERE id = $1`,
      [id, email === null ? null : hash.email(email), phone === null ? null : hash.phone(phone)],
    )
  }
}
