/** A bulk action: how many leads before it is confirmed, its progress, and its result. */
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bulkAction } from '../../../../domain/lead-actions.ts'
import { LONGEST_REASON, MOST_COUNTED } from '../../../limits.ts'
import { answer, api, type Job, type JobOrder, type JobRequest, messageOf } from '../../client.ts'
import { queryKeys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { TextField } from '../../ui/field.tsx'
import { LoadingText, Problem, Skeleton } from '../../ui/placeholders.tsx'
import { useIsMounted, useToast } from '../../ui/toast.tsx'
import { counted, figure } from '../../words/figures.ts'

export type JobChoice = Pick<JobOrder, 'action' | 'leads'>

interface JobDialogProps {
  readonly choice: JobChoice
  readonly onClose: (changed: boolean) => void
}

export function JobDialog({ choice, onClose }: JobDialogProps) {
  const toast = useToast()
  const isMounted = useIsMounted()
  const { title } = bulkAction(choice.action).bulk
  const begin = useMutation({
    mutationFn: (json: JobRequest) => answer(api.jobs.$post({ json })),
    // The dialog may be closed by now.
    onSuccess: ({ total }) => {
      if (!isMounted.current) toast({ text: `${title}: started, ${counted(total, 'lead')}.` })
    },
    onError: error => {
      if (!isMounted.current) toast({ text: `${title}: not started. ${messageOf(error)}`, tone: 'bad' })
    },
  })
  return (
    <Dialog title={title} onClose={() => onClose(begin.isSuccess)}>
      {begin.data ? (
        <Progress began={begin.data} onClose={() => onClose(true)} />
      ) : (
        <Confirm
          choice={choice}
          busy={begin.isPending}
          failed={begin.isError ? messageOf(begin.error) : null}
          onConfirm={request => begin.mutate(request)}
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
  readonly onConfirm: (request: JobRequest) => void
  readonly onCancel: () => void
}

function Confirm({ choice: { action, leads }, busy, failed, onConfirm, onCancel }: ConfirmProps) {
  const { bulk, confirm } = bulkAction(action)
  const asksReason = confirm?.asks === 'reason'
  const [again, setAgain] = useState(false)
  const [reason, setReason] = useState('')
  const [isMissing, setMissing] = useState(false)
  const order: JobOrder = { action, leads, ...(bulk.again && { again }) }
  const count = useQuery({
    queryKey: queryKeys.jobCount(order),
    queryFn: ({ signal }) => answer(api.jobs.count.$post({ json: order }, { init: { signal } })),
    // Counted each time the dialog is opened: what is confirmed is what was counted.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
  const { data } = count
  if (count.isError) {
    return (
      <Problem title="The leads couldn’t be counted" onRetry={() => count.refetch()}>
        {messageOf(count.error)}
      </Problem>
    )
  }
  if (!data) {
    return (
      <div className="flex flex-col gap-3">
        <LoadingText what="the number of leads" />
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
        if (asksReason && reason.trim() === '') setMissing(true)
        else onConfirm({ ...order, frozenAt: data.frozenAt, ...(asksReason && { reason: reason.trim() }) })
      }}
    >
      <div aria-live="polite" className="flex flex-col gap-2">
        {data.tooMany ? (
          <p>
            That’s more than {figure(MOST_COUNTED)} leads, the most that one bulk action may change. Narrow the list,
            for example by date, and do it in parts.
          </p>
        ) : (
          <>
            <p className="font-bold">
              {data.would === 0 ? 'This doesn’t apply to any of these leads.' : bulk.will(counted(data.would, 'lead'))}
            </p>
            {data.skipped > 0 ? (
              <p className="text-ink-soft">
                {counted(data.skipped, 'lead')} skipped. {bulk.skipped}
              </p>
            ) : null}
          </>
        )}
      </div>
      {bulk.again ? (
        <label className="flex min-h-11 items-center gap-3">
          <input
            type="checkbox"
            className="size-5 shrink-0 accent-action"
            checked={again}
            onChange={event => setAgain(event.target.checked)}
          />
          {bulk.again}
        </label>
      ) : null}
      {asksReason && data.would > 0 ? (
        <TextField
          label="Reason"
          hint="Colleagues will see this. Leave out names and phone numbers."
          maxLength={LONGEST_REASON}
          value={reason}
          error={isMissing && reason.trim() === '' ? 'Enter a reason.' : undefined}
          onChange={event => setReason(event.target.value)}
        />
      ) : null}
      {failed === null ? null : <Problem title="That didn’t work">{failed}</Problem>}
      <DialogActions>
        <Button onClick={onCancel}>Cancel</Button>
        {data.would > 0 && !data.tooMany ? (
          <Button type="submit" kind="primary" busy={busy || count.isFetching}>
            {bulk.button(figure(data.would))}
          </Button>
        ) : null}
      </DialogActions>
    </form>
  )
}

const POLL_MS = 400

function Progress({ began, onClose }: { readonly began: Job; readonly onClose: () => void }) {
  const { data: job } = useQuery({
    queryKey: queryKeys.job(began.id),
    queryFn: ({ signal }) => answer(api.jobs[':id'].$get({ param: { id: began.id } }, { init: { signal } })),
    initialData: began,
    staleTime: 0,
    refetchInterval: ({ state }) => (state.data?.state === 'running' ? POLL_MS : false),
  })
  const handled = job.changed + job.skipped + job.failed
  const isRunning = job.state === 'running'
  return (
    <div className="flex flex-col gap-4">
      {isRunning ? (
        <>
          <progress
            aria-label="Progress"
            className="h-3 w-full accent-action"
            max={Math.max(1, job.total)}
            value={handled}
          />
          <p>
            {figure(handled)} of {figure(job.total)}. You can close this; it will finish in the background.
          </p>
        </>
      ) : null}
      <div role="status" className="flex flex-col gap-1">
        {isRunning ? null : (
          <>
            <p className="font-bold">
              {job.state === 'stopped' ? 'Stopped. ' : ''}
              {counted(job.changed, 'lead')} {bulkAction(job.action).bulk.done}.
            </p>
            {job.skipped > 0 ? <p>{counted(job.skipped, 'lead')} skipped.</p> : null}
            {job.failed > 0 ? <p className="font-bold text-error">{counted(job.failed, 'lead')} failed.</p> : null}
            {job.message === null ? null : <p>{job.message}</p>}
          </>
        )}
      </div>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          {isRunning ? 'Close' : 'Done'}
        </Button>
      </DialogActions>
    </div>
  )
}
