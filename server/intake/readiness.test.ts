import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { type LeadStore, openLeadStore } from '../../tests/faults/lead-store.ts'
import { StoreUnavailable } from '../store/store-errors.ts'
import { createReadiness } from './readiness.ts'

let leads: LeadStore
let isFull: boolean
let looks: number
let isReady: () => Promise<boolean>

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] })
  leads = openLeadStore()
  isFull = false
  looks = 0
  isReady = createReadiness(() => {
    looks += 1
    return isFull ? Promise.reject(new StoreUnavailable('the disk is full.')) : leads.store.probe()
  })
})

afterEach(async () => {
  vi.useRealTimers()
  await leads.remove()
})

test('is found out by writing, and once for all who ask within two seconds', async () => {
  expect(await isReady()).toBe(true)
  isFull = true
  vi.advanceTimersByTime(1999)
  expect(await Promise.all([isReady(), isReady()])).toEqual([true, true])
  vi.advanceTimersByTime(1)
  expect(await isReady()).toBe(false)
  expect(looks).toBe(2)
})

test('is not remembered for longer when the clock is set back', async () => {
  expect(await isReady()).toBe(true)
  isFull = true
  vi.setSystemTime(Date.now() - 3_600_000)
  vi.advanceTimersByTime(2000)
  expect(await isReady()).toBe(false)
})
