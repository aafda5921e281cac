/** Exports the leads that match the filter, and shows progress. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { ApiError, type LeadsCount, type LeadsFilter, messageOf } from '../../client.ts'
import { formatNumber, pluralize } from '../../format/numbers.ts'
import { queryKeys } from '../../query-keys.ts'
import { useSession } from '../../session.ts'
import { dateAt } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Problem } from '../../ui/placeholders.tsx'
import { exportLeads, saveFile } from './export-file.ts'

interface ExportDialogProps {
  readonly filter: LeadsFilter
  readonly count: LeadsCount
  readonly onClose: () => void
}

export function ExportDialog({ filter, count, onClose }: ExportDialogProps) {
  const client = useQueryClient()
  const { timeZone } = useSession()
  const [progress, setProgress] = useState({ leads: 0, total: null as number | null })
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const job = useMutation({
    mutationFn: async () => {
      stop.current = new AbortController()
      const onProgress = (leads: number, total: number | null) => setProgress({ leads, total })
      const file = await exportLeads(filter, { signal: stop.current.signal, onProgress })
      saveFile(file, `leads-${dateAt(Date.now(), timeZone)}.csv`)
    },
    // The server cuts off the download when the session ends. The sign-in page explains that better than this dialog can.
    onError: () => client.invalidateQueries({ queryKey: queryKeys.session }),
  })
  const leadCount = `${count.exact ? '' : 'more than '}${pluralize(count.total, 'lead')}`
  return (
    <Dialog title="Export" onClose={onClose}>
      {job.isPending ? (
        <div className="flex flex-col gap-3">
          <progress
            aria-label="Export progress"
            className="h-3 w-full accent-action"
            {...(progress.total ? { max: progress.total, value: Math.min(progress.leads, progress.total) } : {})}
          />
          <p>
            {formatNumber(progress.leads)}
            {progress.total === null ? '' : ` of ${formatNumber(progress.total)}`} leads
          </p>
        </div>
      ) : job.isSuccess ? (
        <p role="status" className="font-bold">
          Saved to your downloads: {pluralize(progress.leads, 'lead')}.
        </p>
      ) : (
        <div className="flex flex-col gap-4">
          <p>
            Exports {leadCount} with contact details as a spreadsheet (CSV). The export is recorded under your name.
            Keep the file safe, and delete it when you no longer need it.
          </p>
          {job.isError ? <Problem title="Export failed">{explainError(job.error)}</Problem> : null}
        </div>
      )}
      <DialogActions>
        {job.isSuccess ? (
          <Button kind="primary" onClick={onClose}>
            Done
          </Button>
        ) : (
          <>
            <Button onClick={job.isPending ? () => stop.current.abort() : onClose}>
              {job.isPending ? 'Stop' : 'Cancel'}
            </Button>
            {job.isPending ? null : (
              <Button kind="primary" icon="download" onClick={() => job.mutate()}>
                Export {leadCount}
              </Button>
            )}
          </>
        )}
      </DialogActions>
    </Dialog>
  )
}

function explainError(error: unknown): string {
  if (error instanceof DOMException && error.name === 'AbortError') return 'You stopped the export. Nothing was saved.'
  if (error instanceof TypeError || (error instanceof ApiError && error.code === 'not connected')) {
    return 'The connection was lost, so nothing was saved. Try again.'
  }
  return messageOf(error)
}
