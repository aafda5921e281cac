/** What the list is narrowed to. Every choice changes the address, so that back, forward and bookmarks work. */
import { SlidersHorizontal, X } from 'lucide-react'
import { type ReactNode, useEffect, useState } from 'react'
import { Link } from 'wouter'
import { type DeliveryState, deliveryStates, type LeadState, leadStates } from '../../../server/store/lead-records.ts'
import type { LeadSort } from '../../api/leads.ts'
import { dateIn, everything, hrefOfAddress, type LeadsAddress, type Period } from '../leads-address.ts'
import { type Times, useTimes } from '../times.ts'
import { Select, TextField } from '../ui/field.tsx'
import { campaignName, pageName, shortened } from '../words/names.tsx'
import { deliveryWords, stateWords } from '../words/states.tsx'
import { useChoices } from './use-leads.ts'

const periodNames: Readonly<Record<Period, string>> = {
  today: 'Today',
  yesterday: 'Yesterday',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
}

const noTime = { period: null, from: null, to: null, since: null, until: null }

interface FiltersProps {
  readonly address: LeadsAddress
  /** Goes there and keeps what was searched for. */
  readonly onChange: (address: LeadsAddress) => void
}

/** The three lists that are looked at every day. */
export function QuickLists({
  address,
  linkTo,
}: {
  readonly address: LeadsAddress
  readonly linkTo: (address: LeadsAddress, text: ReactNode, current: boolean) => ReactNode
}) {
  const lists: readonly (readonly [name: string, filter: LeadsAddress['filter']])[] = [
    ['All', {}],
    ['Held', { state: 'held' }],
    ['Did not arrive', { delivery: 'dead' }],
    ['Waiting', { delivery: 'pending' }],
  ]
  const { state, delivery } = address.filter
  return (
    <nav aria-label="Lists of leads">
      <ul className="flex flex-wrap gap-1.5">
        {lists.map(([name, filter]) => {
          const current = state === filter.state && delivery === filter.delivery
          const { state: _state, delivery: _delivery, ...others } = address.filter
          return <li key={name}>{linkTo({ ...address, filter: { ...others, ...filter } }, name, current)}</li>
        })}
      </ul>
    </nav>
  )
}

export function Filters({ address, onChange }: FiltersProps) {
  const choices = useChoices().data
  const times = useTimes()
  const [choosing, setChoosing] = useState(false)
  const { filter } = address
  const with_ = (name: keyof LeadsAddress['filter'], value: string | null) => {
    const { [name]: _, ...others } = filter
    onChange({ ...address, filter: value === null ? others : { ...others, [name]: value } })
  }
  const known = (list: readonly string[], chosen: string | undefined) =>
    chosen === undefined || list.includes(chosen) ? list : [chosen, ...list]
  const anything = 'any'
  const exact = address.since !== null || address.until !== null
  const dates = choosing || address.from !== null || address.to !== null
  const time = address.period ?? (exact ? 'exact' : dates ? 'dates' : anything)
  return (
    <div className="grid grid-cols-[repeat(auto-fill,minmax(min(100%,11rem),1fr))] gap-3">
      <Select
        label="State"
        value={filter.state ?? anything}
        choices={[[anything, 'Any state'], ...leadStates.map(state => [state, stateWords[state].name] as const)]}
        onChoose={value => with_('state', value === anything ? null : (value as LeadState))}
      />
      <Select
        label="Delivery"
        value={filter.delivery ?? anything}
        choices={[
          [anything, 'Any delivery'],
          ...([...deliveryStates, 'none'] as const).map(state => [state, deliveryWords[state].name] as const),
        ]}
        onChoose={value => with_('delivery', value === anything ? null : (value as DeliveryState))}
      />
      <Select
        label="Received"
        value={time}
        choices={[
          [anything, 'Any time'],
          ...(Object.entries(periodNames) as [Period, string][]),
          ['dates', 'From … to …'],
          ...(exact ? [['exact', exactTimeIn(address, times)] as const] : []),
        ]}
        onChoose={value => {
          setChoosing(value === 'dates')
          if (value === 'exact' || value === 'dates') return
          onChange({ ...address, ...noTime, period: value === anything ? null : (value as Period) })
        }}
      />
      <Select
        label="Page"
        value={filter.page ?? anything}
        choices={[
          [anything, 'Any page'],
          ...known(choices?.pages ?? [], filter.page).map(page => [page, pageName(page)] as const),
        ]}
        onChoose={value => with_('page', value === anything ? null : value)}
      />
      <Select
        label="Campaign"
        // A key may be empty, and "any" is none: what follows the sign is the key.
        value={filter.campaign === undefined ? anything : `=${filter.campaign}`}
        choices={[
          [anything, 'Any campaign'],
          ...known(choices?.campaigns ?? [], filter.campaign).map(
            key => [`=${key}`, shortened(campaignName(key), 60)] as const,
          ),
        ]}
        onChoose={value => with_('campaign', value === anything ? null : value.slice(1))}
      />
      <Select
        label="Order"
        value={address.sort}
        choices={[
          ['newest', 'Newest first'],
          ['oldest', 'Oldest first'],
          ['name', 'By last name'],
        ]}
        onChoose={value => onChange({ ...address, sort: value as LeadSort })}
      />
      {dates && !exact && address.period === null ? (
        <fieldset className="col-span-full grid max-w-md grid-cols-2 gap-3">
          <legend className="sr-only">Received between two days</legend>
          <DateField
            label="From"
            date={address.from}
            onDate={from => onChange({ ...address, ...noTime, from, to: address.to })}
          />
          <DateField
            label="To"
            date={address.to}
            onDate={to => onChange({ ...address, ...noTime, from: address.from, to })}
          />
        </fieldset>
      ) : null}
    </div>
  )
}

