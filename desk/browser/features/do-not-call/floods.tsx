/** Floods of requests from the website: someone entered strangers' numbers. Editors review them and take them back together. */
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, messageOf, unwrap, type WebFloods } from '../../client.ts'
import { pluralize } from '../../format/numbers.ts'
import { queryKeys } from '../../query-keys.ts'
import { useTimes } from '../../times.ts'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog, useReason } from '../../ui/dialog.tsx'
import { Callout, Loaded } from '../../ui/placeholders.tsx'
import { useToast } from '../../ui/toast.tsx'
import { useListChanged } from './add-to-do-not-call.tsx'

type Flood = WebFloods['floods'][number]

export function Floods() {
  const times = useTimes()
  const [reviewed, setReviewed] = useState<Flood | null>(null)
  const { data } = useQuery({
    queryKey: queryKeys.webFloods,
    queryFn: ({ signal }) => unwrap(api['do-not-call'].floods.$get({}, { init: { signal } })),
  })
  return (
    <>
      {data?.floods.map(flood => (
        <div key={flood.since} className="mb-4 print:hidden">
          <Callout
            tone="waiting"
            icon="alert"
            title={`${pluralize(flood.entries, 'request')} from the website, ${times.short(flood.since)} to ${times.near(flood.until, flood.since)}`}
          >
            <p>Far more than usual. Someone may have entered strangers’ numbers.</p>
            <Button className="mt-3" onClick={() => setReviewed(flood)}>
              Review…
            </Button>
          </Callout>
        </div>
      ))}
      {reviewed ? <Review flood={reviewed} onClose={() => setReviewed(null)} /> : null}
    </>
  )
}

function Review({
  flood: { since, until, entries },
  onClose,
}: {
  readonly flood: Flood
  readonly onClose: () => void
}) {
  const times = useTimes()
  const toast = useToast()
  const changed = useListChanged()
  const reason = useReason()
  const list = useInfiniteQuery({
    queryKey: queryKeys.webStops(since),
    queryFn: ({ pageParam, signal }) =>
      unwrap(
        api['do-not-call'].floods.entries.$post({ json: { since, until, after: pageParam } }, { init: { signal } }),
      ),
    initialPageParam: '',
    getNextPageParam: page => page.next,
  })
  const takeBack = useMutation({
    mutationFn: (why: string) =>
      unwrap(api['do-not-call'].floods['take-back'].$post({ json: { since, until, reason: why } })),
    onSuccess: ({ removed }) => {
      onClose()
      toast({ text: `${pluralize(removed, 'request')} removed from the list.` })
    },
    onSettled: changed,
  })
  return (
    <ConfirmDialog
      title="Requests from the website"
      button="Remove from list"
      kind="danger"
      busy={takeBack.isPending}
      failed={takeBack.isError ? messageOf(takeBack.error) : null}
      onConfirm={() => {
        const why = reason.check()
        if (why !== null) takeBack.mutate(why)
      }}
      onClose={onClose}
    >
      <p>
        {pluralize(entries, 'request')}, {times.short(since)} to {times.near(until, since)}. People who have a lead stay
        on the list, because they may have asked themselves. So do entries that a colleague or your CRM confirmed.
      </p>
      <Loaded query={list} what="the requests">
        {({ pages }) => (
          <ul aria-label="Requests" className="max-h-60 overflow-y-auto rounded-lg border border-line px-3">
            {pages
              .flatMap(page => page.entries)
              .map(({ shown, at, hasLead }) => (
                <li key={shown} className="flex justify-between gap-x-4 border-t border-line py-1 first:border-0">
                  <bdi>{shown}</bdi>
                  <span className="text-small text-ink-soft">{hasLead ? 'Has a lead: stays' : times.time(at)}</span>
                </li>
              ))}
            {list.hasNextPage ? (
              <li className="border-t border-line py-1">
                <Button kind="quiet" busy={list.isFetchingNextPage} onClick={() => list.fetchNextPage()}>
                  Show more
                </Button>
              </li>
            ) : null}
          </ul>
        )}
      </Loaded>
      {reason.field}
    </ConfirmDialog>
  )
}
