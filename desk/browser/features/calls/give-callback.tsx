/** Promised callbacks go to a colleague, one or several at once: agents give away their own, editors anyone's. */
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { languageName } from '../../../../domain/languages.ts'
import { pluralize } from '../../../../domain/text/numbers.ts'
import type { ListedCall } from '../../client.ts'
import { Names } from '../../format/names.tsx'
import { useHasRole, useSession } from '../../session.ts'
import { useTimes } from '../../times.ts'
import { Button, LinkButton } from '../../ui/button.tsx'
import { ConfirmDialog, progressOf } from '../../ui/dialog.tsx'
import { Checkbox, Select } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { giveCallbacks, useCallsChanged, useColleagues } from './call-queries.ts'

/** `language`: that the person speaks. */
type Callback = Pick<ListedCall, 'leadId' | 'language'>

export function useMayGive(): (promise: Pick<NonNullable<ListedCall['promise']>, 'by'> | null) => boolean {
  const { name } = useSession()
  const isEditor = useHasRole('editor')
  return promise => promise !== null && (isEditor || promise.by === name)
}

/** The one on a lead's page. */
export function GiveCallback({ callback }: { readonly callback: Callback }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      {' '}
      <LinkButton onClick={() => setOpen(true)}>Give to…</LinkButton>
      {isOpen ? <GiveDialog callbacks={[callback]} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

/** Any of a list. */
export function GiveCallbacks({ calls }: { readonly calls: readonly ListedCall[] }) {
  const [isOpen, setOpen] = useState(false)
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set())
  const mayGive = useMayGive()
  const possible = calls.filter(({ promise }) => mayGive(promise))
  if (possible.length === 0) return null
  const close = () => {
    setOpen(false)
    setChosen(new Set())
  }
  return (
    <>
      <Button icon="people" onClick={() => setOpen(true)}>
        Give to a colleague…
      </Button>
      {isOpen ? (
        <GiveDialog callbacks={possible.filter(({ leadId }) => chosen.has(leadId))} onClose={close}>
          <WhichCallbacks calls={possible} chosen={chosen} onChoose={setChosen} />
        </GiveDialog>
      ) : null}
    </>
  )
}

interface WhichCallbacksProps {
  readonly calls: readonly ListedCall[]
  readonly chosen: ReadonlySet<string>
  readonly onChoose: (chosen: ReadonlySet<string>) => void
}

function WhichCallbacks({ calls, chosen, onChoose }: WhichCallbacksProps) {
  const times = useTimes()
  const promisedAt = ({ promise }: ListedCall) => promise?.at ?? 0
  const inOrder = calls.toSorted((one, other) => promisedAt(one) - promisedAt(other))
  const days = [...Map.groupBy(inOrder, call => times.day(promisedAt(call)))]
  const choose = (some: readonly ListedCall[], isChosen: boolean) => {
    const ids = some.map(({ leadId }) => leadId)
    onChoose(new Set(isChosen ? [...chosen, ...ids] : [...chosen].filter(id => !ids.includes(id))))
  }
  return days.map(([day, ofDay]) => (
    <fieldset key={day} className="flex flex-col">
      <legend className="sr-only">{day}</legend>
      <Checkbox
        label={<b>{`${day}, ${ofDay.length === 1 ? 'one callback' : `all ${ofDay.length} callbacks`}`}</b>}
        checked={ofDay.every(({ leadId }) => chosen.has(leadId))}
        onChange={isChosen => choose(ofDay, isChosen)}
      />
      {ofDay.map(call => (
        <div key={call.leadId} className="ml-8">
          <Checkbox
            label={
              <span className="flex flex-wrap gap-x-3">
                {times.time(promisedAt(call))}
                <Names people={call.people} />
              </span>
            }
            checked={chosen.has(call.leadId)}
            onChange={isChosen => choose([call], isChosen)}
          />
        </div>
      ))}
    </fieldset>
  ))
}

const NOBODY = ''

interface GiveDialogProps {
  readonly callbacks: readonly Callback[]
  readonly onClose: () => void
  /** To choose the callbacks. */
  readonly children?: ReactNode
}

function GiveDialog({ callbacks, onClose, children }: GiveDialogProps) {
  const changed = useCallsChanged()
  const toast = useToast()
  const isEditor = useHasRole('editor')
  const colleagues = useColleagues().data ?? []
  const [to, setTo] = useState(NOBODY)
  const [tried, setTried] = useState(false)
  const spoken = [...new Set(callbacks.map(({ language }) => language))]
  const speaks = ({ languages }: (typeof colleagues)[number]) => spoken.filter(each => languages.includes(each)).length
  const speakersFirst = colleagues.toSorted((one, other) => speaks(other) - speaks(one))
  const isOne = children === undefined
  const give = useMutation({
    mutationFn: (leads: readonly string[]) => giveCallbacks(leads, to),
    onSuccess: ({ count }, leads) => {
      onClose()
      void changed()
      const name = colleagues.find(({ id }) => id === to)?.name
      toast({
        text: `${count === 1 ? 'The callback is' : `${count} callbacks are`} ${name}’s now. Let them know.`,
        undo: async () => {
          const back = await giveCallbacks(leads, null)
          await changed()
          const kept = count - back.count
          return { notice: kept > 0 ? `${pluralize(kept, 'callback')} stayed: made already, or given on.` : null }
        },
      })
    },
  })
  return (
    <ConfirmDialog
      title="Who will call back?"
      button={callbacks.length > 1 ? `Give ${callbacks.length}` : 'Give'}
      {...progressOf(give)}
      onConfirm={() => {
        setTried(true)
        if (to !== NOBODY && callbacks.length > 0) give.mutate(callbacks.map(({ leadId }) => leadId))
      }}
      onClose={onClose}
    >
      <Select
        label="Colleague"
        hint={spoken.length === 0 ? undefined : `Spoken there: ${spoken.map(languageName).join(', ')}.`}
        error={tried && to === NOBODY ? 'Choose a colleague.' : undefined}
        value={to}
        choices={[
          [NOBODY, 'Choose…'],
          ...speakersFirst.map(
            ({ id, name, languages }) => [id, `${name} (${languages.map(languageName).join(', ')})`] as const,
          ),
        ]}
        onChoose={setTo}
      />
      {children}
      {tried && callbacks.length === 0 ? (
        <p role="alert" className="font-bold text-error">
          Choose the callbacks.
        </p>
      ) : null}
      <p>
        {isEditor ? 'All callbacks' : 'All your callbacks'} to {isOne ? 'this number' : 'these numbers'} become theirs.
        The promised times stay as they are.
      </p>
    </ConfirmDialog>
  )
}
