/** Turns a lead filter into SQL that can use the indexes. Lists, counts, exports, and bulk jobs all use it. */
import type { CalledSoFar, SoFar } from '../../../../domain/calling/outcomes.ts'
import { phoneDigits } from '../../../../domain/contact/phone.ts'
import type { OwnFilters } from '../../../../domain/leads/lead-filters.ts'
import type { DeliveryState, LeadState } from '../../../../domain/leads/lead-states.ts'
import type { Dialect, Parameter, Value } from '../../sql.ts'
import { isMissedPromise } from '../calls/missed-promises.ts'
import { isClosedByList, isUndecided } from '../do-not-call/stops.ts'
import { hadEmail, isSamePerson } from './corrections.ts'
import { firstIdAt } from './lead-id.ts'
import type { CallFilter, LeadFilter } from './lead-records.ts'
import { emailParameters, hasEmail, phoneMark, phoneMarkOfKey } from './person-keys.ts'
import { searchCondition } from './search.ts'
import { parseSearch } from './search-text.ts'
import {
  cameInBy,
  isAccepted,
  isApart,
  isDead,
  isDelivered,
  isHeld,
  isLead,
  isMessage,
  isNotAccepted,
  isPending,
  isUnfinished,
} from './states.ts'

export interface FilterSql {
  readonly from: string
  /** The same leads with fewer joins, which is enough to count them. */
  readonly countedFrom: string
  /** The ID column whose index provides the order. */
  readonly id: string
  readonly conditions: readonly string[]
  readonly parameters: readonly Parameter[]
}

/** `among`: the few leads that match the search, if known; see search.ts. `without`: leads that are left out. */
export function filterSql(
  filter: LeadFilter,
  dialect: Dialect,
  among: readonly Value[] | null = null,
  without: readonly string[] = [],
): FilterSql {
  const parameters: Parameter[] = []
  const parameter = (value: Parameter) => `$${parameters.push(value)}`
  const search = parseSearch(filter.search)
  const byOutbox = !among && startsFromOutbox(filter)
  const id = byOutbox ? 'outbox.id' : 'leads.id'
  const conditions: string[] = []
  for (const [name, conditionsOf] of Object.entries(ownConditions)) {
    const value = filter[name as keyof OwnFilters]
    if (value !== undefined) conditions.push(...(conditionsOf as AnyCondition)(value, parameter))
  }
  for (const { name, value } of filter.campaign ?? []) {
    conditions.push(`${dialect.jsonField('leads.campaign', name)} = ${parameter(value)}`)
  }
  if (filter.campaignKey !== undefined) conditions.push(`leads.campaign_key = ${parameter(filter.campaignKey)}`)
  conditions.push(...personConditions(filter, parameter))
  if (filter.call) conditions.push(...callConditions(filter.call, parameter))
  if (without.length > 0) conditions.push(`${id} <> ALL(${parameter(without)})`)
  // IDs start with the time of receipt.
  if (filter.since !== undefined) conditions.push(`${id} >= ${parameter(firstIdAt(filter.since))}`)
  if (filter.until !== undefined) conditions.push(`${id} < ${parameter(firstIdAt(filter.until))}`)
  if (search) conditions.push(searchCondition(search, dialect, parameter))
  const leads = among ? dialect.leadsAmong(parameter(JSON.stringify(among))) : 'leads'
  // Few are pending or failed, but SQLite would begin with all leads of a page: a CROSS JOIN keeps its order.
  const isFromFew = byOutbox && filter.delivery !== 'delivered' && (filter.email ?? filter.phone) === undefined
  if (isFromFew) conditions.push('leads.id = outbox.id')
  const joined = isFromFew ? 'outbox CROSS JOIN leads' : 'outbox JOIN leads ON leads.id = outbox.id'
  const from = byOutbox ? joined : `${leads} LEFT JOIN outbox ON outbox.id = leads.id`
  const countedFrom =
    filter.delivery === undefined
      ? leads
      : byOutbox && filter.delivery === 'delivered' && !narrowsLeads(filter)
        ? 'outbox'
        : from
  return { from, countedFrom, id, conditions, parameters }
}

/** Always true for pending or failed deliveries, since there are few. For delivered ones, only if nothing else narrows them. */
function startsFromOutbox({ delivery, page, campaign = [], campaignKey, email, phone }: LeadFilter): boolean {
  const narrowed = (page ?? campaignKey ?? email ?? phone) !== undefined || campaign.length > 0
  return delivery === 'pending' || delivery === 'dead' || (delivery === 'delivered' && !narrowed)
}

function narrowsLeads({ delivery: _delivery, since: _since, until: _until, ...leadConditions }: LeadFilter): boolean {
  return Object.values(leadConditions).some(value => value !== undefined)
}

type Condition<Value> = (value: Value, parameter: (value: string) => string) => readonly string[]
type AnyCondition = Condition<string>

