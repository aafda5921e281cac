/** A file of what the filter finds, with its progress. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { ExportFormat, LeadsCount, LeadsFilter } from '../../api/leads.ts'
import { messageOf } from '../client.ts'
import { dateAt } from '../days.ts'
import { queryKeys } from '../query-keys.ts'
import { useSession } from '../session.ts'
import { Button } from '../ui/button.tsx'
import { Dialog, DialogActions } from '../ui/dialog.tsx'
import { Problem } from '../ui/problem.tsx'
import { counted, figure } from '../words/figures.ts'
import { exportLeads, saveFile } from './export-file.ts'

const formats: readonly (readonly [format: ExportFormat, name: string])[] = [
  ['csv', 'For a spreadsheet (CSV)'],
  ['jsonl', 'For a program (JSON, one lead a line)'],
]

interface ExportDialogProps {
  readonly filter: LeadsFilter
  readonly count: LeadsCount
  readonly onClose: () => void
}

export function ExportDialog({ filter, count, onClose }: ExportDialogProps) {
  const client = useQueryClient()
  const { timeZone } = useSession()
  const [format, setFormat] = useState<ExportFormat>('csv')
  const [read, setRead] = useState<{ readonly leads: number; readonly total: number | null }>({ leads: 0, total: null })
  const stop = useRef(new AbortController())
  useEffect(() => () => stop.current.abort(), [])
  const job = useMutation({
    mutationFn: async () => {
      stop.current = new AbortController()
      const onProgress = (leads: number, total: number | null) => setRead({ leads, total })
      const file = await exportLeads({ filter, format }, { signal: stop.current.signal, onProgress })
      saveFile(file, `leads-${dateAt(Date.now(), timeZone)}.${format}`)
    },
    // The desk cuts the file off when the session ends: the sign-in page says more than this dialog.
    onError: () => client.invalidateQueries({ queryKey: queryKeys.session }),
  })
  const many = `${count.exact ? '' : 'more than '}${counted(count.total, 'lead')}`
  return (
    <Dialog title="Export" onClose={onClose}>
      {job.isPending ? (
        <div className="flex flex-col gap-3">
          <progress
            aria-label="Progress of the export"
            className="h-3 w-full accent-action"
            {...(read.total ? { max: read.total, value: Math.min(read.leads, read.total) } : {})}
          />
          <p>
            {figure(read.leads)}
            {read.total === null ? '' : ` of ${figure(read.total)}`} leads
          </p>
        </div>
      ) : job.isSuccess ? (
        <p role="status" className="font-bold">
          Your browser has saved the file: {counted(read.leads, 'lead')}.
        </p>
      ) : (
        <div className="flex flex-col gap-4">
          <p>
            A file of {many}, with contact details. Each lead’s history will say that you exported it. Keep the file
            safe, and delete it when you no longer need it.
          </p>
          <fieldset>
            <legend className="mb-1 font-bold">Format</legend>
            {formats.map(([value, name]) => (
              <label key={value} className="flex min-h-11 items-center gap-[min(0.75rem,12px)]">
                <input
                  type="radio"
                  name="format"
                  className="size-5 shrink-0 accent-action"
                  checked={format === value}
                  onChange={() => setFormat(value)}
                />
                {name}
              </label>
            ))}
          </fieldset>
          {job.isError ? <Problem title="There is no file">{whyNot(job.error)}</Problem> : null}
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
              <Button kind="primary" icon={<Download aria-hidden size={16} />} onClick={() => job.mutate()}>
                Export {many}
              </Button>
            )}
          </>
        )}
      </DialogActions>
    </Dialog>
  )
}

function whyNot(error: unknown): string {
  if (error instanceof DOMException && error.name === 'AbortError') return 'You stopped it. Nothing was saved.'
  if (error instanceof TypeError) return 'The connection broke off, so nothing was saved. Try again.'
  return messageOf(error)
}
