/** The list of leads: search, filters, selection, and bulk actions. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { BulkActionName } from '../../../../domain/lead-actions.ts'
import { type LeadsFilter, messageOf } from '../../client.ts'
import {
  everything,
  filterOf,
  hrefOfAddress,
  type LeadsAddress,
  type ListHistoryState,
  readAddress,
} from '../../leads-address.ts'
import { navigate, useAddressQuery, useHistoryState } from '../../router.tsx'
import { useIsEditor } from '../../session.ts'
import { Page } from '../../shell/page.tsx'
import { useShortcuts } from '../../shell/shortcuts.tsx'
import { useToday } from '../../times.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { EmptyState, Loading, Problem } from '../../ui/placeholders.tsx'
import { counted, figure } from '../../words/figures.ts'
import { BulkMenu, SelectionBar } from './bulk-actions.tsx'
import { FoldedFilters, QuickLists } from './filters.tsx'
import { type JobChoice, JobDialog } from './job-dialog.tsx'
import { useFreshList, useLeads, useLeadsCount, useNewestAtFirst } from './lead-queries.ts'
import { LeadsTable, type Selection } from './leads-table.tsx'
import { SearchBox } from './search-box.tsx'

export function Leads() {
  const isEditor = useIsEditor()
  const query = useAddressQuery()
  const { search = '', find = false } = useHistoryState<ListHistoryState>() ?? {}
  const address = useMemo(() => readAddress(query), [query])
  const today = useToday()
  const filter = useMemo(() => filterOf(address, search, today), [address, search, today])
  const leads = useLeads(filter, address.sort)
  const count = useLeadsCount(filter, leads)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [job, setJob] = useState<JobChoice | null>(null)
  const box = useRef<HTMLInputElement>(null)
  const { current, focusLead, move } = useListKeys(`${query} ${search}`)

  const goTo = useCallback(
    (to: LeadsAddress, kept: ListHistoryState = { search }, replace = false) =>
      navigate(hrefOfAddress(to), { state: kept, replace }),
    [search],
  )
  useEffect(() => {
    if (!find) return
    box.current?.focus()
    // Only once, because people who come back to this list want to be where they left off.
    goTo(address, { search }, true)
  }, [find, goTo, address, search])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a selection belongs to its list.
  useEffect(() => setSelected(new Set()), [filter])

  const from = useMemo<ListHistoryState>(() => ({ list: { href: hrefOfAddress(address), search } }), [address, search])
  const pages = leads.data?.pages ?? []
  const shown = pages.flatMap(page => page.leads)
  const fresh = useFreshList({
    isQuiet: pages.length <= 1 && selected.size === 0,
    hasFailed: leads.isRefetchError,
    refetch: leads.refetch,
  })
  const selection = useMemo<Selection>(
    () => ({
      ids: selected,
      set: ids => setSelected(new Set(ids)),
      toggle: id =>
        setSelected(before => {
          const after = new Set(before)
          if (!after.delete(id)) after.add(id)
          return after
        }),
    }),
    [selected],
  )
  useShortcuts({
    '/': () => box.current?.focus(),
    j: () => move(1),
    k: () => move(-1),
    ...(isEditor && { x: () => current && selection.toggle(current) }),
  })
  const begin = (action: BulkActionName, of: JobChoice['leads']) => setJob({ action, leads: of })
  const newestAtFirst = useNewestAtFirst(
    shown.map(({ id }) => id),
    filter,
  )
  return (
    <Page
      title="Leads"
      aside={
        // Keeps its height while empty, so the search box below doesn't jump.
        <div className="min-h-11 print:hidden">
          <BulkMenu filter={filter} count={count} onAction={action => begin(action, { filter })} />
        </div>
      }
    >
      <div className="mb-4 flex flex-col gap-3 print:hidden">
        <SearchBox
          box={box}
          search={search}
          onSearch={typed => goTo(address, { search: typed }, true)}
          onDown={() => move(1)}
        />
        <QuickLists address={address} search={search} />
        <FoldedFilters address={address} onChange={to => goTo(to)} />
      </div>
      <div className="mb-2 flex min-h-8 flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-ink-soft">
          {count ? `${count.exact ? '' : 'More than '}${counted(count.total, 'lead')}` : ''}
          {shown.length > 0 && count && shown.length < count.total ? `, ${figure(shown.length)} shown` : ''}
        </p>
        {leads.isRefetchError ? (
          <p role="alert" className="font-bold text-error">
            The list couldn’t be refreshed, so it may be out of date. {messageOf(leads.error)}
          </p>
        ) : null}
        {fresh.isOld ? (
          <Button icon="refresh" busy={leads.isRefetching} onClick={fresh.refresh}>
            {leads.isRefetchError ? 'Try again' : 'List has changed. Refresh'}
          </Button>
        ) : null}
      </div>
      <div className="@container overflow-clip rounded-2xl border border-line bg-card shadow-card">
        {leads.isError && pages.length === 0 ? (
          <div className="p-4">
            <Problem title="The list couldn’t be loaded" onRetry={() => leads.refetch()}>
              {messageOf(leads.error)}
            </Problem>
          </div>
        ) : leads.isPending ? (
          <Loading what="leads" />
        ) : shown.length === 0 ? (
          <Nothing filter={filter} />
        ) : (
          <LeadsTable
            leads={shown}
            selection={isEditor ? selection : null}
            from={from}
            newestAtFirst={newestAtFirst}
            onFocus={focusLead}
            onMove={move}
            old={leads.isPlaceholderData}
          />
        )}
      </div>
      {leads.hasNextPage ? <More list={leads} /> : null}
      {selected.size > 0 ? (
        <SelectionBar
          selected={selected.size}
          onAction={action => begin(action, { ids: [...selected] })}
          onClear={() => setSelected(new Set())}
        />
      ) : null}
      {job ? (
        <JobDialog
          choice={job}
          onClose={changed => {
            setJob(null)
            if (!changed) return
            setSelected(new Set())
            fresh.refresh()
          }}
        />
      ) : null}
    </Page>
  )
}

/** The last focused lead: people who come back to the list continue from there. */
let left: { readonly list: string; readonly lead: string } | null = null

