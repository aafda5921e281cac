/** Reads leads: one lead with everything we know about it, pages of leads, and counts. */
import { type ContactField, contactFields } from '../../../domain/contact/contact-fields.ts'
import { readLeadEvent } from '../../../domain/events/lead-events.ts'
import type { DeliveryState } from '../../../domain/leads/lead-states.ts'
import { deliveryAttemptsOf, sentToCrm } from '../facts/deliveries/sent-to-crm.ts'
import { chainOf } from '../facts/leads/chains.ts'
import { correctionsOf } from '../facts/leads/corrections.ts'
import { filterSql, isMadeCall, isNotSent, isSoFar } from '../facts/leads/filter.ts'
import type {
  CallFilter,
  DeliveryRecord,
  HistoryLine,
  LeadDetails,
  LeadFacts,
  LeadFilter,
  LeadRecord,
  Person,
} from '../facts/leads/lead-records.ts'
import { leadColumns, presentedColumns, presentedJoins, type RowOf, readLead } from '../facts/leads/lead-rows.ts'
import { fewMatches } from '../facts/leads/search.ts'
import { isDead, isNotErased } from '../facts/leads/states.ts'
import type { Parameter, Sql, SqlPort, Value } from '../sql.ts'
import { leadsOfSamePeople } from './people-once.ts'

export interface PageRequest {
  readonly filter: LeadFilter
  readonly order: 'newest first' | 'oldest first'
  readonly limit: number
  /** The last ID on the previous page; null for the first page. */
  readonly after: string | null
}

const BATCH = 500

export function createLeadQueries({ read }: Pick<SqlPort, 'read'>) {
  const asSql = async (filter: LeadFilter) =>
    filterSql(filter, read.dialect, await fewMatches(read, filter.search), await leftOut(filter.call))
  async function leftOut(call: CallFilter | undefined): Promise<readonly string[]> {
    if (!call?.eachPersonOnce) return []
    const parameters: Value[] = []
    return leadsOfSamePeople(
      read,
      isMadeCall(call, value => `$${parameters.push(value)}`),
      parameters,
    )
  }
  const total = async (text: string, values: readonly Parameter[]) =>
    (await read<{ total: number }>(`SELECT COUNT(*) AS total FROM ${text}`, values))[0]?.total ?? 0

  /** Ordered by ID, which is the order of arrival. */
  async function page({ filter, order, limit, after }: PageRequest): Promise<readonly LeadRecord[]> {
    const { from, id, conditions, parameters } = await asSql(filter)
    const [beyond, direction] = order === 'newest first' ? ['<', 'DESC'] : ['>', 'ASC']
    const values: Parameter[] = [...parameters, limit]
    const limitAt = `$${values.length}`
    const where = after === null ? conditions : [...conditions, `${id} ${beyond} $${values.push(after)}`]
    const rows = await read<RecordRow>(
      `SELECT ${leadColumns}, ${deliveryColumns} FROM ${from} ${whereOf(where)} ORDER BY ${id} ${direction} LIMIT ${limitAt}`,
      values,
    )
    return rows.map(readRecord)
  }

  async function allLeads(filter: LeadFilter): Promise<readonly LeadRecord[]> {
    const leads: LeadRecord[] = []
    for await (const batch of leadPages({ page }, { filter, order: 'oldest first', limit: BATCH })) leads.push(...batch)
    return leads
  }

  /** Also by what the leads whose place it took have, and those that took its place: another number is another key. */
  async function samePersonAs(id: string): Promise<readonly LeadRecord[]> {
    const found = new Map<string, LeadRecord>()
    const asked = new Set([id])
    for (const each of asked) {
      const leads = found.has(each) ? [] : await allLeads({ samePersonAs: each })
      for (const lead of leads) found.set(lead.id, lead)
      for (const { repeatOf } of leads) if (repeatOf !== null) asked.add(repeatOf)
      for (const other of await chainOf(read, [...found.keys()])) asked.add(other)
    }
    return [...found.values()].toSorted((one, other) => (one.id < other.id ? -1 : 1))
  }

  return {
    find: (id: string) => find(read, id),
    sentToCrm: (ids: readonly string[]) => sentToCrm(read, ids),
    page,
    async count(filter: LeadFilter) {
      const { countedFrom, conditions, parameters } = await asSql(filter)
      return total(`${countedFrom} ${whereOf(conditions)}`, parameters)
    },
    /** Stops counting at `max`. */
    async countUpTo({ filter, max }: { readonly filter: LeadFilter; readonly max: number }) {
      const { countedFrom, id, conditions, parameters } = await asSql(filter)
      // Ordered like a page, so the planner picks the same index.
      const found = `SELECT 1 FROM ${countedFrom} ${whereOf(conditions)} ORDER BY ${id} DESC LIMIT $${parameters.length + 1}`
      return total(`(${found}) AS found`, [...parameters, max])
    },
    async leadsWithIds(ids: readonly string[]) {
      const rows = await read<RecordRow>(
        `SELECT ${leadColumns}, ${deliveryColumns} FROM leads LEFT JOIN outbox ON outbox.id = leads.id
         WHERE leads.id = ANY($1)`,
        [ids],
      )
      return rows.map(readRecord)
    },
    /** Whether the latest leads came with a certificate, newest first. */
    async latestCertificates(limit: number) {
      const rows = await read<{ present: number }>(
        `SELECT CASE WHEN COALESCE(certificate_id, certificate_other) IS NULL THEN 0 ELSE 1 END AS present FROM leads
         WHERE ${isNotErased} ORDER BY id DESC LIMIT $1`,
        [limit],
      )
      return rows.map(({ present }) => present === 1)
    },
    async idsStartingWith({ prefix, limit }: { readonly prefix: string; readonly limit: number }) {
      // A range can use the primary key's index. No letter in an ID sorts after f.
      const range = 'SELECT id FROM leads WHERE id >= $1 AND id < $2 ORDER BY id LIMIT $3'
      const rows = await read<{ id: string }>(range, [prefix, `${prefix}g`, limit])
      return rows.map(({ id }) => id)
    },
    /** A person's leads that haven't been erased, oldest first. With an ID: that lead and all others from the same person. */
    async leadsOfPerson(person: Person) {
      const found = 'id' in person ? await samePersonAs(person.id) : await allLeads(person)
      return found.filter(({ state }) => state !== 'erased')
    },
  }
}

