/** Whom Call next and the list offer after an upgrade from 0.7.0, compared with whom 0.7.0 offered, and the rule behind each difference. */
import { DEFAULT_CALLING_HOURS as HOURS } from '../../domain/calling/hours.ts'
import { DAY, HOUR } from '../../domain/durations.ts'
import type { Store } from '../../server/store/store.ts'

/** Compared so long after the last use: when limits and claims hold, later that day, on other days, and after the 30 days. */
export const CHECKED_AFTER = [0, HOUR, 5 * HOUR, 18 * HOUR, 26 * HOUR, 4 * DAY + HOUR, 12 * DAY, 35 * DAY]

/** Of this version, or of 0.7.0. */
export interface Offering {
  callList(request: { personId: string; hours: typeof HOURS; limit: number; dayEnds: number }): Promise<{
    readonly ready: readonly { readonly leadId: string }[]
  }>
  callNext(order: { person: { id: string; name: string }; hours: typeof HOURS }): Promise<string | null>
}

type Rows = (sql: string) => Promise<readonly Record<string, unknown>[]>

async function phonesOf(rows: Rows, leadIds: readonly string[]): Promise<readonly string[]> {
  const ids = leadIds.map(id => `'${id}'`).join() || 'NULL'
  const found = await rows(`SELECT DISTINCT phone FROM leads WHERE id IN (${ids})`)
  return found.map(({ phone }) => `${phone}`).toSorted()
}

/** The numbers that someone who has no call open could call right now. */
export async function listed(store: Offering, rows: Rows): Promise<readonly string[]> {
  const { ready } = await store.callList({ personId: 'caller0', hours: HOURS, limit: 1000, dayEnds: 0 })
  return phonesOf(
    rows,
    ready.map(({ leadId }) => leadId),
  )
}

/** The numbers that Call next gives one agent after another. */
async function givenByCallNext(store: Offering, rows: Rows): Promise<readonly string[]> {
  const given: string[] = []
  for (let caller = 0; ; caller++) {
    const id = `caller${caller}`
    const leadId = await store.callNext({ person: { id, name: id }, hours: HOURS })
    if (leadId === null) return phonesOf(rows, given)
    given.push(leadId)
  }
}

export interface Difference {
  readonly phone: string
  /** By 0.7.0, but not now; if false, the other way around. */
  readonly wasOffered: boolean
  /** Null: none explains it. */
  readonly rule: string | null
}

const changedBetween = (before: readonly string[], after: readonly string[]) => [
  ...before.filter(phone => !after.includes(phone)),
  ...after.filter(phone => !before.includes(phone)),
]

async function differences(
  before: readonly string[],
  after: readonly string[],
  { rows, at }: { readonly rows: Rows; readonly at: number },
): Promise<readonly Difference[]> {
  const found: Difference[] = []
  for (const phone of changedBetween(before, after))
    found.push({
      phone,
      wasOffered: before.includes(phone),
      rule: await ruleFor(phone, before.includes(phone), rows, at),
    })
  return found
}

/** What 0.8.0 and later do otherwise, from what happened: each has a query that finds something for the number. */
function rulesAt(
  at: number,
): readonly (readonly [rule: string, wasOffered: boolean | null, query: (of: string) => string])[] {
  const events = (of: string) =>
    `FROM stories JOIN story_events AS event ON event.story_id = stories.id WHERE stories.phone = '${of}'`
  const isUnsaid = `event.kind = 'dialed' AND NOT EXISTS (SELECT 1 FROM story_events AS later
    WHERE later.story_id = event.story_id AND later.refers_to = event.n AND later.kind IN ('said', 'corrected')
      AND NOT EXISTS (SELECT 1 FROM story_events AS undone WHERE undone.story_id = later.story_id
        AND undone.kind = 'corrected' AND undone.refers_to = later.n))`
  return [
    [
      'an email on the list stops every number of its leads',
      true,
      of => `SELECT 1 FROM stopped_numbers WHERE phone = '${of}'`,
    ],
    [
      'a dialed call stays with its agent until the outcome, or four hours',
      true,
      of =>
        `SELECT 1 FROM stories JOIN call_claims ON story_id = stories.id WHERE phone = '${of}' AND dialed = 1 AND expires_at > ${at}`,
    ],
    [
      'a dial that was taken back counts toward the limits',
      true,
      of =>
        `SELECT 1 ${events(of)} AND event.kind = 'dialed' AND event.at > ${at - DAY} AND EXISTS (SELECT 1 FROM story_events AS correction WHERE correction.story_id = event.story_id AND correction.kind = 'corrected' AND correction.refers_to = event.n)`,
    ],
    ['a dial without an outcome is a try', null, of => `SELECT 1 ${events(of)} AND ${isUnsaid}`],
    [
      'a call is about everyone on the number',
      null,
      of =>
        `SELECT 1 ${events(of)} AND event.kind IN ('said', 'dialed', 'skipped') AND EXISTS (SELECT 1 FROM leads WHERE leads.phone = '${of}' AND leads.state = 'accepted' AND leads.id <> event.lead_id)`,
    ],
  ]
}

