/** A change of many leads: how many before it is confirmed, how far it is while it runs, and what came of it. */
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { JobAction, JobAnswer, JobCount, JobLeads } from '../../api/jobs.ts'
import { LONGEST_REASON } from '../../api/lead.ts'
import { MOST_COUNTED } from '../../api/leads.ts'
import { ask, messageOf } from '../client.ts'
import { queryKeys } from '../query-keys.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { TextField } from '../ui/field.tsx'
import { Problem } from '../ui/problem.tsx'
import { LoadingText, Skeleton } from '../ui/skeleton.tsx'
import { useToast } from '../ui/toast.tsx'
import { useIsHere } from '../ui/use-is-here.ts'
import { counted, figure } from '../words/figures.ts'

export interface JobChoice {
  readonly action: JobAction
  readonly leads: JobLeads
  /** How many the list or the selection has. */
  readonly chosen: number
}

interface JobWords {
  readonly title: string
  readonly will: (leads: string) => string
  readonly left: string
  readonly button: (count: number) => string
  readonly done: string
}

const words: Readonly<Record<JobAction, JobWords>> = {
  release: {
    title: 'Release leads',
    will: leads => `${leads} will be accepted and sent to the webhook. What has been sent cannot be called back.`,
    left: 'left alone: only held and rejected leads can be released, and those on the do-not-call list only one by one.',
    button: count => `Release ${figure(count)}`,
    done: 'released',
  },
  reject: {
    title: 'Reject leads',
    will: leads => `${leads} will be kept, and never sent. You can release them later.`,
    left: 'left alone: only held leads can be rejected.',
    button: count => `Reject ${figure(count)}`,
    done: 'rejected',
  },
  redeliver: {
    title: 'Send leads again',
    will: leads => `${leads} will be sent to the webhook again.`,
    left: 'left alone: not accepted, already on the way, or delivered; those on the do-not-call list are sent only one by one.',
    button: count => `Send ${figure(count)} again`,
    done: 'put on their way again',
  },
}

interface JobDialogProps {
  readonly choice: JobChoice
  readonly onClose: (changed: boolean) => void
}

export function JobDialog({ choice, onClose }: JobDialogProps) {
  const toast = useToast()
  const isHere = useIsHere()
  const begin = useMutation({
    mutationFn: (body: object) => ask<JobAnswer>('/api/jobs', { body }),
    // Whoever closed the dialog meanwhile is told all the same.
    onSuccess: ({ total }) => {
      if (!isHere.current)
        toast({ text: `${words[choice.action].title}: it has begun, with ${counted(total, 'lead')}.` })
    },
    onError: error => {
      if (!isHere.current) toast({ text: `It was not begun. ${messageOf(error)}`, tone: 'bad' })
    },
  })
  return (
    <Dialog title={words[choice.action].title} onClose={() => onClose(begin.isSuccess)}>
      {begin.data ? (
        <Progress began={begin.data} onClose={() => onClose(true)} />
      ) : (
        <Confirm
          choice={choice}
          busy={begin.isPending}
          failed={begin.isError ? messageOf(begin.error) : null}
          onConfirm={order => begin.mutate(order)}
          onCancel={() => onClose(false)}
        />
      )}
    </Dialog>
  )
}

interface ConfirmProps {
  readonly choice: JobChoice
  readonly busy: boolean
  readonly failed: string | null
  readonly onConfirm: (order: object) => void
  readonly onCancel: () => void
}

