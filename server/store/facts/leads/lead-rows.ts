/** Reads rows of `leads`. */
import { certificateUrl } from '../../../../domain/leads/certificate.ts'
import type { Contact } from '../../../../domain/leads/lead.ts'
import type { Parameter, Sql } from '../../sql.ts'
import type { KnownLead, StoredCertificate, StoredLead } from './lead-records.ts'
import { isNotErased } from './states.ts'

export const leadColumns = `leads.id, leads.received_at, leads.state, leads.held_reason, leads.rejected_reason, leads.repeat_of,
  leads.replaced_by, leads.contact, leads.client_address, leads.user_agent, leads.page, leads.campaign, leads.variant, leads.certificate_id,
  leads.certificate_other, leads.trusted_form, leads.consent_version, leads.consent_taken_by, leads.questionnaire_version,
  leads.language, leads.client_on`

/** Of a `StoredLead`. */
export const storedColumns = `${leadColumns}, leads.phone, leads.email, leads.person_key`

export const presentedColumns =
  'consents.presented AS consent_presented, questionnaires.presented AS questionnaire_presented'

export const presentedJoins = `JOIN consents ON consents.version = leads.consent_version
  LEFT JOIN questionnaires ON questionnaires.version = leads.questionnaire_version`

interface Unread {
  readonly contact: string | null
  readonly campaign: string
  readonly certificateId: string | null
  readonly certificateOther: string | null
}

export type RowOf<Lead> = Omit<Lead, 'contact' | 'campaign' | 'certificate'> & Unread

export function readLead<Row extends Unread>({ contact, campaign, certificateId, certificateOther, ...row }: Row) {
  return {
    ...row,
    contact: contact === null ? null : (JSON.parse(contact) as Contact),
    campaign: JSON.parse(campaign) as StoredLead['campaign'],
    certificate: certificateOf(certificateId, certificateOther),
  }
}

function certificateOf(id: string | null, other: string | null): StoredCertificate | null {
  if (id !== null) return { url: certificateUrl(id), formKnown: true }
  return other === null ? null : { url: other, formKnown: false }
}

/** `state`: a condition, for leads that aren't erased. Sorted by ID: two writers that lock the same leads in different orders would deadlock. */
export async function storedLeads(
  sql: Sql,
  ids: readonly string[],
  { state = isNotErased, lock = '' }: { readonly state?: string; readonly lock?: string } = {},
): Promise<readonly KnownLead[]> {
  return (await select(sql, ids, state, lock)) as readonly KnownLead[]
}

/** Perhaps erased. */
export async function storedLead(sql: Sql, id: string, lock = ''): Promise<StoredLead | null> {
  return (await select(sql, [id], 'true', lock))[0] ?? null
}

function select(sql: Sql, ids: readonly string[], condition: string, lock: string) {
  return ids.length === 0
    ? []
    : readStored(sql, `SELECT ${storedColumns} FROM leads WHERE id = ANY($1) AND ${condition} ORDER BY id ${lock}`, [
        ids,
      ])
}

/** `query`: selects the `storedColumns`. */
export async function readStored(sql: Sql, query: string, parameters: readonly Parameter[]) {
  return (await sql<RowOf<StoredLead>>(query, parameters)).map((row): StoredLead => readLead(row))
}
