/** The dialog for a bulk action: a lead count to confirm, then progress, then the result. */
import { keepPreviousData, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { bulkAction } from '../../../../domain/leads/lead-actions.ts'
import { formatNumber, pluralize } from '../../../../domain/text/numbers.ts'
import { MAX_COUNTED } from '../../../limits.ts'
import { api, type Job, type JobRequest, type JobSpec, messageOf, unwrap } from '../../client.ts'
import { useSending } from '../../pulse.ts'
import { queryKeys } from '../../query-keys.ts'
import { Button } from '../../ui/button.tsx'
import {
  ConfirmDialog,
  Dialog,
  DialogActions,
  progressOf,
  type SharedDialogProps,
  useReason,
} from '../../ui/dialog.tsx'
import { Checkbox } from '../../ui/field.tsx'
import { Loaded } from '../../ui/placeholders.tsx'
import { useIsMounted, useToast } from '../../ui/toast.tsx'

export type JobChoice = Pick<JobSpec, 'action' | 'leads'>

interface JobDialogProps {
  readonly choice: JobChoice
  readonly onClose: (changed: boolean) => void
}

export function JobDialog({ choice, onClose }: JobDialogProps) {
  const toast = useToast()
  const isMounted = useIsMounted()
  const { title } = bulkAction(choice.action).bulk
  const startJob = useMutation({
    mutationFn: (json: JobRequest) => unwrap(api.jobs.$post({ json })),
    // The user may have closed the dialog.
    onSuccess: ({ total }) => {
      if (!isMounted.current) toast({ text: `${title}: started (${pluralize(total, 'lead')}).` })
    },
    onError: error => {
      if (!isMounted.current) toast({ text: `${title}: not started. ${messageOf(error)}`, tone: 'bad' })
    },
  })
  if (startJob.data) {
    return (
      <Dialog title={title} onClose={() => onClose(true)}>
        <Progress started={startJob.data} onClose={() => onClose(true)} />
      </Dialog>
    )
  }
  const dialogProps = { ...progressOf(startJob), onClose: () => onClose(false) }
  return <Confirm choice={choice} dialogProps={dialogProps} onConfirm={request => startJob.mutate(request)} />
}

interface ConfirmProps {
  readonly choice: JobChoice
  readonly dialogProps: SharedDialogProps
  readonly onConfirm: (request: JobRequest) => void
}

function Confirm({ choice: { action, leads }, dialogProps, onConfirm }: ConfirmProps) {
  const { bulk, confirm } = bulkAction(action)
  const asksReason = confirm?.asks === 'reason'
  const [again, setAgain] = useState(false)
  const reason = useReason()
  const sending = useSending()
  const spec: JobSpec = { action, leads, ...(bulk.again && { again }) }
  const count = useQuery({
    queryKey: queryKeys.jobCount(spec),
    queryFn: ({ signal }) => unwrap(api.jobs.count.$post({ json: spec }, { init: { signal } })),
    // Count again each time the dialog opens, so people confirm exactly the leads that were counted.
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    placeholderData: keepPreviousData,
  })
  const isPossible = count.data !== undefined && count.data.would > 0 && !count.data.tooMany
  function start(): void {
    const given = asksReason ? reason.check() : ''
    if (given === null || !count.data) return
    onConfirm({ ...spec, frozenAt: count.data.frozenAt, ...(asksReason && { reason: given }) })
  }
  return (
    <ConfirmDialog
      {...dialogProps}
      title={bulk.title}
      button={isPossible ? bulk.button(formatNumber(count.data.would)) : null}
      busy={dialogProps.busy || count.isFetching}
      onConfirm={start}
    >
      <Loaded query={count} what="the lead count">
        {({ would, skipped, tooMany }) => (
          <div aria-live="polite" className="flex flex-col gap-2">
            <p className="font-bold">
              {tooMany
                ? `Bulk actions are limited to ${formatNumber(MAX_COUNTED)} leads. Filter the list (by date, for example) and work in batches.`
                : would === 0
                  ? 'This doesn’t apply to any of these leads.'
                  : bulk.effect(pluralize(would, 'lead'), sending)}
            </p>
            {skipped > 0 ? (
              <p className="text-ink-soft">
                {pluralize(skipped, 'lead')} will be skipped. {bulk.skipped}
              </p>
            ) : null}
          </div>
        )}
      </Loaded>
      {bulk.again && count.data ? <Checkbox label={bulk.again} checked={again} onChange={setAgain} /> : null}
      {asksReason && isPossible ? reason.field : null}
    </ConfirmDialog>
  )
}

const POLL_MS = 400

function Progress({ started, onClose }: { readonly started: Job; readonly onClose: () => void }) {
  const { data: job } = useQuery({
    queryKey: queryKeys.job(started.id),
    queryFn: ({ signal }) => unwrap(api.jobs[':id'].$get({ param: { id: started.id } }, { init: { signal } })),
    initialData: started,
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
            {formatNumber(handled)} of {formatNumber(job.total)}. You can close this; it will finish in the background.
          </p>
        </>
      ) : null}
      <div role="status" className="flex flex-col gap-1">
        {isRunning ? null : (
          <>
            <p className="font-bold">
              {job.state === 'stopped' ? 'Stopped. ' : ''}
              {pluralize(job.changed, 'lead')} {bulkAction(job.action).bulk.done}.
            </p>
            {job.skipped > 0 ? <p>{pluralize(job.skipped, 'lead')} skipped.</p> : null}
            {job.failed > 0 ? <p className="font-bold text-error">{pluralize(job.failed, 'lead')} failed.</p> : null}
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