interface DateFieldProps {
  readonly label: string
  readonly date: string | null
  readonly onDate: (date: string | null) => void
}

/** What is typed stays in the field until it is a date that a lead may have. */
function DateField({ label, date, onDate }: DateFieldProps) {
  const [typed, setTyped] = useState(date ?? '')
  // Back and forward bring other dates with them.
  useEffect(() => setTyped(date ?? ''), [date])
  return (
    <TextField
      label={label}
      type="date"
      value={typed}
      onChange={({ target: { value } }) => {
        setTyped(value)
        if (value === '' || dateIn(value) !== null) onDate(value || null)
      }}
    />
  )
}

/** Open where there is room for them and some are set. Folded, on a phone above all, they say what is set. */
export function FoldedFilters(props: FiltersProps) {
  const set = setIn(props.address, useTimes())
  const [open, setOpen] = useState(() => set.length > 0 && matchMedia('(min-width: 48rem)').matches)
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <button
          type="button"
          aria-expanded={open}
          className="inline-flex min-h-11 items-center gap-2 font-bold underline-offset-4 hover:underline"
          onClick={() => setOpen(!open)}
        >
          <SlidersHorizontal aria-hidden size={18} />
          {open ? 'Hide filters' : 'Filters and order'}
          {set.length > 0 ? ` (${set.length} set)` : ''}
        </button>
        {set.length > 0 ? (
          <Link
            href={hrefOfAddress(everything)}
            className="inline-flex min-h-11 items-center gap-1.5 underline underline-offset-4"
          >
            <X aria-hidden size={16} />
            Clear filters
          </Link>
        ) : null}
      </div>
      {open ? (
        <Filters {...props} />
      ) : set.length > 0 ? (
        <p className="-mt-2 text-small text-ink-soft">{set.join(' · ')}</p>
      ) : null}
    </>
  )
}

function exactTimeIn({ since, until }: LeadsAddress, times: Times): string {
  return [since === null ? '' : `from ${times.short(since)}`, until === null ? '' : `to ${times.short(until)}`]
    .join(' ')
    .trim()
}

/** Each filter that is set, in words. */
function setIn(address: LeadsAddress, times: Times): readonly string[] {
  const { filter, period, from, to, since, until } = address
  const words: string[] = []
  if (filter.state !== undefined) words.push(stateWords[filter.state].name)
  if (filter.delivery !== undefined) words.push(deliveryWords[filter.delivery].name)
  if (period !== null) words.push(periodNames[period])
  else if (from !== null || to !== null) words.push(`${from ?? ''} to ${to ?? 'now'}`.trim())
  else if (since !== null || until !== null) words.push(exactTimeIn(address, times))
  if (filter.page !== undefined) words.push(shortened(pageName(filter.page), 60))
  if (filter.campaign !== undefined) words.push(shortened(campaignName(filter.campaign), 60))
  return words
}
