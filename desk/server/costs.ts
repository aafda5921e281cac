/** What leads and clients cost, by campaign, for any months; and the ad spend that editors enter. */
import { Hono } from 'hono'
import * as v from 'valibot'
import { isMonth, MAX_CENTS, readSpendTable, spendColumns } from '../../domain/campaigns/ad-spend.ts'
import { campaignOf } from '../../domain/campaigns/campaign.ts'
import { firstUnfinished, monthsBetween, nextMonth, SETTLING_DAYS } from '../../domain/campaigns/costs.ts'
import { BYTE_ORDER_MARK, csvLine } from '../../server/export/formats.ts'
import { createCalendar } from '../../server/settings/calendar.ts'
import { currentSpend, type EnteredSpend } from '../../server/store/tables/ad-spend.ts'
import { ApiError } from './api-error.ts'
import { sendCsv } from './download.ts'
import { campaignKeyText } from './fields.ts'
import { figure, sum } from './figures.ts'
import { isCampaign, type LeadsFilter } from './leads/filter.ts'
import { jsonBody, query } from './request-body.ts'
import type { DeskRequest, DeskServices } from './services.ts'

const MAX_ROWS = 50
const MAX_ENTRIES = 2000
const MAX_TABLE_LENGTH = 200_000
/** Enough for ten years. */
const MAX_MONTHS = 120

const month = v.pipe(v.string(), v.check(isMonth))
const months = v.object({ from: month, to: month })
const entry = v.object({
  campaign: v.pipe(campaignKeyText, v.check(isCampaign)),
  month,
  cents: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(MAX_CENTS)),
})
const entries = v.object({ entries: v.pipe(v.array(entry), v.minLength(1), v.maxLength(MAX_ENTRIES)) })
const table = v.object({ table: v.pipe(v.string(), v.maxLength(MAX_TABLE_LENGTH)) })

interface Months {
  readonly from: string
  readonly to: string
}

export function createCostRoutes(services: DeskServices) {
  const { store, reader, config } = services
  const calendar = createCalendar(config.timeZone)
  const firstDay = (of: string) => `${of}-01`
  const lastDay = (of: string) => calendar.daysAfter(firstDay(nextMonth(of)), -1)

  async function load({ from, to }: Months) {
    if (from > to || monthsBetween(from, to).length > MAX_MONTHS)
      throw new ApiError('bad request', `Choose up to ${MAX_MONTHS} months, the first one first.`)
    const period = { since: calendar.startOf(firstDay(from)), until: calendar.startOf(firstDay(nextMonth(to))) }
    const leads = new Map((await reader.campaignResults(period)).map(row => [row.campaign, row.leads]))
    const { goingAhead, clients } = await reader.clientsByCampaign(period)
    const entered = await reader.adSpend({ from, to })
    const spent = Map.groupBy(currentSpend(entered), ({ campaign }) => campaign)
    const filter: LeadsFilter = { from: firstDay(from), to: lastDay(to) }
    const rows = [...new Set([...leads.keys(), ...spent.keys()])].map(campaign => {
      const spend = spent.get(campaign) ?? []
      return {
        campaign,
        cents: spend.reduce((sum, each) => sum + each.cents, 0),
        leads: leads.get(campaign) ?? 0,
        goingAhead: goingAhead.get(campaign) ?? 0,
        clients: clients.get(campaign) ?? 0,
        entered: spend.map(({ month }) => month),
      }
    })
    rows.sort((a, b) => b.cents - a.cents || b.leads - a.leads || (a.campaign < b.campaign ? -1 : 1))
    return { rows, filter, entered }
  }

  return new Hono<DeskRequest>()
    .get('/', query(months), async context => {
      const wanted = context.req.valid('query')
      const { rows, filter, entered } = await load(wanted)
      const today = calendar.dateOf(await reader.storeTime())
      const all = monthsBetween(wanted.from, wanted.to)
      return context.json({
        to: wanted.to,
        rows: rows
          .slice(0, MAX_ROWS)
          .map(row => ({ campaign: row.campaign, ...sumOf([row], { ...filter, campaign: row.campaign }) })),
        others: rows.length > MAX_ROWS ? sumOf(rows.slice(MAX_ROWS), null) : null,
        total: sumOf(rows, filter),
        /** How many months were chosen. */
        months: all.length,
        /** People who came in since then may still become clients. */
        unfinishedFrom: firstUnfinished(all, calendar.daysAfter(today, -SETTLING_DAYS)),
        entered,
      })
    })
    .post('/spend', jsonBody(entries), async context => {
      const { name: by } = context.get('person')
      return context.json({ changed: await store.enterSpend({ ...context.req.valid('json'), by }) })
    })
    .post('/table', jsonBody(table), async context => {
      const { entries: read, unreadable, twice } = readSpendTable(context.req.valid('json').table)
      const [first] = unreadable
      if (first === 1)
        throw new ApiError('bad request', `The first line names the columns: ${spendColumns.join(', ')}.`)
      if (first !== undefined)
        throw new ApiError('bad request', `Nothing was saved. Can’t read line ${unreadable.slice(0, 20).join(', ')}.`)
      if (twice)
        throw new ApiError(
          'bad request',
          `Nothing was saved. Lines ${twice.join(' and ')} are for the same campaign and month. Keep one, with the whole amount.`,
        )
      if (read.length === 0 || read.length > MAX_ENTRIES)
        throw new ApiError('bad request', `Paste 1 to ${MAX_ENTRIES} lines with an amount.`)
      const { name: by } = context.get('person')
      return context.json({ changed: await store.enterSpend({ entries: read, by }) })
    })
    .get('/export', query(months), async context => {
      const wanted = context.req.valid('query')
      const { rows, entered } = await load(wanted)
      const lines = spendLines(rows, monthsBetween(wanted.from, wanted.to), currentSpend(entered), calendar.format)
      const name = `ad-spend-${wanted.from}-to-${wanted.to}.csv`
      return sendCsv(services, context, { name, pieces: lines })
    })
}

