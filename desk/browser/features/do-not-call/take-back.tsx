/** Takes requests back together: selected ones, or, after a preview, what came in from the website or through one person since a time. */
import { useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { reasonsToStay } from '../../../../domain/do-not-call/do-not-call.ts'
import { formatNumber, pluralize } from '../../../../domain/text/numbers.ts'
import { api, unwrap } from '../../client.ts'
import { queryKeys } from '../../query-keys.ts'
import { useTimes, useToday } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, progressOf, useReason } from '../../ui/dialog.tsx'
import { Checkbox, Select, TextField } from '../../ui/field.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useListChanged } from './add-to-do-not-call.tsx'

const WEBSITE = ''
const stayingOf = (total: number) => pluralize(total, 'request stays', 'requests stay')
const countEntries = (total: number) => pluralize(total, 'entry', 'entries')

interface TakeBackProps {
  readonly selected: readonly string[]
  readonly onDone: () => void
}

export function TakeBack({ selected, onDone }: TakeBackProps) {
  const [choice, setChoice] = useState<'selected' | 'work' | null>(null)
  const close = () => setChoice(null)
  return (
    <p className="mt-3 flex flex-wrap gap-2">
      {selected.length > 0 ? (
        <Button onClick={() => setChoice('selected')}>Remove {pluralize(selected.length, 'request')}…</Button>
      ) : null}
      <Button kind="quiet" onClick={() => setChoice('work')}>
        Take back together…
      </Button>
      {choice === 'selected' ? <Selected selected={selected} onDone={onDone} onClose={close} /> : null}
      {choice === 'work' ? <Work onClose={close} /> : null}
    </p>
  )
}

type TakeBackBody = Parameters<(typeof api)['do-not-call']['take-back']['$post']>[0]['json']

function useTakeBack(onDone: () => void) {
  const toast = useToast()
  return useMutation({
    mutationFn: (json: TakeBackBody) => unwrap(api['do-not-call']['take-back'].$post({ json })),
    onSuccess: ({ removed, restored, notice }) => {
      onDone()
      const back = restored === 0 ? null : `${countEntries(restored)} put back on the list.`
      toast({ text: [`${countEntries(removed)} removed from the list.`, back, notice].filter(Boolean).join(' ') })
    },
    onSettled: useListChanged(),
  })
}

function Selected({ selected, onDone, onClose }: TakeBackProps & { readonly onClose: () => void }) {
  const reason = useReason()
  const takeBack = useTakeBack(() => {
    onClose()
    onDone()
  })
  return (
    <ConfirmDialog
      title={`Remove ${pluralize(selected.length, 'request')}`}
      button="Remove from list"
      kind="danger"
      {...progressOf(takeBack)}
      onConfirm={() => {
        const why = reason.check()
        if (why !== null) takeBack.mutate({ chosen: { requests: [...selected] }, also: [], reason: why })
      }}
      onClose={onClose}
    >
      <p>Each request goes with all its numbers and addresses. One that a colleague recorded, too, stays.</p>
      {reason.field}
    </ConfirmDialog>
  )
}

function Work({ onClose }: { readonly onClose: () => void }) {
  const times = useTimes()
  const today = useToday()
  const reason = useReason()
  const [person, setPerson] = useState(WEBSITE)
  const [since, setSince] = useState(`${today}T00:00`)
  const [also, setAlso] = useState<readonly string[]>([])
  const names = useQuery({
    queryKey: queryKeys.changedListBy,
    queryFn: ({ signal }) => unwrap(api['do-not-call'].colleagues.$get({}, { init: { signal } })),
  })
  const work = { person: person === WEBSITE ? null : person, since }
  const preview = useMutation({
    mutationFn: () => unwrap(api['do-not-call']['take-back'].preview.$post({ json: work })),
  })
  const takeBack = useTakeBack(onClose)
  function change(set: () => void): void {
    set()
    setAlso([])
    preview.reset()
  }
  const found = preview.data
  const isAll = found && found.going + found.restored + also.length > 0
  return (
    <ConfirmDialog
      title="Take back together"
      button={found ? (isAll ? 'Take back' : null) : 'Preview'}
      kind={found ? 'danger' : 'primary'}
      {...progressOf(found ? takeBack : preview)}
      onConfirm={() => {
        if (!found) return preview.mutate()
        const why = reason.check()
        if (why !== null) takeBack.mutate({ chosen: { ...work, until: found.until }, also: [...also], reason: why })
      }}
      onClose={onClose}
    >
      <div className="grid gap-3">
        <Select
          label="What came in"
          value={person}
          choices={[
            [WEBSITE, 'From the website'],
            ...(names.data?.names ?? []).map(name => [name, `By ${name}`] as const),
          ]}
          onChoose={value => change(() => setPerson(value))}
        />
        <TextField
          label="Since (office time)"
          type="datetime-local"
          value={since}
          onChange={event => change(() => setSince(event.target.value))}
        />
      </div>
      {found ? (
        <>
          <p role="status">
            Removes {pluralize(found.going + also.length, 'request')} from the list.{' '}
            {found.restored === 0 ? '' : `Puts back ${countEntries(found.restored)} that ${person} removed. `}
            {found.staying.length + found.more === 0
              ? ''
              : `${stayingOf(found.staying.length + found.more - also.length)}.`}
          </p>
          <ul className="flex max-h-80 flex-col gap-1 overflow-auto">
            {found.staying.map(({ id, entries, how, at, why }) => {
              const label = entries.join(' and ')
              return (
                <li key={id} className="border-t border-line pt-1">
                  {work.person === null ? (
                    <bdi className="font-bold">{label}</bdi>
                  ) : (
                    <Checkbox
                      label={`Remove ${label}, too`}
                      checked={also.includes(id)}
                      onChange={isChosen => setAlso(isChosen ? [...also, id] : also.filter(each => each !== id))}
                    />
                  )}
                  <p className="text-small text-ink-soft">
                    {how ?? 'Added'} · {times.short(at)}. {why === null ? '' : reasonsToStay[why]}
                  </p>
                </li>
              )
            })}
          </ul>
          {found.more === 0 ? null : <p>{formatNumber(found.more)} more stay. Choose a later time to see them.</p>}
          {reason.field}
        </>
      ) : null}
    </ConfirmDialog>
  )
}
