/** Calls by person and dates, as a spreadsheet. Only editors’ have names and numbers. */
import { useState } from 'react'
import type { CallPeriodName } from '../../../limits.ts'
import { anyTime, datesOf, parseDate } from '../../leads-url.ts'
import { useApiLink, useHasRole } from '../../session.ts'
import { useToday } from '../../times.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Dialog, DialogActions } from '../../ui/dialog.tsx'
import { Select, TextField } from '../../ui/field.tsx'
import { useChoices } from '../leads/lead-queries.ts'

interface ExportCallsProps {
  readonly period: CallPeriodName
}

export function ExportCalls(props: ExportCallsProps) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button
        kind="quiet"
        icon="download"
        className="-my-2 -mr-[min(1rem,16px)] print:hidden"
        onClick={() => setOpen(true)}
      >
        Export calls…
      </Button>
      {isOpen ? <ExportDialog {...props} onClose={() => setOpen(false)} /> : null}
    </>
  )
}

function ExportDialog({ period, onClose }: ExportCallsProps & { readonly onClose: () => void }) {
  const today = useToday()
  const [dates, setDates] = useState(() => {
    const { from, to } = datesOf({ ...anyTime, period }, today)
    return { since: from ?? today, until: to ?? today }
  })
  const isEditor = useHasRole('editor')
  const choose = (from: string | null, to: string | null) => setDates({ since: from ?? today, until: to ?? today })
  const month = datesOf({ ...anyTime, period: 'month' }, today)
  const [person, setPerson] = useState('')
  const isValid = parseDate(dates.since) !== null && parseDate(dates.until) !== null && dates.since <= dates.until
  const apiLink = useApiLink()
  const { agents = [] } = useChoices().data ?? {}
  return (
    <Dialog title="Export calls" onClose={onClose}>
      <div className="flex flex-col gap-4">
        <p>
          {isEditor
            ? 'A spreadsheet (CSV) with who was called, at which number, by whom, when, and the outcome. The export is recorded under your name.'
            : 'A spreadsheet (CSV) with who called, when, and the outcome. It has no names or phone numbers.'}
        </p>
        <div className="flex flex-wrap gap-2">
          <Button onClick={() => choose(`${today.slice(0, 7)}-01`, today)}>This month</Button>
          <Button onClick={() => choose(month.from, month.to)}>Last month</Button>
        </div>
        <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,9rem),1fr))] gap-3">
          <TextField
            label="From"
            type="date"
            value={dates.since}
            onChange={event => setDates({ ...dates, since: event.target.value })}
          />
          <TextField
            label="To"
            type="date"
            value={dates.until}
            error={dates.until < dates.since ? 'This is before the start date.' : undefined}
            onChange={event => setDates({ ...dates, until: event.target.value })}
          />
        </div>
        <Select
          label="Person"
          value={person}
          choices={[['', 'Everyone'], ...agents.map(({ id, name }) => [id, name] as const)]}
          onChoose={setPerson}
        />
      </div>
      <DialogActions>
        <Button onClick={onClose}>Close</Button>
        {isValid ? (
          <ButtonLink
            kind="primary"
            href={apiLink('/api/calls/export', { ...dates, ...(person !== '' && { person }) })}
            download
            icon="download"
            // The link has to be there until the browser has followed it.
            onClick={() => setTimeout(onClose)}
          >
            Download
          </ButtonLink>
        ) : (
          <Button kind="primary" icon="download" disabled>
            Download
          </Button>
        )}
      </DialogActions>
    </Dialog>
  )
}
