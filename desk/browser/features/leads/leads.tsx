/** The list of leads: search, filters, selection, and bulk actions. */
import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { BulkActionName } from '../../../../domain/leads/lead-actions.ts'
import { formatNumber, pluralize } from '../../../../domain/text/numbers.ts'
import { type LeadsCount, type LeadsFilter, messageOf } from '../../client.ts'
import { allLeads, filterOf, type LeadsUrl, type ListHistoryState, leadsHref, parseLeadsUrl } from '../../leads-url.ts'
import { navigate, useHistoryState, useQueryString } from '../../router.tsx'
import { useHasRole } from '../../session.ts'
import { Page } from '../../shell/page.tsx'
import { useShortcuts } from '../../shell/shortcuts.tsx'
import { useToday } from '../../times.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { focusNearby } from '../../ui/focus.ts'
import { EmptyState, Loading, Problem } from '../../ui/placeholders.tsx'
import { IncomingCallButton } from '../calls/incoming-call.tsx'
import { AddToDoNotCall } from '../do-not-call/add-to-do-not-call.tsx'
import { BulkMenu, SelectionBar } from './bulk-actions.tsx'
import { ExportDialog } from './export-dialog.tsx'
import { CollapsibleFilters, filtersLabel, QuickLists } from './filters.tsx'
import { type JobChoice, JobDialog } from './job-dialog.tsx'
import { useAutoRefresh, useLeads, useLeadsCount, useOpenedAt } from './lead-queries.ts'
import { LeadsTable, type Selection } from './leads-table.tsx'
import { SearchBox } from './search-box.tsx'

