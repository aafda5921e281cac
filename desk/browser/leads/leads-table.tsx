/**
 * The list. Pages are appended as one scrolls, and only those near the screen have their rows in the document: a page that
 * is out of sight is one row of its height, so that the list stays quick however far one scrolls.
 */
import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { LeadsAnswer } from '../../api/leads.ts'
import type { Kept } from '../leads-address.ts'
import { useTimes } from '../times.ts'
import { LeadRow } from './lead-row.tsx'

export interface Selection {
  readonly ids: ReadonlySet<string>
  toggle(id: string): void
  /** These and no others. */
  set(ids: readonly string[]): void
}

interface RowsProps {
  /** Null for those who may not change anything: there is nothing to select for. */
  readonly selection: Selection | null
  readonly onFocus: (id: string) => void
  /** Goes along to the lead, so that it knows the way back. */
  readonly from: Kept
}

interface LeadsTableProps extends RowsProps {
  readonly pages: readonly LeadsAnswer[]
  /** The lead on which j and k stand; its page stays in the document, so that focus is never lost. */
  readonly current: string | null
  /** By the arrow keys, to the lead after or before: while focus is in the list, they would only scroll. */
  readonly onMove: (by: 1 | -1) => void
  /** Of the list of before, while the next is on its way. */
  readonly old: boolean
}

export function LeadsTable({ pages, selection, current, onFocus, onMove, from, old }: LeadsTableProps) {
  const ids = pages.flatMap(({ leads }) => leads.map(({ id }) => id))
  const all = ids.length > 0 && ids.every(id => selection?.ids.has(id))
  const zone = useTimes().zone(Date.now())
  return (
    // The roles are said outright: as blocks, on a phone, the elements would lose them. What decides is the room that the text
    // has, by its own size: with large text a desktop shows cards, too.
    <table
      onKeyDown={event => {
        const by = { ArrowDown: 1, ArrowUp: -1 }[event.key] as 1 | -1 | undefined
        if (by === undefined || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return
        event.preventDefault()
        onMove(by)
      }}
      role="table"
      aria-label="Leads"
      aria-busy={old || undefined}
      className={`w-full table-fixed cards:block ${old ? 'opacity-60' : ''}`}
    >
      <thead role="rowgroup" className="cards:relative cards:block">
        <tr role="row" className="text-left text-small text-ink-soft cards:block">
          {selection ? (
            <th role="columnheader" scope="col" className="pl-1 font-normal columns:w-12 cards:block">
              <SelectAll checked={all} onChange={() => selection.set(all ? [] : ids)} />
            </th>
          ) : null}
          <Head name="Name" className={selection ? '' : 'pl-4'} />
          <Head name="State" className="w-44 @max-[61rem]:w-38" />
          <Head name={`Received (${zone})`} className="w-44 @max-[61rem]:w-38" />
          <Head name="Came from" />
          <Head name="Phone" className="w-36 @max-[61rem]:hidden" />
        </tr>
      </thead>
      {pages.map((page, index) => (
        <PageRows
          key={page.leads[0]?.id ?? index}
          page={page}
          selection={selection}
          onFocus={onFocus}
          from={from}
          keep={index === 0 || page.leads.some(({ id }) => id === current)}
        />
      ))}
    </table>
  )
}

/** Above cards, where no column is below it, its name is shown. */
function SelectAll({ checked, onChange }: { readonly checked: boolean; readonly onChange: () => void }) {
  return (
    <label className="flex min-h-11 items-center">
      <span className="grid w-11 shrink-0 place-items-center">
        <input type="checkbox" className="size-5 accent-action" checked={checked} onChange={onChange} />
      </span>
      <span className="columns:sr-only">Select all that are shown</span>
    </label>
  )
}

function Head({ name, className = '' }: { readonly name: string; readonly className?: string }) {
  return (
    <th role="columnheader" scope="col" className={`py-2 pr-4 font-normal cards:sr-only ${className}`}>
      {name}
    </th>
  )
}

/** How far from the screen a page still has its rows. */
const NEAR = '1500px 0px'

function PageRows({
  page,
  keep,
  selection,
  onFocus,
  from,
}: RowsProps & { readonly page: LeadsAnswer; readonly keep: boolean }) {
  const body = useRef<HTMLTableSectionElement>(null)
  const [near, setNear] = useState(true)
  const height = useRef(0)
  const shown = near || keep
  useEffect(() => {
    const element = body.current
    if (!element) return
    const observer = new IntersectionObserver(entries => setNear(entries.at(-1)?.isIntersecting ?? true), {
      rootMargin: NEAR,
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [])
  // Measured while the rows are there, so that what takes their place is exactly as high and nothing moves.
  useLayoutEffect(() => {
    if (shown) height.current = body.current?.getBoundingClientRect().height ?? 0
  })
  return (
    <tbody ref={body} role="rowgroup" className="cards:block">
      {shown ? (
        page.leads.map(lead => (
          <LeadRow key={lead.id} lead={lead} selection={selection} onFocus={onFocus} from={from} />
        ))
      ) : (
        <tr role="presentation" className="cards:block" style={{ height: height.current }}>
          <td role="presentation" className="cards:block" />
        </tr>
      )}
    </tbody>
  )
}
