import { DatabaseSync } from 'node:sqlite'
import { beforeEach, describe, expect, test } from 'vitest'
import { insertLeads, someLead } from '../../tests/support/lead-fixtures.ts'
import { leads, NOW } from '../../tests/support/leads-command.ts'
import { storePerTest } from '../../tests/support/store-engines.ts'

const HOUR = 3_600_000
const held = { state: 'held', heldReason: 'a link in the name', delivery: null } as const

const store = storePerTest()

async function json(...argv: readonly string[]) {
  const { code, out } = await leads(['list', ...argv, '--json'], store)
  expect(code).toBe(0)
  return JSON.parse(out)
}
const listed = async (...argv: readonly string[]) => (await json(...argv)).map(({ id }: { id: string }) => id)

test('an empty store has no leads', async () => {
  expect(await leads(['list'], store)).toEqual({ code: 0, out: '', err: 'No leads found.\n' })
  expect(await json()).toEqual([])
})

test('each lead is a line, or a JSON object with the webhook’s field names', async () => {
  const [id] = insertLeads(store.file, [{ delivery: 'delivered', page: '/advertorial' }])
  const { out, err } = await leads(['list'], store)
  expect(out.split('\n').slice(0, 2)).toEqual([
    expect.stringMatching(/^ID +STATE +DELIVERY +AGE +NAME +PHONE +PAGE +CAMPAIGN$/),
    `${id}  accepted  delivered  24 h  Ada Lovelace  (555) 010-2030  /advertorial  utm_source=news`,
  ])
  expect(err).toBe('')
  expect(await json()).toEqual([
    {
      id,
      receivedAt: '2030-01-15T12:00:00.000Z',
      state: 'accepted',
      heldReason: null,
      rejectedReason: null,
      repeatOf: null,
      contact: { firstName: 'Ada', lastName: 'Lovelace', phone: '(555) 010-2030' },
      page: '/advertorial',
      campaign: { utm_source: 'news' },
      delivery: { state: 'delivered', attempts: 1, nextAt: null, finishedAt: '2030-01-15T12:00:00.300Z' },
    },
  ])
})

test('the newest leads come first, up to the limit, and a note says when there are more', async () => {
  const ids = insertLeads(
    store.file,
    Array.from({ length: 1200 }, (_, index) => ({ receivedAt: someLead.receivedAt + Math.floor(index / 7) })),
  )
  const newest = ids.toSorted().toReversed()
  expect(await listed()).toEqual(newest.slice(0, 50))
  expect(await listed('--limit', '9999')).toEqual(newest)
  expect((await leads(['list'], store)).err).toBe('Showing the newest 50 leads. Use --limit to see more.\n')
  expect((await leads(['list', '--limit', '1200'], store)).err).toBe('')
})

test('every filter reaches the store', async () => {
  const lead = { receivedAt: Date.UTC(2030, 0, 10), email: 'bob@example.org', phone: '(555) 010-7777' }
  const [, wanted] = insertLeads(store.file, [
    {},
    { ...lead, ...held, lastName: 'Smith', page: '/a', campaign: { utm_term: 'x' }, certificateId: 'a'.repeat(40) },
  ])
  for (const filter of [
    ...[
      ['--state', 'held'],
      ['--delivery', 'none'],
      ['--page', '/a'],
      ['--campaign', 'utm_term=x'],
    ],
    ...[
      ['--email', 'BOB@example.org'],
      ['--phone', '+1 555.010.7777'],
      ['--name', 'smith'],
    ],
    ...[
      ['--certificate', 'present'],
      ['--until', '2030-01-11'],
      ['--since', '2030-01-09', '--until', '2030-01-10T00:01'],
    ],
  ]) {
    expect(await listed(...filter)).toEqual([wanted])
  }
  expect(await listed('--campaign', 'utm_term=x', '--campaign', 'utm_source=news')).toEqual([])
})

