import { expect, test } from 'vitest'
import { formatMoney, readMoney, readSpendTable } from './ad-spend.ts'
import { campaignKey, NO_CAMPAIGN } from './campaign.ts'

test('amounts are read in cents, as people type them', () => {
  const typed = ['$1,200', '1200.5', ' 0 ', '12.345', '-5', '', '1e3', '99999999999']
  expect(typed.map(readMoney)).toEqual([120_000, 120_050, 0, null, null, null, null, null])
  expect([1240, 120_000, 1_234_567].map(formatMoney)).toEqual(['$12.40', '$1,200', '$12,346'])
})

const spring = campaignKey({ utm_source: 'news', utm_medium: 'mail', utm_campaign: 'spring' })

test.each([
  ['commas', 'utm_campaign,utm_source,utm_medium,ad_click,month,spend\r\nspring,news,mail,,2030-01,"1,200"\r\n'],
  ['a spreadsheet’s tabs', 'Month\tSpend\tUTM campaign\tutm_source\tutm_medium\nJan-30\t$1,200.00\tspring\tnews\tmail'],
])('a table with %s is read by its columns’ names', (_, text) => {
  expect(readSpendTable(text)).toEqual({
    entries: [{ campaign: spring, month: '2030-01', cents: 120_000 }],
    unreadable: [],
    twice: null,
  })
})

test('rows without an amount are left out, and unreadable ones are named', () => {
  const rows = ['spring,2030-01,', ',1/2030,5', 'spring,2030-13,5', 'spring,2030-01,free', "'=x,2030-01,7", '']
  const { entries, unreadable } = readSpendTable(`\ufeffutm_campaign,month,spend\n${rows.join('\n')}`)
  expect(entries.map(({ campaign, cents }) => [campaign, cents])).toEqual([
    [NO_CAMPAIGN, 500],
    [campaignKey({ utm_campaign: '=x' }), 700],
  ])
  expect(unreadable).toEqual([4, 5])
  expect(readSpendTable('spring,2030-01,5').unreadable).toEqual([1])
  // A quote that never ends would hide the rows below.
  expect(readSpendTable('utm_campaign,month,spend\nfall,2030-01,1\n"spring,2030-01,5\nx,2030-01,7').unreadable).toEqual(
    [3],
  )
})

test('two rows for one campaign and month are named, not added up or dropped', () => {
  const rows = ['spring,2030-01,5', 'fall,2030-01,5', '', 'spring,2030-02,5', '"spring",1/2030,6']
  expect(readSpendTable(`utm_campaign,month,spend\n${rows.join('\n')}`).twice).toEqual([2, 6])
})
