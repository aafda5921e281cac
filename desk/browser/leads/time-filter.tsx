/** When the leads of the list were received: a period that moves with the days, or dates of one's own. */
import { useEffect, useState } from 'react'
import { dateIn, type LeadsAddress, noTime, type Period } from '../leads-address.ts'
import { useSession } from '../session.ts'
import { Select, TextField } from '../ui/field.tsx'
import { periodNames, timeInWords } from './time-words.ts'
import { datesOf } from './when.ts'

const ANY = 'any'
const DATES = 'dates'
const EXACT = 'exact'

/** So many letters fit into one column of the filters. */
const FITS = 16

interface TimeFilterProps {
  readonly address: LeadsAddress
  readonly onChange: (address: LeadsAddress) => void
}

/** Two children of the filters' grid: the choice among the others, and the fields for dates, which stand at the end of it. */
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
      // The dates of the time that was set are the best beginning for others.
      const dates = datesOf(address, timeZone, Date.now())
      if (dates.from !== null || dates.to !== null) onChange({ ...address, ...noTime, ...dates })
    } else onChange({ ...address, ...noTime, period: value === ANY ? null : (value as Period) })
  }

  function setDates(to: LeadsAddress): void {
    // Whoever empties both fields is about to fill them anew.
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
        // A select cuts off what it has no room for.
        className={chosen === EXACT && exact.length > FITS ? '@min-[30rem]:col-span-2' : ''}
        value={chosen}
        choices={[
          [ANY, 'Any time'],
          ...(Object.entries(periodNames) as [Period, string][]),
          [DATES, 'From … to …'],
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
      <legend className="sr-only">Received between two days</legend>
      <DateField label="From" date={from} onDate={date => onChange({ ...address, ...noTime, from: date, to })} />
      <DateField
        label="To"
        date={to}
        error={isReversed ? 'This is before “From”: no lead came in between.' : undefined}
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

/** What is typed stays in the field until it is a date that a lead may have. */
function DateField({ label, date, error, onDate }: DateFieldProps) {
  const [typed, setTyped] = useState(date ?? '')
  // Back and forward bring other dates with them.
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
