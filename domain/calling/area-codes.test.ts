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
