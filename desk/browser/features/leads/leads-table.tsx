/** The leads list: a table, or cards if it's too narrow for columns. */
import { campaignName } from '../../../../domain/campaigns/campaign.ts'
import { telHref } from '../../../../domain/contact/phone.ts'
import { pageName } from '../../../../domain/leads/lead-filters.ts'
import type { LeadSummary } from '../../client.ts'
import { LanguageBadge } from '../../format/language.tsx'
import { fullName, PersonName, truncate } from '../../format/names.tsx'
import { explainFailure, explainHoldReason, LeadBadge } from '../../format/states.tsx'
import type { ListHistoryState } from '../../leads-url.ts'
import { Link, navigate } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { useTimes } from '../../times.ts'

interface LeadsTableProps {
  readonly leads: readonly LeadSummary[]
  /** Null for viewers, who can't take bulk actions. */
  readonly selection: Selection | null
  /** Leads that arrived after this time are highlighted. */
  readonly openedAt: number
  readonly onFocus: (id: string) => void
  /** Called for the arrow keys, which would otherwise scroll the list. */
  readonly onMove: (by: 1 | -1) => void
  /** The list that a lead links back to. */
  readonly from: ListHistoryState
  /** Still showing the previous list while the next one loads. */
  readonly isStale: boolean
}

export function LeadsTable({ leads, selection, openedAt, onFocus, onMove, from, isStale }: LeadsTableProps) {
  const ids = leads.map(({ id }) => id)
  const all = ids.length > 0 && ids.every(id => selection?.ids.has(id))
  return (
    // The roles are explicit because elements with `display: block` lose theirs. Container queries choose between rows and
    // cards, so large text gets cards even on a desktop.
    <table
      onKeyDown={event => {
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key] as 1 | -1 | undefined
        if (by === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        onMove(by)
      }}
      role="table"
      aria-label="Leads"
      aria-busy={isStale || undefined}
      className={`w-full table-fixed cards:block ${isStale ? 'opacity-60' : ''}`}
    >
      <thead role="rowgroup" className="cards:relative cards:block">
        <tr role="row" className="text-left text-small text-ink-soft cards:block">
          {selection ? (
            <th role="columnheader" scope="col" className="pl-1 font-normal columns:w-12 cards:block print:hidden">
              <label className="flex min-h-11 items-center columns:min-h-9">
                <span className="grid w-11 shrink-0 place-items-center">
                  <input
                    type="checkbox"
                    className="size-5 accent-action"
                    checked={all}
                    onChange={() => selection.set(all ? [] : ids)}
                  />
                </span>
                <span className="columns:sr-only">Select all shown</span>
              </label>
            </th>
          ) : null}
          <ColumnHeader
            name="Name"
            className={`@min-[61rem]:w-64 @min-[85rem]:w-auto @min-[105rem]:w-80 ${selection ? 'print:pl-4' : 'pl-4'}`}
          />
          <ColumnHeader name="Phone" className="w-40" />
          <ColumnHeader
            name="Status"
            className="w-72 @max-[61rem]:w-44 @min-[85rem]:w-[36rem] @min-[105rem]:w-[42rem]"
          />
          <ColumnHeader name="Received (office time)" className="w-48 @max-[61rem]:w-32 print:w-48" />
          <ColumnHeader name="Source" className="@max-[61rem]:hidden" />
        </tr>
      </thead>
      <tbody role="rowgroup" className="cards:block">
        {leads.map(lead => (
          <LeadRow
            key={lead.id}
            lead={lead}
            isNew={lead.receivedAt > openedAt}
            selection={selection}
            onFocus={onFocus}
            from={from}
          />
        ))}
      </tbody>
    </table>
  )
}

function ColumnHeader({ name, className = '' }: { readonly name: string; readonly className?: string }) {
  return (
    <th role="columnheader" scope="col" className={`py-2 pr-4 font-normal cards:sr-only ${className}`}>
      {name}
    </th>
  )
}

export interface Selection {
  readonly ids: ReadonlySet<string>
  toggle(id: string): void
  /** Replaces the selection. */
  set(ids: readonly string[]): void
}

interface LeadRowProps extends Pick<LeadsTableProps, 'selection' | 'onFocus' | 'from'> {
  readonly lead: LeadSummary
  /** Arrived since the list was opened. */
  readonly isNew: boolean
}

