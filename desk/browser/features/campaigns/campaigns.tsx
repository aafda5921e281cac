/** For marketers: what each campaign brings in, how headline variants compare, and where visitors drop off. */
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { campaignName } from '../../../../domain/campaigns/campaign.ts'
import { languageName } from '../../../../domain/languages.ts'
import { pageName } from '../../../../domain/leads/lead-filters.ts'
import { formatNumber } from '../../../../domain/text/numbers.ts'
import { api, type Campaigns as CampaignsData, unwrap } from '../../client.ts'
import { truncate } from '../../format/names.tsx'
import { percent } from '../../format/numbers.ts'
import { parseDate } from '../../leads-url.ts'
import { queryKeys } from '../../query-keys.ts'
import { navigate, useQueryString } from '../../router.tsx'
import { useSession } from '../../session.ts'
import { Page } from '../../shell/page.tsx'
import { daysAfter, useToday } from '../../times.ts'
import { Card } from '../../ui/card.tsx'
import { FieldGrid, Select, TextField } from '../../ui/field.tsx'
import { FigureTable } from '../../ui/figure-table.tsx'
import { Loaded } from '../../ui/placeholders.tsx'
import { Steps } from '../../ui/steps.tsx'
import { Share } from '../today/call-figures.tsx'
import { CampaignCalls } from '../today/campaign-calls.tsx'
import { AlsoCameIn, FigureLink } from '../today/figures.tsx'
import { Costs } from './costs.tsx'

interface Range {
  readonly from: string
  readonly to: string
  /** All campaigns by default. */
  readonly campaign?: string
}

const PERIODS = [7, 30, 90, 365]
const DEFAULT_DAYS = 30

/** The URL has the range, so it can be bookmarked and sent to a colleague. */
function useRange(): Range {
  const today = useToday()
  const search = new URLSearchParams(useQueryString())
  const campaign = search.get('campaign')
  return {
    from: parseDate(search.get('from')) ?? daysAfter(today, 1 - DEFAULT_DAYS),
    to: parseDate(search.get('to')) ?? today,
    ...(campaign !== null && { campaign }),
  }
}

/** The rest of the address, such as the months, stays. */
function useShowRange() {
  const search = new URLSearchParams(useQueryString())
  return (range: Range) => {
    search.delete('campaign')
    for (const [name, value] of Object.entries(range)) search.set(name, value)
    navigate(`/campaigns?${search}`, { replace: true })
  }
}

