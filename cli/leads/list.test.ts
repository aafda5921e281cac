import { DatabaseSync } from 'node:sqlite'
import { expect, test } from 'vitest'
import { HOUR } from '../../domain/durations.ts'
import { insertLeads, someLead } from '../../tests/support/lead-fixtures.ts'
import { leads, NOW } from '../../tests/support/leads-command.ts'
import { storePerTest } from '../../tests/support/store-engines.ts'

const held = { state: 'held', heldReason: 'a link in the name', delivery: null } as const

const store = storePerTest()

async function json(...argv: readonly string[]) {
  const { code, out } = await leads(['list', ...argv, '--json'], store)
  expect(code).toBe(0)
  return JSON.parse(out)
}
const listed = async (...argv: readonly string[]) => (await json(...argv)).map(({ id }: { id: string }) => id)

test('each lead is a line, or a JSON object with the webhook’s field names', async () => {
  expect(await leads(['list'], store)).toEqual({ code: 0, out: '', err: 'No leads found.\n' })
  expect(await json()).toEqual([])
  const [id] = insertLeads(store.file, [{ delivery: 'dead', page: '/advertorial' }])
  const { out, err } = await leads(['list'], store)
  expect(out.split('\n').slice(0, 2)).toEqual([
    expect.stringMatching(/^ID +STATE +DELIVERY +AGE +NAME +PHONE +PAGE +CAMPAIGN$/),
    `${id}  accepted  failed    24 h  Ada Lovelace  (555) 010-2030  /advertorial  utm_source=news`,
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
      language: 'en',
      campaign: { utm_source: 'news' },
      delivery: { state: 'failed', attempts: 10, nextAt: null, finishedAt: '2030-01-15T12:00:00.300Z' },
    },
  ])
})

test('a list with leads in another language has a column for it', async () => {
  insertLeads(store.file, [{}, { email: 'bob@example.org' }])
  expect((await leads(['list'], store)).out).not.toContain('LANGUAGE')
  new DatabaseSync(store.file).exec(`UPDATE leads SET language = 'es' WHERE email = 'bob@example.org'`)
  const { out } = await leads(['list'], store)
  expect(out).toMatch(/^ID .* CAMPAIGN +LANGUAGE$/m)
  expect(out.match(/Spanish$/gm)).toHaveLength(1)
  expect(out).not.toContain('English')
  expect(await listed('--language', 'ES')).toHaveLength(1)
  expect((await leads(['list', '--language', 'spanish'], store)).code).toBe(2)
})

test('the newest leads come first, up to the limit, and a note says when there are more', async () => {
  const ids = insertLeads(
    store.file,
    Array.from({ length: 60 }, (_, index) => ({ receivedAt: someLead.receivedAt + Math.floor(index / 7) })),
  )
  const newest = ids.toSorted().toReversed()
  expect(await listed()).toEqual(newest.slice(0, 50))
  expect(await listed('--limit', '10000')).toEqual(newest)
  expect((await leads(['list'], store)).err).toBe('Showing the newest 50 leads. Use --limit to see more.\n')
  expect((await leads(['list', '--limit', '60'], store)).err).toBe('')
})

test('every filter reaches the store', async () => {
  const lead = { receivedAt: Date.UTC(2030, 0, 10), email: 'bob@example.org', phone: '(555) 010-7777' }
  const [, wanted, failed] = insertLeads(store.file, [
    {},
    { ...lead, ...held, lastName: 'Smith', page: '/a', campaign: { utm_term: 'x' }, certificateId: 'a'.repeat(40) },
    { delivery: 'dead' },
  ])
  const filters =
    '--state held|--delivery none|--page /a|--campaign utm_term=x|--email BOB@example.org|--phone +1555.010.7777|' +
    '--name smith|--certificate present|--until 2030-01-11|--since 2030-01-09 --until 2030-01-10T00:01'
  for (const filter of filters.split('|')) expect(await listed(...filter.split(' ')), filter).toEqual([wanted])
  expect(await listed('--campaign', 'utm_term=x', '--campaign', 'utm_source=news')).toEqual([])
  // 0.5.3 called it dead.
  for (const value of ['failed', 'dead']) expect(await listed('--delivery', value)).toEqual([failed])
})

test('every column fits on an 80-column terminal, and a name can’t move the cursor or change the text direction', async () => {
  const [first] = insertLeads(store.file, [
    { receivedAt: NOW - 1, ...held },
    {
      receivedAt: NOW - 59 * 60_000,
      page: '/advertorial',
      campaign: { utm_source: 'x'.repeat(90) },
      firstName: 'Maxi\u001b[2Jmiliane Alexandra',
      lastName: 'von der \u202eLeyenstein',
    },
  ])
  const { out } = await leads(['list'], { ...store, terminal: { columns: 80 } })
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

test('short IDs of leads received at the same time are long enough to differ', async () => {
  const ids = insertLeads(store.file, [{}, {}, {}])
  const { out } = await leads(['list'], { ...store, terminal: {} })
  const shown = [...out.matchAll(/^[0-9a-f-]+/gm)].map(([id]) => id)
  expect(shown.map(short => ids.filter(id => id.startsWith(short)).length)).toEqual([1, 1, 1])
})

test('a failed attempt shows the time of the next one', async () => {
  insertLeads(store.file, [{ nextAt: NOW + 2 * HOUR }])
  const database = new DatabaseSync(store.file)
  database.exec('UPDATE outbox SET attempts = 3')
  database.close()
  expect((await leads(['list'], store)).out).toContain('  retry in 2 h  ')
})

test('--summary counts by state and by delivery', async () => {
  insertLeads(store.file, [{ delivery: 'delivered' }, { delivery: 'dead', page: '/a' }, {}, held])
  insertLeads(store.file, [{ state: 'erased', delivery: 'delivered', receivedAt: NOW - 400 * 24 * HOUR }])
  const counts = Object.entries({ accepted: 3, held: 1, rejected: 0, repeat: 0, erased: 1 })
  const deliveries = Object.entries({ pending: 1, delivered: 2, failed: 1, stopped: 0, none: 1 })
  expect(await json('--summary')).toEqual([
    ...counts.map(([state, count]) => ({ state, leads: count })),
    ...deliveries.map(([delivery, count]) => ({ delivery, leads: count })),
  ])
  expect(await json('--summary', '--state', 'accepted', '--delivery', 'failed', '--page', '/a')).toEqual([
    { state: 'accepted', leads: 1 },
    { delivery: 'failed', leads: 1 },
  ])
  await leads(['pause', '--reason', 'the CRM is being moved'], store)
  const { out, err } = await leads(['list', '--summary', '--since', '2d'], store)
  expect(out).toMatch(/^STATE +LEADS\naccepted +3\n[\s\S]*erased +0\n\nDELIVERY +LEADS\n/)
  expect(err).toMatch(/ paused deliveries at .*being moved/)
})
