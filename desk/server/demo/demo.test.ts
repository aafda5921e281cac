/** The demo's month of leads, in a real store. */
import { existsSync } from 'node:fs'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { whereabouts, zones } from '../../../domain/calling/area-codes.ts'
import { callOutcomeNames } from '../../../domain/calling/outcomes.ts'
import { differenceInterval } from '../../../domain/campaigns/proportions.ts'
import { DAY } from '../../../domain/durations.ts'
import { deliveryStates, leadStates } from '../../../domain/leads/lead-states.ts'
import { connectStore } from '../../../server/store/open-store.ts'
import type { Store } from '../../../server/store/store.ts'
import { createTestDesk, DESK } from '../../../tests/support/desk.ts'
import { sendLead } from '../../../tests/support/lead-load.ts'
import { onDemand } from '../../../tests/support/on-demand.ts'
import { siteCopy } from '../../../tests/support/site-copy.ts'
import { type Engine, engines } from '../../../tests/support/store-engines.ts'
import { type Demo, prepareDemo } from './demo.ts'
import { planMonth } from './month.ts'
import { startDemoSite } from './site.ts'

// Monday, 11 AM in New York.
const now = Date.UTC(2030, 0, 14, 16)

let demo: Demo
let store: Store

beforeAll(async () => {
  demo = await prepareDemo(siteCopy, { now })
  store = await connectStore(demo.config, { access: 'read', now: () => now })
})

