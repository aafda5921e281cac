/** The list's filters. Every change updates the URL, so Back, Forward, and bookmarks work. */
import { useEffect, useRef, useState } from 'react'
import { campaignName } from '../../../../domain/campaigns/campaign.ts'
import {
  filterNamed,
  filterText,
  type LeadFilterName,
  leadFilterNames,
  pageName,
} from '../../../../domain/leads/lead-filters.ts'
import { deliveryNames, stateNames } from '../../../../domain/leads/lead-states.ts'
import { formatNumber } from '../../../../domain/text/numbers.ts'
import type { LeadSort } from '../../../limits.ts'
import { truncate } from '../../format/names.tsx'
import {
  allLeads,
  anyTime,
  datesLabel,
  datesOf,
  type LeadsUrl,
  type ListHistoryState,
  leadsHref,
  type Period,
  parseDate,
  periodChoices,
  timeLabel,
} from '../../leads-url.ts'
import { Link } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { useToday } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Checkbox, FieldGrid, Select, TextField } from '../../ui/field.tsx'
import { useChoices, useQuickLists } from './lead-queries.ts'

interface FiltersProps {
  readonly url: LeadsUrl
  readonly onChange: (url: LeadsUrl) => void
}

const chip =
  'inline-flex min-h-11 items-center gap-1.5 whitespace-nowrap rounded-full border px-[min(1rem,16px)] font-bold max-sm:px-3 max-sm:text-small'

/** The lists that people check every day. Lists about deliveries appear only if they can have any. */
export function QuickLists({ url, search }: { readonly url: LeadsUrl; readonly search: string }) {
  const { crm } = useSession()
  const counts = useQuickLists().data
  const { state, delivery, ...others } = url.filter
  const lists: readonly (readonly [name: string, filter: LeadsUrl['filter'], count?: number | undefined])[] = [
    ['All', {}],
    [stateNames.held, { state: 'held' }, counts?.held],
    ...(crm || counts?.dead || delivery === 'dead'
      ? [[deliveryNames.dead, { delivery: 'dead' }, counts?.dead] as const]
      : []),
    ...(crm || delivery === 'pending'
      ? [[deliveryNames.pending, { delivery: 'pending' }, counts?.pending] as const]
      : []),
  ]
  const isNarrowed = Object.keys(others).length > 0 || hasTimeFilter(url)
  return (
    <nav aria-label="Lists" className="contents">
      <ul className="contents">
        {lists.map(([name, filter, count]) => {
          // Only “All” clears the other filters, so people can check what's on hold for one day or campaign.
          const isAll = Object.keys(filter).length === 0
          const current = state === filter.state && delivery === filter.delivery && !(isAll && isNarrowed)
          const to = isAll ? { ...allLeads, sort: url.sort } : { ...url, filter: { ...others, ...filter } }
          return (
            <li key={name}>
              <Link
                href={leadsHref(to)}
                state={{ search } satisfies ListHistoryState}
                aria-current={current ? 'true' : undefined}
                className={`${chip} ${current ? 'border-action bg-sage text-action-strong' : 'border-line bg-card text-ink-soft hover:bg-mist hover:text-ink'}`}
              >
                {name}
                {count === undefined ? null : <span className="font-normal">{formatNumber(count)}</span>}
              </Link>
            </li>
          )
        })}
        <li>
          <Link
            href="/leads/do-not-call"
            className={`${chip} border-line bg-card text-ink-soft hover:bg-mist hover:text-ink`}
          >
            Do-not-call list
          </Link>
        </li>
      </ul>
    </nav>
  )
}

const hasTimeFilter = (url: LeadsUrl) => Object.keys(anyTime).some(name => url[name as keyof typeof anyTime] !== null)

/** Only where the list of calls is on. */
const isAboutCalls = (name: LeadFilterName) => filterNamed(name).isAboutCalls === true

