import { expect, test } from 'vitest'
import { everything, hrefOfAddress, hrefOfFilter, readAddress } from './leads-address.ts'

test('an address says every filter, and is read back as it was', () => {
  const address = {
    ...everything,
    filter: { state: 'held', delivery: 'none', page: '/advertorial', campaign: '["news","mail","spring & fall"]' },
    sort: 'name',
    period: '7d',
    from: '2030-01-01',
    to: '2030-01-31',
    since: 1_900_000_000_123,
    until: 1_900_000_100_456,
  } as const
  expect(readAddress(hrefOfAddress(address).replace('/leads?', ''))).toEqual(address)
})

test('leads without a campaign are not the same as leads of any campaign', () => {
  expect(readAddress('campaign=').filter).toEqual({ campaign: '' })
  expect(readAddress('').filter).toEqual({})
})

test('what is typed into an address by hand and not understood is left out', () => {
  expect(readAddress('from=0202-11-01&to=9999-99-99&since=1960-01-01T00:00Z')).toEqual(everything)
  expect(readAddress('state=lost&delivery=x&sort=up&period=1y&from=soon&since=then&until=2030-13-45')).toEqual(
    everything,
  )
  expect(readAddress('from=2026-02-31&to=2026-11-31')).toEqual(everything)
  expect(readAddress('from=2028-02-29')).toMatchObject({ from: '2028-02-29' })
})

test('a page and a campaign are taken as they are, but for the character that the desk refuses', () => {
  expect(readAddress('page=%00&campaign=%00x').filter).toEqual({ page: '\uFFFD', campaign: '\uFFFDx' })
  expect(readAddress('page=/a&campaign=x').filter).toEqual({ page: '/a', campaign: 'x' })
})

test('what was searched for never stands in an address', () => {
  expect(hrefOfFilter({ search: 'Ada Lovelace', state: 'held' })).toBe('/leads?state=held')
})
