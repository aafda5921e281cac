/** Health: deliveries, alerts, storage, and exports. */
import { useQuery } from '@tanstack/react-query'
import { MINUTE } from '../../../../domain/durations.ts'
import { filterText, isFilterValue, leadFilterNames } from '../../../../domain/leads/lead-filters.ts'
import { pluralize } from '../../../../domain/text/numbers.ts'
import { api, type Health as HealthData, unwrap } from '../../client.ts'
import { withCode } from '../../format/code.tsx'
import { truncate } from '../../format/names.tsx'
import { bytes } from '../../format/numbers.ts'
import { queryKeys } from '../../query-keys.ts'
import { Link } from '../../router.tsx'
import { Page } from '../../shell/page.tsx'
import { ago, formatDuration, useTimes } from '../../times.ts'
import { Card, Fact, Facts } from '../../ui/card.tsx'
import { Callout, Loaded } from '../../ui/placeholders.tsx'
import { FigureLink } from '../today/figures.tsx'
import { CrmEvents } from './crm-events.tsx'
import { Deliveries } from './deliveries.tsx'
import { Mail } from './mail.tsx'
import { UnqueuedLeads } from './unqueued-leads.tsx'

export function Health() {
  const health = useQuery({
    queryKey: queryKeys.health,
    queryFn: ({ signal }) => unwrap(api.health.$get({}, { init: { signal } })),
    refetchInterval: 60_000,
  })
  return (
    <Page title="Health">
      <Loaded query={health} what="system health">
        {data => (
          <div className="grid items-start gap-4 sm:gap-5 lg:grid-cols-2">
            <Site />
            <Alerts alerts={data.alerts} />
            <div className="grid gap-4 sm:gap-5">
              <Deliveries health={data} />
              <UnqueuedLeads health={data} />
              <CrmEvents health={data} />
              <Mail health={data} />
            </div>
            <StoreCard health={data} />
            <Exports health={data} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

/** In a query of its own: a site that hangs takes seconds. */
function Site() {
  const site = useQuery({
    queryKey: queryKeys.siteHealth,
    queryFn: ({ signal }) => unwrap(api.health.site.$get({}, { init: { signal } })),
    refetchInterval: 60_000,
  })
  return (
    <Card title="Site" className="lg:col-span-2">
      <Loaded query={site} what="whether the site is up">
        {({ url, problem, expiring }) => (
          <>
            {problem === null ? (
              <p>
                Visitors reach {url}, as seen from the desk’s machine {ago(site.dataUpdatedAt, Date.now())}.
              </p>
            ) : (
              <Callout tone="bad" icon="alert" role="alert" title={`${url} ${problem}`}>
                As seen from the desk’s machine. Tell your IT person at once.
              </Callout>
            )}
            {expiring.length === 0 ? null : (
              <>
                <h3 className="mt-3 font-bold">Expires within 60 days</h3>
                <ul className="list-disc space-y-1 pl-5">
                  {expiring.map(words => (
                    <li key={words}>{words}</li>
                  ))}
                </ul>
              </>
            )}
          </>
        )}
      </Loaded>
    </Card>
  )
}

function StoreCard({ health: { store, backup } }: { readonly health: HealthData }) {
  const times = useTimes()
  const when = (madeAt: number) => (madeAt > Date.now() + MINUTE ? 'The clock was wrong' : ago(madeAt, Date.now()))
  return (
    <Card title="Storage and backup">
      <Facts>
        <Fact name="Database">{store.engine}</Fact>
        <Fact name="Leads">
          <FigureLink figure={store.leads} />, <FigureLink figure={store.leadsLast7Days} /> of them in the last 7 days,{' '}
          <FigureLink figure={store.leadsLast30Days} /> in the last 30, including today
        </Fact>
        <Fact name="Size">
          {bytes(store.bytes)}
          {store.bytesPerMonth === null ? '' : `, growing about ${bytes(store.bytesPerMonth)} a month`}
        </Fact>
        {store.freeBytes === null ? null : <Fact name="Free disk space">{bytes(store.freeBytes)}</Fact>}
        <Fact name="Last backup">
          {backup
            ? `${when(backup.madeAt)} (${times.short(backup.madeAt)}), ${pluralize(backup.leads, 'lead')}${backup.sameDisk ? ', on the store’s own disk' : ''}`
            : 'None yet. Ask your IT person to set up backups.'}
        </Fact>
      </Facts>
    </Card>
  )
}

function Exports({ health: { exports, listViews } }: { readonly health: HealthData }) {
  const times = useTimes()
  return (
    <Card title="Exports and list views" className="lg:col-span-2">
      {exports.length === 0 ? <p className="text-ink-soft">No exports yet.</p> : null}
      <ul className="flex flex-col text-small">
        {exports.map(({ at, by, format, filter, leads }) => (
          <li key={`${at}-${by}`} className="border-t border-line py-1.5 first:border-0">
            {times.short(at)}: {by} exported {countedExport(filter, leads)} as {format.toUpperCase()}
            {filter === '{}' ? '' : <span className="text-ink-soft"> ({describeFilter(filter, times)})</span>}
          </li>
        ))}
      </ul>
      {listViews.length === 0 ? null : (
        <details className="mt-3">
          <summary className="min-h-8 font-bold">Leads viewed in lists, by day</summary>
          <ul className="text-small">
            {listViews.map(({ at, by, leads }) => (
              <li key={`${at}-${by}`} className="border-t border-line py-1.5 first:border-0">
                {times.date(at)}: {by} viewed {pluralize(leads, 'lead')}
              </li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  )
}

/** Of leads or, for the do-not-call list, of requests. */
function countedExport(filter: string, leads: number | null): string {
  if (leads === null) return 'leads'
  return 'list' in JSON.parse(filter) ? pluralize(leads, 'request') : `data about ${pluralize(leads, 'lead')}`
}

/** Describes a filter that the desk or the terminal recorded. */
function describeFilter(stored: string, times: ReturnType<typeof useTimes>): string {
  return Object.entries(JSON.parse(stored) as object)
    .map(([name, value]) => {
      if (typeof value === 'number') return `${name} ${times.short(value)}`
      const text = typeof value === 'string' ? value : JSON.stringify(value)
      const known = leadFilterNames.find(each => each === name)
      return known && isFilterValue(known, text)
        ? truncate(filterText(known, text), 60)
        : `${name} ${truncate(text, 60)}`
    })
    .join(', ')
}

/** Where the desk can mend what an alert is about. What's on Health has its button or list there. */
const remedies: Readonly<Record<string, { readonly href: string; readonly name: string }>> = {
  held_leads_waiting: { href: '/leads?state=held', name: 'Leads on hold' },
  people_waiting: { href: '/calls', name: 'Calls' },
}

function Remedy({ code }: { readonly code: string }) {
  const remedy = remedies[code]
  if (!remedy) return null
  return (
    <>
      {' · '}
      <Link href={remedy.href} className="font-bold underline underline-offset-4">
        {remedy.name}
      </Link>
    </>
  )
}

export function Alerts({ alerts: { active, resolved } }: { readonly alerts: HealthData['alerts'] }) {
  const times = useTimes()
  return (
    <Card
      title="Alerts"
      className="lg:col-span-2"
      note={
        active.length === 0 ? undefined : 'If an alert mentions a command or a setting, forward it to your IT person.'
      }
    >
      {active.length === 0 ? (
        <p className="text-ink-soft">No active alerts.</p>
      ) : (
        <ul className="flex flex-col gap-3">
          {active.map(({ id, code, text, startedAt }) => (
            <li key={id}>
              <Callout tone="bad" icon="alert" title={withCode(text)}>
                <p className="text-small">
                  Since {times.short(startedAt)}
                  <Remedy code={code} />
                </p>
              </Callout>
            </li>
          ))}
        </ul>
      )}
      {resolved.length === 0 ? null : (
        <details className="mt-4">
          <summary className="min-h-8 font-bold">Resolved in the last 7 days ({resolved.length})</summary>
          <ul className="mt-2 flex flex-col gap-2 text-small">
            {resolved.map(({ id, text, startedAt, endedAt }) => (
              <li key={id} className="border-t border-line pt-2">
                {withCode(text)}
                <span className="block text-ink-soft">
                  {times.short(startedAt)}
                  {endedAt === null ? '' : `, lasted ${formatDuration(endedAt - startedAt)}`}
                </span>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Card>
  )
}