function LeadRow({ lead, selection, isNew, onFocus, from }: LeadRowProps) {
  const times = useTimes()
  // With the call list on, people dial on the lead's page, which checks the hours and records the call.
  const { callList } = useSession()
  const selected = selection?.ids.has(lead.id) ?? false
  const href = `/leads/${lead.id}`
  const source = [pageName(lead.page), ...(lead.campaign === '' ? [] : [campaignName(lead.campaign)])]
    .map(text => truncate(text, 120))
    .join(' · ')
  const reason = lead.isClosed
    ? null
    : lead.state === 'held'
      ? lead.heldReason && explainHoldReason(lead.heldReason)
      : lead.deliveryError && explainFailure(lead.deliveryError)
  return (
    <tr
      role="row"
      aria-selected={selection ? selected : undefined}
      className={`group cursor-pointer border-t border-line align-baseline focus-within:bg-mist hover:bg-mist cards:relative cards:flex cards:flex-wrap cards:items-baseline cards:gap-x-2 cards:gap-y-1 cards:py-2 cards:pr-3 ${selection ? 'cards:pl-12 print:pl-3' : 'cards:pl-3'} ${selected ? 'bg-sage hover:bg-sage' : isNew ? 'animate-new' : ''}`}
      onFocus={() => onFocus(lead.id)}
      onClick={event => {
        const target = event.target as Element
        if (event.defaultPrevented || target.closest('a, button, input, label') || getSelection()?.type === 'Range')
          return
        navigate(href, { state: from })
      }}
    >
      {selection ? (
        <td role="cell" className="pl-1 align-top cards:absolute cards:left-0 cards:top-0.5 print:hidden">
          <label className="grid size-11 place-items-center columns:size-9">
            <span className="sr-only">Select {truncate(fullName(lead), 60)}</span>
            <input
              type="checkbox"
              className="size-5 accent-action"
              checked={selected}
              onChange={() => selection.toggle(lead.id)}
            />
          </label>
        </td>
      ) : null}
      <th
        role="rowheader"
        scope="row"
        className={`py-1.5 pr-4 text-left cards:flex-[1_1_max(7.2rem,calc(100%-6rem))] cards:p-0 ${selection ? 'columns:print:pl-4' : 'columns:pl-4'}`}
      >
        <div className="flex flex-wrap items-baseline gap-x-2">
          <Link
            href={href}
            state={from}
            data-lead={lead.id}
            className="max-w-full underline decoration-transparent underline-offset-4 group-hover:decoration-current"
          >
            <PersonName firstName={lead.firstName} lastName={lead.lastName} />
          </Link>
          <LanguageBadge language={lead.language} />
        </div>
      </th>
      <td role="cell" className="whitespace-nowrap py-1.5 pr-4 cards:order-2 cards:p-0">
        {lead.doNotCall || callList ? (
          <span>{lead.phone}</span>
        ) : lead.phone === null ? null : (
          <a href={telHref(lead.phone)} className="underline decoration-edge underline-offset-4">
            {lead.phone}
          </a>
        )}
      </td>
      <td role="cell" className="py-1 pr-4 cards:contents cards:[&_.rounded-full]:text-tiny">
        <div className="cards:contents cards:*:order-3 @min-[85rem]:flex @min-[85rem]:items-baseline @min-[85rem]:gap-3">
          <LeadBadge {...lead} />
          {reason === null ? null : (
            <span
              className="mt-1 block text-small text-ink-soft @min-[85rem]:line-clamp-1 cards:mt-0 cards:w-full"
              title={reason}
            >
              {reason}
            </span>
          )}
        </div>
      </td>
      <td
        role="cell"
        className="py-1.5 pr-4 [overflow-wrap:normal] cards:order-1 cards:p-0 cards:text-small cards:text-ink-soft"
      >
        <time dateTime={new Date(lead.receivedAt).toISOString()} title={times.full(lead.receivedAt)}>
          <span className="@max-[61rem]:hidden print:inline">{times.short(lead.receivedAt)}</span>
          <span className="@min-[61rem]:hidden print:hidden">{times.brief(lead.receivedAt)}</span>
        </time>
      </td>
      <td role="cell" className="py-1.5 pr-4 text-small text-ink-soft columns:@max-[61rem]:hidden cards:hidden">
        <span className="line-clamp-2" title={source}>
          {source}
        </span>
      </td>
    </tr>
  )
}