/** A time after every lead in the store: now, or later if leads arrived while the clock was ahead. */
export async function timeAfterLeads(store: {
  storeTime(): Promise<number>
  newestLeadAt(): Promise<number | null>
}): Promise<number> {
  return Math.max(await store.storeTime(), ((await store.newestLeadAt()) ?? 0) + 1)
}

/** All leads that match a filter, one page at a time. Each page is a separate read, so a slow reader doesn't hold a transaction open. */
export async function* leadPages(
  store: Pick<ReturnType<typeof createLeadQueries>, 'page'>,
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

/** Someone may submit thousands of times. Accepted leads come first, then the latest repeats. */
const MOST_OTHERS = 100

/** SQL: the same person's leads, by a key that either had before. */
const withFormerKey = `SELECT id FROM leads WHERE person_key IN (SELECT person_key FROM corrections WHERE lead_id = $1) AND id <> $1
  UNION SELECT lead_id FROM corrections WHERE person_key = $2 AND lead_id <> $1 LIMIT ${MOST_OTHERS}`

async function find(sql: Sql, id: string): Promise<LeadDetails | null> {
  type Found = Pick<LeadDetails, 'consentPresented' | 'questionnairePresented' | 'stopForCrm'> & { compared: number }
  // Read first: if someone changes the lead in between, its state may be newer than its history, but the history never has a change
  // that the state doesn't show.
  const history = await historyOf(sql, id)
  const [row] = await sql<RecordRow & Found & { person: string | null; reached: number }>(
    `SELECT ${leadColumns}, ${deliveryColumns}, ${presentedColumns}, leads.person_key AS person,
       CASE WHEN ${isSoFar('reached')} THEN 1 ELSE 0 END AS reached,
       (SELECT COUNT(*) FROM reviewed_translations WHERE version = leads.consent_version) AS compared,
       (SELECT state FROM outbox AS stop WHERE stop.lead_id = leads.id AND stop.lane <> 'leads'
          AND stop.type = 'lead.do_not_call') AS stop_for_crm
     FROM leads LEFT JOIN outbox ON outbox.id = leads.id ${presentedJoins} WHERE leads.id = $1`,
    [id],
  )
  if (!row) return null
  const { person, reached, compared, consentPresented, questionnairePresented, stopForCrm, ...lead } = row
  const others = await sql<{ id: string }>(
    `SELECT id FROM leads WHERE person_key = $1 AND id <> $2 ORDER BY state, received_at DESC LIMIT ${MOST_OTHERS}`,
    [person, id],
  )
  const before = await sql<{ id: string }>(withFormerKey, [id, person])
  const corrections = await correctionsOf(sql, [id])
  return {
    ...readRecord(lead),
    wasReached: reached === 1,
    sentToCrm: (await sentToCrm(sql, [id])).get(id) ?? 'no',
    stopForCrm,
    consentPresented,
    isReviewedWithEnglish: Number(compared) > 0,
    questionnairePresented,
    corrections,
    history,
    deliveryAttempts: await deliveryAttemptsOf(sql, id),
    otherLeadsBySamePerson: [...correctedBy(history), ...[...others, ...before].map(other => other.id)].toSorted(),
  }
}

const historyOf = (sql: Sql, id: string) =>
  sql<HistoryLine>('SELECT at, event, detail FROM history WHERE lead_id = $1 ORDER BY at', [id])

/** The lead that this one corrects has another number, so another key. */
const correctedBy = (history: readonly HistoryLine[]): readonly string[] =>
  history.map(readLeadEvent).flatMap(event => (event.kind === 'corrects the number' ? event.lead : []))

const deliveryColumns = `CASE WHEN ${isNotSent} THEN 'stopped' ELSE outbox.state END AS delivery_state,
  outbox.attempts, outbox.next_at, outbox.finished_at,
  CASE WHEN ${isDead} THEN (
    SELECT outcome FROM attempts WHERE attempts.lead_id = leads.id ORDER BY attempts.at DESC LIMIT 1) END AS delivery_error`

interface RecordRow extends RowOf<LeadFacts>, Omit<DeliveryRecord, 'state' | 'error'> {
  readonly deliveryState: DeliveryState | null
  readonly deliveryError: string | null
}

function readRecord(row: RecordRow): LeadRecord {
  const { contact, deliveryState: state, attempts, nextAt, finishedAt, deliveryError: error, ...facts } = readLead(row)
  const delivery = state === null ? null : { state, attempts, nextAt, finishedAt, error }
  // Older leads don't have fields that were added later.
  const fields = contactFields.map(field => [field, contact?.[field] ?? null])
  return { ...facts, ...(Object.fromEntries(fields) as Record<ContactField, string | null>), delivery }
}