/** j and k move from link to link, wherever the focus is. */
function useListKeys(list: string) {
  const [current, setCurrent] = useState(() => (left?.list === list ? left.lead : null))
  const focusLead = (lead: string) => {
    left = { list, lead }
    setCurrent(lead)
  }
  const move = (by: 1 | -1) => {
    const links = Array.from(document.querySelectorAll<HTMLAnchorElement>('[data-lead]'))
    const at = links.findIndex(link => link.dataset['lead'] === current)
    const to = at === -1 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))
    links[to]?.focus()
  }
  return { current, focusLead, move }
}

/** Loads more when scrolled near or clicked. */
function More({ list }: { readonly list: ReturnType<typeof useLeads> }) {
  const { isFetchingNextPage: isLoading, isFetchNextPageError: failed, fetchNextPage } = list
  const foot = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = foot.current
    if (!element || isLoading || failed) return
    // If several entries arrive together, the last one counts.
    const observer = new IntersectionObserver(entries => entries.at(-1)?.isIntersecting && fetchNextPage(), {
      rootMargin: '800px 0px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [isLoading, failed, fetchNextPage])
  return (
    <div ref={foot} className="flex flex-col items-center gap-2 py-6 print:hidden">
      {failed ? <p>More leads couldn’t be loaded.</p> : null}
      <Button busy={isLoading} icon="chevron-down" onClick={() => fetchNextPage()}>
        {isLoading ? 'Loading…' : 'Show more'}
      </Button>
    </div>
  )
}

/** An empty list of problems is good news. */
const nothing: Readonly<Record<string, readonly [title: string, text: string]>> = {
  held: ['Nothing on hold', 'Leads that might be fake, or from people on the do-not-call list, wait here for review.'],
  dead: ['No failed deliveries', 'Leads that couldn’t be delivered show up here, so you can resend them.'],
  pending: ['Nothing queued', 'Leads show up here until they reach your CRM.'],
}

function Nothing({ filter }: { readonly filter: LeadsFilter }) {
  const set = Object.values(filter)
  if (set.length === 0) {
    return (
      <EmptyState icon="inbox" title="No leads yet">
        <p>New leads show up here as soon as someone submits the form.</p>
      </EmptyState>
    )
  }
  const [title, text] = (set.length === 1 && nothing[filter.state ?? filter.delivery ?? '']) || []
  if (title) {
    return (
      <EmptyState icon="done" title={title}>
        <p>{text}</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState icon="search-x" title="No leads found">
      <p>
        {filter.search === undefined
          ? 'No lead matches these filters.'
          : 'Try part of a name, an email, or a phone number.'}
      </p>
      <ButtonLink href={hrefOfAddress(everything)}>Clear search and filters</ButtonLink>
    </EmptyState>
  )
}
