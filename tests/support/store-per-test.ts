/** A fresh embedded store for each test of a file. */
import { afterEach, beforeEach } from 'vitest'
import { createStore } from './lead-fixtures.ts'

export function storePerTest(): Awaited<ReturnType<typeof createStore>> {
  const store = {} as Awaited<ReturnType<typeof createStore>>
  beforeEach(async () => Object.assign(store, await createStore()))
  afterEach(() => store.remove())
  return store
}
