/**
 * Corrections of what leads say about their people. The lead has the corrected values; what was submitted stays here as
 * evidence. Both are the person's: the lead is found by either, and erasing it erases both.
 */
import type { Contact } from '../../../../domain/leads/lead.ts'
import type { Sql } from '../../sql.ts'
import { hasEmail } from './person-keys.ts'

export const correctableFields = ['firstName', 'lastName', 'dateOfBirth', 'email', 'phone'] as const
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
}

type CorrectionRow = Omit<Correction, 'before' | 'after'> & Readonly<Record<'before' | 'after', string | null>>

/** Oldest first. */
export async function correctionsOf(sql: Sql, leadIds: readonly string[]): Promise<readonly Correction[]> {
  const rows = await sql<CorrectionRow>(
    `SELECT lead_id, at, person_name AS "by", reason, old_values AS "before", new_values AS "after"
     FROM corrections WHERE lead_id = ANY($1) ORDER BY at, corrections.id`,
    [leadIds],
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

/** SQL: the IDs of leads that had this email address before. */
export const hadEmail = (names?: readonly string[]): string =>
  `SELECT lead_id FROM corrections WHERE ${hasEmail(names)}`

/** SQL, a condition on `leads`: it's from the same person as the lead with this ID, by what either has or had before. */
export const isSamePerson = (id: string): string => {
  const key = `(SELECT person_key FROM leads WHERE id = ${id})`
  return `(leads.person_key = ${key} OR leads.person_key IN (SELECT person_key FROM corrections WHERE lead_id = ${id})
    OR leads.id IN (SELECT lead_id FROM corrections WHERE person_key = ${key}))`
}
