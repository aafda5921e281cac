/** One lead: who it is, what happened, what the person agreed to, and what can be done. Opening it is noted in its history. */
import { ArrowLeft, UserRoundX } from 'lucide-react'
import { useHistoryState } from 'wouter/use-browser-location'
import type { LeadAnswer } from '../../api/lead.ts'
import { messageOf, Refused } from '../client.ts'
import type { Kept } from '../leads-address.ts'
import { Page } from '../shell/page.tsx'
import { useTimes } from '../times.ts'
import { ButtonLink } from '../ui/button.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { Problem } from '../ui/problem.tsx'
import { LoadingText, Skeleton } from '../ui/skeleton.tsx'
import { ERASED_NAME, fullName, shortened } from '../words/names.tsx'
import { LeadBadge } from '../words/states.tsx'
import { Actions } from './actions.tsx'
import { Consent } from './consent.tsx'
import { ContactCard } from './contact-card.tsx'
import { useLead } from './lead-query.ts'
import { Notes } from './notes.tsx'
import { OtherLeads } from './other-leads.tsx'
import { Standing } from './standing.tsx'
import { Timeline } from './timeline.tsx'
import { Where } from './where.tsx'

export function Lead({ id }: { readonly id: string }) {
  const lead = useLead(id)
  if (lead.data)
    return (
      <Dossier lead={lead.data} stale={lead.isError ? messageOf(lead.error) : null} onRetry={() => lead.refetch()} />
    )
  if (lead.isError) {
    const missing =
      lead.error instanceof Refused && (lead.error.code === 'not found' || lead.error.code === 'bad request')
    return (
      <Page title="Lead">
        {missing ? (
          <EmptyState icon={UserRoundX} title="There is no such lead">
            <p>The link may be cut off. Search for the name instead.</p>
            <ButtonLink kind="primary" href="/leads">
              Go to the list
            </ButtonLink>
          </EmptyState>
        ) : (
          <Problem title="The lead could not be read" onRetry={() => lead.refetch()}>
            {messageOf(lead.error)}
          </Problem>
        )}
      </Page>
    )
  }
  return <Outline />
}

interface DossierProps {
  readonly lead: LeadAnswer
  readonly stale: string | null
  readonly onRetry: () => void
}

function Dossier({ lead, stale, onRetry }: DossierProps) {
  const times = useTimes()
  const name = lead.contact ? fullName(lead.contact) : ERASED_NAME
  return (
    <>
      <BackToList />
      <Page
        key={lead.id}
        title={name}
        tab="Lead"
        heading={<bdi className="line-clamp-4 pb-[0.08em]">{shortened(name, 300)}</bdi>}
        aside={<LeadBadge state={lead.state} delivery={lead.delivery?.state ?? null} />}
      >
        <p className="-mt-3 mb-5 text-ink-soft">
          Received <time dateTime={new Date(lead.receivedAt).toISOString()}>{times.full(lead.receivedAt)}</time>
        </p>
        {stale === null ? null : (
          <div className="mb-5">
            <Problem title="This may be old" onRetry={onRetry}>
              {stale}
            </Problem>
          </div>
        )}
        <div className="grid items-start gap-4 sm:gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <div className="contents lg:flex lg:flex-col lg:gap-5">
            <Standing lead={lead} />
            <ContactCard lead={lead} />
            <Actions lead={lead} />
            <Timeline lead={lead} />
          </div>
          <div className="contents lg:flex lg:flex-col lg:gap-5">
            <Notes lead={lead} />
            <Consent lead={lead} />
            <Where lead={lead} />
            <OtherLeads lead={lead} />
          </div>
        </div>
      </Page>
    </>
  )
}

/** As it was left: whoever works through the held ones wants the next of them. */
function BackToList() {
  const list = useHistoryState<Kept | null>()?.list
  return (
    <ButtonLink
      kind="quiet"
      href={list?.href ?? '/leads'}
      state={list && { search: list.search }}
      onClick={event => {
        // The list is the entry before this one: going back to it, instead of once more there, finds it where it was scrolled to.
        if (!list || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        history.back()
      }}
      className="-ml-3 -mt-3 mb-1 px-3"
      icon={<ArrowLeft aria-hidden size={18} />}
    >
      {list ? 'Back to the list' : 'All leads'}
    </ButtonLink>
  )
}

function Outline() {
  return (
    <>
      <BackToList />
      <Page title="Lead" heading={<Skeleton className="h-9 w-64 max-w-full" />}>
        <LoadingText what="the lead" />
        <div className="grid gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)]">
          <Skeleton className="h-64 rounded-2xl" />
          <Skeleton className="h-64 rounded-2xl" />
        </div>
      </Page>
    </>
  )
}
