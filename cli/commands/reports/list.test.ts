import { DatabaseSync } from 'node:sqlite'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { createStore, insertLeads, someLead } from '../../../tests/support/lead-fixtures.ts'
import { leads, NOW } from '../../../tests/support/leads-command.ts'

const HOUR = 3_600_000

let store: Awaited<ReturnType<typeof createStore>>
beforeEach(async () => {
  store = await createStore()
})
afterEach(() => store.remove())

/** The ids that a call of `list` shows, in its order. */
async function listed(...argv: readonly string[]): Promise<readonly string[]> {
  const { code, out } = await leads(['list', ...argv, '--json'], store)
  expect(code).toBe(0)
  return (JSON.parse(out) as { id: string }[]).map(({ id }) => id)
}

test('an empty store has no leads', async () => {
  expect(await leads(['list'], store)).toEqual({ code: 0, out: '', err: 'No leads.\n' })
  expect((await leads(['list', '--json'], store)).out).toBe('[]\n')
})

test('each lead is a line with its state, age, name, page and campaign, without phone and e-mail', async () => {
  const [id] = insertLeads(store.file, [{ delivery: 'delivered', page: '/advertorial' }])
  const { out, err } = await leads(['list'], store)
  expect(out.split('\n')[0]).toMatch(/^ID +STATE +DELIVERY +AGE +NAME +PAGE +CAMPAIGN$/)
  expect(out.split('\n')[1]).toBe(`${id}  accepted  delivered  24 h  Ada Lovelace  /advertorial  utm_source=news`)
  expect(err).toBe('')
  const json = (await leads(['list', '--json'], store)).out
  for (const secret of [someLead.email, someLead.phone, someLead.dateOfBirth, someLead.clientAddress]) {
    expect(out).not.toContain(secret)
    expect(json).not.toContain(secret)
  }
})

test('the newest come first, as many as the limit says, and it is said when there are more', async () => {
  const ids = insertLeads(
    store.file,
    Array.from({ length: 60 }, (_, index) => ({ receivedAt: someLead.receivedAt + index })),
  )
  expect(await listed()).toEqual(ids.toReversed().slice(0, 50))
  expect(await listed('--limit', '3')).toEqual(ids.toReversed().slice(0, 3))
  expect(await listed('--limit', '2000')).toEqual(ids.toReversed())
  expect((await leads(['list'], store)).err).toBe('Only the newest 50 leads: --limit shows more.\n')
  expect((await leads(['list', '--limit', '60'], store)).err).toBe('')
})

test('more leads than are read at a time come without gaps and repetitions', async () => {
  const ids = insertLeads(
    store.file,
    Array.from({ length: 2500 }, (_, index) => ({ receivedAt: someLead.receivedAt + Math.floor(index / 7) })),
  )
  expect(await listed('--limit', '9999')).toEqual(ids.toSorted().toReversed())
})

