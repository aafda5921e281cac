import { expect, test } from 'vitest'
import { DEMO_CALLING_HOURS as hours } from '../../../../domain/calling/hours.ts'
import {
  type DoNotCall,
  type StopFilter,
  type StopSource,
  stopFilters,
  stopSources,
} from '../../../../domain/do-not-call/do-not-call.ts'
import { DAY, HOUR } from '../../../../domain/durations.ts'
import { contactOf, ERASURE_KEY, saying } from '../../../../tests/support/lead-store.ts'
import { onEachEngine } from '../../../../tests/support/store-engines.ts'
import { asOneRequest } from '../../facts/do-not-call/stops.ts'
import type { TakeBackChoice } from './take-back.ts'

onEachEngine('entries that are taken back together', harness => {
  const { store } = harness
  const by = 'Maria Lopez'
  const number = (index: number) => ({ phone: `212555${1000 + index}` })
  const stop = (contacts: readonly DoNotCall[], source: StopSource = 'web') =>
    store.addToDoNotCall({ contacts, by: source === 'web' ? 'website' : source, source })
  const listed = async () => (await store.doNotCallList({ after: '', limit: 2000 })).map(({ contact }) => contact)

  /** What came in through one door, since the beginning of this test. */
  const work = (person: string | null = null) => ({ person, since: 0, until: Date.now() + DAY })
  const order = { by, reason: 'A flood', key: ERASURE_KEY, also: [] }
  const staying = async (chosen: TakeBackChoice) =>
    new Map(
      (await store.requestsToTakeBack({ chosen, key: ERASURE_KEY })).flatMap(({ entries, stays }) =>
        stays === null ? [] : entries.map(entry => [entry, stays] as const),
      ),
    )

  test('leave those of anyone who has or had a lead, and those that someone else confirmed', async () => {
    await harness.capture('ada')
    const erased = await harness.capture('bob', { contact: { ...contactOf('bob'), phone: '(555) 210-0177' } })
    await store.erase({ ids: [erased.id], key: ERASURE_KEY, by })
    await stop([number(900)], 'desk')
    const own = [{ email: 'ada@example.org' }, { phone: '(555) 210-0199' }]
    const once = [{ email: 'bob@example.org' }, { phone: '(555) 210-0177' }]
    await stop(
      [...Array.from({ length: 230 }, (_, index) => number(index)), ...own, ...once, { email: 'x@example.org' }],
      'web',
    )
    await stop([number(7)], 'crm')
    // A request that was taken back again confirms nothing.
    const undone = { ...asOneRequest([number(8)]), by: 'Joe', source: 'desk' } as const
    await store.addToDoNotCall(undone)
    await store.undoDoNotCall(undone)
    expect(await staying(work())).toEqual(
      new Map([
        ['2125551007', 'asked elsewhere'],
        ...['5552100177', '5552100199', 'ada@example.org', 'bob@example.org'].map(
          entry => [entry, 'has a lead'] as const,
        ),
      ]),
    )
    const { removed } = await store.takeBackRequests({ ...order, chosen: work() })
    expect(removed).toHaveLength(230)
    const kept = ['2125551007', '2125551900', '5552100177', '5552100199', 'ada@example.org', 'bob@example.org']
    expect(await listed()).toEqual(kept)
    const recorded = `SELECT event, done_by, reason FROM do_not_call_history WHERE contact = '2125551003' AND event = 'removed'`
    expect(await harness.rows(recorded)).toEqual([{ event: 'removed', done_by: by, reason: 'A flood' }])
  })

  test('go with their whole request, or stay with it', async () => {
    await harness.capture('ada')
    const address = { email: 'ada@example.org' }
    const request = (...contacts: readonly DoNotCall[]) =>
      store.addToDoNotCall({ ...asOneRequest(contacts), by: 'website', source: 'web' })
    await request(number(1), address)
    await request(number(2), { email: 'x@example.org' })
    // The address was on the list: it's in the request, too.
    await stop([{ email: 'y@example.org' }], 'desk')
    await request(number(3), { email: 'y@example.org' })
    const { removed } = await store.takeBackRequests({ ...order, chosen: work() })
    expect(removed).toEqual(['2125551002', 'x@example.org'])
    expect(await listed()).toEqual(['2125551001', '2125551003', address.email, 'y@example.org'])
    const { requests } = await store.stopRequests({ limit: 9 })
    const chosen = { requests: requests.map(({ id }) => id) }
    expect((await store.takeBackRequests({ ...order, chosen })).removed).toEqual([])
  })

  test('are one person’s work since a time: stops of people with leads go, those on dialed calls stay unless chosen', async () => {
    const captured = await Promise.all(
      [1, 2, 3].map(index =>
        harness.capture(`n${index}`, { contact: { ...contactOf(`n${index}`), ...number(index) } }),
      ),
    )
    await harness.deliverAll()
    const [plain, dialed, incoming] = captured.map(({ id }) => id) as [string, string, string]
    const joe = { id: 'joe', name: 'Joe' }
    const say = (leadId: string) => store.saveCall({ person: joe, hours, ...saying(leadId, 'never call again') })
    const byJoe = (contacts: readonly DoNotCall[], source: StopSource = 'desk') =>
      store.addToDoNotCall({ ...asOneRequest(contacts), by: 'Joe', source })
    await byJoe([number(9)], 'letter')
    await harness.change(`UPDATE do_not_call_history SET at = 1000`)
    await byJoe([number(9)])
    await byJoe([number(1)])
    await byJoe([number(4)])
    await stop([number(4)], 'web')
    await store.startCall({ leadId: dialed, person: joe, hours, overrideReason: 'a test' })
    await say(dialed)
    await store.takeCall({ leadId: incoming, person: joe, hours })
    await say(incoming)
    const chosen = { ...work('Joe'), since: 2000 }
    expect(await staying(chosen)).toEqual(
      new Map([
        ['2125551002', 'dialed call'],
        ['2125551004', 'asked elsewhere'],
        ['2125551009', 'asked elsewhere'],
        ['n2@example.org', 'dialed call'],
      ]),
    )
    const preview = await store.requestsToTakeBack({ chosen, key: null })
    const also = preview.flatMap(({ id, entries }) => (entries.includes('2125551002') ? [id] : []))
    const done = await store.takeBackRequests({ ...order, chosen, also })
    expect(done.removed.toSorted()).toEqual([
      ...['2125551001', '2125551002', '2125551003'],
      ...['n2@example.org', 'n3@example.org'],
    ])
    expect(await listed()).toEqual(['2125551004', '2125551009'])
    expect(await store.leadsOnDoNotCallList([plain, dialed, incoming])).toEqual(new Set())
  })

  test('are removals, too: put back with their cause, and a number that was put on the list again stays', async () => {
    const request = { askedBy: 'person', askedOn: '2030-01-31' } as const
    await stop([number(1), number(2)], 'web')
    const before = await store.stopRequests({ limit: 9 })
    const remove = (index: number, most = 5) =>
      store.removeCaller({ ...number(index), by: 'Joe', request, most, since: 0 })
    await remove(1)
    await remove(2)
    await store.addToDoNotCall({ ...asOneRequest([number(2)]), by: 'Joe', source: 'desk' })
    // One's own, which was a mistake, doesn't come back.
    const own = { contacts: [number(3)], by: 'Joe' }
    await store.addToDoNotCall({ ...own, source: 'desk' })
    await store.removeFromDoNotCall({ ...own, request: null })
    await store.addToDoNotCall({ ...own, source: 'desk' })
    await store.addToDoNotCall({ contacts: [number(4)], by: 'Joe', source: 'desk' })
    await store.removeFromDoNotCall({ contacts: [number(4)], by: 'Joe', request: null })
    const chosen = work('Joe')
    const removals = { ...chosen, removedBy: 'Joe', by }
    expect(await store.countRemovalsBy(removals)).toBe(1)
    expect((await store.restoreRemovals(removals)).restored).toEqual(['2125551001'])
    expect(await staying(chosen)).toEqual(new Map([['2125551002', 'was listed']]))
    expect((await store.takeBackRequests({ ...order, chosen })).removed).toEqual(['2125551003'])
    expect((await store.stopRequests({ limit: 9 })).requests).toContainEqual(
      before.requests.find(({ entries }) => entries.includes('2125551001')),
    )
  })

  test('five numbers a day come off the list through one agent’s hands, also at the same moment', async () => {
    await stop(Array.from({ length: 9 }, (_, index) => number(index)))
    const another = await harness.openAnother()
    const request = { askedBy: 'person', askedOn: '2030-01-31' } as const
    const remove = (index: number, since = 0, from = store) =>
      from.removeCaller({ ...number(index), by: 'Joe', request, most: 5, since })
    const done = await Promise.all(
      Array.from({ length: 8 }, (_, index) => remove(index, 0, index % 2 === 0 ? store : another)),
    )
    expect(done.filter(each => each === null)).toHaveLength(3)
    expect(await listed()).toHaveLength(4)
    // The next day.
    expect(await remove(8, Date.now() + DAY)).toMatchObject({ removed: ['2125551008'] })
  })

  test('and how many one person recorded within an hour is known', async () => {
    await stop(Array.from({ length: 60 }, (_, index) => number(index)))
    for (const index of [1, 2, 3]) await store.addToDoNotCall({ ...asOneRequest([number(index)]), by, source: 'desk' })
    await store.addToDoNotCall({ ...asOneRequest([number(4), { email: 'x@example.org' }]), by, source: 'call' })
    expect(await store.mostStopsByOne(HOUR)).toBe(4)
    await harness.change(`UPDATE do_not_call_history SET at = at - ${HOUR} WHERE contact = '2125551001'`)
    expect(await store.mostStopsByOne(HOUR)).toBe(3)
  })

  test('are put back as they were by Undo of a removal: whole, as they came in, and no longer what a colleague changed since', async () => {
    const { id } = await harness.capture('ada')
    await harness.deliverAll()
    const contacts = [{ phone: '(555) 210-0199' }, { email: 'ada@example.org' }]
    const letter = { source: 'letter', askedOn: '2030-01-30' } as const
    await store.addToDoNotCall({ ...asOneRequest(contacts), by: 'Joe', ...letter })
    await stop(contacts.slice(0, 1))
    await harness.change('UPDATE do_not_call SET added_at = 1000')
    await harness.change(`UPDATE do_not_call_history SET at = 1000 WHERE n = 1`)
    const before = await store.stopRequests({ limit: 9 })
    expect(before.requests).toMatchObject([
      { by: 'Joe', at: 1000, ...letter, entries: expect.arrayContaining([expect.any(String)]) },
    ])
    const remove = () => store.removeFromDoNotCall({ contacts, by, request: null })
    const undo = (removedBy: string) => store.restoreRemovals({ contacts, by, removedBy, leadId: id })
    await remove()
    expect(await undo('Joe')).toEqual({ restored: [], told: [] })
    expect(await undo(by)).toEqual({ restored: ['5552100199', 'ada@example.org'], told: [id] })
    expect(await store.stopRequests({ limit: 9 })).toEqual(before)
    expect(await harness.historyOf(id)).toContainEqual(['put back on do-not-call list', { contact: 'email', by }])
    // The entry still stands for both requests, until it's removed again.
    await remove()
    await stop(contacts.slice(1), 'crm')
    expect((await undo(by)).restored).toEqual(['5552100199'])
    expect(await undo(by)).toEqual({ restored: [], told: [] })
  })

  test('can be selected, and are listed newest first, by how and when they came in', async () => {
    await stop([number(1), number(2), number(3)])
    await stop([number(4)], 'desk')
    await harness.change(`UPDATE do_not_call SET added_at = 1000 WHERE contact = '2125551002'`)
    const page = async (filter: object) =>
      (await store.stopRequests({ limit: 9, ...filter })).requests.flatMap(({ entries }) => entries)
    expect((await page({})).at(-1)).toBe('2125551002')
    expect(await page({ source: 'web', since: 2000 })).toEqual(['2125551003', '2125551001'])
    expect(await page({ until: 2000 })).toEqual(['2125551002'])
    expect(await page({ search: '551004' })).toEqual(['2125551004'])
    const { next } = await store.stopRequests({ limit: 1, source: 'web' })
    expect(await page({ source: 'web', before: next })).toEqual(['2125551001', '2125551002'])
    const chosen = { requests: ['2125551001', '2125551999'] }
    expect((await store.takeBackRequests({ ...order, chosen })).removed).toEqual(['2125551001'])
    expect(await listed()).toEqual(['2125551002', '2125551003', '2125551004'])
  })

  test('are each found by one choice of how they came in, also those from versions that didn’t record it', async () => {
    const sources = Object.keys(stopSources) as StopSource[]
    for (const [index, source] of sources.entries()) await stop([number(index)], source)
    await harness.change(`INSERT INTO do_not_call (contact, added_at, n) VALUES ('2125551900', 1000, 0)`)
    const found: string[] = []
    for (const source of Object.keys(stopFilters) as StopFilter[]) {
      const { requests } = await store.stopRequests({ limit: 99, source })
      expect(await store.countStopRequests({ source })).toBe(1)
      found.push(...requests.flatMap(({ entries }) => entries))
    }
    expect(found.toSorted()).toEqual(await listed())
  })
})
