/** Exports the leads that match the filter as a spreadsheet. */
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { pluralize } from '../../../../domain/text/numbers.ts'
import { api, apiErrorFrom, type LeadsCount, type LeadsFilter, messageOf } from '../../client.ts'
import { queryKeys } from '../../query-keys.ts'
import { useSession } from '../../session.ts'
import { dateAt } from '../../times.ts'
import { ConfirmDialog, progressOf } from '../../ui/dialog.tsx'
import { useToast } from '../../ui/toast.tsx'

interface ExportDialogProps {
  readonly filter: LeadsFilter
  readonly count: LeadsCount
  readonly onClose: () => void
}

export function ExportDialog({ filter, count, onClose }: ExportDialogProps) {
  const client = useQueryClient()
  const toast = useToast()
  const { timeZone } = useSession()
  const leadCount = `${count.exact ? '' : 'more than '}${pluralize(count.total, 'lead')}`
  const download = useMutation({
    mutationFn: async () => {
      // The search text is personal data, so it isn't in the address, as a link's would be.
      const response = await api.leads.export.$post({ json: { filter } })
      if (!response.ok) throw await apiErrorFrom(response)
      save(await response.blob(), `leads-${dateAt(Date.now(), timeZone)}.csv`)
    },
    onSuccess: () => {
      toast({ text: `Saved to your downloads: ${leadCount}.` })
      onClose()
    },
    // The server cuts off the download when the session ends. The sign-in page explains that better than this dialog can.
    onError: () => client.invalidateQueries({ queryKey: queryKeys.session }),
  })
  return (
    <ConfirmDialog
      title="Export"
      button={`Export ${leadCount}`}
      icon="download"
      {...progressOf(download, explain)}
      onConfirm={() => download.mutate()}
      onClose={onClose}
    >
      <p>
        Exports {leadCount} with contact details as a spreadsheet (CSV). The export is recorded under your name. Keep
        the file safe, and delete it when you no longer need it.
      </p>
    </ConfirmDialog>
  )
}

/** A download that breaks off is a TypeError. */
const explain = (error: unknown) =>
  error instanceof TypeError ? 'The connection was lost, so nothing was saved. Try again.' : messageOf(error)

function save(file: Blob, name: string): void {
  const url = URL.createObjectURL(file)
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // Some browsers don't start reading right away.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
