/** "Someone called us": type or paste the number, and the person's page opens with the call. The number stays out of URLs. */

import { useMutation } from '@tanstack/react-query'
import { createContext, use, useEffect, useRef, useState } from 'react'
import { outcomeName } from '../../../../domain/calling/outcomes.ts'
import { api, type IncomingNumber, messageOf, unwrap } from '../../client.ts'
import { bornOn } from '../../format/birth-date.ts'
import { PersonName } from '../../format/names.tsx'
import { navigate } from '../../router.tsx'
import { useTimes } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { Key } from '../../ui/key.tsx'
import { Callout, Problem } from '../../ui/placeholders.tsx'
import { AddToDoNotCall } from '../do-not-call/add-to-do-not-call.tsx'
import { useCallsChanged, useIsAgent } from './call-queries.ts'

/** Opens the dialog. The shell has it, so it works on every page. */
export const IncomingCallContext = createContext<() => void>(() => {})

export function IncomingCallButton() {
  const open = use(IncomingCallContext)
  if (!useIsAgent()) return null
  return (
    <Button icon="phone" onClick={open}>
      Someone called us
      <Key name="i" className="border-edge px-1.5" />
    </Button>
  )
}

/** What is known about someone who is to be added. In the history entry, not in the URL. */
export interface PersonToAdd {
  readonly phone?: string
  readonly firstName?: string
  readonly lastName?: string
  readonly email?: string
  readonly dateOfBirth?: string
  readonly language?: string
  /** Someone else answered a call of ours: whose page it's from, and the draft of what the agent says about it. */
  readonly answered?: { readonly leadId: string; readonly said: string }
}

/** `draft`: this call's, so what one caller says isn't there for the next one with the same number. */
export type NewPerson = PersonToAdd & { readonly draft: string }

export const addPerson = (person: PersonToAdd) =>
  navigate('/calls/add', { state: { ...person, draft: crypto.randomUUID() } satisfies NewPerson })

export function useTakeCall(onTaken: () => void = () => {}) {
  const changed = useCallsChanged()
  return useMutation({
    mutationFn: (leadId: string) => unwrap(api.calls.incoming.$post({ json: { leadId } })),
    onSuccess: (_, leadId) => {
      onTaken()
      void changed()
      navigate(`/leads/${leadId}`)
    },
  })
}

export function IncomingCallDialog({ onClose }: { readonly onClose: () => void }) {
  const changed = useCallsChanged()
  const [phone, setPhone] = useState('')
  const find = useMutation({
    mutationFn: () => unwrap(api.calls.incoming.number.$post({ json: { phone } })),
    onSuccess: found => {
      if (found.kind !== 'taken') return
      onClose()
      void changed()
      navigate(`/leads/${found.leadId}`)
    },
  })
  const found = find.data?.kind === 'choose' ? find.data : null
  // One dialog for both steps: closing the first would close the second.
  return (
    <Dialog title={titleOf(found)} onClose={onClose}>
      {found ? (
        <Choice found={found} onClose={onClose} />
      ) : (
        <form
          noValidate
          className="flex flex-col gap-4"
          onSubmit={event => {
            event.preventDefault()
            if (!find.isPending) find.mutate()
          }}
        >
          <TextField
            label="Their phone number"
            hint="From caller ID, or ask them."
            type="tel"
            autoComplete="off"
            value={phone}
            error={find.isError ? messageOf(find.error) : undefined}
            onChange={event => setPhone(event.target.value)}
          />
          <p className="text-small">
            No number? Find the person by name under Leads, open their page, and press <strong>They called us</strong>.
          </p>
          <DialogActions>
            <Button onClick={onClose}>Cancel</Button>
            <Button type="submit" kind="primary" busy={find.isPending}>
              Open
            </Button>
          </DialogActions>
        </form>
      )}
    </Dialog>
  )
}

function titleOf(found: Found | null): string {
  if (found === null) return 'Someone called us'
  return found.people.length === 0 ? `${found.phone} isn’t on file` : 'Who is calling?'
}

type Found = Extract<IncomingNumber, { readonly kind: 'choose' }>

/** No one has the number, or it isn't clear who is calling. The number isn't stored until there's a person or a stop. */
function Choice({
  found: { people, phone, stoppedAt },
  onClose,
}: {
  readonly found: Found
  readonly onClose: () => void
}) {
  const times = useTimes()
  const take = useTakeCall(onClose)
  const standing = ({ call }: Found['people'][number]) => {
    if (call?.promise) return `. Callback promised for ${times.short(call.promise.at)} office time`
    if (call?.ended) return `. ${outcomeName(call.ended)}`
    return call?.kind ? '. Waiting for a call' : ''
  }
  const isUnknown = people.length === 0
  const count = useMutation({
    mutationFn: () => unwrap(api.calls.incoming.unknown.$post()),
    onSuccess: onClose,
  })
  const first = useRef<HTMLDivElement>(null)
  useEffect(() => first.current?.querySelector<HTMLElement>('[data-dialog-focus]')?.focus(), [])
  function add(person: PersonToAdd): void {
    onClose()
    addPerson({ ...person, phone })
  }
  return (
    <div ref={first} className="flex flex-col gap-4">
      {stoppedAt === null ? null : (
        <Callout tone="bad" icon="phone-off" title={`On the do-not-call list since ${times.short(stoppedAt)}`} />
      )}
      {isUnknown ? (
        <p>The number isn’t stored unless you add the person, or they ask you to stop.</p>
      ) : (
        <>
          <p>Ask for their full name and date of birth. Don’t share or confirm anything until both match.</p>
          <ul className="flex flex-col gap-2">
            {people.map(person => (
              <li key={person.leadId}>
                <Button
                  className="w-full flex-col items-start text-left"
                  busy={take.isPending}
                  onClick={() => (person.state === 'accepted' ? take.mutate(person.leadId) : add(person))}
                >
                  <PersonName {...person} />
                  <span className="text-small font-normal">
                    {person.dateOfBirth === '' ? '' : `Born ${bornOn(person.dateOfBirth)}. `}
                    {person.state === 'accepted'
                      ? `Asked for a call on ${times.short(person.receivedAt)}${standing(person)}`
                      : `${person.state === 'held' ? 'On hold for review' : 'Rejected'}: add them if it’s really them`}
                  </span>
                </Button>
              </li>
            ))}
          </ul>
        </>
      )}
      {take.isError || count.isError ? <Problem title={messageOf(take.error ?? count.error)} /> : null}
      <DialogActions>
        {stoppedAt === null ? <AddToDoNotCall typed={phone} onAdded={isUnknown ? count.mutate : onClose} /> : null}
        {isUnknown ? (
          <Button busy={count.isPending} onClick={() => count.mutate()}>
            They only had a question
          </Button>
        ) : null}
        <Button kind={isUnknown ? 'primary' : 'secondary'} data-dialog-focus onClick={() => add({})}>
          {isUnknown ? 'Add this person' : 'Someone else'}
        </Button>
      </DialogActions>
    </div>
  )
}
