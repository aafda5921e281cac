import { beforeEach, expect, test } from 'vitest'
import { DEMO_CALLING_HOURS } from '../../domain/calling/hours.ts'
import { MINUTE } from '../../domain/durations.ts'
import type { Store } from '../store/store.ts'
import { StoreUnavailable } from '../store/store-errors.ts'
import type { BackupStatus } from '../store/tables/last-backup.ts'
import { backupProblem } from './problems.ts'
import { createStoreWatch } from './store-watch.ts'

const noEvents = { pending: 0, oldestPendingAgeMs: 0, deadStops: 0, deadCalls: 0, byHand: 0 }
const noLetters = { pending: 0, oldestPendingAgeMs: 0, dead: 0, refused: 0 }
const noLeads = { pending: 0, oldestPendingAgeMs: 0, dead: 0, held: 0, oldestHeldAgeMs: 0, aheadMs: 0 }
const quiet = { ...noLeads, events: noEvents, letters: noLetters }
const noCalls: Awaited<ReturnType<Store['callsWaiting']>> = {
  people: 0,
  longest: [],
  long: 0,
  withoutPlace: 0,
  missedCallbacks: 0,
  lastCallAt: null,
}
const SINCE = Date.parse('2026-03-01T12:00:00Z')

const noBackup: BackupStatus = {
  ageMs: null,
  latestAgeMs: null,
  wasTried: false,
  sameDisk: false,
  notReplaced: null,
  notCopied: null,
  nearlyFull: null,
  ofAnotherStore: null,
  isTimeWrong: false,
  oldestLeadAgeMs: 0,
}
let backlog: typeof quiet | Error
let unqueued: number
let calls: typeof noCalls
let mostStops: number
let pause: { since: number; ageMs: number; reason: string; by: string } | null
/** Whether each of the latest leads has a certificate, newest first. */
let certificates: boolean[]
let backup: BackupStatus
let probes: number
let raised: Readonly<Record<string, unknown>>[]
let texts: string[]
let watch: () => Promise<void>

beforeEach(() => {
  backlog = quiet
  unqueued = 0
  calls = noCalls
  mostStops = 0
  pause = null
  certificates = []
  backup = noBackup
  probes = 0
  raised = []
  texts = []
  watch = newWatch(true)
})

function newWatch(expectsCertificates: boolean, expectsDeliveries = true) {
  return createStoreWatch({
    store: {
      backlog: async () => (backlog instanceof Error ? Promise.reject(backlog) : backlog),
      deliveryPause: async () => pause,
      unqueuedLeads: async () => unqueued,
      backupStatus: async () => backup,
      callsWaiting: async () => calls,
      mostStopsByOne: async () => mostStops,
      latestCertificates: async limit => certificates.slice(0, limit),
    },
    probe: async () => Promise.reject(new Error(`probe ${++probes} failed`)),
    expectsCertificates,
    expectsDeliveries,
    isEmbedded: true,
    timeZone: 'UTC',
    callingHours: () => DEMO_CALLING_HOURS,
    alerts: {
      raise: (code, text, { detail, size } = {}) => {
        texts.push(text)
        raised.push({ code, ...detail, ...(size !== undefined && { size }) })
      },
    },
  })
}

/** Runs a check with this backlog. Returns the alerts it raises. */
async function check(changed: Partial<typeof quiet> = {}) {
  backlog = { ...quiet, ...changed }
  raised = []
  await watch()
  return raised
}

test('an undelivered lead raises an alert after ten minutes, until it’s delivered', async () => {
  expect(await check({ pending: 1, oldestPendingAgeMs: 10 * MINUTE })).toEqual([])
  const stuck = { code: 'deliveries_stuck', pending: 1, dead: 0, size: 1 }
  expect(await check({ pending: 1, oldestPendingAgeMs: 11 * MINUTE })).toEqual([{ ...stuck, oldestPendingMinutes: 11 }])
  expect(texts[0]).toBe(
    'Leads don’t reach your CRM: 1 waiting, the oldest for 11 min. Open Health in the desk and send a test lead.',
  )
  expect(await check({ pending: 1, oldestPendingAgeMs: 240 * MINUTE })).toEqual([
    { ...stuck, oldestPendingMinutes: 240 },
  ])
  expect(texts.at(-1)).toContain('the oldest for 4 h')
  expect(await check()).toEqual([])
})

test('without a webhook, leads that staff call from the desk aren’t late', async () => {
  watch = newWatch(true, false)
  pause = { since: SINCE, ageMs: 2000 * MINUTE, reason: 'forgotten', by: 'maria' }
  expect(await check({ pending: 9, oldestPendingAgeMs: 9000 * MINUTE, dead: 1 })).toEqual([])
})

test('the size of the alert is the number of failed and late deliveries', async () => {
  const stuck = { code: 'deliveries_stuck', pending: 0, oldestPendingMinutes: 0 }
  expect(await check({ dead: 3 })).toEqual([{ ...stuck, dead: 3, size: 3 }])
  const late = { dead: 3, pending: 2, oldestPendingAgeMs: 11 * MINUTE }
  expect(await check(late)).toEqual([{ ...stuck, dead: 3, pending: 2, oldestPendingMinutes: 11, size: 5 }])
  expect(texts.at(-1)).toContain('Leads don’t reach your CRM: 2 waiting, the oldest for 11 min; 3 failed')
  expect(await check({ ...late, oldestPendingAgeMs: MINUTE })).toMatchObject([{ size: 3 }])
})

