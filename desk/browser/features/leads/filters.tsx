/** The list's filters. Every change updates the URL, so Back, Forward, and bookmarks work. */
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { callLanguages } from '../../../../domain/calling/list.ts'
import { filterOutcomes, outcomeName, type SoFar, soFarKeys, soFarNames } from '../../../../domain/calling/outcomes.ts'
import { campaignName } from '../../../../domain/campaign.ts'
import { languageName } from '../../../../domain/languages.ts'
import {
  type DeliveryState,
  deliveryNames,
  deliveryStates,
  type LeadState,
  leadStates,
  stateNames,
} from '../../../../domain/lead-states.ts'
import type { LeadSort } from '../../../limits.ts'
import { pageName, truncate } from '../../format/names.tsx'
import { formatNumber } from '../../format/numbers.ts'
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
import { Checkbox, Select, TextField } from '../../ui/field.tsx'
import { useChoices, useQuickLists } from './lead-queries.ts'

interface FiltersProps {
  readonly url: LeadsUrl
  readonly onChange: (url: LeadsUrl) => void
}

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
    <nav aria-label="Lists" className="min-w-0 max-sm:flex-1">
      {/* The padding leaves room for the focus ring. */}
      <ul className="-m-1.5 flex gap-1.5 overflow-x-auto p-1.5 max-sm:fade-at-end [scrollbar-width:none] sm:flex-wrap">
        {lists.map(([name, filter, count]) => {
          // Only “All” clears the other filters, so people can check what's on hold for one day or campaign.
          const isAll = Object.keys(filter).length === 0
          const current = state === filter.state && delivery === filter.delivery && !(isAll && isNarrowed)
          const to = isAll ? { ...allLeads, sort: url.sort } : { ...url, filter: { ...others, ...filter } }
          return (
            <li key={name} className="shrink-0">
              <Link
                href={leadsHref(to)}
                state={{ search } satisfies ListHistoryState}
                aria-current={current ? 'true' : undefined}
                className={`inline-flex min-h-11 items-center gap-1.5 whitespace-nowrap rounded-full border px-[min(1rem,16px)] font-bold ${current ? 'border-action bg-sage text-action-strong' : 'border-line bg-card text-ink-soft hover:bg-mist hover:text-ink'}`}
              >
                {name}
                {count === undefined ? null : <span className="font-normal">{formatNumber(count)}</span>}
              </Link>
            </li>
          )
        })}
      </ul>
    </nav>
  )
}

const hasTimeFilter = (url: LeadsUrl) => Object.keys(anyTime).some(name => url[name as keyof typeof anyTime] !== null)

const deliveryChoices = [...deliveryStates, 'none']

function Filters({ url, onChange }: FiltersProps) {
  const choices = useChoices().data
  const time = useTimeFilter({ url, onChange })
  const { crm, callList } = useSession()
  const { filter } = url
  /** The "=" prefix distinguishes an empty campaign from "any". */
  const choice = (
    name: keyof LeadsUrl['filter'],
    label: string,
    choices: readonly string[],
    nameOf: (value: string) => string,
  ) => {
    const { [name]: chosen, ...others } = filter
    const listed = chosen === undefined || choices.includes(chosen) ? choices : [chosen, ...choices]
    return (
      <Select
        label={label}
        value={chosen === undefined ? '' : `=${chosen}`}
        choices={[['', 'Any'], ...listed.map(value => [`=${value}`, nameOf(value)] as const)]}
        onChoose={value => onChange({ ...url, filter: value ? { ...others, [name]: value.slice(1) } : others })}
      />
    )
  }
  return (
    <div className="@container">
      <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,9.5rem),1fr))] gap-3">
        {choice('state', 'Review', leadStates, state => stateNames[state as LeadState])}
        {crm || filter.delivery !== undefined
          ? choice('delivery', 'Delivery status', deliveryChoices, key => deliveryNames[key as DeliveryState])
          : null}
        {time.choice}
        {choice('language', 'Language', callLanguages, languageName)}
        {choice('page', 'Page', choices?.pages ?? [], pageName)}
        {choice('campaign', 'Campaign', choices?.campaigns ?? [], key => truncate(campaignName(key), 60))}
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
        {callList ? <CallFilters url={url} onChange={onChange} choice={choice} /> : null}
      </div>
    </div>
  )
}

type ChoiceField = (
  name: keyof LeadsUrl['filter'],
  label: string,
  choices: readonly string[],
  nameOf: (value: string) => string,
) => ReactNode

