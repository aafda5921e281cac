/** What the desk can't know about a call: whom it was about, who asked, which call it was, and when, if it was on another phone. */
import { type CallOutcomeName, callOutcomes, outcomeName } from '../../../../domain/calling/outcomes.ts'
import { MINUTE } from '../../../../domain/durations.ts'
import type { CallState } from '../../client.ts'
import { fullName } from '../../format/names.tsx'
import { useTimes } from '../../times.ts'
import { Checkbox, Select, TextField } from '../../ui/field.tsx'
import { CallbackTime } from './callback-time.tsx'

type Person = CallState['people'][number]
/** Leads that look like one person are ticked together. */
export const keyOf = ({ leads }: Person): string => leads[0] ?? ''

/** What someone else on the number said in the same call. */
export interface OtherOutcome {
  readonly outcome: CallOutcomeName
  readonly callbackAt: number | null
}

interface AboutWhomProps {
  readonly state: CallState
  readonly outcome: CallOutcomeName
  readonly ticked: ReadonlySet<string>
  readonly onTick: (ticked: ReadonlySet<string>) => void
  readonly others: ReadonlyMap<string, OtherOutcome>
  readonly onOther: (key: string, other: OtherOutcome | null) => void
}

const NOTHING = ''
const forOthers = ['going ahead', 'not interested', 'call back'] as const satisfies readonly CallOutcomeName[]

/** Nobody who isn't ticked is answered, closed, or promised anything. */
export function AboutWhom({ state, outcome, ticked, onTick, others, onOther }: AboutWhomProps) {
  const { people, place } = state
  const isWrong = callOutcomes[outcome].stops === 'if nobody is there'
  // A number on the do-not-call list isn't called back.
  const possible = forOthers.filter(each => callOutcomes[outcome].stops === null || each !== 'call back')
  function toggle(key: string, isTicked: boolean): void {
    const next = new Set(ticked)
    if (isTicked) next.add(key)
    else next.delete(key)
    onTick(next)
    if (isTicked) onOther(key, null)
  }
  return (
    <fieldset>
      <legend className="font-bold">{isWrong ? 'Who isn’t at this number?' : 'Who was this call about?'}</legend>
      {people.map(person => {
        const key = keyOf(person)
        const other = others.get(key) ?? null
        const canHaveOwn = !isWrong && !ticked.has(key) && ticked.size > 0
        return (
          <div key={key}>
            <Checkbox label={fullName(person)} checked={ticked.has(key)} onChange={isTicked => toggle(key, isTicked)} />
            {canHaveOwn ? (
              <div className="ml-8 flex flex-col gap-2">
                <Select
                  label={`In the same call, ${fullName(person)}`}
                  value={other?.outcome ?? NOTHING}
                  choices={[
                    [NOTHING, 'said nothing: nothing changes for them'],
                    ...possible.map(each => [each, outcomeName(each)] as const),
                  ]}
                  onChoose={to =>
                    onOther(key, to === NOTHING ? null : { outcome: to as CallOutcomeName, callbackAt: null })
                  }
                />
                {other?.outcome === 'call back' && place ? (
                  <CallbackTime
                    name={`callback ${key}`}
                    place={place}
                    state={state}
                    value={other.callbackAt}
                    onChange={callbackAt => onOther(key, { ...other, callbackAt })}
                  />
                ) : null}
              </div>
            ) : null}
          </div>
        )
      })}
    </fieldset>
  )
}

export type Asked = 'person' | 'whoever answered'

interface WhoAskedProps {
  readonly state: CallState
  readonly people: readonly Person[]
  readonly value: Asked
  readonly onChange: (asked: Asked) => void
}

/** Says who is silenced, before anything is saved. */
export function WhoAsked({ state, people, value, onChange }: WhoAskedProps) {
  const names = state.people.map(person => fullName(person)).join(', ')
  const own = people.flatMap(person => person.otherNumbers.map(({ phone }) => phone))
  const emails = people.flatMap(({ email, isEmailShared }) => (email === null || isEmailShared ? [] : [email]))
  const shared = people.flatMap(({ email, isEmailShared }) => (email !== null && isEmailShared ? [email] : []))
  const also = value === 'person' ? [...new Set([...own, ...emails])] : []
  return (
    <div>
      <Select
        label="Who asked?"
        value={value}
        choices={[
          ['person', 'The person'],
          ['whoever answered', 'Someone else who answered'],
        ]}
        onChoose={to => onChange(to as Asked)}
      />
      <p className="mt-1.5 text-small">
        No more calls to this number, for anyone: <bdi>{names}</bdi>.
        {also.length > 0 ? (
          <>
            {' '}
            Also on the do-not-call list: <bdi>{also.join(', ')}</bdi>.
          </>
        ) : null}
        {value === 'person' && shared.length > 0 ? (
          <>
            {' '}
            Someone else uses <bdi>{shared.join(', ')}</bdi>, too, so it stays off the list. An editor can add it.
          </>
        ) : null}
      </p>
    </div>
  )
}

interface WhichCallProps {
  readonly startedAt: number
  readonly at: number
  readonly value: 'left' | 'another' | null
  readonly onChange: (which: 'left' | 'another') => void
}

/** After four hours, the call that was left without an outcome may not be the one they mean. */
export function WhichCall({ startedAt, at, value, onChange }: WhichCallProps) {
  const times = useTimes()
  return (
    <Select
      label="Which call was it?"
      value={value ?? NOTHING}
      choices={[
        [NOTHING, 'Choose'],
        ['left', `Your call of ${times.near(startedAt, at)} office time`],
        ['another', 'Another one'],
      ]}
      onChoose={to => {
        if (to !== NOTHING) onChange(to as 'left' | 'another')
      }}
    />
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
  const { situation } = state
  const opened = 'since' in situation ? situation.since : state.at
  return (
    <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,12rem),1fr))] gap-3">
      <Select
        label="When was the call?"
        hint="It wasn’t dialed here. Office time."
        value={chosen}
        choices={[
          [OPENED, `When I opened it, ${times.near(opened, state.at)}`],
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
