import { expect, test } from 'vitest'
import { createLeadId, firstIdAt, timeOfId } from './lead-id.ts'

test('a lead’s id is a UUID version 7 of its moment and chance', () => {
  // The example of RFC 9562 has this moment.
  expect(createLeadId(0x017f22e279b0)).toMatch(/^017f22e2-79b0-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  expect(firstIdAt(0x017f22e279b0)).toBe('017f22e2-79b0-7000-8000-000000000000')
  expect(timeOfId(createLeadId(0x017f22e279b0))).toBe(0x017f22e279b0)
})

test('ids sort by time', () => {
  const ids = [1, 2 ** 32 - 1, 2 ** 32, 2 ** 40, 2 ** 41].map(createLeadId)
  expect(ids.toSorted()).toEqual(ids)
})
