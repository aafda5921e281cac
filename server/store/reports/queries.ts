/** What the operator asks of the store: one lead, leads in order, counts. Shared by the engines. */

import type { LeadDossier, LeadFilter, LeadRecord } from '../lead-records.ts'
import { leadRecordColumns, number, readAttempt, readHistoryLine, readLead, text, textOrNull } from '../rows.ts'
import type { Dialect, Sql, SqlPort, Value } from '../sql.ts'
import type { PageRequest, Store } from '../store.ts'
import { filterSql } from './lead-filter.ts'
import { leadPages } from './lead-pages.ts'

const PERSON_BATCH = 500

type Queries = Pick<Store, 'find' | 'page' | 'count' | 'latestCertificates' | 'idsBeginningWith' | 'leadsOfPerson'>

export function createQueries({ read: sql, dialect }: Pick<SqlPort, 'read' | 'dialect'>): Queries {
  return {
    find: id => find(sql, id),
    page: request => page(sql, dialect, request),
    count: filter => count(sql, dialect, filter),
    latestCertificates: async limit => {
      const rows = await sql(
        `SELECT CASE WHEN COALESCE(certificate_id, certificate_other) IS NULL THEN 0 ELSE 1 END AS present FROM leads WHERE state <> 'erased'
         ORDER BY id DESC LIMIT $1`,
        [limit],
      )
      return rows.map(row => number(row, 'present') === 1)
    },
    idsBeginningWith: async ({ beginning, limit }) => {
      // Few letters stand for a stretch of time, whose leads an index finds at once. No letter of an id comes after f.
      const rows = await sql('SELECT id FROM leads WHERE id >= $1 AND id < $2 ORDER BY id LIMIT $3', [
        beginning,
        `${beginning}g`,
        limit,
      ])
      return rows.map(row => text(row, 'id'))
    },
    leadsOfPerson: async person => {
      const filter = 'id' in person ? { personOf: person.id } : person
      const pages = { page: (request: PageRequest) => page(sql, dialect, request) }
      const leads: LeadRecord[] = []
      for await (const batch of leadPages(pages, { filter, order: 'oldest first', limit: PERSON_BATCH })) {
        leads.push(...batch.filter(({ state }) => state !== 'erased'))
      }
      return leads
    },
  }
}

async function page(
  sql: Sql,
  dialect: Dialect,
  { filter, order, limit, after }: PageRequest,
): Promise<readonly LeadRecord[]> {
  const { from, id, conditions, parameters } = filterSql(filter, dialect)
  const [beyond, direction] = order === 'newest first' ? ['<', 'DESC'] : ['>', 'ASC']
  const values: Value[] = [...parameters, limit]
  const most = `$${values.length}`
  const where = after === null ? conditions : [...conditions, `${id} ${beyond} $${values.push(after)}`]
  const rows = await sql(
    `SELECT ${leadRecordColumns} FROM ${from} ${whereOf(where)} ORDER BY ${id} ${direction} LIMIT ${most}`,
    values,
  )
  return rows.map(readLead)
}

async function count(sql: Sql, dialect: Dialect, filter: LeadFilter): Promise<number> {
  const { countedFrom, conditions, parameters } = filterSql(filter, dialect)
  const [counted] = await sql(`SELECT COUNT(*) AS total FROM ${countedFrom} ${whereOf(conditions)}`, parameters)
  return number(counted, 'total')
}

function whereOf(conditions: readonly string[]): string {
  return conditions.length === 0 ? '' : `WHERE ${conditions.join(' AND ')}`
}

async function find(sql: Sql, id: string): Promise<LeadDossier | null> {
  const [lead] = await sql(
    `SELECT ${leadRecordColumns}, leads.person_key, consents.presented, questionnaires.presented AS asked FROM leads
     LEFT JOIN deliveries ON deliveries.lead_id = leads.id
     JOIN consents ON consents.version = leads.consent_version
     LEFT JOIN questionnaires ON questionnaires.version = leads.questionnaire_version WHERE leads.id = $1`,
    [id],
  )
  if (!lead) return null
  const history = await sql('SELECT at, event, detail FROM history WHERE lead_id = $1 ORDER BY at', [id])
  const attempts = await sql('SELECT at, duration_ms, outcome, status FROM attempts WHERE lead_id = $1 ORDER BY at', [
    id,
  ])
  const others = await sql('SELECT id FROM leads WHERE person_key = $1 AND id <> $2 ORDER BY received_at', [
    lead['person_key'] ?? null,
    id,
  ])
  return {
    ...readLead(lead),
    consentPresented: text(lead, 'presented'),
    questionnairePresented: textOrNull(lead, 'asked'),
    history: history.map(readHistoryLine),
    deliveryAttempts: attempts.map(readAttempt),
    otherLeadsOfThePerson: others.map(row => text(row, 'id')),
  }
}
