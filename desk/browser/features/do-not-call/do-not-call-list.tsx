/** The do-not-call list: search it, and add a phone number or an email. */
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { parseDoNotCall } from '../../../../domain/do-not-call.ts'
import { api, unwrap } from '../../client.ts'
import { queryKeys } from '../../query-keys.ts'
import { useHasRole } from '../../session.ts'
import { Page } from '../../shell/page.tsx'
import { useTimes } from '../../times.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { TextField } from '../../ui/field.tsx'
import { EmptyState, Loaded } from '../../ui/placeholders.tsx'
import { AddToDoNotCall } from './add-to-do-not-call.tsx'

export function DoNotCallList() {
  const canAdd = useHasRole('caller')
  const times = useTimes()
  const [search, setSearch] = useState('')
  const list = useInfiniteQuery({
    queryKey: queryKeys.doNotCall(search),
    queryFn: ({ pageParam, signal }) =>
      unwrap(api['do-not-call'].search.$post({ json: { search, after: pageParam } }, { init: { signal } })),
    initialPageParam: null as string | null,
    getNextPageParam: page => page.next,
    placeholderData: keepPreviousData,
  })
  return (
    <Page title="Do-not-call list">
      <ButtonLink kind="quiet" href="/leads" icon="arrow-left" className="-ml-3 -mt-3 mb-2 px-3 print:hidden">
        All leads
      </ButtonLink>
      <Card title="Entries" note="People who asked not to be called. To remove someone, open their lead.">
        <div className="mb-4 print:hidden">
          <TextField
            label="Search or add"
            hint="A phone number or an email address."
            type="search"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={320}
            value={search}
            onChange={event => setSearch(event.target.value)}
          />
        </div>
        <Loaded query={list} what="the do-not-call list">
          {({ pages }) => {
            const entries = pages.flatMap(page => page.entries)
            if (entries.length === 0) {
              return (
                <EmptyState icon="search-x" title={search.trim() === '' ? 'The list is empty' : 'Not on the list'}>
                  {canAdd && parseDoNotCall(search) ? <AddToDoNotCall typed={search} /> : null}
                </EmptyState>
              )
            }
            return (
              <ul>
                {entries.map(({ contact, shown, addedAt }) => (
                  <li
                    key={contact}
                    className="flex flex-wrap items-baseline justify-between gap-x-4 border-t border-line py-2"
                  >
                    <bdi className="font-bold">{shown}</bdi>
                    <time dateTime={new Date(addedAt).toISOString()} className="text-small text-ink-soft">
                      Added {times.short(addedAt)}
                    </time>
                  </li>
                ))}
              </ul>
            )
          }}
        </Loaded>
        {list.hasNextPage ? (
          <Button busy={list.isFetchingNextPage} icon="chevron-down" onClick={() => list.fetchNextPage()}>
            Show more
          </Button>
        ) : null}
      </Card>
    </Page>
  )
}
