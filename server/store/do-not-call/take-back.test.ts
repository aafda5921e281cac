import { expect, test } from 'vitest'
import { type StopFilter, type StopSource, stopFilters, stopSources } from '../../../domain/do-not-call.ts'
import { contactOf, ERASURE_KEY } from '../../../tests/support/lead-store.ts'
import { onEachEngine } from '../../../tests/support/store-engines.ts'
import { asOneRequest } from './stops.ts'

onEachEngine('entries that are taken back together', harness => {
  const { store } = harness
  const by = 'Maria Lopez'
  const number = (index: number) => ({ phone: `212555${1000 + index}` })
  const stop = (contacts: Parameters<typeof store.addToDoNotCall>[0]['contacts'], source: StopSource = 'web') =>
    store.addToDoNotCall({ contacts, by: source, source })
  const listed = async () => (await store.doNotCallList({ after: '', limit: 2000 })).map(({ contact }) => contact)

  test('leave those of anyone who has or had a lead, and those that another source confirmed', async () => {
    await harness.capture('ada')
    const erased = await harness.capture('bob', { contact: { ...contactOf('bob'), phone: '(555) 210-0177' } })
    await store.erase({ ids: [erased.id], key: ERASURE_KEY, by })
    await stop([number(900)], 'desk')
    const own = [{ email: 'ada@example.org' }, { phone: '(555) 210-0199' }]
    const once = [{ email: 'bob@example.org' }, { phone: '(555) 210-0177' }]
    await stop([
      ...Array.from({ length: 230 }, (_, index) => number(index)),
      ...own,
      ...once,
      { email: 'x@example.org' },
    ])
    await stop([number(7)], 'crm')
    // A request that was taken back again confirms nothing.
    const order = { ...asOneRequest([number(8)]), by: 'desk', source: 'desk' } as const
    await store.addToDoNotCall(order)
    await store.undoDoNotCall(order)
    const chosen = { source: 'web', since: 0 } as const
    const removed = await store.takeBackEntries({ chosen, by, reason: 'A flood', key: ERASURE_KEY })
    expect(removed).toHaveLength(230)
    const kept = ['2125551007', '2125551900', '5552100177', '5552100199', 'ada@example.org', 'bob@example.org']
    expect(await listed()).toEqual(kept)
    expect(await store.ownEntries({ entries: kept, key: ERASURE_KEY })).toEqual(
      new Set(kept.filter(each => each !== '2125551900')),
    )
    const recorded = `SELECT event, done_by, reason FROM do_not_call_history WHERE contact = '2125551003' AND event = 'removed'`
    expect(await harness.rows(recorded)).toEqual([{ event: 'removed', done_by: by, reason: 'A flood' }])
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
    // It still stands for both requests, until it's removed again.
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
    const order = { by, reason: 'A flood', key: null }
    expect(await store.takeBackEntries({ ...order, chosen: ['2125551001', '2125551999'] })).toEqual(['2125551001'])
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