interface Row extends Readonly<Record<'cents' | 'leads' | 'goingAhead' | 'clients', number>> {
  /** The months that spend was entered for. */
  readonly entered: readonly string[]
}

function sumOf(rows: readonly Row[], filter: LeadsFilter | null) {
  // People who came by themselves would make each look cheaper.
  const paid = rows.filter(({ cents }) => cents > 0)
  return {
    cents: sum(rows, 'cents'),
    enteredMonths: new Set(rows.flatMap(({ entered }) => entered)).size,
    leads: figure(sum(rows, 'leads'), filter && { ...filter, state: 'accepted' }),
    goingAhead: figure(sum(rows, 'goingAhead'), filter && { ...filter, soFar: 'goingAhead' }),
    clients: figure(sum(rows, 'clients'), filter && { ...filter, soFar: 'client' }),
    /** Whom the ads brought. */
    paid: { leads: sum(paid, 'leads'), goingAhead: sum(paid, 'goingAhead'), clients: sum(paid, 'clients') },
  }
}

/** A line for each campaign and month, to be filled in and pasted back. */
async function* spendLines(
  rows: readonly { readonly campaign: string }[],
  all: readonly string[],
  entered: readonly EnteredSpend[],
  time: (at: number) => string,
) {
  yield BYTE_ORDER_MARK + csvLine([...spendColumns, 'entered_by', 'entered_at'])
  const known = new Map(entered.map(each => [`${each.month} ${each.campaign}`, each]))
  for (const { campaign } of rows) {
    const { source = '', medium = '', campaign: name = '', clickId = false } = campaignOf(campaign) ?? {}
    for (const each of all) {
      const spend = known.get(`${each} ${campaign}`)
      const amount = spend ? (spend.cents / 100).toFixed(2) : ''
      const click = clickId ? 'yes' : ''
      yield csvLine([name, source, medium, click, each, amount, spend?.by ?? '', spend ? time(spend.at) : ''])
    }
  }
}