async function ruleFor(phone: string, wasOffered: boolean, rows: Rows, at: number): Promise<string | null> {
  for (const [rule, which, query] of rulesAt(at))
    if ((which === null || which === wasOffered) && (await rows(query(phone))).length > 0) return rule
  return null
}

/** An upgraded store whose clock is set. */
export interface Upgraded {
  readonly store: Store
  readonly rows: Rows
  setClock(at: number): Promise<void>
}

/** `before`: whom 0.7.0 offered at each of the times that are checked, after its last use. */
export async function compareOffers(
  { store, rows, setClock }: Upgraded,
  at: number,
  before: readonly (readonly string[])[],
) {
  await store.planStaleStories(HOURS)
  const found: Difference[] = []
  const numbers = new Set(before.flat())
  let fullest: { readonly at: number; readonly offered: readonly string[] } = { at, offered: [] }
  for (const [index, after] of CHECKED_AFTER.entries()) {
    await setClock(at + after)
    const offered = await listed(store, rows)
    for (const phone of offered) numbers.add(phone)
    if (offered.length > fullest.offered.length) fullest = { at: at + after, offered }
    found.push(...(await differences(before[index] ?? [], offered, { rows, at: at + after })))
  }
  await setClock(fullest.at)
  const given = await givenByCallNext(store, rows)
  return {
    /** How many numbers were offered at any of the times, before or after. */
    offered: numbers.size,
    differences: found,
    /** Numbers that Call next gives but the list doesn't show, or the other way around. */
    notAsListed: changedBetween(fullest.offered, given),
    sentToStopped: await sentToStopped(store, rows),
  }
}

/** How many leads whose number or address is on the list would be sent, offered, or not told to the CRM that has them. */
async function sentToStopped(store: Store, rows: Rows): Promise<number> {
  const stopped = `(SELECT id FROM leads WHERE phone IN (SELECT contact FROM do_not_call) OR email IN (SELECT contact FROM do_not_call)
    OR phone IN (SELECT phone FROM stopped_numbers))`
  await rows(`UPDATE outbox SET next_at = 0 WHERE state = 'pending' RETURNING 1`)
  const leased = (await store.lease({ limit: 1000, leaseMs: HOUR })).map(({ leadId }) => `'${leadId}'`)
  const [sent] = await rows(
    `SELECT COUNT(*) AS leads FROM leads WHERE id IN (${leased.join() || 'NULL'}) AND id IN ${stopped}`,
  )
  const [claimed] = await rows(
    `SELECT COUNT(*) AS leads FROM call_claims WHERE lead_id IN ${stopped} AND person_id LIKE 'caller%'`,
  )
  const [untold] =
    await rows(`SELECT COUNT(*) AS leads FROM leads WHERE id IN ${stopped} AND id IN (SELECT lead_id FROM attempts)
    AND id NOT IN (SELECT lead_id FROM outbox WHERE type = 'lead.do_not_call')`)
  return [sent, claimed, untold].reduce((sum, row) => sum + Number(row?.['leads']), 0)
}