test('the alert about waiting leads mentions a pause but not its reason; a day-long pause raises an alert even if no leads are waiting', async () => {
  pause = { since: SINCE, ageMs: 24 * 60 * MINUTE - 1, reason: 'Ada has called', by: 'ada@desk' }
  const failed = '1 failed after the last retry'
  const resend = ' Resend the failed ones: in the desk, Leads, Delivery failed.'
  const paused = 'Deliveries have been paused since 2026-03-01 12:00 UTC'
  const action = 'Open Health in the desk to resume them.'
  expect(await check()).toEqual([])
  await check({ dead: 1 })
  expect(texts.at(-1)).toBe(`1 lead didn’t reach your CRM, even with the last retry.${resend}`)
  await check({ dead: 1, pending: 2, oldestPendingAgeMs: 11 * MINUTE })
  expect(texts.at(-1)).toBe(`${paused}: 2 leads waiting; ${failed}. ${action}${resend}`)
  expect(raised).toMatchObject([{ code: 'deliveries_stuck', paused: true }])
  await check()
  pause = { ...pause, ageMs: 24 * 60 * MINUTE }
  await check()
  expect(texts.at(-1)).toBe(`${paused}: no leads waiting. ${action}`)
})

test('held leads raise an alert after fifteen minutes, until none are left', async () => {
  expect(await check({ held: 1, oldestHeldAgeMs: 15 * MINUTE })).toEqual([])
  const alert = { code: 'held_leads_waiting', oldestHeldMinutes: 16, held: 2, size: 2 }
  expect(await check({ held: 2, oldestHeldAgeMs: 16 * MINUTE })).toEqual([alert])
  expect(await check()).toEqual([])
})

test('if pages request certificates but leads arrive without any, an alert stays open until one arrives', async () => {
  const latest = (without: number, before: boolean[]) => {
    certificates = [...Array(without).fill(false), ...before]
    return check()
  }
  const half = [true, false, true, false, true, false, true, false, true, false]
  const missing = [{ code: 'certificates_missing' }]
  expect(await latest(9, half)).toEqual([])
  expect(await latest(10, half.slice(1))).toEqual([])
  expect(await latest(10, [...half, false])).toEqual([])
  // The alert stays open even when the leads with certificates are no longer among the latest.
  for (const without of [10, 20, 30, 40, 50, 55, 60, 70]) expect(await latest(without, half)).toEqual(missing)
  expect(await latest(0, half)).toEqual([])
  watch = newWatch(false)
  expect(await latest(10, half)).toEqual([])
})

test('a clock that was set back raises an alert until it catches up', async () => {
  expect(await check({ aheadMs: MINUTE })).toEqual([])
  expect(await check({ aheadMs: 30 * MINUTE })).toEqual([{ code: 'clock_set_back', aheadMinutes: 30 }])
})

test('if the store can’t be read, an alert says so; every check also tries a write', async () => {
  backlog = new StoreUnavailable('the disk has a read or write error.')
  await watch()
  expect(raised).toEqual([{ code: 'store_unreadable', reason: 'StoreUnavailable' }])
  expect(await check()).toEqual([])
  expect(probes).toBe(2)
})

test('a store with leads that are a day old needs a backup from the last 26 hours, on another disk', async () => {
  expect(await check()).toEqual([])
  backup = { ...backup, oldestLeadAgeMs: 27 * 60 * MINUTE }
  expect(await check()).toEqual([{ code: 'backups_at_risk' }])
  expect(texts.at(-1)).toContain('The leads have never been backed up. Check')
  backup = { ...backup, isTimeWrong: true }
  await check()
  expect(texts.at(-1)).toContain('the clock was wrong, then or now. Make another one. Check')
  backup = { ...backup, isTimeWrong: false }
  backup = { ...backup, ageMs: 25 * 60 * MINUTE }
  expect(await check()).toEqual([])
  backup = { ...backup, ageMs: 31 * 60 * MINUTE }
  await check()
  expect(texts.at(-1)).toContain('The last backup is 31 h old. Check')
  backup = { ...backup, ageMs: MINUTE, latestAgeMs: 59 * MINUTE }
  expect(await check()).toEqual([])
  backup = { ...backup, latestAgeMs: 61 * MINUTE }
  await check()
  expect(texts.at(-1)).toContain('every 15 minutes has failed for 61 min')
  backup = { ...backup, latestAgeMs: null, sameDisk: true }
  await check()
  expect(texts.at(-1)).toContain('on the same disk as the store')
})

