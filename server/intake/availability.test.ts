import { beforeEach, expect, test } from 'vitest'
import { FakeClock } from '../../tests/support/fake-clock.ts'
import { submissionOf } from '../../tests/support/lead-store.ts'
import type { Alerts } from '../alerts/alerts.ts'
import { versionOf } from '../store/facts/leads/hashes.ts'
import { StoreUnavailable, StoreUnusable, UpgradeWaits } from '../store/store-errors.ts'
import { type Availability, createAvailability, type IntakeStore } from './availability.ts'

const fakeVersion = (number: number) => number.toString(16).padStart(64, '0')
const consentVersion = fakeVersion(0xabcdef)
const REFUSED = { code: 'leads_refused', reason: 'the disk is full.' }

let clock: FakeClock
let store: IntakeStore
let availability: Availability
let fault: Error | null
let log: unknown[]
/** How often the store was asked. */
let probes: number
let versionQueries: number
/** Consent versions in the store. */
let stored: string[]

const siteOf = (consent: string) => ({
  languages: {
    en: { consent, questionnaire: 'asked now' },
    es: { consent: 'mostrado ahora', questionnaire: 'preguntado ahora' },
  },
})
let copy: ReturnType<typeof siteOf>

beforeEach(async () => {
  clock = new FakeClock(0)
  fault = null
  log = []
  probes = 0
  versionQueries = 0
  stored = [consentVersion]
  copy = siteOf('shown now')
  const orFail = async <Result>(result: Result) => (fault ? Promise.reject(fault) : result)
  const used: Partial<IntakeStore> = {
    capture: () => orFail({ id: 'lead', state: 'accepted' as const }),
    presentedVersions: () => {
      versionQueries++
      return orFail({ consents: stored, questionnaires: [] })
    },
    probe: () => {
      probes++
      return orFail(undefined)
    },
  }
  store = used as IntakeStore
  availability = create()
  await availability.open(store)
})

function create(probeTimeoutMs = 10_000): Availability {
  const alerts: Alerts = { raise: (code, _text, { detail } = {}) => log.push({ code, ...detail }) }
  return createAvailability({ alerts, copy: () => copy, log: () => {}, tick: clock.now, probeTimeoutMs })
}

const full = () => new StoreUnavailable('the disk is full.')
const send = () => availability.capture(submissionOf('ada', consentVersion)).catch(error => error)
const isReady = async () => (await availability.readiness()).status === 'ready'
/** A health check that doesn't reuse the result of an earlier one. */
const check = () => {
  clock.advance(2000)
  return isReady()
}

test('every refused lead raises the alert; a lead that is accepted ends it', async () => {
  for (const isDown of [true, false, true, false]) {
    fault = isDown ? full() : null
    expect(await send()).toEqual(fault ?? expect.objectContaining({ state: 'accepted' }))
  }
  expect(log).toEqual([REFUSED, REFUSED])
  await check()
  expect(log).toEqual([REFUSED, REFUSED])
})

test('after a failed capture, the server isn’t ready for a minute or until a capture succeeds, even if probes do', async () => {
  for (const recover of [() => send(), async () => clock.advance(56_000)]) {
    fault = full()
    await send()
    fault = null
    expect(await check()).toBe(false)
    await recover()
    expect(await check()).toBe(true)
  }
})

test('after a failed capture, successful probes keep raising the alert for ten minutes', async () => {
  fault = full()
  await send()
  fault = null
  for (let minute = 1; minute < 10; minute++) {
    clock.advance(58_000)
    await check()
  }
  expect(log).toEqual(Array(10).fill(REFUSED))
  clock.advance(58_000)
  await check()
  expect(log).toHaveLength(10)
})

test('a failed probe raises the alert, and a successful one doesn’t', async () => {
  fault = full()
  expect(await check()).toBe(false)
  fault = null
  expect(await check()).toBe(true)
  expect(log).toEqual([REFUSED])
})

test('a store that never responds to a probe isn’t ready', async () => {
  availability = create(20)
  await availability.open({ ...store, probe: () => new Promise<never>(() => {}) })
  expect(await check()).toBe(false)
  expect(log).toEqual([{ ...REFUSED, reason: 'the store isn’t responding.' }])
})

test('health checks within two seconds share one probe', async () => {
  expect(await check()).toBe(true)
  fault = full()
  clock.advance(1999)
  expect(await Promise.all([isReady(), isReady()])).toEqual([true, true])
  clock.advance(1)
  expect(await isReady()).toBe(false)
  expect(probes).toBe(2)
})

test('until the store is open, leads are refused without an alert, and the server isn’t ready', async () => {
  availability = create()
  expect(await send()).toBeInstanceOf(StoreUnavailable)
  expect(await isReady()).toBe(false)
  await expect(availability.isKnown('consent', consentVersion)).rejects.toThrow(StoreUnavailable)
  expect(log).toEqual([])
  await availability.open(store)
  expect(await isReady()).toBe(true)
  expect(await availability.isKnown('consent', consentVersion)).toBe(true)
})

