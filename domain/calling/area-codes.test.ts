import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { areaCodes, placeLabel, places, states, whereabouts, zones } from './area-codes.ts'

const zonesOf = (code: string) => areaCodes.get(code)?.zones.toSorted().join()

test('every US code has a state and one or two zones that exist', () => {
  expect(areaCodes.size).toBe(380)
  expect(Object.keys(states)).toHaveLength(56)
  for (const [code, { state, zones: named }] of areaCodes) {
    expect(code).toMatch(/^[2-9][0-8]\d$/)
    expect(states[state]).toBeTruthy()
    expect([1, 2]).toContain(named.length)
    for (const zone of named) expect(zones).toHaveProperty(zone)
  }
  for (const timeZone of Object.values(zones)) expect(Intl.DateTimeFormat('en-US', { timeZone })).toBeDefined()
  expect(new Set([...areaCodes.values()].map(({ state }) => state)).size).toBe(56)
})

/**
 * SHA-256 of each state's codes by zone, since a slip moves the hours in which the law allows a call. After a change, compare
 * area-codes.ts with the sources it names, code by code, before you update these.
 */
const pinned = {
  'Alaska or Aleutian': '790a3b90ea153bf0',
  Arizona: '6f9d4a4f084094fa',
  'Arizona or Mountain': '11303117223afd5e',
  Atlantic: 'e3ce13580c47c8fb',
  Central: '01a1f45d0b5d9a98',
  'Central or Eastern': '80ef0828b8b922fe',
  'Central or Mountain': '694026334cc01847',
  Chamorro: 'cf9aba74b41e68a7',
  Eastern: '78531cea23f14e4f',
  'Eastern or Central': 'f4b118884b655a7b',
  Hawaii: '582d217593fc9510',
  Mountain: 'bfef26dd821c75f3',
  'Mountain or Central': '21c6e6523e250bd8',
  'Mountain or Pacific': '852717803b28d07c',
  Pacific: '24d66b2ae9b3c185',
  'Pacific or Mountain': '2d02b1898dcfb881',
  Samoa: 'd31bec4c5326fca3',
}

test('each code is in the state and the zones where it was checked', () => {
  const byZones = Map.groupBy(
    [...areaCodes].map(([code, place]) => ({ zone: place.zones.join(' or '), line: `${code} ${place.state}` })),
    ({ zone }) => zone,
  )
  const hashes = [...byZones].map(([zone, lines]) => {
    const text = lines
      .map(({ line }) => line)
      .toSorted()
      .join()
    return [zone, createHash('sha256').update(text).digest('hex').slice(0, 16)] as const
  })
  expect(Object.fromEntries(hashes)).toEqual(pinned)
})

test('no code is listed twice', () => {
  const source = readFileSync(join(import.meta.dirname, 'area-codes.ts'), 'utf8')
  const [, table = ''] = /const table = (.*?)\n} as const/s.exec(source) ?? []
  const listed = table.replace(/\/\/.*/g, '').match(/\b\d{3}\b/g)
  expect(listed?.toSorted()).toEqual([...areaCodes.keys()].toSorted())
})

test('codes that cross a time zone line have both zones, and so do their overlays', () => {
  const crossing = [...areaCodes].filter(([, place]) => place.zones.length > 1).map(([code]) => code)
  expect(crossing.toSorted().join(' ')).toBe(
    '208 219 270 308 364 423 448 458 541 574 605 606 620 701 729 775 785 812 850 906 907 915 928 930 931 986',
  )
  const overlays = { 448: '850', 986: '208', 364: '270', 458: '541', 930: '812', 729: '423' }
  for (const [overlay, overlaid] of Object.entries(overlays)) expect(zonesOf(overlay)).toBe(zonesOf(overlaid))
})

test.each([
  ['689', 'FL', 'Eastern'],
  ['808', 'HI', 'Hawaii'],
  ['787', 'PR', 'Atlantic'],
  ['939', 'PR', 'Atlantic'],
  ['340', 'VI', 'Atlantic'],
  ['671', 'GU', 'Chamorro'],
  ['670', 'MP', 'Chamorro'],
  ['684', 'AS', 'Samoa'],
  ['520', 'AZ', 'Arizona'],
  ['928', 'AZ', 'Arizona,Mountain'],
  ['907', 'AK', 'Alaska,Aleutian'],
  ['850', 'FL', 'Central,Eastern'],
  ['915', 'TX', 'Central,Mountain'],
  ['465', 'NY', 'Eastern'],
  ['471', 'MS', 'Central'],
  ['483', 'AL', 'Central'],
])('%s is in %s, %s time', (code, state, named) => {
  expect(areaCodes.get(code)?.state).toBe(state)
  expect(zonesOf(code)).toBe(named)
})

test('toll-free, special, Canadian, and Caribbean codes have no place', () => {
  const none =
    '800 833 844 855 866 877 888 500 521 533 544 566 577 588 600 622 700 710 900 204 416 604 867 242 809 876 868 441'
  for (const code of none.split(' ')) expect(areaCodes.has(code), code).toBe(false)
})

test('the place a colleague chose wins over the area code, if it still exists', () => {
  expect(whereabouts('(808) 555-0199', null)).toMatchObject({ place: { state: 'HI' }, how: 'from area code 808' })
  expect(whereabouts('+1 808 555 0199', 'FL Central')).toEqual({
    place: { state: 'FL', zones: ['Central'] },
    areaCode: '808',
    how: 'set by a colleague',
  })
  expect(whereabouts('833-555-0199', null)).toEqual({
    place: null,
    areaCode: '833',
    how: 'area code 833 doesn’t tell us where',
  })
  expect(whereabouts('8085550199', 'XX Eastern').place?.state).toBe('HI')
})

test('a state in two zones can be chosen in either', () => {
  expect([...places.keys()].filter(id => id.startsWith('KY')).map(placeLabel)).toEqual([
    'Kentucky (Eastern)',
    'Kentucky (Central)',
  ])
  expect(placeLabel('HI Hawaii')).toBe('Hawaii')
})
