/** The do-not-call list, newest first: search and filter it, add a phone number or an email, and take entries back. */
import { keepPreviousData, useInfiniteQuery, useMutation } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { parseDoNotCall, type RemovalRequest, type StopSource, stopSources } from '../../../../domain/do-not-call.ts'
import { leadActions } from '../../../../domain/lead-actions.ts'
import { api, unwrap } from '../../client.ts'
import { PersonName } from '../../format/names.tsx'
import { queryKeys } from '../../query-keys.ts'
import { Link } from '../../router.tsx'
import { useHasRole } from '../../session.ts'
import { Page } from '../../shell/page.tsx'
import { useTimes } from '../../times.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog, progressOf } from '../../ui/dialog.tsx'
import { FieldGrid, Select, TextField } from '../../ui/field.tsx'
import { EmptyState, Loaded } from '../../ui/placeholders.tsx'
import { useToast } from '../../ui/toast.tsx'
import { AddToDoNotCall, addEntry, noticeOf, useListChanged } from './add-to-do-not-call.tsx'
import { useRemovalRequest } from './removal-request.tsx'
import { type EntryFilter, TakeBack } from './take-back.tsx'

interface Entry {
  readonly contact: string
  readonly shown: string
}

export function DoNotCallList() {
  const canAdd = useHasRole('agent')
  const canRemove = useHasRole('editor')
  const times = useTimes()
  const [search, setSearch] = useState('')
  const [how, setHow] = useState<Pick<EntryFilter, 'source' | 'since' | 'until'>>({})
  const [selected, setSelected] = useState<readonly string[]>([])
  const filter: EntryFilter = { search, ...how }
  const [removing, setRemoving] = useState<Entry | null>(null)
  const box = useRef<HTMLInputElement>(null)
  const list = useInfiniteQuery({
    queryKey: queryKeys.doNotCall(filter),
    queryFn: ({ pageParam, signal }) =>
      unwrap(api['do-not-call'].search.$post({ json: { ...filter, after: pageParam } }, { init: { signal } })),
    initialPageParam: null as { readonly addedAt: number; readonly contact: string } | null,
    getNextPageParam: page => page.next,
    placeholderData: keepPreviousData,
  })
  return (
    <div className="max-w-5xl">
      <ButtonLink kind="quiet" href="/leads" icon="arrow-left" className="-ml-3 -mt-3 mb-1 px-3 print:hidden">
        All leads
      </ButtonLink>
      <Page title="Do-not-call list">
        <Card
          title="Entries"
          note="People who asked not to be called, and wrong numbers. Each entry says how it came in."
        >
          <div className="mb-4 print:hidden">
            <TextField
              ref={box}
              label={canAdd ? 'Search or add' : 'Search'}
              hint="A phone number or an email address."
              type="search"
              autoComplete="off"
              autoCapitalize="none"
              spellCheck={false}
              maxLength={320}
              value={search}
              onChange={event => setSearch(event.target.value)}
            />
            <Filters chosen={how} onChoose={setHow} />
            {canRemove ? <TakeBack filter={filter} selected={selected} onDone={() => setSelected([])} /> : null}
          </div>
          <Loaded query={list} what="the do-not-call list">
            {({ pages }) => {
              const entries = pages.flatMap(page => page.entries)
              if (entries.length === 0) {
                return (
                  <EmptyState icon="search-x" title={isAll(filter) ? 'The list is empty' : 'Not on the list'}>
                    {canAdd && parseDoNotCall(search) ? (
                      <AddToDoNotCall asksHow typed={search} onAdded={() => box.current?.focus()} />
                    ) : null}
                  </EmptyState>
                )
              }
              return (
                <ul>
                  {entries.map(({ contact, shown, people, addedAt, by, how, isOwn }) => (
                    <li
                      key={contact}
                      className="flex flex-wrap items-center justify-between gap-x-2 border-t border-line py-1.5"
                    >
                      <span className="flex min-w-0 flex-[1_1_11.5rem] flex-wrap items-baseline justify-between gap-x-4">
                        <span className="flex min-w-0 flex-wrap gap-x-3">
                          {canRemove && !isOwn ? (
                            <input
                              type="checkbox"
                              aria-label={`Select ${shown}`}
                              className="size-5 self-center print:hidden"
                              checked={selected.includes(contact)}
                              onChange={({ target }) =>
                                setSelected(chosen =>
                                  target.checked ? [...chosen, contact] : chosen.filter(each => each !== contact),
                                )
                              }
                            />
                          ) : null}
                          <bdi className="font-bold">{shown}</bdi>
                          {people.map(person => (
                            <Link
                              key={person.leadId}
                              href={`/leads/${person.leadId}`}
                              className="min-w-0 underline underline-offset-4"
                            >
                              <PersonName {...person} />
                            </Link>
                          ))}
                        </span>
                        <time
                          dateTime={new Date(addedAt).toISOString()}
                          title={times.full(addedAt)}
                          className="text-small text-ink-soft"
                        >
                          {how ?? 'Added'}, {times.short(addedAt)}
                          {by === null ? '' : ` by ${by}`}
                        </time>
                      </span>
                      {canRemove ? (
                        <Button kind="quiet" className="print:hidden" onClick={() => setRemoving({ contact, shown })}>
                          Remove…<span className="sr-only"> {shown}</span>
                        </Button>
                      ) : null}
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
        {removing ? <Removal entry={removing} onClose={() => setRemoving(null)} /> : null}
      </Page>
    </div>
  )
}

const isAll = ({ search, source, since, until }: EntryFilter) =>
  search.trim() === '' && source === undefined && !since && !until

interface FiltersProps {
  readonly chosen: Pick<EntryFilter, 'source' | 'since' | 'until'>
  readonly onChoose: (chosen: Pick<EntryFilter, 'source' | 'since' | 'until'>) => void
}

/** How and when entries came in. */
function Filters({ chosen: { source, since, until }, onChoose }: FiltersProps) {
  const choose = (change: FiltersProps['chosen']) => {
    const next = { ...(source && { source }), ...(since && { since }), ...(until && { until }), ...change }
    onChoose(Object.fromEntries(Object.entries(next).filter(([, value]) => value !== '')))
  }
  return (
    <FieldGrid className="mt-3">
      <Select
        label="How it came in"
        choices={[['', 'Any way'], ...Object.entries(stopSources)]}
        value={source ?? ''}
        onChoose={value => choose({ source: value as StopSource })}
      />
      <TextField
        label="Since"
        type="date"
        value={since ?? ''}
        onChange={event => choose({ since: event.target.value })}
      />
      <TextField
        label="Through"
        type="date"
        value={until ?? ''}
        onChange={event => choose({ until: event.target.value })}
      />
    </FieldGrid>
  )
}

interface RemovalProps {
  readonly entry: Entry
  readonly onClose: () => void
}

function Removal({ entry: { contact, shown }, onClose }: RemovalProps) {
  const toast = useToast()
  const changed = useListChanged()
  const asked = useRemovalRequest()
  const { confirm, done } = leadActions['allow calls']
  const remove = useMutation({
    mutationFn: (request: RemovalRequest) =>
      unwrap(api['do-not-call'].remove.$post({ json: { entry: contact, request } })),
    onSuccess: ({ notice }) => {
      onClose()
      const addAgain = async () => ({ notice: noticeOf((await addEntry({ contact }).finally(changed)).crm) })
      toast({ text: [done('now'), notice].filter(Boolean).join(' '), undo: addAgain })
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
        const request = asked.check()
        if (request !== null) remove.mutate(request)
      }}
      onClose={onClose}
    >
      <p>
        Removes <bdi className="font-bold">{shown}</bdi>. Leads that it closed can be called and sent again at once;
        those on hold still need review. This doesn’t remove the person’s{' '}
        {contact.includes('@') ? 'phone number' : 'email address'} from the list.
      </p>
      {asked.field}
    </ConfirmDialog>
  )
}
