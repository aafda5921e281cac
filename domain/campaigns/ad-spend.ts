/** What ads cost, per campaign and month: amounts as people type them, and the table that goes in and out. */

import { readTable, unescapeFormulas } from '../text/table-cells.ts'
import { type CampaignKey, campaignKey } from './campaign.ts'

export interface Spend {
  readonly campaign: CampaignKey
  /** 2030-01 */
  readonly month: string
  readonly cents: number
}

/** A billion dollars. */
export const MAX_CENTS = 100_000_000_000

export const isMonth = (text: string): boolean => /^20\d\d-(0[1-9]|1[0-2])$/.test(text)

/** "$1,200", "1200.5": in cents. Null if it isn't an amount. */
export function readMoney(typed: string): number | null {
  const text = typed.replaceAll(/[\s$,]/g, '')
  if (!/^\d{1,10}(\.\d{0,2})?$/.test(text)) return null
  const cents = Math.round(Number(text) * 100)
  return cents <= MAX_CENTS ? cents : null
}

/** Cents only in small amounts: $12.40, $125. */
export const formatMoney = (cents: number): string =>
  (cents / 100).toLocaleString('en-US', {
    style: 'currency',
    currency: 'USD',
    ...(cents % 100 === 0 || cents >= 10_000 ? { maximumFractionDigits: 0 } : {}),
  })

export const spendColumns = ['utm_campaign', 'utm_source', 'utm_medium', 'ad_click', 'month', 'spend'] as const

interface SpendTable {
  readonly entries: readonly Spend[]
  /** Counted from 1, as spreadsheets do. Row 1 if the columns have no names. */
  readonly unreadable: readonly number[]
  /** The first two rows for one campaign and month, if there are any: nobody knows which amount is meant. */
  readonly twice: readonly [number, number] | null
}

/** The columns are found by their names. Rows without an amount are left out: they weren't filled in. */
export function readSpendTable(text: string): SpendTable {
  const [head = ''] = text.split('\n', 1)
  // Amounts in a tab-separated table have commas, and names may have any of them.
  const separators = ['\t', ','].find(separator => head.includes(separator)) ?? ';'
  const { rows, isWhole } = readTable(text.replace(/^\ufeff/, ''), { separators })
  const names = (rows[0] ?? []).map(name => name.toLowerCase().replaceAll(/\s/g, '_'))
  if (!names.includes('month') || !names.includes('spend')) return { entries: [], unreadable: [1], twice: null }
  const entries: Spend[] = []
  const unreadable: number[] = isWhole ? [] : [rows.length]
  const rowOf = new Map<string, number>()
  let twice: SpendTable['twice'] = null
  for (const [index, cells] of rows.entries()) {
    const cell = (name: (typeof spendColumns)[number]) => unescapeFormulas(cells[names.indexOf(name)] ?? '')
    if (index === 0 || cell('spend') === '') continue
    const [month, cents] = [readMonth(cell('month')), readMoney(cell('spend'))]
    if (month === null || cents === null) {
      unreadable.push(index + 1)
      continue
    }
    const parameters = Object.fromEntries(spendColumns.slice(0, 3).map(name => [name, cell(name)]))
    const click = /^(yes|1|true|x)$/i.test(cell('ad_click')) ? { gclid: '' } : {}
    const campaign = campaignKey({ ...parameters, ...click })
    const before = rowOf.get(`${month} ${campaign}`)
    if (before !== undefined) twice ??= [before, index + 1]
    rowOf.set(`${month} ${campaign}`, index + 1)
    entries.push({ campaign, month, cents })
  }
  return { entries, unreadable, twice }
}

const monthNames = ['jan', 'feb', 'mar', 'apr', 'may', 'jun', 'jul', 'aug', 'sep', 'oct', 'nov', 'dec']

/** 2030-01, 1/2030, and what spreadsheets make of those: Jan-30, 2030-01-01. */
function readMonth(text: string): string | null {
  const [, year, number] = /^(20\d\d)-(\d\d?)(?:-\d\d?)?$/.exec(text) ?? []
  const [, slashed, slashedYear] = /^(\d\d?)\/(20\d\d)$/.exec(text) ?? []
  const [, name = '', named] = /^([a-z]{3})[a-z]*[ -](?:20)?(\d\d)$/i.exec(text) ?? []
  const month = number ?? slashed ?? monthNames.indexOf(name.toLowerCase()) + 1
  const read = `${year ?? slashedYear ?? `20${named}`}-${String(month).padStart(2, '0')}`
  return isMonth(read) ? read : null
}
