/** The people on the call list as a table, and why each is where they are. */
import { useState } from 'react'
import { waitReasons } from '../../../../domain/calling/list.ts'
import { outcomeName } from '../../../../domain/calling/outcomes.ts'
import { pluralize } from '../../../../domain/text/numbers.ts'
import type { ListedCall } from '../../client.ts'
import { LanguageBadge } from '../../format/language.tsx'
import { Names } from '../../format/names.tsx'
import type { ListHistoryState } from '../../leads-url.ts'
import { Link } from '../../router.tsx'
import { formatDuration, formatWait, useTimes } from '../../times.ts'
import { Badge } from '../../ui/badge.tsx'
import { whoPromised } from './everyone-here.tsx'
import { lateness, localTimeLabel, useBothTimes } from './local-time.tsx'

const cell = 'py-1.5 pr-4 cards:p-0'

const columns = [
  ['Name', 'w-[23%]'],
  ['Their time', 'w-[20%]'],
  ['Why', ''],
  ['Calls so far (office time)', 'w-[22%]'],
] as const

export interface CallTableProps {
  readonly title: string
  readonly calls: readonly ListedCall[]
  readonly at: number
  /** The page that it's on, for the way back. */
  readonly from?: ListHistoryState
}

export function CallTable({ title, calls, at, from }: CallTableProps) {
  const { rows, ...steady } = useSteadyRows(calls)
  return (
    <div className="@container overflow-clip rounded-2xl border border-line bg-card shadow-card">
      <table
        {...steady}
        role="table"
        aria-label={title}
        className="w-full table-fixed [overflow-wrap:break-word] cards:block"
      >
        <thead role="rowgroup" className="cards:sr-only">
          <tr role="row" className="text-left text-small text-ink-soft">
            {columns.map(([name, width]) => (
              <th
                key={name}
                role="columnheader"
                scope="col"
                className={`py-2 pr-4 align-bottom font-normal first:pl-4 ${width}`}
              >
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody role="rowgroup" className="cards:block">
          {rows.map(call => (
            <CallRow key={call.leadId} call={call} at={at} from={from} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

/** Rows keep their place under the pointer or the focus; what they say stays up to date. */
function useSteadyRows(calls: readonly ListedCall[]) {
  const [held, setHeld] = useState<readonly ListedCall[] | null>(null)
  const latest = new Map(calls.map(call => [call.leadId, call]))
  const hold = () => setHeld(before => before ?? calls)
  const release = () => setHeld(null)
  return {
    rows: held?.map(call => latest.get(call.leadId) ?? call) ?? calls,
    onPointerEnter: hold,
    onPointerLeave: release,
    onFocus: hold,
    onBlur: release,
  }
}

/** Why someone is where they are on the list: "New, waiting 5 minutes", "Outside calling hours until Thu, Nov 19, 9:00 AM office time". */
function useReason(at: number) {
  const times = useTimes()
  const both = useBothTimes()
  return ({ kind, dueAt, waitedMs, place, promise, wait, claim }: ListedCall): string => {
    if (claim) return `Claimed by ${claim.mine ? 'you' : claim.name} since ${times.near(claim.since, at)} office time`
    const promised = promise ? `Callback by ${whoPromised(promise)}, promised for ${both(place, promise.at)}` : ''
    if (wait === null) {
      if (kind === 'callback') return promised + lateness(dueAt, at)
      return kind === 'new'
        ? `New, waiting ${formatWait(waitedMs / 60_000)}`
        : `Try again, due ${formatDuration(Math.max(60_000, at - dueAt))} ago`
    }
    if (wait.why === 'promised' || (kind === 'callback' && wait.why === 'later')) return promised
    const reason = waitReasons[wait.why].charAt(0).toUpperCase() + waitReasons[wait.why].slice(1)
    if (wait.until === null) return reason
    if (wait.why === 'callback') return `${promised}. Anyone can call from ${times.near(wait.until, at)} office time`
    const time = `${times.short(wait.until)} office time`
    if (wait.why === 'later') return `${kind === 'new' ? 'Asked for the first call after' : 'Try again'} ${time}`
    return wait.why === 'limit' ? `${reason}. Next: ${time}` : `${reason} until ${time}`
  }
}

interface CallRowProps {
  readonly call: ListedCall
  readonly at: number
  readonly from: ListHistoryState | undefined
}

function CallRow({ call, at, from }: CallRowProps) {
  const times = useTimes()
  const why = useReason(at)
  const { leadId, language, kind, place, calls, last } = call
  const said = last?.outcome ? `${outcomeName(last.outcome)}, ` : ''
  return (
    <tr
      role="row"
      className="border-t border-line align-baseline focus-within:bg-mist hover:bg-mist cards:flex cards:flex-wrap cards:items-baseline cards:gap-x-3 cards:gap-y-0.5 cards:px-3 cards:py-2"
    >
      <th role="rowheader" scope="row" className={`${cell} columns:pl-4 text-left cards:w-full`}>
        <span className="flex flex-wrap items-baseline gap-x-2">
          <Link href={`/leads/${leadId}`} state={from} className="underline decoration-edge underline-offset-4">
            <Names people={call.people} />
          </Link>
          <LanguageBadge language={language} />
          {kind === 'callback' ? (
            <Badge tone="waiting" icon="clock">
              Callback
            </Badge>
          ) : null}
        </span>
      </th>
      <td role="cell" className={`${cell} cards:text-small`}>
        {localTimeLabel(place, at)}
      </td>
      <td role="cell" className={`${cell} cards:text-small`}>
        {why(call)}
      </td>
      <td role="cell" className={`${cell} cards:text-small ${calls === 0 ? 'cards:hidden' : ''}`}>
        {calls === 0 ? '' : pluralize(calls, 'call')}
        {last ? `, last: ${said}${times.near(last.at, at)}` : ''}
        {last ? <span className="columns:hidden"> office time</span> : null}
      </td>
    </tr>
  )
}