function Filters({ url, onChange }: FiltersProps) {
  const choices = useChoices().data
  const time = useTimeFilter({ url, onChange })
  const { crm, callList } = useSession()
  // Stays open when its last filter is taken back: the field has the focus.
  const [callsOpen, setCallsOpen] = useState(false)
  const listed = listedChoices(choices)
  const fieldOf = (name: LeadFilterName) => (
    <FilterField
      key={name}
      name={name}
      values={listed[name]}
      value={url.filter[name]}
      onChange={value => {
        const { [name]: _, ...others } = url.filter
        onChange({ ...url, filter: value === null ? others : { ...others, [name]: value } })
      }}
    />
  )
  const isShown = (name: LeadFilterName) => name !== 'delivery' || crm || url.filter.delivery !== undefined
  const [calls, leads] = [true, false].map(wanted =>
    leadFilterNames.filter(name => isAboutCalls(name) === wanted && isShown(name)),
  )
  return (
    <>
      <FieldGrid>
        {leads?.map(fieldOf)}
        {time.choice}
        <Select
          label="Sort by"
          value={url.sort}
          choices={[
            ['newest', 'Newest first'],
            ['oldest', 'Oldest first'],
          ]}
          onChoose={value => onChange({ ...url, sort: value as LeadSort })}
        />
        {time.fields}
      </FieldGrid>
      {callList ? (
        <details
          open={callsOpen || calls?.some(name => url.filter[name] !== undefined)}
          className="mt-2"
          onToggle={event => setCallsOpen(event.currentTarget.open)}
        >
          <summary className="min-h-11 w-fit content-center font-bold">About calls</summary>
          <FieldGrid>{calls?.map(fieldOf)}</FieldGrid>
        </details>
      ) : null}
    </>
  )
}

type Choices = readonly (readonly [value: string, name: string])[]

/** What the leads and the staff have. */
function listedChoices(found: ReturnType<typeof useChoices>['data']): { readonly [Name in LeadFilterName]?: Choices } {
  const named = (values: readonly string[] = [], nameOf: (value: string) => string) =>
    values.map(value => [value, truncate(nameOf(value), 60)] as const)
  return {
    page: named(found?.pages, pageName),
    campaign: named(found?.campaigns, campaignName),
    caller: found?.agents.map(({ id, name }) => [id, name] as const) ?? [],
  }
}

interface FilterFieldProps {
  readonly name: LeadFilterName
  readonly values: Choices | undefined
  readonly value: string | undefined
  readonly onChange: (value: string | null) => void
}

function FilterField({ name, values = [], value, onChange }: FilterFieldProps) {
  const filter = filterNamed(name)
  if (filter.kind === 'day') return <DateField label={filter.label} date={value ?? null} onDate={onChange} />
  if (filter.kind === 'flag') {
    const onCheck = (checked: boolean) => onChange(checked ? filter.value : null)
    return <Checkbox label={filter.label} checked={value !== undefined} onChange={onCheck} />
  }
  const known = filter.kind === 'choice' ? filter.values.map(each => [each, filter.nameOf(each)] as const) : values
  const missing =
    value === undefined || known.some(([each]) => each === value) ? [] : [[value, filter.nameOf(value)] as const]
  // The "=" prefix distinguishes an empty campaign from "any".
  const choices = [...missing, ...known].map(([each, label]) => [`=${each}`, label] as const)
  return (
    <Select
      label={filter.label}
      value={value === undefined ? '' : `=${value}`}
      choices={[['', 'Any'], ...choices]}
      onChoose={chosen => onChange(chosen === '' ? null : chosen.slice(1))}
    />
  )
}

/** Lists the active filters while it's closed. */
export function CollapsibleFilters(props: FiltersProps) {
  const { url, onChange } = props
  const agents = useChoices().data?.agents
  const active = describeFilters(url, useToday(), agents)
  const [open, setOpen] = useState(false)
  const [cleared, setCleared] = useState(0)
  const summary = useRef<HTMLElement>(null)
  return (
    <details open={open} className="open:w-full" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary ref={summary} className="min-h-11 w-fit content-center font-bold">
        Filters{active.length > 0 ? ` (${active.length})` : ''}
        {open ? null : <span className="text-small font-normal text-ink-soft"> {active.join(' · ')}</span>}
      </summary>
      {/* Clearing changes the key, so empty date fields disappear too. */}
      <Filters key={cleared} {...props} />
      {active.length > 0 ? (
        <Button
          kind="quiet"
          icon="close"
          className="-ml-4"
          onClick={() => {
            // This button is about to disappear, so move focus to the filters.
            summary.current?.focus()
            setCleared(cleared + 1)
            onChange({ ...allLeads, sort: url.sort })
          }}
        >
          Clear filters
        </Button>
      ) : null}
    </details>
  )
}

