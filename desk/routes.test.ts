import { expect, test } from 'vitest'
import { menuOf } from './routes.ts'

test('an agent who calls from the desk finds what calls need; everyone else finds all that their role may see', () => {
  const titles = (role: 'viewer' | 'agent' | 'editor', callList: boolean) =>
    menuOf({ role, callList }).map(({ title }) => title)
  expect(titles('agent', true)).toEqual(['Calls', 'Today', 'Leads', 'Help'])
  expect(titles('agent', false)).toEqual(['Today', 'Leads', 'Campaigns', 'Health'])
  expect(titles('viewer', true)).toEqual(['Calls', 'Today', 'Leads', 'Campaigns', 'Health', 'Help'])
  expect(titles('editor', true)).toHaveLength(8)
})
