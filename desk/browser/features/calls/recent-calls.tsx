/** One's own calls of the last hour, which can be undone: the notification that offers it is soon gone. */
import { outcomeName } from '../../../../domain/calling/outcomes.ts'
import { Link } from '../../router.tsx'
import { useTimes } from '../../times.ts'
import { useRecentCalls } from './call-queries.ts'
import { Names } from './call-table.tsx'
import { UndoCall } from './undo-call.tsx'

export function RecentCalls() {
  const times = useTimes()
  const calls = useRecentCalls().data?.calls ?? []
  if (calls.length === 0) return null
  return (
    <details className="mt-6">
      <summary className="min-h-11 content-center font-bold">Your calls in the last hour ({calls.length})</summary>
      <ul className="max-w-3xl">
        {calls.map(({ attemptId, leadId, outcome, at, people }) => (
          <li
            key={attemptId}
            className="flex flex-wrap items-center justify-between gap-x-4 border-t border-line py-1.5"
          >
            <Link href={`/leads/${leadId}`} className="font-bold underline underline-offset-4">
              <Names people={people} />
            </Link>
            <span className="mr-auto">
              {outcomeName(outcome)}, {times.time(at)}
            </span>
            <UndoCall attemptId={attemptId} />
          </li>
        ))}
      </ul>
    </details>
  )
}