export function Campaigns() {
  const range = useRange()
  const query = useQuery({
    queryKey: queryKeys.campaigns(range),
    queryFn: ({ signal }) => unwrap(api.campaigns.$get({ query: range }, { init: { signal } })),
    placeholderData: keepPreviousData,
  })
  return (
    <Page title="Campaigns">
      <Loaded query={query} what="the campaigns">
        {data => (
          <div className="flex flex-col gap-4 sm:gap-5">
            <RangeFields range={range} campaigns={data.campaigns} />
            <Results data={data} range={range} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}

function RangeFields({ range, campaigns }: { readonly range: Range; readonly campaigns: CampaignsData['campaigns'] }) {
  const today = useToday()
  const showRange = useShowRange()
  const [chosen, setChosen] = useState(0)
  const { campaign, ...days } = range
  const keys = campaigns.flatMap(({ key }) => (key === null ? [] : [key]))
  const listed = campaign === undefined || keys.includes(campaign) ? keys : [campaign, ...keys]
  const period = range.to === today ? PERIODS.find(each => daysAfter(today, 1 - each) === range.from) : undefined
  const dateField = (label: string, name: 'from' | 'to') => (
    <TextField
      // Choosing a period replaces both dates; typing doesn't.
      key={`${name} ${chosen}`}
      label={label}
      type="date"
      defaultValue={range[name]}
      onChange={event => {
        const date = parseDate(event.target.value)
        if (date !== null) showRange({ ...range, [name]: date })
      }}
    />
  )
  return (
    <FieldGrid>
      <Select
        label="Period"
        value={period ?? ''}
        choices={[
          ...PERIODS.map(each => [String(each), `Last ${each} days`] as const),
          ...(period ? [] : ([['', 'Chosen dates']] as const)),
        ]}
        onChoose={value => {
          setChosen(chosen + 1)
          if (value) showRange({ ...range, from: daysAfter(today, 1 - Number(value)), to: today })
        }}
      />
      {dateField('From', 'from')}
      {dateField('To', 'to')}
      <Select
        label="Campaign"
        // The "=" prefix distinguishes visits without a campaign from all campaigns.
        value={campaign === undefined ? '' : `=${campaign}`}
        choices={[['', 'All campaigns'], ...listed.map(key => [`=${key}`, truncate(campaignName(key), 60)] as const)]}
        onChoose={value => showRange(value ? { ...days, campaign: value.slice(1) } : days)}
      />
    </FieldGrid>
  )
}

function Results({ data, range }: { readonly data: CampaignsData; readonly range: Range }) {
  const { crm } = useSession()
  const today = useToday()
  const { outside, apart, campaigns, calls, pages, languages, variants, questions, questionsBy } = data
  const note = outside ? OUTSIDE : MEANINGS
  const of = range.campaign === undefined ? 'all campaigns' : truncate(campaignName(range.campaign), 60)
  const campaignRows = campaigns.map(row => ({
    ...row,
    name: row.key === null ? 'All other campaigns' : campaignName(row.key),
  }))
  const pageRows = pages.map(row => ({ ...row, name: row.key === null ? 'All other pages' : pageName(row.key) }))
  return (
    <>
      <Card title="Campaigns" note={crm && !outside ? `${note} Delivered: accepted by your CRM.` : note}>
        <Counts first="Campaign" outside={outside} rows={campaignRows} />
        <AlsoCameIn apart={apart} />
      </Card>
      <Costs />
      {calls ? <CampaignCalls campaigns={calls} /> : null}
      <Card title={`Pages, ${of}`} note={range.from < daysAfter(today, -FINAL_AFTER_DAYS) ? FINAL : undefined}>
        <Counts first="Page" outside={outside} rows={pageRows} />
      </Card>
      {languages.length > 1 && (
        <Card title={`Languages, ${of}`} note="The language of the page.">
          <Counts
            first="Language"
            outside={outside}
            rows={languages.map(row => ({ ...row, name: languageName(row.language) }))}
          />
        </Card>
      )}
      {variants.length > 0 && (
        <Card title={`Headline variants, ${of}`} note="Decide in advance how long to test.">
          <Counts first="Headline" outside={outside} rows={variants} />
          <ul className="mt-4 flex flex-col gap-1">
            {variants.map(variant => (
              <Comparison key={variant.name} variant={variant} />
            ))}
          </ul>
        </Card>
      )}
      {questions.length > 0 && (
        <Card title={`Where visitors drop off, ${of}`}>
          <Steps
            steps={questions.map(({ name, reached, left }) => ({
              name,
              count: left,
              of: reached,
              shown: `${formatNumber(left)} of ${formatNumber(reached)}`,
            }))}
          />
          <p className="mt-4 text-small text-ink-soft">
            For each step, the percentage of visitors who saw it but went no further. Everyone who views the page sees
            question 1. People who don’t qualify learn it only after the last question, so they’re counted where they
            ended: at the question where they left or, if they answered every question, under “Didn’t qualify”. Without
            JavaScript, answers aren’t counted.
          </p>
          {questionsBy.length > 1 && <DropOffs questions={questions} by={questionsBy} />}
        </Card>
      )}
    </>
  )
}

/** The most visited campaigns beside each other. */
function DropOffs({
  questions,
  by,
}: {
  readonly questions: CampaignsData['questions']
  readonly by: CampaignsData['questionsBy']
}) {
  const columns = [
    { name: 'All', questions },
    ...by.map(({ campaign, questions }) => ({ name: truncate(campaignName(campaign), 60), questions })),
  ]
  return (
    <div className="mt-6">
      <FigureTable
        label="Drop-off, most visited campaigns"
        first="Drop-off, most visited campaigns"
        columns={columns.map(({ name }) => name)}
        rows={questions.map(({ name }, step) => ({
          key: name,
          name,
          cells: columns.map(({ name, questions }) => {
            const { left = 0, reached = 0 } = questions[step] ?? {}
            return reached > 0 ? (
              <span key={name}>
                {percent(left / reached)}{' '}
                <span className="text-small text-ink-soft @min-[42rem]:block">of {formatNumber(reached)}</span>
              </span>
            ) : (
              '–'
            )
          }),
        }))}
      />
    </div>
  )
}

const MEANINGS =
  'Page views: of pages with the questions, bots excluded. Received: contact forms, each person’s first, those on hold included. Accepted leads: on the phone, too, and with a corrected number, without leads on hold or rejected. Conversion rate: accepted leads per page view.'

const FINAL_AFTER_DAYS = 35
const FINAL = `By page, language, and headline, people who were erased still count if they came in more than ${FINAL_AFTER_DAYS} days ago.`

const OUTSIDE =
  'Your site sends leads straight to another webhook (SITE_LEAD_ENDPOINT), so we don’t see them. Received: visits to the thank-you page. Conversion rate: of page views.'

type Row = Omit<CampaignsData['pages'][number], 'key'> & {
  readonly name: string
  readonly headline?: string | null
  readonly goingAhead?: number | null
}

interface CountsProps {
  readonly first: string
  readonly outside: boolean
  readonly rows: readonly Row[]
}

function Counts({ first, outside, rows }: CountsProps) {
  const { crm } = useSession()
  if (rows.length === 0) return <p className="text-ink-soft">No visits on these days.</p>
  const withLeads = !outside
  const withDelivered = crm && !outside
  const withResults = withLeads && rows.some(({ goingAhead = null }) => goingAhead !== null)
  return (
    <FigureTable
      label={`${first} figures`}
      first={first}
      columns={[
        ...(withLeads ? ['Accepted leads'] : []),
        ...(withResults ? ['Moving forward to date'] : []),
        ...['Page views', 'Conversion rate', 'Received'],
        ...(withDelivered ? ['Delivered'] : []),
      ]}
      rows={rows.map(({ name, headline, views, received, leads, goingAhead, delivered }) => ({
        key: name,
        name: (
          <>
            {truncate(name, 120)}
            {headline ? <span className="block text-small text-ink-soft">{headline}</span> : null}
          </>
        ),
        cells: [
          ...(withLeads ? [<FigureLink key="leads" figure={leads} className="font-bold" />] : []),
          ...(withResults
            ? [<Share key="ahead" figure={{ count: goingAhead ?? 0, filter: null }} of={leads.count} />]
            : []),
          formatNumber(views),
          views > 0 ? percent((outside ? received : leads).count / views) : '–',
          <FigureLink key="received" figure={received} />,
          ...(withDelivered ? [formatNumber(delivered)] : []),
        ],
      }))}
    />
  )
}

type Differences = NonNullable<CampaignsData['variants'][number]['differences']>

function Comparison({ variant: { name, differences } }: { readonly variant: CampaignsData['variants'][number] }) {
  if (!differences) return null
  const { leads, goingAhead } = differences
  return (
    <li>
      <strong>{name}</strong>, compared with the original: {verdict(leads, 'leads')}
      {goingAhead ? `; ${verdict(goingAhead, 'moving forward')}` : ''}. With 95% confidence, per page view.
    </li>
  )
}

function verdict({ low, high }: Differences['leads'], what: string): string {
  const range = `${points(low)} to ${points(high)} points`
  if (low > 0) return `more ${what} (${range})`
  return high < 0 ? `fewer ${what} (${range})` : `${what}: can’t tell yet (${range})`
}

const points = (difference: number) => `${difference < 0 ? '−' : '+'}${Math.abs(difference * 100).toFixed(1)}`
