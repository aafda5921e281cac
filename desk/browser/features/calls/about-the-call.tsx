/** What the desk can't know about a call: whom it was about, who asked, which call it was, and when, if it was on another phone. */
import { useEffect, useRef } from 'react'
import { type CallOutcomeName, callOutcomes, outcomeName, SOMEONE_ELSE } from '../../../../domain/calling/outcomes.ts'
import { MINUTE } from '../../../../domain/durations.ts'
import type { CallState } from '../../client.ts'
import { fullName } from '../../format/names.tsx'
import { useTimes } from '../../times.ts'
import { Checkbox, Select, TextField } from '../../ui/field.tsx'
import { CallbackTime } from './callback-time.tsx'
import { type Asked, keyOf, type OtherOutcome, type Person, type Said } from './said.ts'

interface AskedProps {
  readonly state: CallState
  readonly onSay: (changes: Partial<Said>) => void
}

interface AboutWhomProps extends AskedProps, Pick<Said, 'others'> {
  readonly outcome: CallOutcomeName
  readonly ticked: ReadonlySet<string>
}

const NOTHING = ''
const forOthers = ['going ahead', 'not interested', 'call back'] as const satisfies readonly CallOutcomeName[]

/** Nobody who isn't ticked is answered, closed, or promised anything. */
export function AboutWhom({ state, outcome, ticked, others, onSay }: AboutWhomProps) {
  const { people, place } = state
  const isWrong = callOutcomes[outcome].stops === 'if nobody is there'
  // A stop closes the number for everyone: “Who asked?” says so.
  const isStop = callOutcomes[outcome].stops === 'who asked'
  // Whom the agent asked for wasn't there.
  const isOther = outcome === SOMEONE_ELSE
  const nothing = isOther ? 'said nothing: it’s a try for them, too' : 'said nothing: nothing changes for them'
  // A number on the do-not-call list isn't called back.
  const possible = forOthers.filter(each => callOutcomes[outcome].stops === null || each !== 'call back')
  function withOther(key: string, other: OtherOutcome | null): Pick<Said, 'others'> {
    const rest = [...others].filter(([each]) => each !== key)
    return { others: new Map(other ? [...rest, [key, other]] : rest) }
  }
  const toggle = (key: string, isTicked: boolean) =>
    onSay(
      isTicked
        ? { ticked: new Set([...ticked, key]), ...withOther(key, null) }
        : { ticked: new Set([...ticked].filter(each => each !== key)) },
    )
  // Nobody is ticked at first if all of them were reached at a number that's wrong now.
  const fields = useRef<HTMLFieldSetElement>(null)
  const mustChoose = ticked.size === 0
  useEffect(() => {
    if (mustChoose) fields.current?.scrollIntoView({ block: 'nearest' })
  }, [mustChoose])
  return (
    <fieldset ref={fields} className="scroll-mb-24">
      <legend className="font-bold">
        {isOther
          ? 'Did anyone else here say something?'
          : isWrong
            ? 'Who isn’t at this number?'
            : 'Who was this call about?'}
      </legend>
      {people.slice(isOther ? 1 : 0).map(person => {
        const key = keyOf(person)
        const other = others.get(key) ?? null
        const canHaveOwn = !isWrong && !ticked.has(key) && ticked.size > 0
        return (
          <div key={key}>
            {isOther ? null : (
              <Checkbox
                label={fullName(person)}
                name="about"
                checked={ticked.has(key)}
                onChange={isTicked => toggle(key, isTicked)}
              />
            )}
            {canHaveOwn ? (
              <div className={`flex flex-col gap-2 ${isOther ? '' : 'ml-8'}`}>
                <Select
                  label={`In the same call, ${fullName(person)}`}
                  value={other?.outcome ?? NOTHING}
                  choices={[
                    [NOTHING, isStop ? 'said nothing' : nothing],
                    ...possible.map(each => [each, outcomeName(each)] as const),
                  ]}
                  onChoose={to =>
                    onSay(withOther(key, to === NOTHING ? null : { outcome: to as CallOutcomeName, callbackAt: null }))
                  }
                />
                {other?.outcome === 'call back' && place ? (
                  <CallbackTime
                    name={`callback ${key}`}
                    place={place}
                    state={state}
                    value={other.callbackAt}
                    onChange={callbackAt => onSay(withOther(key, { ...other, callbackAt }))}
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

interface WhoAskedProps extends AskedProps {
  readonly people: readonly Person[]
  readonly value: Asked
}

/** Says who is silenced, before anything is saved. */
export function WhoAsked({ state, people, value, onSay }: WhoAskedProps) {
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
          ['someone else', 'Someone else who answered'],
        ]}
        onChoose={to => onSay({ asked: to as Asked })}
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

interface WhichCallProps extends Pick<AskedProps, 'onSay'> {
  readonly startedAt: number
  readonly at: number
  readonly value: Said['which']
}

/** After four hours, the call that was left without an outcome may not be the one they mean. */
export function WhichCall({ startedAt, at, value, onSay }: WhichCallProps) {
  const times = useTimes()
  return (
    <Select
      label="Which call was it?"
      name="which"
      value={value ?? NOTHING}
      choices={[
        [NOTHING, 'Choose'],
        ['left', `Your call of ${times.near(startedAt, at)} office time`],
        ['another', 'Another one'],
      ]}
      onChoose={to => {
        if (to !== NOTHING) onSay({ which: to as 'left' | 'another' })
      }}
    />
  )
}

const OPENED = 'opened'
const EARLIER = 'earlier'
const UNKNOWN = 'unknown'

interface WhenCalledProps extends AskedProps {
  readonly value: Said['calledAt']
}

/** For a call that wasn't dialed here. */
export function WhenCalled({ state, value, onSay }: WhenCalledProps) {
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
        onChoose={to => onSay({ calledAt: to === OPENED ? undefined : to === UNKNOWN ? null : opened - 5 * MINUTE })}
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
            if (minutes >= 1) onSay({ calledAt: state.at - minutes * MINUTE })
          }}
        />
      ) : null}
    </div>
  )
}
