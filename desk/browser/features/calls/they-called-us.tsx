/** Someone called us: anyone can call from a number, or pretend to, so who it is comes first. */
import type { CallState, Lead } from '../../client.ts'
import { bornOn } from '../../format/birth-date.ts'
import { fullName } from '../../format/names.tsx'
import { useSession } from '../../session.ts'
import { useTimes } from '../../times.ts'
import { LinkButton } from '../../ui/button.tsx'
import { Callout } from '../../ui/placeholders.tsx'
import { addPerson } from './incoming-call.tsx'

interface TheyCalledUsProps {
  readonly lead: Lead
  readonly contact: NonNullable<Lead['contact']>
  readonly state: CallState
  readonly startedAt: number
}

export function TheyCalledUs({ lead, contact, state, startedAt }: TheyCalledUsProps) {
  const times = useTimes()
  const { name } = useSession()
  const { firstName, lastName, email, dateOfBirth, phone } = contact
  const { language } = state
  const at = times.near(startedAt, state.at)
  // Someone who called has just said who they are.
  if (lead.consentTakenBy === name && startedAt - lead.receivedAt < 60_000) {
    return <p className="mt-3 font-bold text-action-strong print:hidden">They called us at {at} office time.</p>
  }
  return (
    <div className="mt-3 print:hidden">
      <Callout tone="waiting" icon="account" title={`They called us at ${at} office time. Check who it is first.`}>
        <p>
          Ask for their full name{dateOfBirth === '' ? '' : ' and date of birth'}. Don’t share or confirm anything until{' '}
          {dateOfBirth === '' ? 'it matches' : 'both match'}: <bdi className="font-bold">{fullName(contact)}</bdi>
          {dateOfBirth === '' ? '' : `, born ${bornOn(dateOfBirth)}`}.
        </p>
        <p className="flex flex-wrap gap-x-4">
          <LinkButton onClick={() => addPerson({ phone })}>Someone else is calling</LinkButton>
          {state.block?.why !== 'closed' ? null : (
            <LinkButton onClick={() => addPerson({ firstName, lastName, email, dateOfBirth, phone, language })}>
              They want to be called again
            </LinkButton>
          )}
        </p>
      </Callout>
    </div>
  )
}
