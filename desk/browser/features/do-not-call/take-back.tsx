/** Takes selected entries back together, or all that match: someone may have entered strangers' numbers on the website. */
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { StopFilter } from '../../../../domain/do-not-call.ts'
import { api, unwrap } from '../../client.ts'
import { formatNumber } from '../../format/numbers.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, progressOf, useReason } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useListChanged } from './add-to-do-not-call.tsx'

export interface EntryFilter {
  readonly search: string
  readonly source?: StopFilter
  /** Dates such as 2030-01-31. */
  readonly since?: string
  readonly until?: string
}

const entriesOf = (total: number) => (total === 1 ? '1 entry' : `${formatNumber(total)} entries`)

interface TakeBackProps {
  readonly filter: EntryFilter
  /** How many requests match the filter. */
  readonly total: number
  readonly selected: readonly string[]
  readonly onDone: () => void
}

export function TakeBack({ filter, total, selected, onDone }: TakeBackProps) {
  const [choice, setChoice] = useState<'selected' | 'all' | null>(null)
  const entries = choice === 'selected' ? selected : null
  return (
    <p className="mt-3 flex flex-wrap gap-2">
      {selected.length > 0 ? (
        <Button onClick={() => setChoice('selected')}>Remove {entriesOf(selected.length)}…</Button>
      ) : null}
      {filter.source === undefined || total === 0 ? null : (
        <Button kind="quiet" onClick={() => setChoice('all')}>
          Remove all {formatNumber(total)} that match…
        </Button>
      )}
      {choice === null ? null : (
        <Confirm filter={filter} entries={entries} onDone={onDone} onClose={() => setChoice(null)} />
      )}
    </p>
  )
}

interface ConfirmProps extends Pick<TakeBackProps, 'filter' | 'onDone'> {
  /** Null: all that match the filter. */
  readonly entries: readonly string[] | null
  readonly onClose: () => void
}

function Confirm({ filter, entries, onDone, onClose }: ConfirmProps) {
  const toast = useToast()
  const changed = useListChanged()
  const reason = useReason()
  const takeBack = useMutation({
    mutationFn: (why: string) =>
      unwrap(
        api['do-not-call']['take-back'].$post({
          json: { ...filter, ...(entries && { entries: [...entries] }), reason: why },
        }),
      ),
    onSuccess: ({ removed }) => {
      onClose()
      onDone()
      toast({ text: `${entriesOf(removed)} removed from the list.` })
    },
    onSettled: changed,
  })
  return (
    <ConfirmDialog
      title={entries === null ? 'Remove all that match' : `Remove ${entriesOf(entries.length)}`}
      button="Remove from list"
      kind="danger"
      {...progressOf(takeBack)}
      onConfirm={() => {
        const why = reason.check()
        if (why !== null) takeBack.mutate(why)
      }}
      onClose={onClose}
    >
      <p>
        People who have or had a lead stay on the list, because they may have asked themselves. So do entries that
        someone else confirmed. To remove one of those, choose Remove beside it and say who asked.
      </p>
      {reason.field}
    </ConfirmDialog>
  )
}
