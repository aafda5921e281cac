import { expect, test } from 'vitest'
import { deskRoles, roleAllows } from './roles.ts'

test('each role includes the ones before it', () => {
  const allowed = deskRoles.map(role => deskRoles.filter(needed => roleAllows(role, needed)))
  expect(allowed).toEqual([['viewer'], ['viewer', 'agent'], ['viewer', 'agent', 'editor']])
})