test('a copy that isn’t this store’s raises an alert at once, with what to do', async () => {
  const file = '/backups/latest.backup'
  for (const [because, words] of [
    ['another store', 'is a copy of another store'],
    ['has more', 'has leads, calls, or stops that this store doesn’t have'],
    ['unreadable', 'can’t be read'],
  ] as const) {
    backup = { ...noBackup, latestAgeMs: 0, notReplaced: { file, because } }
    expect(await check()).toEqual([{ code: 'backups_at_risk' }])
    expect(texts.at(-1)).toContain(`${file} ${words}, so it isn’t replaced`)
    expect(texts.at(-1)).toContain(`\`sudo leads backup --latest ${file} --accept\``)
  }
  backup = { ...noBackup, notCopied: '/srv/our-site' }
  await check()
  expect(texts.at(-1)).toContain('/srv/our-site can’t be copied to the backups')
  backup = { ...noBackup, nearlyFull: '/backups' }
  await check()
  expect(texts.at(-1)).toContain('The disk with the backups (/backups) had less than 10% or 2 GB free')
  backup = { ...noBackup, ofAnotherStore: '/backups/leads-2030-01-01-0315.backup' }
  await check()
  expect(texts.at(-1)).toContain('leads-2030-01-01-0315.backup is a backup of another store, so it isn’t deleted')
})

test('doctor says at once that backups are on the store’s disk; the alert gives a new installation a day', () => {
  const sameDisk = { ...noBackup, latestAgeMs: 0, sameDisk: true }
  expect(backupProblem(sameDisk, true)).toMatchObject({ isRecent: true, text: expect.stringContaining('same disk') })
  const aDayLater = { ...sameDisk, ageMs: MINUTE, oldestLeadAgeMs: 27 * 60 * MINUTE }
  expect(backupProblem(aDayLater, true)).toMatchObject({ isRecent: false })
})

test('a PostgreSQL store may have its own backups, so it needs ours only if one was tried', () => {
  const status = { ...noBackup, oldestLeadAgeMs: 99 * 60 * MINUTE }
  const problem = (more: Partial<BackupStatus>) => backupProblem({ ...status, ...more }, false)?.text
  expect(problem({})).toBeUndefined()
  expect(problem({ wasTried: true })).toContain('never been backed up')
  expect(problem({ wasTried: true, ageMs: 31 * 60 * MINUTE })).toContain('31 h old')
})

test('names requests and calls that the CRM hasn’t heard of apart from leads, also without a webhook', async () => {
  watch = newWatch(false, false)
  backlog = { ...quiet, events: { ...noEvents, deadStops: 2, deadCalls: 1 } }
  await watch()
  expect(raised).toEqual([{ code: 'crm_not_told', deadStops: 2, deadCalls: 1, pending: 0, size: 3 }])
  expect(texts[0]).toContain('2 requests not to be called failed; 1 result of calls failed.')
  backlog = { ...quiet, events: { ...noEvents, pending: 4, oldestPendingAgeMs: 11 * 60_000 } }
  await watch()
  expect(texts[1]).toContain('4 waiting, the oldest for 11 min')
  pause = { since: SINCE, ageMs: 60_000, reason: '', by: 'Maria' }
  await watch()
  expect(texts).toHaveLength(2)
})

test('names letters that fail or wait apart from leads', async () => {
  watch = newWatch(false, false)
  backlog = { ...quiet, letters: { pending: 1, oldestPendingAgeMs: 9 * MINUTE, dead: 0, refused: 9 } }
  await watch()
  expect(raised).toEqual([])
  backlog = { ...quiet, letters: { pending: 3, oldestPendingAgeMs: 12 * MINUTE, dead: 2, refused: 9 } }
  await watch()
  expect(raised).toEqual([{ code: 'mail_not_sent', pending: 3, dead: 2, size: 5 }])
  expect(texts[0]).toContain('3 waiting, the oldest for 12 min; 2 failed after the last retry.')
})

test('says how many people wait for a call, and how many callbacks were missed', async () => {
  calls = { ...noCalls, people: 9, long: 2, longest: [{ leadId: 'any', ms: 45 * MINUTE }], missedCallbacks: 1 }
  expect(await check()).toEqual([{ code: 'people_waiting', long: 2, missedCallbacks: 1, size: 3 }])
  calls = { ...noCalls, missedCallbacks: 1, lastCallAt: SINCE }
  await check()
  expect(texts).toEqual([
    '2 people have waited for a first call for more than 30 min, the longest for 45 min; 1 promised callback missed; nobody was ever called. Open Calls in the desk.',
    '1 promised callback missed; last call 2026-03-01 12:00 UTC. Open Calls in the desk.',
  ])
  calls = { ...noCalls, people: 9 }
  expect(await check()).toEqual([])
})

test('says that one person recorded very many stops within an hour, and not who: alerts leave the house', async () => {
  mostStops = 50
  expect(await check()).toEqual([])
  mostStops = 51
  expect(await check()).toEqual([{ code: 'stops_by_one_person', stops: 51, size: 51 }])
  expect(texts[0]).toMatch(/^One person recorded 51 requests not to be called within an hour\./)
})

test('says how many leads came in without a webhook, once there is one', async () => {
  unqueued = 3
  await newWatch(false, false)()
  expect(raised).toEqual([])
  await watch()
  expect(raised).toEqual([{ code: 'leads_not_queued', leads: 3, size: 3 }])
})
