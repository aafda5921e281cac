/** Who to call: how many, one big button, the same people as a list, and why the others have to wait. */
import { useState } from 'react'
import { type CallGroup, callGroups, waitReasons } from '../../../../domain/calling/list.ts'
import { formatNumber, pluralize } from '../../../../domain/text/numbers.ts'
import type { CallList } from '../../client.ts'
import { Names } from '../../format/names.tsx'
import type { ListHistoryState } from '../../leads-url.ts'
import { Link, navigate, useQueryString } from '../../router.tsx'
import { useHasRole, useSession } from '../../session.ts'
import { Page } from '../../shell/page.tsx'
import { useShortcuts } from '../../shell/shortcuts.tsx'
import { useTimes } from '../../times.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Key } from '../../ui/key.tsx'
import { Callout, EmptyState, Loaded } from '../../ui/placeholders.tsx'
import { useCallList, useCallNext } from './call-queries.ts'
import { CallTable, type CallTableProps } from './call-table.tsx'
import { GiveCallbacks } from './give-callback.tsx'
import { IncomingCallButton } from './incoming-call.tsx'
import { localTimeLabel } from './local-time.tsx'
import { NewLeadsNotice } from './new-leads-notice.tsx'
import { RecentCalls } from './recent-calls.tsx'

export function Calls() {
  const group = new URLSearchParams(useQueryString()).get('only')
  return group !== null && Object.hasOwn(callGroups, group) ? (
    <Group key={group} only={group as CallGroup} />
  ) : (
    <Everyone />
  )
}