/** All about the same call: "called by Ben yesterday, no answer". */
function CallFilters({ url, onChange, choice }: FiltersProps & { readonly choice: ChoiceField }) {
  const callers = useChoices().data?.callers ?? []
  const { callback, ...others } = url.filter
  const { called, ...ours } = url.filter
  const nameOf = (id: string) => callers.find(person => person.id === id)?.name ?? 'Someone else'
  const dateField = (label: string, name: 'calledFrom' | 'calledTo' | 'callbackFrom' | 'callbackTo') => {
    const { [name]: date, ...rest } = url.filter
    const onDate = (to: string | null) => onChange({ ...url, filter: to === null ? rest : { ...rest, [name]: to } })
    return <DateField label={label} date={date ?? null} onDate={onDate} />
  }
  return (
    <>
      {choice('soFar', 'Overall', soFarKeys, key => soFarNames[key as SoFar])}
      {choice('outcome', 'Outcome', filterOutcomes, outcomeName)}
      {choice(
        'caller',
        'Called by',
        callers.map(({ id }) => id),
        nameOf,
      )}
      {dateField('Called on or after', 'calledFrom')}
      {dateField('Called on or before', 'calledTo')}
      {dateField('Callback on or after', 'callbackFrom')}
      {dateField('Callback on or before', 'callbackTo')}
      <Checkbox
        label="They called us"
        checked={called === 'us'}
        onChange={checked => onChange({ ...url, filter: checked ? { ...ours, called: 'us' } : ours })}
      />
      <Checkbox
        label="Missed callbacks"
        checked={callback === 'missed'}
        onChange={checked => onChange({ ...url, filter: checked ? { ...others, callback: 'missed' } : others })}
      />
    </>
  )
}

/** Starts open if filters are set and there's room. When collapsed, it lists the active filters. */
export function CollapsibleFilters(props: FiltersProps) {
  const { url, onChange } = props
  const callers = useChoices().data?.callers
  const active = describeFilters(url, useToday(), callers)
  const [open, setOpen] = useState(() => active.length > 0 && matchMedia('(min-width: 48rem)').matches)
  const [cleared, setCleared] = useState(0)
  const summary = useRef<HTMLElement>(null)
  return (
    <details open={open} className="open:w-full" onToggle={event => setOpen(event.currentTarget.open)}>
      <summary ref={summary} className="min-h-11 w-fit content-center font-bold">
        Filters{active.length > 0 ? ` (${active.length})` : ''}
        {open ? null : (
          <span className="text-small font-normal text-ink-soft max-sm:hidden"> {active.join(' · ')}</span>
        )}
      </summary>
      {/* Clearing changes the key, so empty date fields disappear too. */}
      <Filters key={cleared} {...props} />
      {active.length > 0 ? (
        <Button
          kind="quiet"
          icon="close"
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

type Callers = NonNullable<ReturnType<typeof useChoices>['data']>['callers']

/** Labels for the active filters. */
function describeFilters(url: LeadsUrl, today: string, callers: Callers = []): readonly string[] {
  const { filter } = url
  const time = timeLabel(url, today)
  const labels: string[] = []
  if (filter.state !== undefined) labels.push(stateNames[filter.state])
  if (filter.delivery !== undefined) labels.push(deliveryNames[filter.delivery])
  if (time !== null) labels.push(time)
  if (filter.language !== undefined) labels.push(languageName(filter.language))
  if (filter.page !== undefined) labels.push(truncate(pageName(filter.page), 60))
  if (filter.campaign !== undefined) labels.push(truncate(campaignName(filter.campaign), 60))
  if (filter.soFar !== undefined) labels.push(`Overall: ${soFarNames[filter.soFar]}`)
  if (filter.outcome !== undefined) labels.push(outcomeName(filter.outcome))
  const caller = callers.find(({ id }) => id === filter.caller)?.name ?? 'one person'
  if (filter.caller !== undefined) labels.push(`${filter.called === undefined ? 'Called' : 'Taken'} by ${caller}`)
  const called = datesLabel(filter.calledFrom ?? null, filter.calledTo ?? null, today)
  const whom = filter.called === undefined ? 'Called' : 'Called us'
  if (called !== null || filter.called !== undefined) labels.push(called === null ? whom : `${whom}: ${called}`)
  const promised = datesLabel(filter.callbackFrom ?? null, filter.callbackTo ?? null, today)
  if (promised !== null) labels.push(`Callback: ${promised}`)
  if (filter.callback !== undefined) labels.push('Missed callbacks')
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
