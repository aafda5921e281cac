import { expect, test } from 'vitest'
import { createLeadId } from './lead-id.ts'

test('a lead’s id is a UUID version 7 of its moment and chance', () => {
  const ones = (bytes: Uint8Array) => bytes.fill(0xff)
  // The example of RFC 9562 has this moment.
  expect(createLeadId(0x017f22e279b0, ones)).toBe('017f22e2-79b0-7fff-bfff-ffffffffffff')
  expect(createLeadId(0x017f22e279b0, bytes => bytes)).toBe('017f22e2-79b0-7000-8000-000000000000')
})

test('ids sort by time', () => {
  const ids = [1, 2 ** 32 - 1, 2 ** 32, 2 ** 40, 2 ** 41].map(now => createLeadId(now, b => crypto.getRandomValues(b)))
  expect(ids.toSorted()).toEqual(ids)
})
