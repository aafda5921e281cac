/** A bulk action: how many leads before it is confirmed, its progress, and its result. */
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bulkAction } from '../../../../domain/lead-actions.ts'
import { MAX_COUNTED } from '../../../limits.ts'
import { answer, api, type Job, type JobOrder, type JobRequest, messageOf } from '../../client.ts'
import { queryKeys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import { AskDialog, type Asking, Dialog, DialogActions, useReason } from '../../ui/dialog.tsx'
import { Check } from '../../ui/field.tsx'
import { Loaded } from '../../ui/placeholders.tsx'
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
      if (!isMounted.current) toast({ text: `${title}: started (${counted(total, 'lead')}).` })
    },
    onError: error => {
      if (!isMounted.current) toast({ text: `${title}: not started. ${messageOf(error)}`, tone: 'bad' })
    },
  })
  if (begin.data) {
    return (
      <Dialog title={title} onClose={() => onClose(true)}>
        <Progress began={begin.data} onClose={() => onClose(true)} />
      </Dialog>
    )
  }
  const failed = begin.isError ? messageOf(begin.error) : null
  const asking = { busy: begin.isPending, failed, onClose: () => onClose(false) }
  return <Confirm choice={choice} asking={asking} onConfirm={request => begin.mutate(request)} />
}

interface ConfirmProps {
  readonly choice: JobChoice
  readonly asking: Asking
  readonly onConfirm: (request: JobRequest) => void
}

function Confirm({ choice: { action, leads }, asking, onConfirm }: ConfirmProps) {
  const { bulk, confirm } = bulkAction(action)
  const asksReason = confirm?.asks === 'reason'
  const [again, setAgain] = useState(false)
  const reason = useReason()
  const order: JobOrder = { action, leads, ...(bulk.again && { again }) }
  const count = useQuery({
    queryKey: queryKeys.jobCount(order),
    queryFn: ({ signal }) => answer(api.jobs.count.$post({ json: order }, { init: { signal } })),
    // Counted each time the dialog opens, so that people confirm exactly the leads that were counted.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
  const isPossible = count.data !== undefined && count.data.would > 0 && !count.data.tooMany
  function start(): void {
    const given = asksReason ? reason.check() : ''
    if (given === null || !count.data) return
    onConfirm({ ...order, frozenAt: count.data.frozenAt, ...(asksReason && { reason: given }) })
  }
  return (
    <AskDialog
      {...asking}
      title={bulk.title}
      button={isPossible ? bulk.button(figure(count.data.would)) : null}
      busy={asking.busy || count.isFetching}
      onConfirm={start}
    >
      <Loaded query={count} what="the number of leads">
        {({ would, skipped, tooMany }) => (
          <div aria-live="polite" className="flex flex-col gap-2">
            <p className="font-bold">
              {tooMany
                ? `Bulk actions are limited to ${figure(MAX_COUNTED)} leads. Filter the list (by date, for example) and work in batches.`
                : would === 0
                  ? 'This doesn’t apply to any of these leads.'
                  : bulk.will(counted(would, 'lead'))}
            </p>
            {skipped > 0 ? (
              <p className="text-ink-soft">
                {counted(skipped, 'lead')} will be skipped. {bulk.skipped}
              </p>
            ) : null}
          </div>
        )}
      </Loaded>
      {bulk.again && count.data ? <Check label={bulk.again} checked={again} onChange={setAgain} /> : null}
      {asksReason && isPossible ? reason.field : null}
    </AskDialog>
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
