/** One lead: contact, timeline, consent, and actions. Opening a lead is recorded in its history. */
import { campaignName } from '../../../../domain/campaigns/campaign.ts'
import { pageName } from '../../../../domain/leads/lead-filters.ts'
import { oneLine } from '../../../../domain/text/text.ts'
import { ApiError, type Lead as LeadData, messageOf } from '../../client.ts'
import { LanguageBadge } from '../../format/language.tsx'
import { ERASED_NAME, fullName, truncate } from '../../format/names.tsx'
import { LeadBadge } from '../../format/states.tsx'
import { hrefOfFilter, type ListHistoryState } from '../../leads-url.ts'
import { Link, useHistoryState } from '../../router.tsx'
import { useHasRole } from '../../session.ts'
import { Page } from '../../shell/page.tsx'
import { useTimes } from '../../times.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card, Fact, Facts } from '../../ui/card.tsx'
import { Copyable } from '../../ui/copy-button.tsx'
import { EmptyState, Loaded, Loading, Problem } from '../../ui/placeholders.tsx'
import { CallCard } from '../calls/call-card.tsx'
import { useCallState, useCallWords, useHeartbeat, useIsAgent } from '../calls/call-queries.ts'
import { IncomingCallButton } from '../calls/incoming-call.tsx'
import { OutcomeForm } from '../calls/outcome-form.tsx'
import { isOpenCall } from '../calls/situation.tsx'
import { WhatToSay } from '../calls/what-to-say.tsx'
import { useLead } from '../leads/lead-queries.ts'
import { Actions } from './actions.tsx'
import { Consent, QuestionList } from './consent.tsx'
import { ContactCard } from './contact-card.tsx'
import { Notes } from './notes.tsx'
import { Status } from './status.tsx'
import { Timeline } from './timeline.tsx'

/** On large screens, the history is the third column; on smaller ones, it's below the first. */
const columns =
  'grid items-start gap-4 sm:gap-5 lg:grid-cols-[minmax(0,3fr)_minmax(0,2fr)] lg:grid-rows-[auto_1fr] 2xl:grid-cols-[minmax(0,5fr)_minmax(0,4fr)_minmax(0,3fr)]'

export function Lead({ id }: { readonly id: string }) {
  const query = useLead(id)
  // Loaded along with the lead, so agents can choose an outcome at once.
  useCallState(id, { enabled: useIsAgent() })
  useCallWords()
  const lead = query.data
  const missing = query.error instanceof ApiError && /^(not found|bad request)$/.test(query.error.code)
  if (!lead && missing) {
    return (
      <Page title="Lead">
        <EmptyState icon="search-x" title="Lead not found">
          <p>The link may be incomplete. Try searching by name.</p>
          <ButtonLink kind="primary" href="/leads">
            Go to leads
          </ButtonLink>
        </EmptyState>
      </Page>
    )
  }
  const name = lead && (lead.contact ? fullName(lead.contact) : ERASED_NAME)
  return (
    <Page
      // Remounts when the name loads, so focus moves to the heading.
      key={lead ? 'lead' : 'loading'}
      back={<BackToList />}
      title={name ?? 'Lead'}
      tab="Lead"
      heading={name && <bdi className="line-clamp-4 pb-[0.08em]">{truncate(name, 300)}</bdi>}
      aside={
        lead && (
          <span className="flex flex-wrap items-center gap-2">
            <LanguageBadge language={lead.language} />
            <LeadBadge
              state={lead.state}
              replacedBy={lead.replacedBy}
              delivery={lead.delivery?.state ?? null}
              doNotCall={lead.doNotCall.phone || lead.doNotCall.email}
              isClosed={lead.isClosed}
              call={lead.call}
              clientOn={lead.clientOn}
            />
            <span className="print:hidden">
              <IncomingCallButton />
            </span>
          </span>
        )
      }
    >
      <Loaded query={query} what="the lead">
        {found => <Cards lead={found} />}
      </Loaded>
    </Page>
  )
}