describe('in an 80-column terminal', () => {
  const terminal = { columns: 80 }

  test('every column shows, and names can’t move the cursor or change the text direction', async () => {
    const [first] = insertLeads(store.file, [
      { receivedAt: NOW - 1, ...held },
      {
        ...{ receivedAt: NOW - 59 * 60_000, page: '/advertorial', campaign: { utm_source: 'x'.repeat(90) } },
        ...{ firstName: 'Maxi\u001b[2Jmiliane Alexandra', lastName: 'von der \u202eLeyenstein' },
      },
    ])
    const { out } = await leads(['list'], { ...store, terminal })
    const lines = out.trimEnd().split('\n')
    expect(lines[0]?.split(/ +/)).toHaveLength(8)
    expect(lines[1]).toMatch(
      new RegExp(`^${first?.slice(0, 8)}  held: link  none +0 s +Ada.* +\\(555\\) 010-2030 +/ +utm`),
    )
    expect(lines[2]).toMatch(/^\w{8} +accepted +pending +59 min +Maxi.*… +\(555\) 010-2030 +\/adv.* +utm_.*…$/)
    expect(lines.every(line => line.length <= 80)).toBe(true)
    // biome-ignore lint/suspicious/noControlCharactersInRegex: the test checks that there are none
    expect(out).not.toMatch(/[\u001b\u202e]/)
    expect((await leads(['list'], store)).out).toContain('x'.repeat(90))
  })

  test('IDs of leads received at the same time are long enough to differ', async () => {
    const ids = insertLeads(store.file, [{}, {}, {}])
    const { out } = await leads(['list'], { ...store, terminal })
    const shown = [...out.matchAll(/^[0-9a-f-]+/gm)].map(([id]) => id)
    expect(shown.map(short => ids.filter(id => id.startsWith(short)).length)).toEqual([1, 1, 1])
    expect((await leads(['show', shown[0] ?? ''], store)).code).toBe(0)
  })
})

test('a failed attempt shows the time of the next one', async () => {
  insertLeads(store.file, [{ nextAt: NOW + 2 * HOUR }])
  const database = new DatabaseSync(store.file)
  database.exec('UPDATE deliveries SET attempts = 3')
  database.close()
  expect((await leads(['list'], store)).out).toContain('  retry in 2 h  ')
})

describe('counts', () => {
  beforeEach(() => {
    insertLeads(store.file, [
      { delivery: 'delivered' },
      { delivery: 'dead', page: '/a' },
      { campaign: { utm_campaign: 'spring' } },
      { ...held, campaign: { campaign: 'spring' } },
      { state: 'erased', delivery: 'delivered', campaign: {} },
    ])
  })

  test('--summary counts by state and by delivery', async () => {
    expect(await json('--summary')).toEqual([
      ...[
        { state: 'accepted', leads: 3 },
        { state: 'held', leads: 1 },
        { state: 'rejected', leads: 0 },
      ],
      ...[
        { state: 'repeat', leads: 0 },
        { state: 'erased', leads: 1 },
      ],
      ...[
        { delivery: 'pending', leads: 1 },
        { delivery: 'delivered', leads: 2 },
        { delivery: 'dead', leads: 1 },
      ],
    ])
    const { out } = await leads(['list', '--summary', '--since', 'today'], store)
    expect(out).toMatch(/^STATE +LEADS\naccepted +0\n/)
    insertLeads(store.file, [{ receivedAt: someLead.receivedAt - 400 * 24 * HOUR }])
    const { out: sinceThen } = await leads(['list', '--summary', '--since', '2020-01-01'], store)
    expect(sinceThen).toMatch(/^STATE +LEADS\naccepted +4\n/)
    await leads(['pause', '--reason', 'the CRM is being moved'], store)
    expect((await leads(['list', '--summary'], store)).err).toMatch(/ paused deliveries at .*being moved/)
  })

  test('--by counts by anything, largest first, with the same filters', async () => {
    expect(await json('--by', 'campaign')).toEqual([
      ...[
        { utm_campaign: null, leads: 2 },
        { utm_campaign: 'spring', leads: 2 },
      ],
      { utm_campaign: '(erased)', leads: 1 },
    ])
    expect(await json('--by', 'page', '--delivery', 'dead')).toEqual([{ page: '/a', leads: 1 }])
    expect(await json('--by', 'utm_source')).toContainEqual({ utm_source: 'news', leads: 2 })
    const { out } = await leads(['list', '--by', 'campaign'], store)
    expect(out).toBe('UTM_CAMPAIGN  LEADS\n(none)            2\nspring            2\n(erased)          1\n')
    expect((await leads(['list', '--by', 'state'], store)).err).toBe('To count by state, use --summary.\n')
    expect(await leads(['list', '--by', 'a b'], store)).toMatchObject({
      code: 2,
      err: expect.stringContaining('--by must be'),
    })
  })
})