/** One for each filter in domain/leads/lead-filters.ts, apart from the campaign and those about a call. */
const ownConditions: { readonly [Name in keyof OwnFilters]-?: Condition<NonNullable<OwnFilters[Name]>> } = {
  state: state => stateConditions[state],
  delivery: state => deliveryConditions[state],
  // Most came in by form. The others have an index of their own.
  cameIn: way => (way === 'form' ? [cameInBy(way)] : [isApart, cameInBy(way)]),
  page: (page, parameter) => [`leads.page = ${parameter(page)}`],
  language: (language, parameter) => [`leads.language = ${parameter(language)}`],
  soFar: soFar => [isSoFar(soFar)],
}

// With `isNotAccepted` spelled out, because a partial index is used only if the query repeats its condition.
const stateConditions: Readonly<Record<LeadState, readonly string[]>> = {
  accepted: [isAccepted],
  held: [isHeld, isUndecided],
  repeat: [isNotAccepted, isLead('repeat')],
  rejected: [isNotAccepted, isLead('rejected')],
  erased: [isNotAccepted, isLead('erased')],
}

/** SQL: a lead in the outbox that won't be sent: its number is closed, or another lead replaced it. */
export const isNotSent = `(${isMessage('withdrawn')} OR (${isUnfinished} AND ${isClosedByList}))`

const deliveryConditions: Readonly<Record<DeliveryState | 'none', readonly string[]>> = {
  pending: [isPending, `outbox.lane = 'leads'`, `NOT ${isClosedByList}`],
  // Only leads stay in the outbox once they're delivered.
  delivered: [isDelivered],
  dead: [isDead, `outbox.lane = 'leads'`, `NOT ${isClosedByList}`],
  stopped: [isNotSent],
  none: ['outbox.id IS NULL'],
}

const soFarColumns: Readonly<Record<CalledSoFar, string>> = {
  called: 'called',
  reached: 'reached',
  goingAhead: 'going_ahead',
  wrongNumber: 'wrong_number',
  neverCall: 'never_call',
}

/** SQL: what has come of the lead so far. */
export const isSoFar = (soFar: SoFar): string =>
  soFar === 'client'
    ? 'leads.client_on IS NOT NULL'
    : `EXISTS (SELECT 1 FROM standings WHERE standings.lead_id = leads.id AND standings.${soFarColumns[soFar]} = 1)`

function callConditions(call: CallFilter, parameter: (value: Value) => string): readonly string[] {
  const { callbackSince, callbackUntil, missedAt, personId: _, ...made } = call
  const isSet = (...values: readonly unknown[]) => values.some(value => value !== undefined)
  const isAboutPromise = isSet(callbackSince, callbackUntil, missedAt)
  const isAboutCall = isSet(...Object.values(made)) || !isAboutPromise
  return [
    ...(isAboutPromise ? [promiseCondition(call, parameter)] : []),
    ...(isAboutCall ? [madeCallCondition(call, parameter)] : []),
  ]
}

const madeCallCondition = (call: CallFilter, parameter: (value: Value) => string): string =>
  `leads.id IN (SELECT lead_id FROM call_leads WHERE ${isMadeCall(call, parameter)})`

/** SQL: a row of `call_leads`. */
export function isMadeCall(call: CallFilter, parameter: (value: Value) => string): string {
  const conditions: string[] = ['true']
  if (call.outcomes !== undefined) conditions.push(`outcome IN (${call.outcomes.map(parameter).join()})`)
  if (call.personId !== undefined) conditions.push(`person_id = ${parameter(call.personId)}`)
  if (call.incoming !== undefined) conditions.push(`incoming = ${Number(call.incoming)}`)
  if (call.since !== undefined) conditions.push(`at >= ${parameter(call.since)}`)
  if (call.until !== undefined) conditions.push(`at < ${parameter(call.until)}`)
  return conditions.join(' AND ')
}

function promiseCondition(call: CallFilter, parameter: (value: Value) => string): string {
  const conditions: string[] = []
  if (call.personId !== undefined) conditions.push(`promises.person_id = ${parameter(call.personId)}`)
  if (call.callbackSince !== undefined) conditions.push(`promises.at >= ${parameter(call.callbackSince)}`)
  if (call.callbackUntil !== undefined) conditions.push(`promises.at < ${parameter(call.callbackUntil)}`)
  if (call.missedAt !== undefined) conditions.push(isMissedPromise(parameter(call.missedAt)))
  return `leads.id IN (SELECT promises.lead_id FROM promises WHERE ${conditions.join(' AND ')})`
}

/** Finds a few candidates by hash digits, which are indexed, then compares the actual email or phone. */
function personConditions(filter: LeadFilter, parameter: (value: Value) => string): readonly string[] {
  const conditions: string[] = []
  if (filter.samePersonAs !== undefined) {
    const id = parameter(filter.samePersonAs)
    conditions.push(`(leads.id = ${id} OR ${isSamePerson(id)})`)
  }
  if (filter.email !== undefined) {
    const names = emailParameters(filter.email).map(parameter)
    conditions.push(`leads.id IN (SELECT id FROM leads WHERE ${hasEmail(names)} UNION ${hadEmail(names)})`)
  }
  if (filter.phone !== undefined) {
    const [mark, phone] = [parameter(phoneMark(filter.phone)), parameter(phoneDigits(filter.phone))]
    conditions.push(`leads.id IN (SELECT id FROM leads WHERE ${phoneMarkOfKey} = ${mark} AND phone = ${phone})`)
  }
  return conditions
}
