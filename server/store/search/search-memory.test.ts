/** The packed memory finds what reading through all of it would. */
import { expect, test, vi } from 'vitest'
import { createLeadId } from '../lead-id.ts'
import { createSearchMemory, type IdRange, type TextOfLead } from './search-memory.ts'
import { isFoundBy, readSearch, type Search, searchText } from './search-text.ts'

const START = Date.UTC(2030, 0, 1)
const everything: IdRange = { from: '', before: 'g' }

const leads = Array.from({ length: 2000 }, (_, index) => {
  const id = createLeadId(START + index * 60_000, bytes => bytes.fill(index % 251))
  const [firstName, lastName] = [`Ana${index % 7}`, index % 3 ? `Lópéz${index}` : 'Nguyễn']
  const phone = `555${String((index * 7919) % 10_000_000).padStart(7, '0')}`
  const text = index % 100 === 99 ? '' : searchText({ id, firstName, lastName, email: `p${index}@x.org`, phone })
  return { id, text }
})

const memory = createSearchMemory()
const isLate = (_: unknown, index: number) =>
  index % 97 === 5 || (index > 600 && index < 650) || index === 0 || index === 1996
for (let start = 0; start < leads.length; start += 300) {
  memory.add(leads.slice(start, start + 300).filter((lead, index) => !isLate(lead, start + index)))
}
memory.add(leads.filter(isLate))

const idOf = (index: number) => leads[index]?.id ?? ''
const typed = [
  'ana',
  'ana3',
  'lopez1',
  'lopez 99@',
  'nguyen ana0',
  'nguyen',
  '555',
  '7919',
  'p1999@',
  'nobody',
  'organa',
]
typed.push(idOf(700), idOf(700).slice(0, 9), '.org\t555', 'g555')
const ranges: readonly IdRange[] = [
  everything,
  { from: idOf(10), before: idOf(1100) },
  { from: idOf(1999), before: 'g' },
  { from: '', before: idOf(0) },
  { from: idOf(600), before: idOf(601) },
]

test.each(typed)('the same leads as by comparing each: %j', text => {
  const search = readSearch(text) as Search
  for (const range of ranges) {
    const expected = leads
      .filter(lead => lead.id >= range.from && lead.id < range.before && isFoundBy(search, lead.id, lead.text))
      .map(({ id }) => id)
    expect([...memory.find(search, range, 'oldest first')]).toEqual(expected)
    expect([...memory.find(search, range, 'newest first')]).toEqual(expected.toReversed())
    expect(memory.countFound(search, range, 10_000)).toBe(expected.length)
    expect(memory.countFound(search, range, 3)).toBe(Math.min(3, expected.length))
  }
})

test('knows the ids of a range, in their order', () => {
  for (const { from, before } of ranges) {
    const expected = leads.map(({ id }) => id).filter(id => id >= from && id < before)
    expect(memory.idsIn({ from, before })).toEqual(expected)
    expect(memory.countIn({ from, before })).toBe(expected.length)
  }
  expect(memory.lastId).toBe(idOf(1999))
  expect(createSearchMemory().lastId).toBe('')
})

test('what is forgotten is found by its id alone, and its neighbours as before', () => {
  const forgetful = createSearchMemory()
  forgetful.add(leads)
  const found = (text: string) => [...forgetful.find(readSearch(text) as Search, everything, 'oldest first')]
  for (const index of [0, 700, 1998]) {
    expect(found(`p${index}@x.org`)).toContain(idOf(index))
    const neighbours = found('x.org').filter(id => id !== idOf(index))
    forgetful.forget([idOf(index), 'no-such-id'])
    expect(found(`p${index}@x.org`)).not.toContain(idOf(index))
    expect(found('x.org')).toEqual(neighbours)
    expect(found(idOf(index))).toEqual([idOf(index)])
  }
})

test('each lead is found by the beginning of its id, wherever in a block it is', () => {
  for (const { id } of leads) {
    // They are a minute apart: this much of an id no other one has.
    const search = readSearch(id.slice(0, 13)) as Search
    expect([...memory.find(search, everything, 'newest first')]).toEqual([id])
    expect(memory.countFound(search, everything, 10)).toBe(1)
  }
})

test('of what is forgotten no byte stays, also where it was packed more than once', () => {
  const made = vi.spyOn(Buffer, 'allocUnsafeSlow')
  const forgetful = createSearchMemory()
  const [first, second, third, ...others] = leads.slice(0, 200) as [TextOfLead, TextOfLead, TextOfLead, ...TextOfLead[]]
  const text = searchText({
    id: second.id,
    firstName: 'Unforgettable',
    lastName: 'Person',
    email: 'u@x.org',
    phone: '',
  })
  forgetful.add([first, { ...second, text }, ...others])
  // It belongs between others, which are packed anew with it.
  forgetful.add([third])
  const packed = () => made.mock.results.filter(({ value }) => (value as Buffer).includes(text))
  expect(packed()).toHaveLength(1)
  forgetful.forget([second.id])
  expect(packed()).toEqual([])
  made.mockRestore()
})

test('the samples find some, few and none', () => {
  const found = typed.map(text => [...memory.find(readSearch(text) as Search, everything, 'oldest first')].length)
  expect(Math.max(...found)).toBeGreaterThan(1900)
  expect(found.filter(count => count === 0).length).toBeGreaterThan(2)
  expect(found.filter(count => count > 0 && count < 50).length).toBeGreaterThan(2)
})

test.each(['newest first', 'oldest first'] as const)(
  'who takes them one by one meets with none twice, whatever comes meanwhile: %s',
  order => {
    const growing = createSearchMemory()
    growing.add(leads.slice(0, 1000))
    const found: string[] = []
    for (const id of growing.find(readSearch('x.org') as Search, everything, order)) {
      found.push(id)
      // Some at a time, as they come in beside a search: blocks are filled, and leads are put between others.
      if (found.length % 100 === 0) growing.add(leads.slice(900 + found.length, 1000 + found.length))
    }
    expect(found.filter(id => id <= idOf(999))).toHaveLength(990)
    expect(new Set(found).size).toBe(found.length)
  },
)