test('has every state, delivery outcome, and hold reason, and pages in Spanish', async () => {
  for (const state of leadStates) expect(await store.count({ state })).toBeGreaterThan(0)
  for (const delivery of deliveryStates.filter(state => state !== 'stopped'))
    expect(await store.count({ delivery })).toBeGreaterThan(0)
  const newest = { order: 'newest first', limit: 50, after: null } as const
  const held = await store.page({ filter: { state: 'held' }, ...newest })
  expect(new Set(held.map(({ heldReason }) => heldReason)).size).toBe(6)
  const [spanish] = await store.page({ filter: { language: 'es' }, ...newest })
  const lead = await store.find(spanish?.id ?? '')
  expect(lead?.page).toMatch(/^\/es\//)
  expect(lead?.consentPresented).toContain('"language":"es"')
  expect(lead?.questionnairePresented).toContain('¿')
})

test('is the same every time, with leads on all 30 days, none in the future, and a headline that beats the original', async () => {
  const { leads } = planMonth(now, 'America/New_York', siteCopy)
  expect(planMonth(now, 'America/New_York', siteCopy).leads).toEqual(leads)
  expect(Math.max(...leads.map(({ at }) => at))).toBeLessThan(now)
  const days = { since: '2029-12-16', until: '2030-01-14', timeZone: 'America/New_York' }
  const { day, variant } = await store.funnel({ by: ['day', 'variant'], ...days })
  expect(day.map(({ submitted }) => submitted > 0)).toEqual(Array(30).fill(true))
  const proportionOf = (name: string) => {
    const { views = 0, leads = 0 } = variant.find(({ key }) => key === name) ?? {}
    return { count: leads, of: views }
  }
  expect(differenceInterval(proportionOf('plain'), proportionOf('original')).low).toBeGreaterThan(0)
})

test('has only made-up people of the right age, with unreachable phone numbers and email addresses', () => {
  const ages = siteCopy.ages ?? { from: 0, to: 0 }
  for (const { at, contact } of planMonth(now, 'UTC', siteCopy).leads) {
    const hadBirthday = new Date(at).toISOString().slice(5, 10) >= contact.dateOfBirth.slice(5)
    const age = new Date(at).getUTCFullYear() - Number(contact.dateOfBirth.slice(0, 4)) - (hadBirthday ? 0 : 1)
    expect(age >= ages.from && age <= ages.to).toBe(true)
    expect(`${contact.phone} ${contact.email}`).toMatch(/^\(\d{3}\) 555-01\d\d .*@example\.org$/)
  }
})

test('has calls with every outcome by two colleagues, callbacks, Spanish speakers, and people in every time zone', async () => {
  const { callingHours: hours } = demo.config
  const stats = await store.callStats({ since: now - 30 * DAY, until: now })
  for (const name of callOutcomeNames) {
    expect([name, stats.outcomes.find(({ outcome }) => outcome === name)?.people]).not.toEqual([name, 0])
  }
  expect(stats.agents.map(({ name }) => name).toSorted()).toEqual(['Ben Carter', 'Dana Reyes'])
  expect(stats.firstCalls?.minutes).toBeGreaterThan(0)
  expect([stats.calledUs > 5, stats.unknownCallers > 1]).toEqual([true, true])
  const personId = stats.agents.find(({ name }) => name === 'Dana Reyes')?.id ?? ''
  const list = await store.callList({ personId, hours, limit: 50, dayEnds: now + DAY })
  expect(list.callbacksToday).toBeGreaterThan(1)
  const { missedCallbacks, people } = await store.callsWaiting(hours)
  expect([missedCallbacks, people > 5]).toEqual([1, true])
  const { leads } = planMonth(now, 'UTC', siteCopy)
  const zonesOf = ({ contact }: (typeof leads)[number]) => whereabouts(contact.phone, null).place?.zones ?? []
  expect(new Set(leads.flatMap(zonesOf))).toEqual(new Set(Object.keys(zones)))
  expect(new Set([...list.ready, ...list.later].map(({ language }) => language))).toEqual(new Set(['en', 'es']))
})

test('has ad spend up to last month', async () => {
  const spent = await store.adSpend({ from: '2029-01', to: '2030-12' })
  expect(new Set(spent.map(({ month }) => month))).toEqual(new Set(['2029-12']))
})

test.each([
  ['late in the evening', '2030-01-16T03:59Z', false],
  ['at night', '2030-01-15T10:00Z', true],
  ['on a Sunday', '2030-01-13T18:00Z', true],
])('has people to call and a missed callback %s', async (_, instant, anytime) => {
  const at = Date.parse(instant)
  const other = await prepareDemo(siteCopy, { now: at, days: 4 })
  const reader = await connectStore(other.config, { access: 'read', now: () => at })
  const { callingHours: hours } = other.config
  expect(hours.anytime ?? false).toBe(anytime)
  const { agents } = await reader.callStats({ since: at - 30 * DAY, until: at })
  const list = await reader.callList({ personId: agents[0]?.id ?? '', hours, limit: 50, dayEnds: at + DAY })
  expect(list.now.count).toBeGreaterThan(3)
  expect((await reader.callsWaiting(hours)).missedCallbacks).toBe(1)
  await reader.close()
  other.remove()
})

test('the CRM beside the desk takes a lead from the site and a sample lead that’s sent again', async () => {
  await onDemand('site')
  const site = await startDemoSite(demo.config)
  onTestFinished(site.stop)
  const before = await store.count({ delivery: 'delivered' })
  expect(await sendLead(site.url ?? '', 'Ada')).toBe(202)
  await expect.poll(() => store.count({ delivery: 'delivered' })).toBe(before + 1)
  const [failed] = await store.page({ filter: { delivery: 'dead' }, order: 'newest first', limit: 1, after: null })
  const editor = await connectStore(demo.config, { access: 'write' })
  await editor.resend({ ids: [failed?.id ?? ''], by: 'Maria Lopez' })
  await editor.close()
  await expect.poll(() => store.count({ delivery: 'delivered' })).toBe(before + 2)
})

test('ignores the operator’s settings and leaves nothing behind', async () => {
  const { config, remove } = demo
  expect(config).toMatchObject({ databaseUrl: null, settingsFile: null, desk: { host: 'localhost', port: 0 } })
  await store.close()
  remove()
  expect(existsSync(config.dataDir)).toBe(false)
})

test('a sign-in link works again, also in a second browser', async () => {
  const [engine] = engines
  const open = await (engine as Engine).open()
  onTestFinished(() => open.remove())
  const { app } = createTestDesk(open.store)
  const links = await demo.addSignInLinks(app, open.store)
  for (let browser = 0; browser < 2; browser++) {
    const headers = { host: new URL(DESK).host }
    const response = await app.request(`${DESK}${links.manager}`, { headers })
    expect([response.status, response.headers.get('location')]).toEqual([302, '/'])
    const cookie = `${response.headers.get('set-cookie')?.split(';')[0]}`
    expect((await app.request(`${DESK}/api/today`, { headers: { ...headers, cookie } })).status).toBe(200)
  }
})