/** For print, where the filters themselves are hidden. */
export const filtersLabel = (url: LeadsUrl, today: string) => describeFilters(url, today).join(' · ')

type Agents = NonNullable<ReturnType<typeof useChoices>['data']>['agents']

/** What a call is, and whose it is, by who called. */
const callWords = {
  them: ['Called', 'Called by'],
  us: ['Called us', 'Taken by'],
  either: ['Calls', 'Calls with'],
} as const

/** Labels for the active filters. Both ends of a period read as one. */
function describeFilters(url: LeadsUrl, today: string, agents: Agents = []): readonly string[] {
  const { caller, called, calledFrom, calledTo, callbackFrom, callbackTo, ...others } = url.filter
  const labels = leadFilterNames.flatMap(name => {
    const value = (others as LeadsUrl['filter'])[name]
    return value === undefined ? [] : [truncate(filterText(name, value), 60)]
  })
  const time = timeLabel(url, today)
  if (time !== null) labels.push(time)
  const agentName = agents.find(({ id }) => id === caller)?.name ?? 'one person'
  const [call, by] = callWords[called ?? 'either']
  if (caller !== undefined) labels.push(`${by} ${agentName}`)
  const dates = datesLabel(calledFrom ?? null, calledTo ?? null, today)
  if (dates !== null || called !== undefined) labels.push(dates === null ? call : `${call}: ${dates}`)
  const promised = datesLabel(callbackFrom ?? null, callbackTo ?? null, today)
  if (promised !== null) labels.push(`Callback: ${promised}`)
  return labels
}

const ANY = 'any'
const DATES = 'dates'

/** Returns two grid items: the menu and, for the last row, the date fields. */
function useTimeFilter({ url, onChange }: FiltersProps) {
  const today = useToday()
  const [choosing, setChoosing] = useState(false)
  const hasDates = url.from !== null || url.to !== null
  const chosen = url.period ?? (hasDates || choosing ? DATES : ANY)

  function choose(value: string): void {
    setChoosing(value === DATES)
    if (value !== DATES) onChange({ ...url, ...anyTime, period: value === ANY ? null : (value as Period) })
    // Start from the current period's dates.
    else if (url.period !== null) onChange({ ...url, ...anyTime, ...datesOf(url, today) })
  }

  function setDates(to: LeadsUrl): void {
    // Keep showing the fields, even if both are now empty.
    setChoosing(true)
    onChange(to)
  }

  return {
    choice: (
      <Select
        label="Received"
        value={chosen}
        choices={[[ANY, 'Any time'], ...periodChoices, [DATES, 'Date range']]}
        onChoose={choose}
      />
    ),
    fields: chosen === DATES ? <DateFields url={url} onChange={setDates} /> : null,
  }
}

function DateFields({ url, onChange }: FiltersProps) {
  const { from, to } = url
  const isReversed = from !== null && to !== null && to < from
  return (
    <fieldset className="col-span-full grid max-w-md grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-3">
      <legend className="sr-only">Received between two dates</legend>
      <DateField label="From" date={from} onDate={date => onChange({ ...url, ...anyTime, from: date, to })} />
      <DateField
        label="To"
        date={to}
        error={isReversed ? 'This is before the start date.' : undefined}
        onDate={date => onChange({ ...url, ...anyTime, from, to: date })}
      />
    </fieldset>
  )
}

interface DateFieldProps {
  readonly label: string
  readonly date: string | null
  readonly error?: string | undefined
  readonly onDate: (date: string | null) => void
}

/** Keeps what was typed, but reports it only once it's a plausible date. */
function DateField({ label, date, error, onDate }: DateFieldProps) {
  const [typed, setTyped] = useState(date ?? '')
  // The browser's Back and Forward buttons can change the dates.
  useEffect(() => setTyped(date ?? ''), [date])
  return (
    <TextField
      label={label}
      type="date"
      value={typed}
      error={error}
      onChange={({ target: { value } }) => {
        setTyped(value)
        if (value === '' || parseDate(value) !== null) onDate(value || null)
      }}
    />
  )
}
