import { expect, test } from 'vitest'
import { createStandingCheck } from './standing-check.ts'

function storeWith(standing: readonly string[]) {
  const looks: (readonly string[])[] = []
  return {
    looks,
    standingSessions: async (hashes: readonly string[]) => {
      looks.push(hashes)
      return hashes.filter(hash => standing.includes(hash))
    },
  }
}

test('all who ask in the same moment are answered by one look, each about its own session', async () => {
  const store = storeWith(['a', 'b'])
  const stands = createStandingCheck(store)
  expect(await Promise.all(['a', 'b', 'gone', 'a'].map(stands))).toEqual([true, true, false, true])
  expect(store.looks).toEqual([['a', 'b', 'gone']])
})

test('who asks later is answered by a look of its own', async () => {
  const store = storeWith(['a'])
  const stands = createStandingCheck(store)
  await stands('a')
  await stands('a')
  expect(store.looks).toEqual([['a'], ['a']])
})

test('a look that fails is told to those who waited for it, and to nobody after them', async () => {
  let isAway = true
  const stands = createStandingCheck({
    standingSessions: async hashes => {
      if (isAway) throw new Error('the store is away')
      return hashes
    },
  })
  const asked = await Promise.allSettled([stands('a'), stands('b')])
  expect(asked.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  isAway = false
  expect(await stands('a')).toBe(true)
})