test('a store that takes long to open raises the alert after a while, with the reason if there is one', async () => {
  availability = create()
  availability.failedToOpen(full())
  clock.advance(44_000)
  expect(await isReady()).toBe(false)
  expect(log).toEqual([])
  clock.advance(2000)
  expect(await isReady()).toBe(false)
  availability = create()
  clock.advance(60_000)
  expect(await isReady()).toBe(false)
  expect(log).toEqual([REFUSED, { ...REFUSED, reason: 'the store is still opening.' }])
})

test('a store that can’t be opened until someone acts raises the alert at once', async () => {
  availability = create()
  availability.failedToOpen(new StoreUnusable('The store is damaged.'))
  expect(log).toEqual([{ ...REFUSED, reason: 'The store is damaged.' }])
})

test('the server says whether the store is opening, upgrading, or failed, and why', async () => {
  availability = create()
  expect(await availability.readiness()).toEqual({ status: 'opening' })
  const refused = { status: 'failed', reason: 'the disk is full.' }
  availability.failedToOpen(full())
  expect(await availability.readiness()).toEqual(refused)
  availability.upgrading()
  expect(await availability.readiness()).toEqual({ status: 'upgrading' })
  availability.failedToOpen(new UpgradeWaits('older servers are connected.'))
  expect(await availability.readiness()).toEqual({ status: 'upgrading', reason: 'older servers are connected.' })
  await availability.open(store)
  expect(await availability.readiness()).toEqual({ status: 'ready' })
  fault = full()
  await send()
  fault = null
  clock.advance(2000)
  expect(await availability.readiness()).toEqual(refused)
})

test('a store that fails right after it was opened isn’t used', async () => {
  availability = create()
  fault = full()
  await expect(availability.open(store)).rejects.toThrow(StoreUnavailable)
  fault = null
  expect(await send()).toBeInstanceOf(StoreUnavailable)
})

test('an unexpected error is reported without its message, which might quote what the visitor typed', async () => {
  fault = new TypeError('Ada')
  expect(await send()).toBe(fault)
  expect(log).toEqual([{ ...REFUSED, reason: 'an unexpected error (TypeError).' }])
})

const knows = (version: string) => availability.isKnown('consent', version)

test('current versions and all versions in the store are known without another query', async () => {
  const { consent = '', questionnaire = '' } = availability.shown().get('en') ?? {}
  expect(versionQueries).toBe(1)
  expect(await Promise.all([consent, consentVersion].map(knows))).toEqual([true, true])
  expect(await availability.isKnown('questionnaire', questionnaire)).toBe(true)
  expect(await availability.isKnown('questionnaire', consentVersion)).toBe(false)
  for (const wrong of ['', "' OR 1=1", consentVersion.toUpperCase()]) expect(await knows(wrong)).toBe(false)
  expect(versionQueries).toBe(1)
})

test('unknown versions cause at most one query a second, which also finds versions that another server stored', async () => {
  clock.advance(1000)
  const flood = Array.from({ length: 1000 }, (_, number) => knows(fakeVersion(number)))
  expect(new Set(await Promise.all(flood))).toEqual(new Set([false]))
  expect(versionQueries).toBe(2)
  const later = fakeVersion(5000)
  stored = [later]
  clock.advance(1000)
  expect(await Promise.all([knows(fakeVersion(1)), knows(later)])).toEqual([false, true])
  expect(versionQueries).toBe(3)
})

test('if looking up a version fails, the next request tries again', async () => {
  clock.advance(1000)
  const older = fakeVersion(5000)
  stored = [older]
  fault = full()
  await expect(knows(older)).rejects.toThrow(StoreUnavailable)
  expect(log).toEqual([REFUSED])
  fault = null
  expect(await knows(older)).toBe(true)
})

test('a current consent tells the language of the page; an older one doesn’t', async () => {
  const spanish = availability.shown().get('es')?.consent ?? ''
  expect(await knows(spanish)).toBe(true)
  expect(availability.languageOf(spanish)).toBe('es')
  expect(availability.languageOf(availability.shown().get('en')?.consent ?? '')).toBe('en')
  expect(availability.languageOf(consentVersion)).toBeNull()
})

test('while the form is off, leads from pages that were open are taken, but not without a text', async () => {
  const before = versionOf('shown now')
  expect(await availability.isKnown('consent', before)).toBe(true)
  copy = siteOf('')
  const known = () => Promise.all(['shown now', ''].map(text => availability.isKnown('consent', versionOf(text))))
  expect([await known(), availability.languageOf(before)]).toEqual([[true, false], 'en'])
  // After a restart, from the store.
  stored = [before]
  availability = create()
  await availability.open(store)
  expect(await known()).toEqual([true, false])
})
