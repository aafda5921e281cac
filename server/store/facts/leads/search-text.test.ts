/** Typed and pasted searches, and the leads they find. */
import { expect, test } from 'vitest'
import { parseSearch, searchText } from './search-text.ts'

const people = {
  maria: {
    firstName: 'María-José',
    lastName: "O'Neill Lopez",
    email: 'MJ.Lopez+ssdi@Example.org',
    phone: '5550102030',
  },
  calvin: { firstName: 'Calvin', lastName: 'Tattersall', email: 'c.tat+ssdi@example.net', phone: '(555) 527-1005' },
  drew: { firstName: 'Drew', lastName: 'Msall', email: 'drew@example.com', phone: '(555) 527-1006' },
  kai: { firstName: 'Kaʻiulani', lastName: 'O‘Brien', email: 'kai@example.com', phone: '(444) 999-8866' },
  lukasz: { firstName: 'Łukasz', lastName: 'Đặng Sørensen-Weiß', email: 'ld@example.com', phone: '(444) 999-8877' },
} as const

function foundBy(typed: string): readonly string[] {
  const { words } = parseSearch(typed) ?? { words: [['nothing was typed']] }
  const isFoundIn = (text: string) => words.every(spellings => spellings.some(word => text.includes(word)))
  return Object.entries(people).flatMap(([name, person]) => (isFoundIn(searchText(person)) ? [name] : []))
}

test.each([
  ['maria', ['maria', 'MARÍA', 'lop', 'opez mar', 'oneill', "o'neill", 'maria-jose', 'mj.lopez+ssdi@example.org']],
  ['maria', ['mj.lopez', '@example.org', '2030', '(555) 010-2030', '+1 555 010 2030', '+1-555-01', 'lopez 2030']],
  ['maria', ['555-010', 'Lopez, Maria', 'Mr. Lopez', '(555) 010', '<MJ.Lopez+ssdi@Example.org>', '5550102030']],
  ['calvin', ['Tattersall, Calvin', 'tattersall,calvin', 'Mr. Tattersall', 'mr tattersall', '"Calvin Tattersall"']],
  ['calvin', ['“Calvin Tattersall”', '‘Calvin’', '(Calvin Tattersall).', 'Calvin - Tattersall']],
  ['calvin', ['Calvin T <c.tat+ssdi@example.net>', '<c.tat+ssdi@example.net>;', 'mailto:c.tat+ssdi@example.net']],
  ['calvin', ['MAILTO:c.tat+ssdi@example.net?subject=Call%20me', 'tel:+15555271005', 'tel:+1-555-527-1005']],
  ['calvin', ['Calvin Tattersall (555) 527-1005', '"(555) 527-1005"', '+1 555 527 1005 Calvin', 'calvin 1005 555']],
  ['calvin', ['calvin 555-527-1005 tattersall', 'calvin 1 (555) 527 1005', 'calvin +1 555 52', 'calvin (555) 527']],
  ['calvin', ['555–527–1005', '\u202a+1 (555) 527-1005\u202c', 'calvin 555 - 527 - 1005']],
  ['calvin', ['Tattersall, Dr. Calvin', 'Mr. Calvin Tattersall, (555) 527-1005, c.tat+ssdi@example.net']],
  [
    'kai',
    ['Kaiulani', "Ka'iulani", 'Ka’iulani', 'KAʻIULANI', 'kaʻiulani o‘brien', "O'Brien", 'O’Brien', 'O´Brien', 'obrien'],
  ],
  ['lukasz', ['lukasz', 'Łukasz', 'ŁUKASZ', 'ukasz dan', 'dang', 'Đặng']],
  ['lukasz', ['sorensen', 'sørensen weiß', 'weiss', 'WEISS']],
])('finds %s', (name, typed) => {
  for (const text of typed) expect([text, foundBy(text)]).toEqual([text, [name]])
})

test('finds no lead for text that no lead contains', () => {
  const words = ['maria person', 'lopezz', 'mjlopez@', 'lucas', 'Tattersall, Drew', 'calvin dr', 'mailto:', 'tel:']
  const numbers = ['0102031', '55501020304', 'calvin (555) 527-10055', '+55 5010 2030', 'tel:+555010203099']
  const punctuation = ['.*', '%', '"', '()', '<>', ',', '"%"']
  for (const text of [...words, ...numbers, ...punctuation]) expect([text, foundBy(text)]).toEqual([text, []])
})

test('recognizes only an ID or the start of one as an ID', () => {
  const id = '0193ed95-a7e7-7000-8000-00000082d01b'
  for (const text of [id, id.slice(0, 8), id.slice(0, 20), id.toUpperCase()]) {
    expect(parseSearch(` ${text} `)?.idPrefix).toBe(text.toLowerCase())
  }
  for (const text of [`${id}0`, id.slice(0, 7), 'maria']) expect(parseSearch(text)?.idPrefix).toBeNull()
})

test('search text always fits in a PostgreSQL index entry', () => {
  // Normalization expands this one character to 18.
  const name = '\uFDFA'.repeat(500)
  const text = searchText({ firstName: name, lastName: name, email: '李'.repeat(5000), phone: '(555) 234-5678' })
  expect(Buffer.byteLength(text)).toBeLessThan(2600)
})
