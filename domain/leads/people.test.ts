/** Couples, twins, a father and a son of one name, and people who gave no date of birth. */
import { expect, test } from 'vitest'
import { peopleAmong } from './people.ts'

type Given = readonly [name: string, dateOfBirth?: string]

const cases: readonly (readonly [title: string, leads: readonly Given[], people: readonly string[]])[] = [
  ['nobody', [], []],
  [
    'one person twice, once without accents',
    [
      ['José Vega', '1960-01-02'],
      ['JOSE Vega', '1960-01-02'],
    ],
    ['0 1'],
  ],
  [
    'one person under a maiden name',
    [
      ['Ann Lee', '1960-01-02'],
      ['Ann Park', '1960-01-02'],
    ],
    ['0 1'],
  ],
  [
    'a couple',
    [
      ['Ann Lee', '1960-01-02'],
      ['Bob Lee', '1958-03-04'],
    ],
    ['0', '1'],
  ],
  [
    'twins',
    [
      ['Ann Lee', '1960-01-02'],
      ['Eve Lee', '1960-01-02'],
    ],
    ['0', '1'],
  ],
  [
    'a father and a son of one name',
    [
      ['Bob Lee', '1958-03-04'],
      ['Bob Lee', '1988-03-04'],
    ],
    ['0', '1'],
  ],
  [
    'a daughter who gives her own date for both parents',
    [
      ['Ann Lee', '1988-03-04'],
      ['Bob Lee', '1988-03-04'],
    ],
    ['0', '1'],
  ],
  ['someone who gave a date only once', [['Bob Lee', '1958-03-04'], ['bob lee']], ['0 1']],
  ['a date missing, and another last name', [['Bob Lee', '1958-03-04'], ['Bob Park']], ['0', '1']],
  [
    'a date missing, and two candidates',
    [['Bob Lee', '1958-03-04'], ['Bob Lee'], ['Bob Lee', '1988-03-04']],
    ['0', '1', '2'],
  ],
  ['two dates missing', [['Bob Lee'], ['Bob Lee']], ['0', '1']],
  [
    'Bob and Robert',
    [
      ['Bob Lee', '1958-03-04'],
      ['Robert Lee', '1958-03-04'],
    ],
    ['0', '1'],
  ],
]

test.each(cases)('%s', (_, leads, people) => {
  const named = leads.map(([name, dateOfBirth = ''], id) => {
    const [firstName = '', lastName = ''] = name.split(' ')
    return { id, firstName, lastName, dateOfBirth }
  })
  expect(peopleAmong(named).map(person => person.map(({ id }) => id).join(' '))).toEqual(people)
})
