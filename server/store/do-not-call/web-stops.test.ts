import { expect, test } from 'vitest'
import { MINUTE } from '../../../domain/durations.ts'
import { onEachEngine } from '../../../tests/support/store-engines.ts'
import { floodsIn } from './web-stops.ts'

const slot = (number: number, entries: number) => ({ slot: number, since: number, until: number, entries })

test.each([
  ['a quiet day has none', [slot(1, 3), slot(2, 4), slot(9, 1)], []],
  [
    'a flood includes the slots next to it, and a later one is apart',
    [slot(1, 2), slot(2, 9), slot(3, 5000), slot(4, 300), slot(5, 1), slot(6, 1), slot(20, 50)],
    [
      { since: 20, until: 20, entries: 50 },
      { since: 2, until: 5, entries: 5310 },
    ],
  ],
])('%s', (_, slots, floods) => {
  expect(floodsIn(slots)).toEqual(floods)
})

onEachEngine('a flood on /stop', harness => {
  const { store } = harness
  const number = (index: number) => ({ phone: `212555${1000 + index}` })
  const stop = (
    contacts: Parameters<typeof store.addToDoNotCall>[0]['contacts'],
    source: 'web' | 'crm' | 'desk' = 'web',
  ) => store.addToDoNotCall({ contacts, by: source, source })
  const floods = async () => store.webFloods({ since: 0, until: Date.now() + MINUTE })
  const listed = async () => (await store.doNotCallList({ after: '', limit: 2000 })).map(({ contact }) => contact)

  test('is taken back in one step, with a reason, except for leads and for what others confirmed', async () => {
    await harness.capture('ada')
    const [lead] = await harness.all()
    const own = [{ email: lead?.email ?? '' }, { phone: lead?.phone ?? '' }]
    await stop([number(900)], 'desk')
    await stop([...Array.from({ length: 230 }, (_, index) => number(index)), ...own, { email: 'x@example.org' }])
    await stop([number(7)], 'crm')
    const [flood] = await floods()
    expect(flood).toMatchObject({ entries: 232 })
    const period = { since: flood?.since ?? 0, until: flood?.until ?? 0 }
    const entries = await store.webStops({ ...period, after: '', limit: 999 })
    expect(entries.filter(({ hasLead }) => hasLead).map(({ contact }) => contact)).toHaveLength(2)
    const removed = await store.takeBackWebStops({ ...period, by: 'Maria Lopez', reason: 'A flood' })
    expect(removed).toHaveLength(230)
    expect(await listed()).toEqual(['2125551007', '2125551900', '5552100199', 'ada@example.org'])
    expect(await floods()).toEqual([])
    const recorded = `SELECT event, done_by, reason FROM do_not_call_history WHERE contact = '2125551003' AND event = 'removed'`
    expect(await harness.rows(recorded)).toEqual([{ event: 'removed', done_by: 'Maria Lopez', reason: 'A flood' }])
  })
})
