/** Everyone on the number, because anyone may pick up, and where calling each of them stands. */
import { outcomeName } from '../../../../domain/calling/outcomes.ts'
import type { CallState } from '../../client.ts'
import { fullName } from '../../format/names.tsx'
import { Link } from '../../router.tsx'
import { GiveCallback, useMayGive } from './give-callback.tsx'
import { lateness, useBothTimes } from './local-time.tsx'
import { keyOf, type Person } from './said.ts'

/** One person alone has a heading with their name already. */
export function EveryoneHere({ state }: { readonly state: CallState }) {
  const { people } = state
  const standing = useStanding(state)
  const mayGive = useMayGive()
  return (
    <ul className="mt-3 flex flex-col gap-1 empty:mt-0">
      {people.map((person, index) => {
        const text = standing(person)
        const isNamed = people.length > 1
        if (!isNamed && text === null && person.otherNumbers.length === 0) return null
        return (
          <li key={keyOf(person)}>
            {isNamed ? <bdi className={index === 0 ? 'font-bold' : ''}>{fullName(person)}</bdi> : null}
            {isNamed && text !== null ? ': ' : ''}
            <span className={isNamed ? '' : 'font-bold'}>{text}</span>
            {person.call.ended === null && mayGive(person.call.promise) ? (
              <GiveCallback callback={{ leadId: keyOf(person), language: person.language }} />
            ) : null}
            <OtherNumbers person={person} />
          </li>
        )
      })}
    </ul>
  )
}

/** "Dana Fox (no longer here)" */
export const whoPromised = ({ by, hasLeft }: Pick<Promised, 'by' | 'hasLeft'>) =>
  hasLeft ? `${by} (no longer here)` : by

type Promised = NonNullable<Person['call']['promise']>

function OtherNumbers({ person: { otherNumbers } }: { readonly person: Person }) {
  if (otherNumbers.length === 0) return null
  return (
    <span className="block text-small">
      Also on file at{' '}
      {otherNumbers.map(({ leadId: id, phone }, index) => (
        <span key={id}>
          {index === 0 ? '' : ', '}
          <Link href={`/leads/${id}`} className="underline underline-offset-4">
            {phone}
          </Link>
        </span>
      ))}
      . Moving forward, Not interested, and Never call again count for those requests, too.
    </span>
  )
}

/** Where calling someone stands. */
function useStanding({ place, at, situation, next }: CallState) {
  const both = useBothTimes()
  return ({ leads, call: { kind, promise, preferred, tries, ended } }: Person): string | null => {
    if (promise && ended === null)
      return `Callback by ${whoPromised(promise)}, promised for ${both(place, promise.at)}${lateness(promise.at, at)}.`
    if (ended !== null) return `${outcomeName(ended)}.`
    if (preferred) return `They asked for the first call after ${both(place, preferred.from)}. We said we’d try.`
    // Earlier calls, which led to something, are among the calls below, too.
    if (kind === 'retry' && tries > 0) {
      const isNext = next !== null && next.dueAt > at && leads.includes(next.leadId) && situation.kind !== 'started'
      return `Tried ${tries === 1 ? 'once' : `${tries} times`} since they last asked for a call or talked to us.${
        isNext ? ` Next try: ${both(place, next.dueAt)}.` : ''
      }`
    }
    return kind === 'new' ? 'Not called yet.' : null
  }
}
