/** What the desk can't know about a call: for whom it was, if several people share the number, and when, if it was on another phone. */
import { MINUTE } from '../../../../domain/durations.ts'
import type { CallState } from '../../client.ts'
import { fullName } from '../../format/names.tsx'
import { useTimes } from '../../times.ts'
import { Checkbox, Select, TextField } from '../../ui/field.tsx'

interface AboutWhomProps {
  readonly requests: CallState['requests']
  /** The leads' IDs; null for everyone. */
  readonly chosen: ReadonlySet<string> | null
  readonly onChange: (chosen: ReadonlySet<string> | null) => void
}

/** All are ticked at first. Not everyone can be unticked: a call is about someone. */
export function AboutWhom({ requests, chosen, onChange }: AboutWhomProps) {
  const all = requests.map(({ leadId }) => leadId)
  function toggle(leadId: string, isTicked: boolean): void {
    const ticked = all.filter(id => (id === leadId ? isTicked : (chosen?.has(id) ?? true)))
    if (ticked.length > 0) onChange(ticked.length === all.length ? null : new Set(ticked))
  }
  return (
    <fieldset>
      <legend className="font-bold">Who was this call about?</legend>
      <p className="text-small text-ink-soft">Several people asked for a call at this number.</p>
      {requests.map(({ leadId, ...person }) => (
        <Checkbox
          key={leadId}
          label={fullName(person)}
          checked={chosen?.has(leadId) ?? true}
          onChange={isTicked => toggle(leadId, isTicked)}
        />
      ))}
    </fieldset>
  )
}

const OPENED = 'opened'
const EARLIER = 'earlier'
const UNKNOWN = 'unknown'

interface WhenCalledProps {
  readonly state: CallState
  /** Undefined: when it was opened here. Null: unknown. */
  readonly value: number | null | undefined
  readonly onChange: (at: number | null | undefined) => void
}

/** For a call that wasn't dialed here. */
export function WhenCalled({ state, value, onChange }: WhenCalledProps) {
  const times = useTimes()
  const chosen = value === undefined ? OPENED : value === null ? UNKNOWN : EARLIER
  const opened = state.claim?.since ?? state.at
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))] gap-3">
      <Select
        label="When was the call?"
        hint="It wasn’t dialed here."
        value={chosen}
        choices={[
          [OPENED, `${times.near(opened, state.at)} office time, when you opened it`],
          [EARLIER, 'Earlier'],
          [UNKNOWN, 'I don’t know'],
        ]}
        onChoose={to => onChange(to === OPENED ? undefined : to === UNKNOWN ? null : opened - 5 * MINUTE)}
      />
      {typeof value === 'number' ? (
        <TextField
          label="Minutes ago"
          hint={`${times.short(value)} office time`}
          type="number"
          min={1}
          max={24 * 60}
          defaultValue={Math.max(1, Math.round((state.at - value) / MINUTE))}
          onChange={({ target: { valueAsNumber: minutes } }) => {
            if (minutes >= 1) onChange(state.at - minutes * MINUTE)
          }}
        />
      ) : null}
    </div>
  )
}
