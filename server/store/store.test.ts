import { expect, test } from 'vitest'
import { withoutDuplicates } from './store.ts'

test('an operation that two modules have is refused, instead of the second replacing the first', () => {
  const leads = { find: () => 'a lead', count: () => 1 }
  const people = { find: () => 'a person' }
  expect(() => withoutDuplicates(leads, people)).toThrow('Defined twice in the store: find.')
  const { count, invite } = withoutDuplicates(leads, { invite: () => 'a link' })
  expect([count(), invite()]).toEqual([1, 'a link'])
})
