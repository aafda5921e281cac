/** The do-not-call list, newest first: search and filter it, add a phone number or an email, and take entries back. */
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import type { InferResponseType } from 'hono/client'
import { useRef, useState } from 'react'
import {
  parseDoNotCall,
  type RemovalRequest,
  type StopFilter,
  stopFilters,
} from '../../../../domain/do-not-call/do-not-call.ts'
import { leadActions } from '../../../../domain/leads/lead-actions.ts'
import { pluralize } from '../../../../domain/text/numbers.ts'
import { api, unwrap } from '../../client.ts'
import { PersonName } from '../../format/names.tsx'
import { queryKeys } from '../../query-keys.ts'
import { Link } from '../../router.tsx'
import { useApiLink, useHasRole } from '../../session.ts'
import { Page } from '../../shell/page.tsx'
import { useTimes } from '../../times.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog, progressOf } from '../../ui/dialog.tsx'
import { FieldGrid, Select, TextField } from '../../ui/field.tsx'
import { EmptyState, Loaded } from '../../ui/placeholders.tsx'
import { useToast } from '../../ui/toast.tsx'
import { AddToDoNotCall, useListChanged } from './add-to-do-not-call.tsx'
import { useRemovalRequest } from './removal-request.tsx'
import { TakeBack } from './take-back.tsx'

interface EntryFilter {
  readonly search: string
  readonly source?: StopFilter
  /** Dates such as 2030-01-31. */
  readonly since?: string
  readonly until?: string
}

type StopRequest = InferResponseType<(typeof api)['do-not-call']['search']['$post']>['requests'][number]

export function DoNotCallList() {
  const apiLink = useApiLink()
  const canAdd = useHasRole('agent')
  const canRemove = useHasRole('editor')
  const [search, setSearch] = useState('')
  const [how, setHow] = useState(anyHow)
  const [selected, setSelected] = useState<readonly string[]>([])
  const chosen: Omit<EntryFilter, 'search'> = Object.fromEntries(
    Object.entries(how).filter(([, value]) => value !== ''),
  )
  const filter: EntryFilter = { search, ...chosen }
  /** What is hidden from now on isn't selected. */
  const narrow = (change: () => void) => {
    setSelected([])
    change()
  }
  const isFiltered = Object.keys(chosen).length > 0
  const isAll = search.trim() === '' && !isFiltered
  const [removing, setRemoving] = useState<StopRequest | null>(null)
  const box = useRef<HTMLInputElement>(null)
  const list = useInfiniteQuery({
    queryKey: queryKeys.doNotCall(filter),
    queryFn: ({ pageParam, signal }) =>
      unwrap(api['do-not-call'].search.$post({ json: { ...filter, after: pageParam } }, { init: { signal } })),
    initialPageParam: null as { readonly at: number; readonly entry: string } | null,
    getNextPageParam: page => page.next,
    placeholderData: keepPreviousData,
  })
  const total = list.isPlaceholderData ? null : (list.data?.pages[0]?.total ?? null)
  return (
    <div className="max-w-5xl">
      <ButtonLink kind="quiet" href="/leads" icon="arrow-left" className="-ml-3 -mt-3 mb-1 px-3 print:hidden">
        All leads
      </ButtonLink>
      <Page title="Do-not-call list">
        <Card
          title="Requests"
          note="People who asked not to be called, and wrong numbers, newest first. A request has one or more entries: phone numbers and emails."
        >
          <div className="mb-4 print:hidden">
            <TextField
              ref={box}
              label={canAdd ? 'Search or add' : 'Search'}
              hint="A name, a phone number, or an email address."
              type="search"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={320}
              value={search}
              onChange={event => narrow(() => setSearch(event.target.value))}
            />
            <Filters chosen={how} onChoose={to => narrow(() => setHow(to))} />
            {canRemove ? <TakeBack selected={selected} onDone={() => setSelected([])} /> : null}
          </div>
          <Loaded query={list} what="the do-not-call list">
            {({ pages }) => {
              // A request on two pages is shown once.
              const requests = new Map(pages.flatMap(page => page.requests).map(request => [request.id, request]))
              if (requests.size === 0) {
                const notFound = isAll ? 'The list is empty' : 'Not on the list'
                return (
                  <EmptyState icon="search-x" title={isFiltered ? 'No requests match the filters' : notFound}>
                    {canAdd && parseDoNotCall(search) ? (
                      <AddToDoNotCall asksHow typed={search} onAdded={() => box.current?.focus()} />
                    ) : null}
                  </EmptyState>
                )
              }
              return (
                <>
                  <div className="flex flex-wrap items-center justify-between gap-x-4">
                    <p className="text-small text-ink-soft" role="status">
                      {total === null ? '' : pluralize(total, isAll ? 'request' : 'matching request')}
                    </p>
                    {canRemove && search.trim() === '' ? (
                      <ButtonLink
                        kind="quiet"
                        icon="download"
                        className="print:hidden"
                        href={apiLink('/api/do-not-call/export', { ...chosen })}
                        download
                      >
                        Export
                      </ButtonLink>
                    ) : null}
                  </div>
                  <ul>
                    {[...requests.values()].map(request => (
                      <li
                        key={request.id}
                        className="flex flex-wrap items-center justify-between gap-x-2 border-t border-line py-1.5"
                      >
                        <Request request={request} selected={selected} onSelect={canRemove ? setSelected : undefined} />
                        {canRemove ? (
                          <Button kind="quiet" className="print:hidden" onClick={() => setRemoving(request)}>
                            Remove…<span className="sr-only"> {shownEntries(request)}</span>
                          </Button>
                        ) : null}
                      </li>
                    ))}
                  </ul>
                </>
              )
            }}
          </Loaded>
          {list.hasNextPage ? (
            <Button busy={list.isFetchingNextPage} icon="chevron-down" onClick={() => list.fetchNextPage()}>
              Show more
            </Button>
          ) : null}
        </Card>
        {removing ? <Removal request={removing} onClose={() => setRemoving(null)} /> : null}
      </Page>
    </div>
  )
}