export function Leads() {
  const isEditor = useHasRole('editor')
  const query = useQueryString()
  const { search = '', find = false } = useHistoryState<ListHistoryState>() ?? {}
  const url = useMemo(() => parseLeadsUrl(query), [query])
  const today = useToday()
  const filter = useMemo(() => filterOf(url, search, today), [url, search, today])
  const leads = useLeads(filter, url.sort)
  const count = useLeadsCount(filter, leads)
  const [selected, setSelected] = useState<ReadonlySet<string>>(new Set())
  const [job, setJob] = useState<JobChoice | null>(null)
  const [exporting, setExporting] = useState<LeadsCount | null>(null)
  const box = useRef<HTMLInputElement>(null)
  const { current, focusLead, move } = useListKeys(`${query} ${search}`)

  const goTo = useCallback(
    (to: LeadsUrl, state: ListHistoryState = { search }, replace = false) =>
      navigate(leadsHref(to), { state, replace }),
    [search],
  )
  useEffect(() => {
    if (!find) return
    box.current?.focus()
    // Only once: people who come back to this list expect to pick up where they left off.
    goTo(url, { search }, true)
  }, [find, goTo, url, search])
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new filter clears the selection.
  useEffect(() => setSelected(new Set()), [filter])

  const from = useMemo<ListHistoryState>(() => ({ list: { href: leadsHref(url), search } }), [url, search])
  const pages = leads.data?.pages ?? []
  const shown = pages.flatMap(page => page.leads)
  const autoRefresh = useAutoRefresh({
    isUntouched: pages.length <= 1 && selected.size === 0,
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
  const openJob = (action: BulkActionName, leads: JobChoice['leads']) => setJob({ action, leads })
  const openedAt = useOpenedAt(filter, leads)
  return (
    <Page
      title="Leads"
      aside={
        // Keeps its height while empty, so the search box below doesn't jump.
        <div className="flex min-h-11 flex-wrap gap-2 max-sm:text-small max-sm:[&>*]:px-2 max-sm:[&_svg]:hidden print:hidden">
          <IncomingCallButton />
          {isEditor && count && count.total > 0 ? (
            <>
              <Button icon="download" onClick={() => setExporting(count)}>
                Export…
              </Button>
              <BulkMenu filter={filter} count={count} onAction={action => openJob(action, { filter })} />
            </>
          ) : null}
        </div>
      }
    >
      <p className="hidden print:block">{filtersLabel(url, today)}</p>
      <div className="mb-1 flex flex-col gap-2.5 print:hidden">
        <SearchBox
          box={box}
          search={search}
          onSearch={typed => goTo(url, { search: typed }, true)}
          onDown={() => move(1)}
        />
        <div className="flex flex-wrap items-start gap-1.5">
          <QuickLists url={url} search={search} />
          <CollapsibleFilters url={url} onChange={to => goTo(to)} />
        </div>
      </div>
      <div className="mb-2 flex min-h-11 flex-wrap items-center justify-between gap-3">
        <p role="status" className="text-ink-soft">
          {count ? `${count.exact ? '' : 'More than '}${pluralize(count.total, 'lead')}` : ''}
          {shown.length > 0 && count && shown.length < count.total ? `, ${formatNumber(shown.length)} shown` : ''}
        </p>
        {leads.isRefetchError ? (
          <p role="alert" className="font-bold text-error">
            Couldn’t refresh the list, so it may be out of date. {messageOf(leads.error)}
          </p>
        ) : null}
        {autoRefresh.isStale ? (
          <Button icon="refresh" busy={leads.isRefetching} onClick={autoRefresh.refresh}>
            {leads.isRefetchError ? 'Try again' : 'List has changed. Refresh'}
          </Button>
        ) : null}
      </div>
      <div className="@container overflow-clip rounded-2xl border border-line bg-card shadow-card">
        {leads.isError && pages.length === 0 ? (
          <div className="p-4">
            <Problem title="Couldn’t load the list" onRetry={() => leads.refetch()}>
              {messageOf(leads.error)}
            </Problem>
          </div>
        ) : leads.isPending ? (
          <Loading what="leads" />
        ) : shown.length === 0 ? (
          <NoLeads filter={filter} />
        ) : (
          <LeadsTable
            leads={shown}
            selection={isEditor ? selection : null}
            from={from}
            openedAt={openedAt}
            onFocus={focusLead}
            onMove={move}
            isStale={leads.isPlaceholderData}
          />
        )}
      </div>
      {leads.hasNextPage ? <ShowMore list={leads} /> : null}
      {selected.size > 0 ? (
        <SelectionBar
          filter={filter}
          selected={selected.size}
          onAction={action =>
            openJob(action, {
              selected: shown.filter(({ id }) => selected.has(id)).map(({ id, state }) => ({ id, state })),
            })
          }
          onClear={() => {
            setSelected(new Set())
            // The Clear button is about to disappear.
            focusNearby(document.querySelector(`[data-lead="${CSS.escape(current ?? '')}"]`))
          }}
        />
      ) : null}
      {/* Stays open even if the count drops to zero. */}
      {exporting ? <ExportDialog filter={filter} count={exporting} onClose={() => setExporting(null)} /> : null}
      {job ? (
        <JobDialog
          choice={job}
          onClose={changed => {
            setJob(null)
            if (!changed) return
            setSelected(new Set())
            autoRefresh.refresh()
          }}
        />
      ) : null}
    </Page>
  )
}

/** The last focused lead, so people who come back to the list can continue from there. */
let lastFocused: { readonly list: string; readonly lead: string } | null = null

/** j and k move from link to link, no matter where the focus is. */
function useListKeys(list: string) {
  const [focused, setFocused] = useState(lastFocused)
  const current = focused?.list === list ? focused.lead : null
  const focusLead = (lead: string) => {
    lastFocused = { list, lead }
    setFocused(lastFocused)
  }
  const move = (by: 1 | -1) => {
    const links = Array.from(document.querySelectorAll<HTMLAnchorElement>('[data-lead]'))
    const at = links.findIndex(link => link.dataset['lead'] === current)
    const to = at === -1 ? 0 : Math.min(links.length - 1, Math.max(0, at + by))
    links[to]?.focus()
  }
  return { current, focusLead, move }
}

/** Loads more when clicked, or when the user scrolls near it. */
function ShowMore({ list }: { readonly list: ReturnType<typeof useLeads> }) {
  const { isFetchingNextPage: isLoading, isFetchNextPageError: failed, fetchNextPage } = list
  const footer = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = footer.current
    if (!element || isLoading || failed) return
    // If multiple entries arrive at once, the last one counts.
    const observer = new IntersectionObserver(entries => entries.at(-1)?.isIntersecting && fetchNextPage(), {
      rootMargin: '800px 0px',
    })
    observer.observe(element)
    return () => observer.disconnect()
  }, [isLoading, failed, fetchNextPage])
  return (
    <div ref={footer} className="flex flex-col items-center gap-2 py-6 print:hidden">
      {failed ? <p>Couldn’t load more leads.</p> : null}
      <Button busy={isLoading} icon="chevron-down" onClick={() => fetchNextPage()}>
        {isLoading ? 'Loading…' : 'Show more'}
      </Button>
    </div>
  )
}

/** An empty list of problems is good news. */
const emptyLists: Readonly<Record<string, readonly [title: string, text: string]>> = {
  held: [
    'Nothing on hold',
    'Leads show up here for review if they might be fake, or if someone on the do-not-call list submits the form again.',
  ],
  dead: ['No failed deliveries', 'Leads that couldn’t be delivered show up here, so you can resend them.'],
  pending: ['Nothing queued', 'Leads stay here until they reach your CRM.'],
}

function NoLeads({ filter }: { readonly filter: LeadsFilter }) {
  const canAdd = useHasRole('agent')
  const values = Object.values(filter)
  if (values.length === 0) {
    return (
      <EmptyState icon="inbox" title="No leads yet">
        <p>New leads show up here as soon as someone submits the form.</p>
      </EmptyState>
    )
  }
  const [title, text] = (values.length === 1 && emptyLists[filter.state ?? filter.delivery ?? '']) || []
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
          ? 'No leads match these filters.'
          : values.length > 1
            ? 'No leads match both the search and the filters.'
            : 'Try part of a name, an email, or a phone number.'}
      </p>
      {canAdd && filter.search !== undefined ? <AddToDoNotCall asksHow typed={filter.search} /> : null}
      <ButtonLink href={leadsHref(allLeads)}>Clear search and filters</ButtonLink>
    </EmptyState>
  )
}
