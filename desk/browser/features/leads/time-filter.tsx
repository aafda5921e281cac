/** When the leads were received: a period that moves with the days, or two dates. */
import { useEffect, useState } from 'react'
import { dateIn, type LeadsAddress, noTime, type Period } from '../../leads-address.ts'
import { useSession } from '../../session.ts'
import { Select, TextField } from '../../ui/field.tsx'
import { datesOf, periodNames, timeInWords } from './period.ts'

const ANY = 'any'
const DATES = 'dates'
const EXACT = 'exact'

/** Letters that fit into one column of the filters. */
const FITS = 16

interface TimeFilterProps {
  readonly address: LeadsAddress
  readonly onChange: (address: LeadsAddress) => void
}

/** Two children of the filters' grid: the choice, and the fields for dates at its end. */
export function useTimeFilter({ address, onChange }: TimeFilterProps) {
  const { timeZone } = useSession()
  const [choosing, setChoosing] = useState(false)
  const isExact = address.since !== null || address.until !== null
  const hasDates = address.from !== null || address.to !== null
  const chosen = address.period ?? (hasDates ? DATES : isExact ? EXACT : choosing ? DATES : ANY)

  function choose(value: string): void {
    setChoosing(value === DATES)
    if (value === EXACT) return
    if (value === DATES) {
      // Start with the dates of the present choice.
      const dates = datesOf(address, timeZone, Date.now())
      if (dates.from !== null || dates.to !== null) onChange({ ...address, ...noTime, ...dates })
    } else onChange({ ...address, ...noTime, period: value === ANY ? null : (value as Period) })
  }

  function setDates(to: LeadsAddress): void {
    // Someone who empties both fields is about to fill them.
    setChoosing(true)
    onChange(to)
  }

  const exact = isExact
    ? (timeInWords({ ...noTime, since: address.since, until: address.until }, timeZone, Date.now()) ?? '')
    : ''
  return {
    choice: (
      <Select
        label="Received"
        className={
          chosen !== EXACT || exact.length <= FITS
            ? ''
            : exact.length > 2 * FITS
              ? 'col-span-full'
              : '@min-[30rem]:col-span-2'
        }
        value={chosen}
        choices={[
          [ANY, 'Any time'],
          ...(Object.entries(periodNames) as [Period, string][]),
          [DATES, 'Date range'],
          ...(isExact ? [[EXACT, exact] as const] : []),
        ]}
        onChoose={choose}
      />
    ),
    fields: chosen === DATES ? <DateFields address={address} onChange={setDates} /> : null,
  }
}

function DateFields({ address, onChange }: TimeFilterProps) {
  const { from, to } = address
  const isReversed = from !== null && to !== null && to < from
  return (
    <fieldset className="col-span-full grid max-w-md grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-3">
      <legend className="sr-only">Received between two dates</legend>
      <DateField label="From" date={from} onDate={date => onChange({ ...address, ...noTime, from: date, to })} />
      <DateField
        label="To"
        date={to}
        error={isReversed ? 'This is before the start date.' : undefined}
        onDate={date => onChange({ ...address, ...noTime, from, to: date })}
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

/** Keeps what is typed until it is a plausible date. */
function DateField({ label, date, error, onDate }: DateFieldProps) {
  const [typed, setTyped] = useState(date ?? '')
  // Back and forward change the dates.
  useEffect(() => setTyped(date ?? ''), [date])
  return (
    <TextField
      label={label}
      type="date"
      value={typed}
      error={error}
      onChange={({ target: { value } }) => {
        setTyped(value)
        if (value === '' || dateIn(value) !== null) onDate(value || null)
      }}
    />
  )
}
