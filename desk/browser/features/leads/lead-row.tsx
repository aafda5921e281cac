/** One lead in the list: a table row, or a small card on a phone. The name is the link; the whole row can be clicked. */
import { Link, useLocation } from 'wouter'
import { telHref } from '../../../../domain/phone.ts'
import type { LeadLine } from '../../client.ts'
import type { ListHistoryState } from '../../leads-address.ts'
import { useTimes } from '../../times.ts'
import { campaignName, fullName, PersonName, pageName, shortened } from '../../words/names.tsx'
import { heldReasonInWords, LeadBadge } from '../../words/states.tsx'

export interface Selection {
  readonly ids: ReadonlySet<string>
  toggle(id: string): void
  /** These and no others. */
  set(ids: readonly string[]): void
}

interface LeadRowProps {
  readonly lead: LeadLine
  readonly selection: Selection | null
  /** Arrived since the list was opened. */
  readonly isNew: boolean
  readonly onFocus: (id: string) => void
  readonly from: ListHistoryState
}

export function LeadRow({ lead, selection, isNew, onFocus, from }: LeadRowProps) {
  const times = useTimes()
  const [, navigate] = useLocation()
  const selected = selection?.ids.has(lead.id) ?? false
  const href = `/leads/${lead.id}`
  const reason = lead.state === 'held' ? lead.heldReason : null
  return (
    <tr
      role="row"
      aria-selected={selection ? selected : undefined}
      className={`group cursor-pointer border-t border-line align-baseline focus-within:bg-mist hover:bg-mist cards:relative cards:block cards:py-3 cards:pr-3 ${selection ? 'cards:pl-12' : 'cards:pl-3'} ${selected ? 'bg-sage hover:bg-sage' : isNew ? 'animate-new' : ''}`}
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
      <td role="cell" className="whitespace-nowrap py-2.5 pr-4 cards:mt-1 cards:block cards:p-0">
        {lead.phone === null ? null : (
          <a href={telHref(lead.phone)} className="underline decoration-edge underline-offset-4">
            {lead.phone}
          </a>
        )}
      </td>
      <td
        role="cell"
        className={`py-2 pr-4 cards:mr-3 cards:mt-1.5 cards:p-0 ${reason === null ? 'cards:inline-block' : 'cards:flex cards:flex-wrap cards:items-baseline cards:gap-x-2'}`}
      >
        <LeadBadge state={lead.state} delivery={lead.delivery} />
        {reason === null ? null : (
          <span className="mt-1 block text-small text-ink-soft cards:mt-0" title={heldReasonInWords(reason)}>
            {heldReasonInWords(reason)}
          </span>
        )}
      </td>
      <td role="cell" className="py-2.5 pr-4 cards:inline-block cards:p-0 cards:text-small cards:text-ink-soft">
        <time dateTime={new Date(lead.receivedAt).toISOString()} title={times.full(lead.receivedAt)}>
          {times.short(lead.receivedAt)}
        </time>
      </td>
      <td
        role="cell"
        className="py-2.5 pr-4 text-small text-ink-soft columns:@max-[61rem]:hidden cards:mt-1 cards:block cards:p-0"
      >
        <span className="line-clamp-4">
          {shortened(pageName(lead.page), 80)}
          {lead.campaign === '' ? '' : ` · ${shortened(campaignName(lead.campaign), 120)}`}
        </span>
      </td>
    </tr>
  )
}

interface CheckProps {
  readonly label: string
  readonly checked: boolean
  readonly onChange: () => void
}

function Check({ label, checked, onChange }: CheckProps) {
  return (
    <label className="grid size-11 place-items-center">
      <span className="sr-only">{label}</span>
      <input type="checkbox" className="size-5 accent-action" checked={checked} onChange={onChange} />
    </label>
  )
}
