/** One lead in the list: a line of a table, or a small card on a phone. Its name is the link; the whole line can be pressed. */
import { Link, useLocation } from 'wouter'
import type { LeadLine } from '../../api/leads.ts'
import type { Kept } from '../leads-address.ts'
import { useTimes } from '../times.ts'
import { campaignName, fullName, PersonName, pageName, shortened } from '../words/names.tsx'
import { heldReasonInWords, LeadBadge } from '../words/states.tsx'
import type { Selection } from './leads-table.tsx'

interface LeadRowProps {
  readonly lead: LeadLine
  readonly selection: Selection | null
  readonly onFocus: (id: string) => void
  readonly from: Kept
}

export function LeadRow({ lead, selection, onFocus, from }: LeadRowProps) {
  const times = useTimes()
  const [, navigate] = useLocation()
  const selected = selection?.ids.has(lead.id) ?? false
  const href = `/leads/${lead.id}`
  const reason = lead.state === 'held' ? lead.heldReason : null
  return (
    // A larger target for pointers; the name is the link.
    <tr
      role="row"
      aria-selected={selection ? selected : undefined}
      className={`group cursor-pointer border-t border-line align-baseline focus-within:bg-mist hover:bg-mist cards:relative cards:block cards:py-3 cards:pr-3 ${selection ? 'cards:pl-12' : 'cards:pl-3'} ${selected ? 'bg-sage hover:bg-sage' : ''}`}
      onClick={event => {
        const target = event.target as Element
        if (event.defaultPrevented || target.closest('a, button, input, label') || getSelection()?.type === 'Range')
          return
        navigate(href, { state: from })
      }}
    >
      {selection ? (
        <td role="cell" className="pl-1 align-top cards:absolute cards:left-0 cards:top-1">
          <Check
            label={`Select ${shortened(fullName(lead), 60)}`}
            checked={selected}
            onChange={() => selection.toggle(lead.id)}
          />
        </td>
      ) : null}
      <td role="cell" className={`py-2.5 pr-4 font-bold cards:block cards:p-0 ${selection ? '' : 'columns:pl-4'}`}>
        <Link
          href={href}
          state={from}
          data-lead={lead.id}
          className="block underline decoration-transparent underline-offset-4 group-hover:decoration-current"
          onFocus={() => onFocus(lead.id)}
        >
          <PersonName firstName={lead.firstName} lastName={lead.lastName} />
        </Link>
      </td>
      <td
        role="cell"
        className={`py-2 pr-4 cards:mr-3 cards:mt-1.5 cards:p-0 ${reason === null ? 'cards:inline-block' : 'cards:flex cards:flex-wrap cards:items-baseline cards:gap-x-2'}`}
      >
        <LeadBadge state={lead.state} delivery={lead.delivery} />
        {reason === null ? null : (
          // In the store's own few words; the whole sentence is with the lead.
          <span className="mt-1 block text-small text-ink-soft cards:mt-0" title={heldReasonInWords(reason)}>
            {reason}
          </span>
        )}
      </td>
      <td role="cell" className="py-2.5 pr-4 cards:inline-block cards:p-0 cards:text-small cards:text-ink-soft">
        <time dateTime={new Date(lead.receivedAt).toISOString()} title={times.full(lead.receivedAt)}>
          {times.short(lead.receivedAt)}
        </time>
      </td>
      <td role="cell" className="py-2.5 pr-4 text-small text-ink-soft cards:mt-1 cards:block cards:p-0">
        <span className="line-clamp-4">
          {shortened(pageName(lead.page), 80)}
          {lead.campaign === '' ? '' : ` · ${shortened(campaignName(lead.campaign), 120)}`}
        </span>
      </td>
      <td role="cell" className="whitespace-nowrap py-2.5 pr-4 text-small text-ink-soft @max-[61rem]:hidden">
        {lead.phone === null ? null : (
          <>
            <span aria-hidden>{lead.phone}</span>
            <span className="sr-only">ends in {lead.phone.slice(-4)}</span>
          </>
        )}
      </td>
    </tr>
  )
}

interface CheckProps {
  readonly label: string
  readonly checked: boolean
  readonly onChange: () => void
}

/** A box of the size of a finger. */
function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label className="grid size-11 place-items-center">
      <span className="sr-only">{label}</span>
      <input type="checkbox" className="size-5 accent-action" checked={checked} onChange={onChange} />
    </label>
  )
}
