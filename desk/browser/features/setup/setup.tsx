/** Setup, for editors: the launch checklist, the site's texts, and the current settings. */
import { useQuery } from '@tanstack/react-query'
import { calendarDay } from '../../../../domain/dates.ts'
import { pluralize } from '../../../../domain/text/numbers.ts'
import { api, type Setup as SetupData, unwrap } from '../../client.ts'
import { queryKeys } from '../../query-keys.ts'
import { Page } from '../../shell/page.tsx'
import { useTimes } from '../../times.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Icon } from '../../ui/icon.tsx'
import { Loaded } from '../../ui/placeholders.tsx'
import { FigureLink } from '../today/figures.tsx'
import { Held, History } from './published.tsx'
import { Texts } from './texts.tsx'

export function Setup() {
  const setup = useQuery({
    queryKey: queryKeys.setup,
    queryFn: ({ signal }) => unwrap(api.setup.$get({}, { init: { signal } })),
  })
  return (
    <Page
      title="Setup"
      aside={
        <ButtonLink href="/people" icon="account">
          People
        </ButtonLink>
      }
    >
      <Loaded query={setup} what="the setup">
        {({ publishing, launch, notes, settings, closedDays, hoursConflict }) => (
          <div className="grid gap-4 sm:gap-5">
            {publishing && <Publishing publishing={publishing} />}
            {publishing && publishing.held.length > 0 && <Held held={publishing.held} />}
            <Launch launch={launch} notes={notes} />
            <ClosedDays days={closedDays} conflict={hoursConflict} />
            <Texts />
            <Settings settings={settings} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function Publishing({ publishing }: { readonly publishing: NonNullable<SetupData['publishing']> }) {
  const { since, commit, errors, behind, history } = publishing
  const times = useTimes()
  return (
    <Card title="Your site">
      <p>
        Live since {times.short(since)}
        {commit !== null && (
          <>
            , from commit <span className="font-mono">{commit.slice(0, 8)}</span>
          </>
        )}
        .
      </p>
      {behind.map(({ source, publishedAt }) => (
        <p key={source} className="mt-3 font-bold">
          The server {source} still shows the site of {times.short(publishedAt)}. Its copy of the folder may be older.
        </p>
      ))}
      {errors.length > 0 && (
        <div className="mt-3">
          <p className="font-bold">
            Your last change isn’t live. Visitors see the site from before it until you mend this:
          </p>
          <ul className="mt-1.5 list-disc space-y-1.5 pl-5">
            {errors.map(error => (
              <li key={error}>{error}</li>
            ))}
          </ul>
        </div>
      )}
      {history.length > 0 && <History history={history} />}
    </Card>
  )
}

interface ClosedDaysProps {
  readonly days: SetupData['closedDays']
  readonly conflict: SetupData['hoursConflict']
}

function ClosedDays({ days, conflict }: ClosedDaysProps) {
  return (
    <Card
      title="Days off"
      note="Besides Sundays and federal holidays. To add one, type closed = [&quot;2026-11-27&quot;] into organization.toml."
    >
      {conflict !== null && <p className="mb-3 font-bold">{conflict}</p>}
      {days.length === 0 ? <p>None planned.</p> : null}
      <ul className="space-y-1.5">
        {days.map(({ day, callbacks }) => (
          <li key={day}>
            {calendarDay(day)}
            {callbacks.count > 0 && (
              <>
                {': '}
                <FigureLink figure={callbacks}>{pluralize(callbacks.count, 'callback')}</FigureLink> promised for that
                day. Open each to move it, or give it to someone who works.
              </>
            )}
          </li>
        ))}
      </ul>
    </Card>
  )
}

/** Settings that matter to people without a terminal. Your IT person knows the others by name. */
const settingLabels: Readonly<Record<string, string>> = {
  SITE_URL: 'Website',
  DESK_URL: 'Desk',
  TIME_ZONE: 'Office time',
  CALL_LIST: 'Your team calls from the desk',
  CALLING_HOURS: 'Calling hours, where the person is',
  LEAD_WEBHOOK_URL: 'CRM',
  ALERT_WEBHOOK_URL: 'Alerts go to',
  TRUSTEDFORM: 'TrustedForm certificates',
  LEAD_FLOOD_LIMIT: 'Leads in ten minutes before an alert',
  LEAD_RETENTION_DAYS: 'Personal data is deleted after (days)',
}

function Settings({ settings }: { readonly settings: SetupData['settings'] }) {
  const [main, technical] = [true, false].map(isMain =>
    settings.filter(({ name }) => Object.hasOwn(settingLabels, name) === isMain),
  )
  return (
    <Card title="Settings" note="Your IT person can change these. Secrets are never shown.">
      <SettingList settings={main ?? []} />
      <details className="mt-3">
        <summary className="mb-2 min-h-8 font-bold">Technical settings</summary>
        <SettingList settings={technical ?? []} />
      </details>
    </Card>
  )
}

function SettingList({ settings }: { readonly settings: SetupData['settings'] }) {
  return (
    <dl className="grid gap-x-8 md:grid-cols-2">
      {settings.map(({ name, value }) => (
        <div key={name} className="flex flex-wrap justify-between gap-x-4 border-t border-line py-1.5 text-small">
          <dt className={`text-ink-soft ${settingLabels[name] ? '' : 'font-mono'}`}>{settingLabels[name] ?? name}</dt>
          <dd className="min-w-0">{value}</dd>
        </div>
      ))}
    </dl>
  )
}

/** Who can do something about an item. What loses leads or alerts comes first. */
const groups = {
  owner: 'For the owner',
  lawyer: 'For your lawyer',
  marketer: 'For marketing',
  it: 'For your IT person',
} as const

function Launch({ launch, notes }: Pick<SetupData, 'launch' | 'notes'>) {
  return (
    <Card title="Launch checklist">
      {launch.open.length + launch.soon.length === 0 ? (
        <p className="flex items-start gap-2.5">
          <Icon name="done" size={22} className="mt-0.5 text-action-strong" />
          All done.
        </p>
      ) : (
        <>
          {(Object.keys(groups) as readonly (keyof typeof groups)[]).map(group => (
            <Findings key={group} title={groups[group]} findings={launch.open.filter(each => each.group === group)} />
          ))}
          <Findings title="Expiring soon" findings={launch.soon} />
          <p className="text-small text-ink-soft">Your IT person can look up where to change each of these.</p>
        </>
      )}
      {notes.length > 0 && (
        <section className="mt-4">
          <h3 className="mb-1 text-base">Only for your information</h3>
          <ul className="list-disc space-y-1.5 pl-5">
            {notes.map(note => (
              <li key={note}>{note}</li>
            ))}
          </ul>
        </section>
      )}
    </Card>
  )
}

interface FindingsProps {
  readonly title: string
  readonly findings: SetupData['launch']['open']
}

/** Items in the same words are one, with how many there are. */
function Findings({ title, findings }: FindingsProps) {
  if (findings.length === 0) return null
  const same = Object.entries(Object.groupBy(findings, ({ words }) => words))
  return (
    <section className="mb-4">
      <h3 className="mb-1 text-base">
        {title} ({findings.length})
      </h3>
      <ul className="list-disc gap-8 space-y-1.5 pl-5 lg:columns-2">
        {same.map(([words, found = []]) => (
          <li key={words}>
            {words}
            {found.length > 1 ? ` (${found.length} times)` : ''}
          </li>
        ))}
      </ul>
    </section>
  )
}
