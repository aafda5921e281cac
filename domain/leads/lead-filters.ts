/**
 * What the desk's list of leads can be filtered by, one entry per filter: its label, its values, and how an active one reads. The
 * form, the URL, the validation, and the names of recorded exports are derived from it; the store turns each into SQL.
 */
import { callLanguages } from '../calling/list.ts'
import { filterOutcomes, outcomeName, soFarKeys, soFarNames } from '../calling/outcomes.ts'
import { campaignName } from '../campaigns/campaign.ts'
import { isCalendarDate } from '../dates.ts'
import { ENGLISH, languageName, languageOfPath, pathWithoutLanguage } from '../languages.ts'
import { wayInNames, waysIn } from './came-in.ts'
import { deliveryNames, deliveryStates, leadStates, stateNames } from './lead-states.ts'
import { OUR_CALL_PAGE, PHONE_PAGE } from './phone-lead.ts'

interface AnyEntry {
  readonly label: string
  /** Only where people are called from the desk. */
  readonly isAboutCalls?: true
}

/** One of a few values that we know. */
interface Choice<Value extends string> extends AnyEntry {
  readonly kind: 'choice'
  readonly values: readonly Value[]
  readonly nameOf: (value: Value) => string
  /** How an active filter reads, if not as the value's name. */
  readonly active?: (name: string) => string
}

/** A value that came from the leads or the staff, such as a page. */
interface Listed extends AnyEntry {
  readonly kind: 'listed'
  readonly nameOf: (value: string) => string
}

/** 2030-01-31, in the operator's time zone; inclusive. */
interface Day extends AnyEntry {
  readonly kind: 'day'
}

/** On or off: on has this value. */
interface Flag<Value extends string> extends AnyEntry {
  readonly kind: 'flag'
  readonly value: Value
}

const choice = <const Value extends string>(entry: Omit<Choice<Value>, 'kind'>): Choice<Value> => ({
  kind: 'choice',
  ...entry,
})
const flag = <const Value extends string>(value: Value, label: string): Flag<Value> => ({
  kind: 'flag',
  value,
  label,
  isAboutCalls: true,
})
const listed = (entry: Omit<Listed, 'kind'>): Listed => ({ kind: 'listed', ...entry })
const dayOfCall = (label: string): Day => ({ kind: 'day', label, isAboutCalls: true })

const pages: Readonly<Record<string, string>> = {
  '/': 'Landing page',
  '/advertorial': 'Advertorial',
  [PHONE_PAGE]: 'Called us',
  [OUR_CALL_PAGE]: 'Answered our call',
}

/** "Landing page", "Advertorial (Spanish)". The organization's own pages have only a path. */
export function pageName(path: string): string {
  const [name, language] = [pages[pathWithoutLanguage(path)], languageOfPath(path)]
  if (name === undefined) return path
  return language === ENGLISH ? name : `${name} (${languageName(language)})`
}

export const leadFilters = {
  state: choice({ label: 'Review', values: leadStates, nameOf: state => stateNames[state] }),
  delivery: choice({
    label: 'Delivery status',
    values: [...deliveryStates, 'none'],
    nameOf: state => deliveryNames[state],
  }),
  cameIn: choice({ label: 'Came in', values: waysIn, nameOf: way => wayInNames[way] }),
  language: choice({ label: 'Language', values: callLanguages, nameOf: languageName }),
  page: listed({ label: 'Page', nameOf: pageName }),
  campaign: listed({ label: 'Campaign', nameOf: campaignName }),
  soFar: choice({
    label: 'Overall',
    values: soFarKeys,
    nameOf: key => soFarNames[key],
    active: name => `Overall: ${name}`,
    isAboutCalls: true,
  }),
  // The rest is about one call to the lead's number.
  outcome: choice({ label: 'Outcome', values: filterOutcomes, nameOf: outcomeName, isAboutCalls: true }),
  /** The ID of the person who called. */
  caller: listed({ label: 'Called by', nameOf: () => 'one person', isAboutCalls: true }),
  calledFrom: dayOfCall('Called on or after'),
  calledTo: dayOfCall('Called on or before'),
  /** For when it promised a callback. */
  callbackFrom: dayOfCall('Callback on or after'),
  callbackTo: dayOfCall('Callback on or before'),
  called: choice({
    label: 'Who called',
    values: ['them', 'us'],
    nameOf: whom => (whom === 'us' ? 'They called us' : 'We called'),
    isAboutCalls: true,
  }),
  /** If they have several leads on a number: as figures count them. */
  people: flag('once', 'Each person once'),
  callback: flag('missed', 'Missed callbacks'),
} as const satisfies Readonly<Record<string, AnyEntry & { readonly kind: AnyFilter['kind'] }>>

export type LeadFilterName = keyof typeof leadFilters
type ValueOf<Filter> = Filter extends Choice<infer Value> ? Value : Filter extends Flag<infer Value> ? Value : string
export type ChosenFilters = { readonly [Name in LeadFilterName]?: ValueOf<(typeof leadFilters)[Name]> }

/** Filters that are about one call to the lead's number. */
type CallFilterName =
  | 'outcome'
  | 'caller'
  | 'called'
  | 'people'
  | 'calledFrom'
  | 'calledTo'
  | 'callbackFrom'
  | 'callbackTo'
  | 'callback'
/** Filters that the store takes as they are: server/store/facts/leads/filter.ts has a condition for each. */
export type OwnFilters = Omit<ChosenFilters, CallFilterName | 'campaign'>

type AnyFilter = Choice<string> | Listed | Day | Flag<string>

/** In the order of the form. */
export const leadFilterNames = Object.keys(leadFilters) as readonly LeadFilterName[]
export const filterNamed = (name: LeadFilterName): AnyFilter => leadFilters[name] as AnyFilter

/** Whether the filter can have this value. Listed ones can be anything, because they come from the address bar. */
export function isFilterValue(name: LeadFilterName, value: string): boolean {
  const filter = filterNamed(name)
  switch (filter.kind) {
    case 'choice':
      return filter.values.includes(value)
    case 'flag':
      return filter.value === value
    case 'day':
      return isCalendarDate(value)
    case 'listed':
      return true
  }
}

/** How one active filter reads. */
export function filterText(name: LeadFilterName, value: string): string {
  const filter = filterNamed(name)
  if (filter.kind === 'choice') return (filter.active ?? String)(filter.nameOf(value))
  if (filter.kind === 'listed') return filter.nameOf(value)
  return filter.kind === 'flag' ? filter.label : `${filter.label} ${value}`
}