/** One column on phones, starting with the cards that agents need most. With the call list on, that's the call. */
function Cards({ lead }: { readonly lead: LeadData }) {
  const canCall = useIsAgent() && lead.contact !== null
  const state = useCallState(lead.id, { enabled: canCall })
  // The number may have been corrected during the call.
  const isCalled = canCall && (lead.state !== 'repeat' || state.data?.situation.kind === 'started')
  const call = isCalled ? state.data : undefined
  const isOpen = call !== undefined && isOpenCall(call)
  useHeartbeat(lead.id, isOpen)
  // Shown at once, so nothing moves under the mouse when the call and its words arrive.
  const words = useCallWords()
  if ([state, words].some(query => query.isLoading && query.failureCount === 0)) return <Loading what="the call" />
  // Agents need the number first, and the delivery last.
  const isDeliveryOnly = isCalled && lead.state === 'accepted' && !lead.isClosed && lead.stops.length === 0
  // On phones, an agent reads the answers and the notes before the outcomes, which the bar at the bottom leads to.
  const afterAnswers = isCalled ? 'contents max-lg:*:order-1' : 'contents'
  return (
    <div className={columns}>
      <div className="contents lg:flex lg:flex-col lg:gap-5">
        {isDeliveryOnly ? null : <Status lead={lead} />}
        {/* Without this, the page would look as if no one could call, and the keys would do nothing. */}
        {isCalled && state.isError && !call ? (
          <Problem title="Couldn’t load the call" onRetry={() => void state.refetch()}>
            {messageOf(state.error)}
          </Problem>
        ) : null}
        {call && lead.contact ? <CallCard lead={lead} contact={lead.contact} state={call} /> : null}
        <div className={afterAnswers}>
          {call && isOpen ? <OutcomeForm lead={lead} state={call} /> : null}
          {isDeliveryOnly ? <Status lead={lead} /> : null}
          <ContactCard lead={lead} isCalled={isCalled} />
          <Actions lead={lead} />
        </div>
      </div>
      <div className="contents lg:row-span-2 lg:flex lg:flex-col lg:gap-5 2xl:row-span-1">
        <div className={afterAnswers}>
          <OtherLeads lead={lead} />
        </div>
        {call ? <WhatToSay lead={lead} state={call} /> : null}
        {isCalled ? <Answers lead={lead} /> : null}
        <Notes lead={lead} call={call} isCalling={isOpen} />
        <div className={afterAnswers}>
          <Consent lead={lead} />
          <Source lead={lead} />
        </div>
      </div>
      <div className="order-last">
        <Timeline lead={lead} />
      </div>
    </div>
  )
}

/** What the person answered, at hand during the call. */
function Answers({ lead: { questionnaire, campaign } }: { readonly lead: LeadData }) {
  return (
    <Card title="What they answered" note={campaign === '' ? undefined : truncate(campaignName(campaign), 160)}>
      <QuestionList presented={questionnaire} />
    </Card>
  )
}

function BackToList() {
  const list = useHistoryState<ListHistoryState>()?.list
  const isAgent = useIsAgent()
  return (
    <ButtonLink
      kind="quiet"
      href={list?.href ?? (isAgent ? '/calls' : '/leads')}
      state={list && { search: list.search }}
      onClick={event => {
        // The list is the previous history entry, so going back restores its scroll position.
        if (!list || event.metaKey || event.ctrlKey || event.shiftKey) return
        event.preventDefault()
        history.back()
      }}
      className="-ml-3 px-3 max-lg:-mt-3 max-lg:mb-1 print:hidden"
      icon="arrow-left"
    >
      {list ? 'Back to list' : isAgent ? 'Calls' : 'All leads'}
    </ButtonLink>
  )
}

function OtherLeads({ lead }: { readonly lead: LeadData }) {
  const times = useTimes()
  if (lead.others.length === 0) return null
  return (
    <Card title="Other leads from this person">
      <ul className="-mx-2 flex flex-col">
        {lead.others.map(other => (
          <li key={other.id}>
            <Link
              href={`/leads/${other.id}`}
              className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1 rounded-xl p-2 hover:bg-mist"
            >
              <span>
                <span className="font-bold underline underline-offset-4">{times.short(other.receivedAt)}</span>{' '}
                <span className="text-small text-ink-soft">{truncate(pageName(other.page), 60)}</span>
              </span>
              <LeadBadge {...other} />
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** What only IT and lawyers ask for isn't an agent's. */
function Source({ lead }: { readonly lead: LeadData }) {
  const times = useTimes()
  const isEditor = useHasRole('editor')
  const parameters = Object.entries(lead.campaignParameters)
  return (
    <Card title="Source">
      <Facts>
        <Fact name="Received">
          <time dateTime={new Date(lead.receivedAt).toISOString()} title={times.full(lead.receivedAt)}>
            {times.short(lead.receivedAt)} office time
          </time>
        </Fact>
        <Fact name="Page">
          <Link href={hrefOfFilter({ page: lead.page })} className="underline underline-offset-4">
            {truncate(pageName(lead.page), 120)}
          </Link>
          {isEditor && lead.variant !== '' ? `, headline “${lead.variant}”` : ''}
        </Fact>
        <Fact name="Campaign">
          <Link href={hrefOfFilter({ campaign: lead.campaign })} className="underline underline-offset-4">
            <bdi>{truncate(campaignName(lead.campaign), 160)}</bdi>
          </Link>
        </Fact>
        {lead.clientAddress === null ? null : <Fact name="IP address">{lead.clientAddress}</Fact>}
        {lead.userAgent === null ? null : (
          <Fact name="Browser">
            <bdi className="text-small">{truncate(oneLine(lead.userAgent), 300)}</bdi>
          </Fact>
        )}
        {isEditor ? (
          <Fact name="Lead ID">
            <Copyable text={lead.id} what="the ID">
              <span className="font-mono text-small">{lead.id}</span>
            </Copyable>
          </Fact>
        ) : null}
      </Facts>
      {!isEditor || parameters.length === 0 ? null : (
        <details className="mt-3">
          <summary className="min-h-8 font-bold">URL parameters</summary>
          <dl className="mt-2 flex flex-col gap-1 text-small">
            {parameters.map(([name, value]) => (
              <div key={name} className="flex flex-wrap justify-between gap-x-4 border-t border-line pt-1">
                <dt className="text-ink-soft">{truncate(name, 80)}</dt>
                <dd>
                  <bdi>{truncate(value, 300)}</bdi>
                </dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </Card>
  )
}