function Everyone() {
  const canCall = useHasRole('agent')
  const list = useCallList(null)
  const next = useCallNext()
  const canStart = canCall && (list.data?.now.count ?? 0) > 0
  const start = () => {
    if (!next.isPending) next.mutate()
  }
  useShortcuts({ ...(canStart && { Enter: start }) })
  return (
    <Page
      title="Calls"
      aside={
        <div className="flex max-w-full flex-wrap items-center gap-x-6 gap-y-2 print:hidden">
          <IncomingCallButton />
          <FindSomeone />
        </div>
      }
    >
      <Loaded query={list} what="the call list">
        {data => (
          <>
            <div className="mb-5 flex flex-wrap items-center gap-x-6 gap-y-3">
              {canStart ? (
                <Button
                  kind="primary"
                  icon="phone"
                  busy={next.isPending}
                  className="min-h-14 px-6 text-title"
                  onClick={start}
                >
                  Call next
                  <Key name="Enter" />
                </Button>
              ) : null}
              <Summary list={data} />
            </div>
            <HoursIgnored />
            <Restored to={data.restoredTo} at={data.at} />
            <OpenWithYou calls={data.mine} at={data.at} />
            <RecentCalls />
            {data.ready.length > 0 ? (
              <section aria-labelledby="ready">
                <h2 id="ready" className="text-title">
                  Ready to call
                </h2>
                <p className="mb-2 text-small text-ink-soft">
                  Your own callbacks that are due, others’, new leads (newest first), then people to try again. People
                  whose language you don’t speak come last.
                </p>
                <CallTable title="Ready to call" calls={data.ready} at={data.at} />
              </section>
            ) : (
              <NoCalls list={data} />
            )}
            {data.now.count > data.ready.length ? (
              <p className="mt-2 text-ink-soft">And {formatNumber(data.now.count - data.ready.length)} more.</p>
            ) : null}
            {data.later.length > 0 ? (
              <details className="mt-6">
                <summary className="min-h-11 content-center font-bold">{explainWaiting(data)}</summary>
                <div className="mt-2">
                  <CallTable title="Can’t be called right now" calls={data.later} at={data.at} />
                </div>
              </details>
            ) : null}
            {canCall ? <NewLeadsNotice newLeads={data.now.new} /> : null}
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Finds anyone, also people who aren't on the list: someone may call back. What's typed stays out of the URL. */
function FindSomeone() {
  const [typed, setTyped] = useState('')
  return (
    <form
      role="search"
      className="flex max-w-full gap-2"
      onSubmit={event => {
        event.preventDefault()
        navigate('/leads', { state: { search: typed } satisfies ListHistoryState })
      }}
    >
      <input
        type="search"
        aria-label="Find someone by name, phone number, or email"
        placeholder="Name, phone, or email"
        autoComplete="off"
        value={typed}
        className="min-h-11 w-56 min-w-0 rounded-lg border border-edge bg-card px-3 py-2 text-ink placeholder:text-ink-soft"
        onChange={event => setTyped(event.target.value)}
      />
      <Button type="submit" className="shrink-0">
        Find
      </Button>
    </form>
  )
}

/** "7 ready to call · 2 callbacks due today · your callbacks: 1 · 5 outside calling hours" */
function Summary({ list: { now, callbacksToday, ownCallbacks, waiting } }: { readonly list: CallList }) {
  const outside = waiting.find(({ why }) => why === 'hours')?.count ?? 0
  return (
    <p role="status" className="text-title">
      {formatNumber(now.count)} ready to call
      {callbacksToday > 0 ? (
        <>
          {' · '}
          <Link href="/calls?only=callbacks" className="underline decoration-edge underline-offset-4">
            {pluralize(callbacksToday, 'callback')} due today
          </Link>
        </>
      ) : null}
      {ownCallbacks > 0 ? (
        <>
          {' · '}
          <Link href="/calls?only=mine" className="underline decoration-edge underline-offset-4">
            your callbacks: {formatNumber(ownCallbacks)}
          </Link>
        </>
      ) : null}
      {outside > 0 ? ` · ${formatNumber(outside)} outside calling hours` : ''}
    </p>
  )
}

/** The demo at night. */
function HoursIgnored() {
  if (!useSession().ignoresCallingHours) return null
  return (
    <div className="mb-5">
      <Callout tone="waiting" icon="clock" title="This demo ignores calling hours">
        It’s night or a day off in most of the country, so there’d be no one to call. Outside the demo, the desk doesn’t
        allow calls at these times.
      </Callout>
    </div>
  )
}

/** After a restore, so that nobody trusts the list about calls that it can't know. */
function Restored({ to, at }: { readonly to: number | null; readonly at: number }) {
  const times = useTimes()
  if (to === null) return null
  return (
    <div className="mb-5">
      <Callout tone="waiting" icon="clock" title={`Calls since ${times.near(to, at)} aren’t known`}>
        The desk was restored from a backup. Someone on this list may have been called since then, or asked for a
        callback. Say so when you call, and save again what you remember.
      </Callout>
    </div>
  )
}

/** The way back to the person this agent opened. The banner has those they called. */
function OpenWithYou({ calls, at }: Omit<CallTableProps, 'title'>) {
  const times = useTimes()
  const shown = calls.filter(({ claim }) => !claim?.dialed)
  if (shown.length === 0) return null
  return (
    <section aria-labelledby="open-with-you" className="mb-5 rounded-2xl border border-action bg-sage p-2">
      <h2 id="open-with-you" className="px-2 pt-1 text-title">
        Opened, not called yet
      </h2>
      <ul>
        {shown.map(({ leadId, place, claim, people }) => (
          <li key={leadId}>
            <Link
              href={`/leads/${leadId}`}
              className="flex min-h-11 flex-wrap items-center gap-x-3 rounded-lg px-2 py-1 hover:bg-mist"
            >
              <span className="font-bold underline underline-offset-4">
                <Names people={people} />
              </span>
              <span>{localTimeLabel(place, at)}</span>
              {claim ? <span className="text-small">open since {times.near(claim.since, at)} office time</span> : null}
              <span className="ml-auto flex items-center gap-1.5 font-bold text-action-strong">
                Go back
                <Icon name="chevron-right" />
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** One part of the list, such as today's callbacks: people who can be called now, then people who have to wait. */
function Group({ only }: { readonly only: CallGroup }) {
  const list = useCallList(only)
  const title = callGroups[only]
  const from: ListHistoryState = { list: { href: `/calls?only=${only}`, search: '' } }
  return (
    <>
      <ButtonLink kind="quiet" href="/calls" icon="arrow-left" className="-ml-3 -mt-3 mb-1 px-3 print:hidden">
        Calls
      </ButtonLink>
      <Page title={title} aside={list.data && <GiveCallbacks calls={[...list.data.ready, ...list.data.later]} />}>
        {only === 'waiting' || only === 'new' ? (
          <p className="mb-3 text-ink-soft">
            Waiting times count only calling hours where the person is. Outside those hours, they have to wait.
          </p>
        ) : null}
        <Loaded query={list} what="the call list">
          {({ ready, later, now, waiting, at }) => (
            <div className="flex flex-col gap-3">
              {ready.length > 0 ? <h2 className="text-title">Ready to call ({formatNumber(now.count)})</h2> : null}
              {ready.length > 0 ? <CallTable title="Ready to call" calls={ready} at={at} from={from} /> : null}
              {later.length > 0 ? <h2 className="text-title">{explainWaiting({ waiting })}</h2> : null}
              {later.length > 0 ? (
                <CallTable title="Can’t be called right now" calls={later} at={at} from={from} />
              ) : null}
              {ready.length + later.length === 0 ? <EmptyState icon="done" title={`${title}: none`} /> : null}
            </div>
          )}
        </Loaded>
      </Page>
    </>
  )
}

/** "Can’t be called right now (12): 7 outside calling hours, 3 called too recently, 2 claimed by a colleague" */
function explainWaiting({ waiting }: Pick<CallList, 'waiting'>): string {
  const total = waiting.reduce((sum, { count }) => sum + count, 0)
  const reasons = waiting.map(({ why, count }) => `${formatNumber(count)} ${waitReasons[why]}`)
  return `Can’t be called right now (${formatNumber(total)}): ${reasons.join(', ')}`
}

function NoCalls({ list }: { readonly list: CallList }) {
  const times = useTimes()
  const { demo } = useSession()
  if (list.later.length === 0) {
    return (
      <EmptyState icon="done" title="No one is waiting for a call">
        <p>New leads show up here as soon as someone submits the form.</p>
      </EmptyState>
    )
  }
  return (
    <EmptyState icon="clock" title="No one can be called right now">
      {list.next === null ? null : <p>Next: {times.short(list.next)} office time. The reasons are below.</p>}
      {demo ? <p>You’ve called everyone who’s due in this demo. Start it again for new people.</p> : null}
    </EmptyState>
  )
}
