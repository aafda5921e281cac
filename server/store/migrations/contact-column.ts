/** The person in one JSON column, the campaign's key in a column, and no more functions for captures. */
import { leadIndexes, leadsTable } from '../schema.ts'
import type { SchemaWords } from '../schema-words.ts'
import { campaignKey } from './campaign-key.ts'

const digits = `replace(replace(replace(replace(phone, '(', ''), ')', ''), '-', ''), ' ', '')`

export function contactColumn(words: SchemaWords): string {
  return words.engine === 'sqlite' ? copyLeads(words) : changeLeads(words)
}

/** By copying, not by updates in place: split pages would keep copies of a person's data that no erasure finds. */
function copyLeads(words: SchemaWords): string {
  return `
  DROP TRIGGER lead_changed_late;
  DROP TRIGGER lead_delivered_late;
  ${leadsTable(words, 'new_leads')}
  INSERT INTO new_leads
  SELECT id, received_at, state, held_reason, rejected_reason, repeat_of,
    CASE WHEN first_name IS NOT NULL THEN json_object('firstName', first_name, 'lastName', last_name, 'dateOfBirth', date_of_birth,
      'email', email, 'phone', phone) END,
    lower(email), ${digits}, person_key, client_address, user_agent, page, campaign,
    ${campaignKey('sqlite')}, variant, certificate_id,
    certificate_other, trusted_form, consent_version, questionnaire_version,
    CASE WHEN first_name IS NOT NULL THEN search_text_of(first_name, last_name, email, phone) END
  FROM leads ORDER BY rowid;
  DROP TABLE leads;
  ALTER TABLE new_leads RENAME TO leads;
  ${leadIndexes}`
}

function changeLeads({ TEXT }: SchemaWords): string {
  return `
  ALTER TABLE leads ADD COLUMN contact ${TEXT}, ADD COLUMN campaign_key ${TEXT} NOT NULL DEFAULT '';
  ALTER TABLE leads ALTER COLUMN campaign_key DROP DEFAULT;
  UPDATE leads SET campaign_key = ${campaignKey('postgres')}, email = lower(email), phone = ${digits},
    contact = json_build_object('firstName', first_name, 'lastName', last_name, 'dateOfBirth', date_of_birth,
      'email', email, 'phone', phone)::text
  WHERE first_name IS NOT NULL;
  ALTER TABLE leads DROP COLUMN first_name, DROP COLUMN last_name, DROP COLUMN date_of_birth;
  DROP INDEX leads_sources, leads_campaigns;
  CREATE INDEX leads_by_page ON leads (page, id);
  CREATE INDEX leads_by_campaign ON leads (campaign_key, id);
  ALTER TABLE leads VALIDATE CONSTRAINT leads_state_check;
  ALTER TABLE erased_people ALTER COLUMN erased_at DROP DEFAULT;
  DROP FUNCTION lock_and_find_earlier;
  DROP FUNCTION store_leads;`
}
