/** "You called NAME at 1:12 PM. What happened?", or "NAME called us …", on every page, so no call stays without an outcome. */
import { fullName, truncate } from '../../format/names.tsx'
import { Link, usePath } from '../../router.tsx'
import { useTimes } from '../../times.ts'
import { Icon } from '../../ui/icon.tsx'
import { useUnfinishedCalls } from './call-queries.ts'

export function UnfinishedBanner() {
  const times = useTimes()
  const path = usePath()
  const calls = (useUnfinishedCalls().data?.calls ?? []).filter(({ leadId }) => path !== `/leads/${leadId}`)
  return (
    // Always rendered, so screen readers announce its text when it appears.
    <div role="status" aria-live="polite" className="print:hidden">
      {calls.map(({ leadId, at, incoming, ...person }) => (
        <div key={leadId} className="border-b border-amber-edge bg-amber text-amber-ink">
          <p className="mx-auto flex max-w-[120rem] items-start gap-2.5 px-3 py-2 sm:px-6">
            <Icon name="phone" className="mt-1" />
            <span>
              {incoming ? null : 'You called '}
              <bdi className="font-bold">{truncate(fullName(person), 60)}</bdi> {incoming ? 'called us at' : 'at'}{' '}
              {times.near(at, Date.now())} office time.{' '}
              <Link href={`/leads/${leadId}`} className="inline-block font-bold underline underline-offset-4">
                What happened?
              </Link>
            </span>
          </p>
        </div>
      ))}
    </div>
  )
}