describe('filters', () => {
  test('by state and by delivery', async () => {
    const [pending, delivered, dead, held, repeat, erased] = insertLeads(
      store.file,
      [
        { delivery: 'pending' },
        { delivery: 'delivered' },
        { delivery: 'dead' },
        { state: 'held', delivery: null },
        { state: 'repeat', delivery: null },
        { state: 'erased', delivery: null },
      ].map((lead, index) => ({ ...lead, receivedAt: someLead.receivedAt - index }) as const) as never,
    )
    expect(await listed('--state', 'accepted')).toEqual([pending, delivered, dead])
    expect(await listed('--state', 'held')).toEqual([held])
    expect(await listed('--state', 'repeat')).toEqual([repeat])
    expect(await listed('--state', 'erased')).toEqual([erased])
    expect(await listed('--delivery', 'pending')).toEqual([pending])
    expect(await listed('--delivery', 'delivered')).toEqual([delivered])
    expect(await listed('--delivery', 'dead')).toEqual([dead])
    expect(await listed('--delivery', 'none')).toEqual([held, repeat, erased])
    expect(await listed('--delivery', 'none', '--state', 'repeat')).toEqual([repeat])
    expect(await listed('--delivery', 'dead', '--state', 'held')).toEqual([])
  })

  test('by page', async () => {
    const [, advertorial] = insertLeads(store.file, [{ page: '/' }, { page: '/advertorial' }])
    expect(await listed('--page', '/advertorial')).toEqual([advertorial])
    expect(await listed('--page', '/adv')).toEqual([])
  })

  test('by campaign parameters, all of them, exactly', async () => {
    const [first, second, tricky] = insertLeads(store.file, [
      { receivedAt: NOW - 1, campaign: { utm_source: 'news', utm_term: 'a' } },
      { receivedAt: NOW - 2, campaign: { utm_source: 'news', utm_term: 'b' } },
      { receivedAt: NOW - 3, campaign: { utm_source: 'x"utm_term":"a', utm_campaign: '100%_\\' } },
    ])
    expect(await listed('--campaign', 'utm_source=news')).toEqual([first, second])
    expect(await listed('--campaign', 'utm_source=news', '--campaign', 'utm_term=b')).toEqual([second])
    expect(await listed('--campaign', 'utm_source=NEWS')).toEqual([])
    expect(await listed('--campaign', 'utm_source=new')).toEqual([])
    expect(await listed('--campaign', 'utm_term=a')).toEqual([first])
    expect(await listed('--campaign', 'utm_campaign=100%_\\')).toEqual([tricky])
  })

  test('by the person: e-mail and phone exactly, a part of the name, in capitals or not', async () => {
    const [ada, jose, barred] = insertLeads(store.file, [
      { receivedAt: NOW - 1 },
      { receivedAt: NOW - 2, firstName: 'JOSÉ', lastName: 'Ñandú', email: 'JOSÉ@example.org', phone: '(555) 010-7777' },
      { receivedAt: NOW - 3, email: 'ada@example.org|x@example.org', phone: '(555) 010-8888', lastName: '100%_' },
    ])
    expect(await listed('--email', 'ADA@example.org')).toEqual([ada])
    expect(await listed('--email', 'josé@EXAMPLE.org')).toEqual([jose])
    expect(await listed('--email', 'da@example.org')).toEqual([])
    expect(await listed('--email', 'ada@example.or')).toEqual([])
    expect(await listed('--phone', '+1 555.010.7777')).toEqual([jose])
    expect(await listed('--phone', '5550102031')).toEqual([])
    expect(await listed('--name', 'a love')).toEqual([ada])
    expect(await listed('--name', 'josé ñ')).toEqual([jose])
    expect(await listed('--name', 'JOSÉ')).toEqual([jose])
    expect(await listed('--name', 'jos')).toEqual([jose])
    expect(await listed('--name', '%_')).toEqual([barred])
    expect(await listed('--name', 'ada', '--phone', '5550108888')).toEqual([barred])
  })

  test('by certificate: there, none, or something else was sent', async () => {
    const [present, none, invalid] = insertLeads(store.file, [
      { receivedAt: NOW - 1, certificateId: 'a'.repeat(40) },
      { receivedAt: NOW - 2 },
      { receivedAt: NOW - 3, certificate: 'invalid' },
    ])
    expect(await listed('--certificate', 'present')).toEqual([present])
    expect(await listed('--certificate', 'none')).toEqual([none])
    expect(await listed('--certificate', 'invalid')).toEqual([invalid])
  })

  test('by time: from an instant on, and up to another without it', async () => {
    const at = Date.UTC(2030, 0, 10)
    const [before, on, after] = insertLeads(store.file, [
      { receivedAt: at - 1 },
      { receivedAt: at },
      { receivedAt: at + 24 * HOUR },
    ])
    expect(await listed('--since', '2030-01-10')).toEqual([after, on])
    expect(await listed('--until', '2030-01-10')).toEqual([before])
    expect(await listed('--since', '2030-01-10', '--until', '2030-01-11')).toEqual([on])
    expect(await listed('--since', '2030-01-09T23:59:59.999')).toEqual([after, on, before])
    expect(await listed('--since', '2030-01-10T02:00+02:00')).toEqual([after, on])
    expect(await listed('--since', `${(NOW - at) / HOUR}h`)).toEqual([after, on])
    expect(await listed('--since', '5d')).toEqual([])
  })

  test('by today, which begins when it does in the operator’s time zone', async () => {
    const midnight = Date.UTC(2030, 0, 16, 5)
    const [yesterday, today] = insertLeads(store.file, [{ receivedAt: midnight - 1 }, { receivedAt: midnight }])
    const idsSince = async (when: string, env: Record<string, string>) => {
      const { out } = await leads(['list', '--since', when, '--json'], { ...store, env, now: midnight + HOUR })
      return (JSON.parse(out) as { id: string }[]).map(({ id }) => id)
    }
    expect(await idsSince('today', { TIME_ZONE: 'America/New_York' })).toEqual([today])
    expect(await idsSince('yesterday', { TIME_ZONE: 'America/New_York' })).toEqual([today, yesterday])
    expect(await idsSince('today', {})).toEqual([today, yesterday])
  })

  test('a time zone that does not exist is explained', async () => {
    const { code, err } = await leads(['list', '--since', 'today'], { ...store, env: { TIME_ZONE: 'Eastern' } })
    expect([code, err]).toEqual([1, expect.stringContaining('TIME_ZONE is "Eastern"')])
  })
})

test('a pending delivery that was tried tells how often and when it is tried again', async () => {
  insertLeads(store.file, [{ nextAt: NOW + 2 * HOUR }])
  const database = new DatabaseSync(store.file)
  database.exec('UPDATE deliveries SET attempts = 3')
  database.close()
  expect((await leads(['list'], store)).out).toContain('pending (3 attempts, next in 2 h)')
})

