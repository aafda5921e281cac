/** One's own calls of the last hour, which can be undone: the notification that offers it is soon gone. */
import { outcomeName } from '../../../../domain/calling/outcomes.ts'
import { Names } from '../../format/names.tsx'
import { Link } from '../../router.tsx'
import { useTimes } from '../../times.ts'
import { useRecentCalls } from './call-queries.ts'
import { UndoCall } from './undo-call.tsx'

/** The last one is in sight; the others would push the list down. */
export function RecentCalls() {
  const [last, ...earlier] = useRecentCalls().data?.calls ?? []
  if (!last) return null
  return (
    <section aria-labelledby="recent-calls" className="mb-5 max-w-3xl print:hidden">
      <h2 id="recent-calls" className="text-title">
        Your calls in the last hour
      </h2>
      <RecentCall call={last} />
      {earlier.length > 0 ? (
        <details className="border-t border-line">
          <summary className="min-h-11 content-center font-bold">{earlier.length} more</summary>
          {earlier.map(call => (
            <RecentCall key={call.callId} call={call} />
          ))}
        </details>
      ) : null}
    </section>
  )
}

type Call = NonNullable<ReturnType<typeof useRecentCalls>['data']>['calls'][number]

function RecentCall({ call: { callId, leadId, outcome, at, people } }: { readonly call: Call }) {
  const times = useTimes()
  return (
    <div className="flex flex-wrap items-center gap-x-4 border-t border-line py-1.5">
      <Link href={`/leads/${leadId}`} className="font-bold underline underline-offset-4">
        <Names people={people} />
      </Link>
      <span className="mr-auto">
        {outcomeName(outcome)}, {times.time(at)}
      </span>
      <UndoCall callId={callId} />
    </div>
  )
}