const shownEntries = ({ entries }: StopRequest) =>
  new Intl.ListFormat('en-US').format(entries.map(({ shown }) => shown))

interface RequestProps {
  readonly request: StopRequest
  readonly selected: readonly string[]
  /** Missing if this user can't remove entries. */
  readonly onSelect: ((ids: readonly string[]) => void) | undefined
}

/** A request's numbers and addresses, who asked, and how and when. */
function Request({ request, selected, onSelect }: RequestProps) {
  const { id, entries, isOwn, people, at, by, how } = request
  const times = useTimes()
  return (
    <span className="flex min-w-0 flex-[1_1_11.5rem] flex-wrap items-baseline justify-between gap-x-4">
      <span className="flex min-w-0 flex-wrap gap-x-3">
        {onSelect && !isOwn ? (
          <input
            type="checkbox"
            aria-label={`Select ${shownEntries(request)}`}
            className="size-5 self-center print:hidden"
            checked={selected.includes(id)}
            onChange={({ target }) =>
              onSelect(target.checked ? [...selected, id] : selected.filter(each => each !== id))
            }
          />
        ) : null}
        {entries.map(({ entry, shown }) => (
          <bdi key={entry} className="min-w-0 font-bold">
            {shown}
          </bdi>
        ))}
        {people.map(person => (
          <Link key={person.leadId} href={`/leads/${person.leadId}`} className="min-w-0 underline underline-offset-4">
            <PersonName {...person} />
          </Link>
        ))}
      </span>
      <time dateTime={new Date(at).toISOString()} title={times.full(at)} className="text-small text-ink-soft">
        {how ?? 'Added'} · {times.short(at)}
        {by === null ? '' : ` by ${by}`}
      </time>
    </span>
  )
}

const anyHow = { source: '', since: '', until: '' }

interface FiltersProps {
  readonly chosen: typeof anyHow
  readonly onChoose: (chosen: typeof anyHow) => void
}

/** How and when requests came in. */
function Filters({ chosen, onChoose }: FiltersProps) {
  return (
    <FieldGrid className="mt-3">
      <Select
        label="How it came in"
        choices={[['', 'Any way'], ...Object.entries(stopFilters)]}
        value={chosen.source}
        onChoose={source => onChoose({ ...chosen, source })}
      />
      <TextField
        label="Since"
        type="date"
        value={chosen.since}
        onChange={event => onChoose({ ...chosen, since: event.target.value })}
      />
      <TextField
        label="Through"
        type="date"
        value={chosen.until}
        onChange={event => onChoose({ ...chosen, until: event.target.value })}
      />
    </FieldGrid>
  )
}

interface RemovalProps {
  readonly request: StopRequest
  readonly onClose: () => void
}

function Removal({ request, onClose }: RemovalProps) {
  const toast = useToast()
  const changed = useListChanged()
  const asked = useRemovalRequest()
  const entries = request.entries.map(({ entry }) => entry)
  const { confirm, done } = leadActions['allow calls']
  const remove = useMutation({
    mutationFn: (removal: RemovalRequest) =>
      unwrap(api['do-not-call'].remove.$post({ json: { entries, request: removal } })),
    onSuccess: ({ notice }) => {
      onClose()
      const undo = () => unwrap(api['do-not-call'].restore.$post({ json: { entries } })).finally(changed)
      toast({ text: [done('now'), notice].filter(Boolean).join(' '), undo })
    },
    // If a colleague removed it first, show the list as it is now.
    onSettled: changed,
  })
  return (
    <ConfirmDialog
      title={confirm?.title ?? ''}
      button={confirm?.button('now') ?? ''}
      {...progressOf(remove)}
      onConfirm={() => {
        const removal = asked.check()
        if (removal !== null) remove.mutate(removal)
      }}
      onClose={onClose}
    >
      <p>
        Removes <bdi className="font-bold">{shownEntries(request)}</bdi>. Leads that{' '}
        {entries.length === 1 ? 'it' : 'they'} closed can be called and sent again at once; those on hold still need
        review. If the person also asked in another request, that one stays on the list.
      </p>
      {asked.field}
    </ConfirmDialog>
  )
}