describe('on a terminal of 80 columns', () => {
  const terminal = { columns: 80 }
  const heads = ['ID', 'STATE', 'DELIVERY', 'AGE', 'NAME', 'PAGE', 'CAMPAIGN']

  test('every column is seen, with a held and a retried lead, long names and long campaigns', async () => {
    const [held, retried] = insertLeads(store.file, [
      { receivedAt: NOW - 1, state: 'held', heldReason: 'many from one address', delivery: null },
      {
        ...{ receivedAt: NOW - 59 * 60_000, nextAt: NOW + 59 * 60_000, page: '/advertorial' },
        ...{
          firstName: 'Maximiliane Alexandra',
          lastName: 'von der Leyenstein',
          campaign: { utm_source: 'x'.repeat(90) },
        },
      },
    ])
    const database = new DatabaseSync(store.file)
    database.exec('UPDATE deliveries SET attempts = 3')
    database.close()
    const { out } = await leads(['list'], { ...store, terminal })
    const [head = '', first = '', second = ''] = out.split('\n')
    expect(head.split(/ +/)).toEqual(heads)
    expect(first.split(/ {2,}/)).toEqual([
      ...[
        held?.slice(0, 8),
        'held: many',
        'none',
        '0 s',
        expect.stringMatching(/^Ada Lov/),
        '/',
        expect.stringMatching(/^utm_source/),
      ],
    ])
    expect(second.split(/ {2,}/)).toEqual([
      ...[retried?.slice(0, 8), 'accepted', 'retry 59 min', '59 min', expect.stringMatching(/^Maximil.*…$/)],
      ...[expect.stringMatching(/^\/adv/), expect.stringMatching(/^utm_.*…$/)],
    ])
    expect([head, first, second].every(line => line.length <= 80)).toBe(true)
  })

  test('ids of leads that came at the same time are as long as it takes to tell them apart', async () => {
    const ids = insertLeads(store.file, [{}, {}, {}])
    const { out } = await leads(['list'], { ...store, terminal })
    const shown = out
      .trimEnd()
      .split('\n')
      .slice(1)
      .map(line => line.split(' ')[0] ?? '')
    expect(new Set(shown).size).toBe(3)
    for (const short of shown) {
      expect(ids.filter(id => id.startsWith(short))).toHaveLength(1)
      expect((await leads(['show', short], store)).code).toBe(0)
    }
    expect(out.split('\n')[0]?.split(/ +/)).toEqual(heads)
  })

  test('letters that take two columns do not push the others aside', async () => {
    insertLeads(store.file, [
      { receivedAt: NOW - 1, firstName: '小明', lastName: '王', page: '/here' },
      { receivedAt: NOW - 2, firstName: 'Ada', lastName: 'L.', page: '/here' },
    ])
    const [, wide = '', narrow = ''] = (await leads(['list'], { ...store, terminal })).out.split('\n')
    expect(wide.indexOf('/here') + 3).toBe(narrow.indexOf('/here'))
  })
})

test('held and rejected leads are listed with phone and e-mail, by which they are decided about', async () => {
  insertLeads(store.file, [{ state: 'held', heldReason: 'a link in the name', delivery: null }, { receivedAt: NOW }])
  const { out } = await leads(['list', '--state', 'held'], store)
  expect(out.split('\n')[0]).toMatch(/^ID +STATE +AGE +NAME +PHONE +E-MAIL +PAGE +CAMPAIGN$/)
  expect(out).toMatch(
    /held \(a link in the name\) +24 h +Ada Lovelace +\(555\) 010-2030 +ada@example.org +\/ +utm_source=news/,
  )
  const json = JSON.parse((await leads(['list', '--state', 'held', '--json'], store)).out)
  expect(json).toMatchObject([{ email: someLead.email, phone: someLead.phone }])
  const narrow = (await leads(['list', '--state', 'held'], { ...store, terminal: { columns: 80 } })).out.split('\n')
  expect(narrow[1]).toMatch(/^\w{8} +held: link +24 h +Ada.* +\(555\) 010-2030 +ada/)
  expect(narrow.every(line => line.length <= 80)).toBe(true)
})

test('on a terminal a line is cut at its edge; names cannot move the cursor or turn the direction', async () => {
  insertLeads(store.file, [
    { firstName: 'A\u001b[2Jda', lastName: 'Love\u202elace', campaign: { utm_source: 'x'.repeat(200) } },
  ])
  const { out } = await leads(['list'], { ...store, terminal: { columns: 80 } })
  const lines = out.trimEnd().split('\n')
  expect(lines).toHaveLength(2)
  expect(lines.every(line => line.length <= 80)).toBe(true)
  // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the point
  expect(out).not.toMatch(/[\u001b\u202e]/)
  expect((await leads(['list'], store)).out).toContain('x'.repeat(200))
})
