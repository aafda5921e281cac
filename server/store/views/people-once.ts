/** People with several leads on one number: figures count them once, and the lists that figures open show them once. */
import { peopleAmong } from '../../../domain/leads/people.ts'
import { storedLeads } from '../facts/leads/lead-rows.ts'
import type { Parameter, Sql } from '../sql.ts'

/**
 * The first lead of each such person, by each of their leads. `condition`: SQL about rows of `call_leads`. Who is whom is decided among
 * everyone who was on the number, so figures about some of the calls agree with those about others.
 */
export async function firstLeads(
  sql: Sql,
  condition: string,
  parameters: readonly Parameter[],
): Promise<ReadonlyMap<string, string>> {
  const stories = await sql<{ id: string }>(
    `SELECT story_id AS id FROM call_leads WHERE ${condition} GROUP BY story_id HAVING MIN(lead_id) <> MAX(lead_id)`,
    parameters,
  )
  if (stories.length === 0) return new Map()
  const rows = await sql<{ storyId: string; leadId: string }>(
    'SELECT DISTINCT story_id, lead_id FROM call_leads WHERE story_id = ANY($1)',
    [stories.map(({ id }) => id)],
  )
  const found = await storedLeads(sql, [...new Set(rows.map(({ leadId }) => leadId))])
  const storyOf = new Map(rows.map(({ storyId, leadId }) => [leadId, storyId]))
  const named = found.flatMap(({ id, contact }) => (contact ? [{ ...contact, id }] : []))
  const people = [...Map.groupBy(named, ({ id }) => storyOf.get(id)).values()].flatMap(leads => peopleAmong(leads))
  return new Map(
    people.flatMap(([first, ...others]) =>
      first && others.length > 0 ? [first, ...others].map(({ id }) => [id, first.id] as const) : [],
    ),
  )
}

/** Of the leads that such calls were about: those whose person has an earlier one among them. */
export async function leadsOfSamePeople(
  sql: Sql,
  condition: string,
  parameters: readonly Parameter[],
): Promise<readonly string[]> {
  const firsts = await firstLeads(sql, condition, parameters)
  if (firsts.size === 0) return []
  const rows = await sql<{ id: string }>(
    `SELECT DISTINCT lead_id AS id FROM call_leads
     WHERE ${condition} AND lead_id = ANY($${parameters.length + 1}) ORDER BY lead_id`,
    [...parameters, [...firsts.keys()]],
  )
  const seen = new Set<string | undefined>()
  return rows.map(({ id }) => id).filter(id => seen.has(firsts.get(id)) || !seen.add(firsts.get(id)))
}
