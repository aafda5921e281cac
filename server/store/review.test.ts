import { afterEach, beforeEach, expect, test } from 'vitest'
import { type LeadStore, openLeadStore, submissionOf } from '../../tests/faults/lead-store.ts'

let leads: LeadStore
beforeEach(() => {
  leads = openLeadStore()
})
afterEach(() => leads.remove())

test('of several leads to be released all must be held, or none is', async () => {
  const { store } = leads
  const consentVersion = await store.rememberConsent('I agree')
  const capture = (name: string, holdReason: string | null) =>
    store.capture({ ...submissionOf(name, consentVersion), holdReason })
  const [held, other, accepted] = [await capture('a', 'odd'), await capture('b', 'odd'), await capture('c', null)]
  expect(await store.release({ ids: [held.id, accepted.id], by: 'Maria' })).toBe(0)
  expect(await store.count({ state: 'held' })).toBe(2)
  expect(await store.release({ ids: [held.id, other.id, held.id], by: 'Maria' })).toBe(2)
  expect(await store.count({ delivery: 'pending' })).toBe(3)
})
