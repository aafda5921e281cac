/** "Why was this person never called?": since when they could have been, and who made calls since then. */
import { useQuery } from '@tanstack/react-query'
import { api, unwrap } from '../../client.ts'
import { pluralize } from '../../format/numbers.ts'
import { queryKeys } from '../../query-keys.ts'
import { formatDuration } from '../../times.ts'
import { Card } from '../../ui/card.tsx'
import { useBothTimes } from '../calls/local-time.tsx'

const list = new Intl.ListFormat('en-US')

export function NeverCalled({ leadId }: { readonly leadId: string }) {
  const both = useBothTimes()
  const { data } = useQuery({
    queryKey: queryKeys.neverCalled(leadId),
    queryFn: ({ signal }) =>
      unwrap(api.calls[':id']['never-called'].$get({ param: { id: leadId } }, { init: { signal } })),
  })
  if (!data) return null
  const { place, from, waitedMs, callers } = data
  const made = callers.map(({ name, calls }) => `${name} made ${pluralize(calls, 'call')}`)
  return (
    <Card title="Not called yet">
      {place === null ? <p>We don’t know this person’s time zone, so no one could call.</p> : null}
      {place && from === null ? <p>It hasn’t been calling hours there since this person asked for a call.</p> : null}
      {from === null ? null : (
        <p>
          This person could have been called since {both(place, from)}, for {formatDuration(waitedMs)} of calling hours.{' '}
          {made.length === 0 ? 'No one has made calls since then.' : `Since then, ${list.format(made)}.`}
        </p>
      )}
    </Card>
  )
}
