/** "When?": the times to offer for a callback, in the person's time with the office's beside it. */
import { useEffect, useRef, useState } from 'react'
import { type Place, states } from '../../../../domain/calling/area-codes.ts'
import { callbackTimes } from '../../../../domain/calling/callbacks.ts'
import { instantOf, localTime } from '../../../../domain/calling/local-time.ts'
import type { CallState } from '../../client.ts'
import { TextField } from '../../ui/field.tsx'
import { Choice } from './choice.tsx'
import { useBothTimes } from './local-time.tsx'

const MAIN = 'callback'

interface CallbackTimeProps {
  /** Of its fields. Only the first one has keys. */
  readonly name?: string
  readonly place: Place
  readonly state: CallState
  readonly value: number | null
  readonly onChange: (at: number | null) => void
}

const OTHER = 'Pick a time'

/** The outcomes' keys still work: someone may change their mind. */
export function CallbackTime({ name = MAIN, place, state, value, onChange }: CallbackTimeProps) {
  const both = useBothTimes()
  const choices = useRef<HTMLFieldSetElement>(null)
  // What someone was promised must not change while the agent writes a note.
  const [{ callbackChoices, openings }] = useState(state)
  const [chosen, setChosen] = useState(() =>
    value === null ? null : (callbackChoices.find(({ at }) => at === value)?.label ?? OTHER),
  )
  const [picked, setPicked] = useState(() => fieldsOf(place, value))
  // The choices are below what was just pressed, maybe below the screen. After a reload, nothing was pressed.
  const isRestored = useRef(value !== null)
  useEffect(() => {
    if (!isRestored.current) choices.current?.scrollIntoView({ block: 'nearest' })
  }, [])
  function pick(fields: PickedFields): void {
    setPicked(fields)
    onChange(instantAt(place, fields))
  }
  const options = [
    ...callbackChoices.map(({ time, label, at }) => ({
      key: callbackTimes[time].key,
      label,
      detail: both(place, at),
      onChoose: () => onChange(at),
    })),
    { key: callbackTimes.pick.key, label: OTHER, detail: '', onChoose: () => pick(picked) },
  ]
  return (
    <fieldset ref={choices} className="scroll-mb-24 scroll-mt-14">
      <legend className="mb-1.5 font-bold">When?</legend>
      {place.zones.length > 1 ? (
        <p className="mb-1.5 text-small font-bold">
          {states[place.state]} has two time zones, and these are {place.zones[0]} times. If they’re on {place.zones[1]}{' '}
          time, press Change next to their time first.
        </p>
      ) : null}
      <div className="grid gap-1.5 @min-[36rem]:grid-cols-2">
        {options.map(({ key, label, detail, onChoose }) => (
          <Choice
            key={label}
            name={name}
            label={label}
            detail={detail}
            shortcut={name === MAIN ? key : null}
            checked={chosen === label}
            onChoose={() => {
              setChosen(label)
              onChoose()
            }}
          />
        ))}
      </div>
      {chosen === OTHER ? (
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-3 pt-2.5">
          <TextField
            label="Date"
            type="date"
            value={picked.date}
            onChange={event => pick({ ...picked, date: event.target.value })}
          />
          <TextField
            label={`Time in ${states[place.state]}`}
            type="time"
            value={picked.time}
            onChange={event => pick({ ...picked, time: event.target.value })}
          />
          <div role="status" className="col-span-full text-small">
            {value === null ? null : (
              <PickedTime place={place} openings={openings} value={value} allowedHours={state.allowedHours} />
            )}
          </div>
        </div>
      ) : null}
    </fieldset>
  )
}

interface PickedTimeProps extends Pick<CallState, 'openings' | 'allowedHours'> {
  readonly place: Place
  readonly value: number
}

/** Says at once if the time isn't allowed. Farther ahead than the openings go, saving decides. */
function PickedTime({ place, openings, allowedHours, value }: PickedTimeProps) {
  const both = useBothTimes()
  const next = openings.find(({ until }) => until > value)
  return (
    <>
      <p>{both(place, value)}</p>
      {next === undefined || next.from <= value ? null : (
        <p className="font-bold text-error">
          No calls at that time. They’re allowed {allowedHours}. Leave an hour between calls. Next:{' '}
          {both(place, next.from)}.
        </p>
      )}
    </>
  )
}

/** As in the date and time fields. */
interface PickedFields {
  readonly date: string
  readonly time: string
}

/** Empty until someone picks: a time that nobody asked for must not be promised. */
function fieldsOf(place: Place, at: number | null): PickedFields {
  if (at === null) return { date: '', time: '' }
  const { date, minutes } = localTime(place.zones[0], at)
  const time = [Math.floor(minutes / 60), minutes % 60].map(part => String(part).padStart(2, '0')).join(':')
  return { date, time }
}

/** Null while a field is empty. */
function instantAt(place: Place, { date, time }: PickedFields): number | null {
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const isComplete = /^\d{4}-\d\d-\d\d$/.test(date) && time !== ''
  return isComplete ? instantOf(place.zones[0], date, hours * 60 + minutes) : null
}
