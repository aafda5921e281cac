/** Reading leads: one lead with all that is known about it, pages in order, counts. */

import { filterSql } from './filter.ts'
import type { LeadDossier, LeadFilter, LeadRecord, Person } from './lead-records.ts'
import { leadRecordColumns, number, readAttempt, readHistoryLine, readLead, text, textOrNull } from './rows.ts'
import { fewMatches } from './search.ts'
import type { Sql, SqlPort, Value } from './sql.ts'

export interface LeadQueries {
  find(id: string): Promise<LeadDossier | null>
  /** In the order of their ids, which is the order of their arrival. */
  page(request: PageRequest): Promise<readonly LeadRecord[]>
  count(filter: LeadFilter): Promise<number>
  /** Stops counting at `most`. */
  countUpTo(request: { readonly filter: LeadFilter; readonly most: number }): Promise<number>
  /** Those of these leads that exist, in no particular order. */
  leadsWithIds(ids: readonly string[]): Promise<readonly LeadRecord[]>
  /** Whether the latest leads came with a certificate, newest first. */
  latestCertificates(limit: number): Promise<readonly boolean[]>
  idsBeginningWith(request: { readonly beginning: string; readonly limit: number }): Promise<readonly string[]>
  /** All leads of a person that are not erased, oldest first. By id: that lead, its repeats, and the lead it repeats. */
  leadsOfPerson(person: Person): Promise<readonly LeadRecord[]>
  /** The database clock, in milliseconds since the epoch. */
  storeTime(): Promise<number>
}

export interface PageRequest {
  readonly filter: LeadFilter
  readonly order: 'newest first' | 'oldest first'
  readonly limit: number
  /** The last id of the previous page; null for the first page. */
  readonly after: string | null
}

const BATCH = 500

export function createLeadQueries(port: Pick<SqlPort, 'read' | 'dialect' | 'now'>): LeadQueries {
  const { read, dialect, now } = port
  const asSql = async (filter: LeadFilter) => filterSql(filter, dialect, await fewMatches(port, filter.search))

  async function page({ filter, order, limit, after }: PageRequest): Promise<readonly LeadRecord[]> {
    const { from, id, conditions, parameters } = await asSql(filter)
    const [beyond, direction] = order === 'newest first' ? ['<', 'DESC'] : ['>', 'ASC']
    const values: Value[] = [...parameters, limit]
    const most = `$${values.length}`
    const where = after === null ? conditions : [...conditions, `${id} ${beyond} $${values.push(after)}`]
    const rows = await read(
      `SELECT ${leadRecordColumns} FROM ${from} ${whereOf(where)} ORDER BY ${id} ${direction} LIMIT ${most}`,
      values,
    )
    return rows.map(readLead)
  }

  return {
    find: id => find(read, id),
    page,
    async count(filter) {
      const { countedFrom, conditions, parameters } = await asSql(filter)
      const [row] = await read(`SELECT COUNT(*) AS total FROM ${countedFrom} ${whereOf(conditions)}`, parameters)
      return number(row, 'total')
    },
    async countUpTo({ filter, most }) {
      const { countedFrom, id, conditions, parameters } = await asSql(filter)
      // Ordered like a page, so that the planner takes the same index.
      const [row] = await read(
        `SELECT COUNT(*) AS total FROM (
           SELECT 1 FROM ${countedFrom} ${whereOf(conditions)} ORDER BY ${id} DESC LIMIT $${parameters.length + 1}
         ) AS found`,
        [...parameters, most],
      )
      return number(row, 'total')
    },
    async leadsWithIds(ids) {
      const rows = await read(
        `SELECT ${leadRecordColumns} FROM leads LEFT JOIN deliveries ON deliveries.lead_id = leads.id
         WHERE leads.id IN (SELECT id FROM ${dialect.rowsOf('$1', { text: ['id'], bigint: [] })} AS wanted)`,
        [JSON.stringify(ids.map(id => ({ id })))],
      )
      return rows.map(readLead)
    },
    async latestCertificates(limit) {
      const rows = await read(
        `SELECT CASE WHEN COALESCE(certificate_id, certificate_other) IS NULL THEN 0 ELSE 1 END AS present FROM leads
         WHERE state <> 'erased' ORDER BY id DESC LIMIT $1`,
        [limit],
      )
      return rows.map(row => number(row, 'present') === 1)
    },
    async idsBeginningWith({ beginning, limit }) {
      // A range that the primary key serves. No letter of an id sorts after f.
      const rows = await read('SELECT id FROM leads WHERE id >= $1 AND id < $2 ORDER BY id LIMIT $3', [
        beginning,
        `${beginning}g`,
        limit,
      ])
      return rows.map(row => text(row, 'id'))
    },
    async leadsOfPerson(person) {
      const filter = 'id' in person ? { personOf: person.id } : person
      const leads: LeadRecord[] = []
      for await (const batch of leadPages({ page }, { filter, order: 'oldest first', limit: BATCH })) {
        leads.push(...batch.filter(({ state }) => state !== 'erased'))
      }
      return leads
    },
    storeTime: now,
  }
}

/** All leads of a filter, a page at a time. Each page is its own read, so a slow reader holds no transaction open. */
export async function* leadPages(
  store: Pick<LeadQueries, 'page'>,
  request: Omit<PageRequest, 'after'>,
): AsyncIterable<readonly LeadRecord[]> {
  for (let after: string | null = null; ; ) {
    const leads: readonly LeadRecord[] = await store.page({ ...request, after })
    if (leads.length > 0) yield leads
    if (leads.length < request.limit) return
    after = leads.at(-1)?.id ?? null
  }
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
