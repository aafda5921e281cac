import { afterEach, beforeEach, expect, test } from 'vitest'
import { FakeClock } from '../../tests/faults/fake-clock.ts'
import { type LeadStore, openLeadStore, submissionOf } from '../../tests/faults/lead-store.ts'
import { createAlerts } from '../alerts/alerts.ts'
import { StoreUnavailable } from '../store/store-errors.ts'
import { StoreNotOpenYet } from './opening-store.ts'
import { type IntakeStore, watchRefusals } from './refusal-watch.ts'

const REFUSED = { code: 'leads_refused', level: 'alert', reason: 'the disk is full.' }
const TAKEN = { code: 'leads_taken_again' }

let clock: FakeClock
let leads: LeadStore
let watched: IntakeStore
let consentVersion: string
let fault: Error | null
let log: unknown[]

beforeEach(async () => {
  clock = new FakeClock(0)
  leads = openLeadStore()
  consentVersion = await leads.store.rememberConsent('I agree')
  fault = null
  log = []
  const { capture, hasConsent, hasQuestionnaire, probe } = leads.store
  const failing: IntakeStore = {
    capture: async submission => (fault ? Promise.reject(fault) : capture(submission)),
    hasConsent: async version => (fault ? Promise.reject(fault) : hasConsent(version)),
    hasQuestionnaire: async version => (fault ? Promise.reject(fault) : hasQuestionnaire(version)),
    probe: async () => (fault ? Promise.reject(fault) : probe()),
  }
  const alerts = createAlerts({ log: (code, detail) => log.push({ code, ...detail }), tick: clock.now })
  watched = watchRefusals(failing, { alerts, tick: clock.now, longestProbeMs: 20 })
})

afterEach(() => leads.remove())

const full = () => new StoreUnavailable('the disk is full.')
const send = (name = 'ada') => watched.capture(submissionOf(name, consentVersion)).catch(error => error)

test('nothing is said while leads are taken', async () => {
  await send()
  expect(log).toEqual([])
})

test('the first refusal is told at once with its reason, the others once an hour', async () => {
  fault = full()
  for (let minute = 0; minute < 150; minute++) {
    expect(await send()).toBe(fault)
    clock.advance(60_000)
  }
  expect(log).toEqual([REFUSED, REFUSED, REFUSED])
})

test('the first lead that is taken again ends it with one line', async () => {
  fault = full()
  await send()
  fault = null
  for (const name of ['ada', 'grace']) await send(name)
  expect(log).toEqual([REFUSED, TAKEN])
})

test('a disk that is full by turns is not told of at every turn, and is over after ten minutes without', async () => {
  for (let turn = 0; turn < 30; turn++) {
    fault = turn % 2 === 0 ? full() : null
    await send(`lead-${turn}`)
    clock.advance(1000)
  }
  expect(log).toEqual([REFUSED, TAKEN, REFUSED])
  clock.advance(600_000)
  await send('later')
  expect(log).toEqual([REFUSED, TAKEN, REFUSED, TAKEN])
})

test('a trial write that finds room on a full disk is no proof that a lead does', async () => {
  fault = full()
  await send()
  await watched.probe().catch(() => {})
  fault = null
  await expect(watched.probe()).rejects.toThrow('the last lead could not be stored')
  expect(log).toEqual([REFUSED])
  await send()
  await watched.probe()
  expect(log).toEqual([REFUSED, TAKEN])
})

test('a lead that could not be stored makes the server not ready for a minute, or until one is', async () => {
  fault = new TypeError('Ada')
  await send()
  fault = null
  await expect(watched.probe()).rejects.toThrow(StoreUnavailable)
  clock.advance(59_999)
  await expect(watched.probe()).rejects.toThrow(StoreUnavailable)
  // Where a proxy sends nobody to a server that is not ready, no lead could show that it is.
  clock.advance(1)
  await watched.probe()
})

test('a store that does not answer a trial write is told of', async () => {
  watched = watchRefusals(
    { ...leads.store, probe: () => new Promise<never>(() => {}) },
    { alerts: createAlerts({ log: (code, detail) => log.push({ code, ...detail }) }), longestProbeMs: 20 },
  )
  await expect(watched.probe()).rejects.toThrow(StoreUnavailable)
  expect(log).toEqual([{ ...REFUSED, reason: 'the store does not answer.' }])
})

test('a consent that cannot be looked up is a refusal, too, and reading alone does not end it', async () => {
  fault = full()
  await watched.hasConsent(consentVersion).catch(() => {})
  fault = null
  expect(await watched.hasConsent(consentVersion)).toBe(true)
  expect(log).toEqual([REFUSED])
})

test('a probe tells of it and ends it as a lead does', async () => {
  fault = full()
  await watched.probe().catch(() => {})
  fault = null
  await watched.probe()
  expect(log).toEqual([REFUSED, TAKEN])
})

test('nothing is said while the store is being opened: the server has just started', async () => {
  fault = new StoreNotOpenYet()
  expect(await send()).toBe(fault)
  expect(log).toEqual([])
})

test('a capture that fails for any other reason is told of, without its message, which may quote what was typed', async () => {
  fault = new TypeError('Ada')
  expect(await send()).toBe(fault)
  expect(log).toEqual([{ ...REFUSED, reason: 'an unexpected error (TypeError).' }])
})