function Confirm({ choice: { action, leads }, busy, failed, onConfirm, onCancel }: ConfirmProps) {
  const { will, left, button } = words[action]
  const [again, setAgain] = useState(false)
  const [reason, setReason] = useState('')
  const [missing, setMissing] = useState(false)
  const order = { action, leads, ...(action === 'redeliver' && { again }) }
  const count = useQuery({
    queryKey: queryKeys.jobCount(order),
    queryFn: ({ signal }) => ask<JobCount>('/api/jobs/count', { body: order, signal }),
    // Counted anew each time the dialog is opened: what is confirmed is what was counted.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
  const { data } = count
  if (count.isError) {
    return (
      <Problem title="They could not be counted" onRetry={() => count.refetch()}>
        {messageOf(count.error)}
      </Problem>
    )
  }
  if (!data) {
    return (
      <div className="flex flex-col gap-3">
        <LoadingText what="how many leads that are" />
        <Skeleton />
        <Skeleton className="h-5 w-2/3" />
      </div>
    )
  }
  return (
    <form
      className="flex flex-col gap-4"
      noValidate
      onSubmit={event => {
        event.preventDefault()
        if (busy || data.would === 0 || data.tooMany) return
        if (action === 'reject' && reason.trim() === '') setMissing(true)
        else onConfirm({ ...order, frozenAt: data.frozenAt, ...(action === 'reject' && { reason: reason.trim() }) })
      }}
    >
      <div aria-live="polite" className="flex flex-col gap-2">
        {data.tooMany ? (
          <p>
            That is about more than {figure(MOST_COUNTED)} leads, which is more than one step may change. Narrow the
            list, by time for example, and go on piece by piece.
          </p>
        ) : (
          <>
            <p className="font-bold">
              {data.would === 0
                ? 'There is no lead among them to which this can happen.'
                : will(counted(data.would, 'lead'))}
            </p>
            {data.skipped > 0 ? (
              <p className="text-ink-soft">
                {counted(data.skipped, 'lead')} {data.skipped === 1 ? 'is' : 'are'} {left}
              </p>
            ) : null}
          </>
        )}
      </div>
      {action === 'redeliver' ? (
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            className="size-5 shrink-0 accent-action"
            checked={again}
            onChange={event => setAgain(event.target.checked)}
          />
          Also those that were delivered: the webhook gets them twice
        </label>
      ) : null}
      {action === 'reject' && data.would > 0 ? (
        <TextField
          label="Why"
          hint="For those who look later. No names or numbers, please."
          maxLength={LONGEST_REASON}
          value={reason}
          error={missing && reason.trim() === '' ? 'Say in a few words why.' : undefined}
          onChange={event => setReason(event.target.value)}
        />
      ) : null}
      {failed === null ? null : <Problem title="That did not work">{failed}</Problem>}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        {data.would > 0 && !data.tooMany ? (
          <Button type="submit" kind="primary" busy={busy || count.isFetching}>
            {button(data.would)}
          </Button>
        ) : null}
      </DialogActions>
    </form>
  )
}

const ASK_EVERY_MS = 400

function Progress({ began, onClose }: { readonly began: JobAnswer; readonly onClose: () => void }) {
  const { data: job } = useQuery({
    queryKey: queryKeys.job(began.id),
    queryFn: ({ signal }) => ask<JobAnswer>(`/api/jobs/${began.id}`, { signal }),
    initialData: began,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? ASK_EVERY_MS : false),
  })
  const { done } = words[job.action]
  const handled = job.changed + job.skipped + job.failed
  return (
    <div className="flex flex-col gap-4">
      {job.state === 'running' ? (
        <>
          <progress
            aria-label="Progress"
            className="h-3 w-full accent-action"
            max={Math.max(1, job.total)}
            value={handled}
          />
          <p>
            {figure(handled)} of {figure(job.total)}. You may close this: it goes on by itself.
          </p>
        </>
      ) : null}
      <div role="status" className="flex flex-col gap-1">
        {job.state === 'running' ? null : (
          <>
            <p className="font-bold">
              {job.state === 'stopped' ? 'It stopped. ' : ''}
              {counted(job.changed, 'lead')} {job.changed === 1 ? 'was' : 'were'} {done}.
            </p>
            {job.skipped > 0 ? (
              <p>
                {counted(job.skipped, 'lead')} had changed meanwhile, and {job.skipped === 1 ? 'was' : 'were'} left
                alone.
              </p>
            ) : null}
            {job.failed > 0 ? <p className="font-bold text-error">{counted(job.failed, 'lead')} failed.</p> : null}
            {job.message === null ? null : <p>{job.message}</p>}
          </>
        )}
      </div>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {job.state === 'running' ? 'Close' : 'Done'}
        </Button>
      </DialogActions>
    </div>
  )
}
