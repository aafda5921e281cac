import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openSqliteStore } from '../../../server/store/sqlite/sqlite-store.ts'
import { createStore, insertLeads, rowsOf, type StoredLead, someLead } from '../../../tests/support/lead-fixtures.ts'
import { leads, NOW } from '../../../tests/support/leads-command.ts'
import { whoAsks } from '../../leads/who-asks.ts'

const DAY = 24 * 60 * 60 * 1000
const webhook = { LEAD_WEBHOOK_URL: 'http://127.0.0.1:9/' }

let store: Awaited<ReturnType<typeof createStore>>
beforeEach(async () => {
  store = await createStore()
})
afterEach(() => store.remove())

function pendingIds(): readonly unknown[] {
  return rowsOf(store.file, `SELECT lead_id FROM deliveries WHERE state = 'pending' ORDER BY lead_id`).map(
    row => row['lead_id'],
  )
}

test.each(['dead', 'delivered'] as const)(
  'a %s lead is due at once, with all its attempts before it',
  async delivery => {
    const [id = ''] = insertLeads(store.file, [{ delivery }])
    const { code, err } = await leads(['resend', id], { ...store, env: webhook })
    expect({ code, err }).toEqual({ code: 0, err: '1 lead put into the outbox.\n' })
    expect(rowsOf(store.file, 'SELECT * FROM deliveries')).toEqual([
      {
        lead_id: id,
        webhook_id: `lead_${id}`,
        state: 'pending',
        attempts: 0,
        next_at: NOW,
        created_at: NOW,
        finished_at: null,
        lease_token: null,
      },
    ])
    expect(rowsOf(store.file, `SELECT event, detail FROM history WHERE at = ${NOW}`)).toEqual([
      { event: 'put into the outbox again', detail: JSON.stringify({ was: delivery, by: whoAsks() }) },
    ])
  },
)

test('without a webhook it says that delivery waits', async () => {
  const [id = ''] = insertLeads(store.file, [{ delivery: 'dead' }])
  const { code, err } = await leads(['resend', id.slice(0, 8)], store)
  expect({ code, err }).toEqual({
    code: 0,
    err: '1 lead put into the outbox. LEAD_WEBHOOK_URL is not set: delivery waits until it is.\n',
  })
})

test('the server that has the store open meanwhile leases it', async () => {
  const server = openSqliteStore(store.file, { now: () => NOW })
  const [id = ''] = insertLeads(store.file, [{ delivery: 'dead' }])
  expect(await server.lease({ limit: 10, leaseMs: 1000 })).toEqual([])
  await leads(['resend', id], store)
  expect(await server.lease({ limit: 10, leaseMs: 1000 })).toMatchObject([{ leadId: id, attempts: 0 }])
  await server.close()
})

test('a pending lead that waits for its next attempt is due at once, one on its way is left alone', async () => {
  const [waiting = '', onItsWay = ''] = insertLeads(store.file, [{ nextAt: NOW + DAY }, { nextAt: NOW + 30_000 }])
  expect((await leads(['resend', waiting], store)).code).toBe(0)
  const { code, err } = await leads(['resend', onItsWay], store)
  expect({ code, err }).toEqual({
    code: 1,
    err: `Lead ${onItsWay} is on its way already: it is due within a minute.\n`,
  })
  expect(rowsOf(store.file, 'SELECT next_at FROM deliveries WHERE lead_id = ?', onItsWay)).toEqual([
    { next_at: NOW + 30_000 },
  ])
})

test.each([
  ['held', 'is held: npm run leads -- approve'],
  ['repeat', 'repeats'],
  ['erased', 'there is nothing to deliver'],
] as const)('a lead that is %s is not delivered', async (state, reason) => {
  const [id = ''] = insertLeads(store.file, [{ state, delivery: state === 'erased' ? 'delivered' : null }])
  const { code, err } = await leads(['resend', id], store)
  expect(code).toBe(1)
  expect(err).toContain(reason)
  expect(pendingIds()).toEqual([])
})

describe('several at once', () => {
  function threeDays(): readonly string[] {
    const lead = (day: number, delivery: StoredLead['delivery'], state: StoredLead['state'] = 'accepted') => ({
      ...{ receivedAt: someLead.receivedAt - day * DAY, delivery, state },
    })
    return insertLeads(store.file, [
      lead(3, 'dead'),
      lead(2, 'dead'),
      lead(2, 'delivered'),
      lead(2, 'delivered', 'erased'),
      lead(2, null, 'held'),
      lead(1, 'dead'),
    ])
  }

  test('all dead ones, after a yes', async () => {
    const [first, second, , , , last] = threeDays()
    const { code, err } = await leads(['resend', '--dead'], { ...store, types: 'y\n' })
    expect(code).toBe(0)
    expect(err).toContain('Deliver 3 leads again?')
    expect(pendingIds()).toEqual([first, second, last].toSorted())
  })

  test('a range of time takes all accepted leads of it, the delivered ones too', async () => {
    const [, dead, delivered] = threeDays()
    const range = ['--since', '2030-01-13', '--until', '2030-01-14']
    expect((await leads(['resend', ...range], store)).code).toBe(2)
    expect(pendingIds()).toEqual([])
    expect((await leads(['resend', ...range, '--yes'], store)).err).toContain('2 leads put into the outbox.')
    expect(pendingIds()).toEqual([dead, delivered].toSorted())
  })

  test('the dead of a range only; one alone needs no yes', async () => {
    const [, dead] = threeDays()
    const { code } = await leads(['resend', '--dead', '--since', '2030-01-13', '--until', '2030-01-14'], store)
    expect(code).toBe(0)
    expect(pendingIds()).toEqual([dead])
  })

  test('more than fit in one transaction', async () => {
    insertLeads(
      store.file,
      Array.from({ length: 1100 }, () => ({ delivery: 'dead' as const })),
    )
    expect((await leads(['resend', '--dead', '--yes'], store)).err).toContain('1,100 leads put into the outbox.')
    expect(pendingIds()).toHaveLength(1100)
    expect(rowsOf(store.file, `SELECT COUNT(*) AS n FROM history WHERE event <> 'received'`)).toEqual([{ n: 1100 }])
  })

  test('but those of people on the do-not-call list, who are counted; by its id, one is sent all the same', async () => {
    const [, , delivered = ''] = threeDays()
    await leads(['do-not-call', '--email', someLead.email], store)
    const range = ['--since', '2030-01-13', '--until', '2030-01-14', '--yes']
    const { code, err } = await leads(['resend', ...range], store)
    expect({ code, err }).toEqual({
      code: 0,
      err:
        '1 lead is left out: its person is on the do-not-call list. By its ID, each is sent all the same.\n' +
        '0 leads put into the outbox.\n',
    })
    expect((await leads(['resend', delivered], store)).err).toContain('1 lead put into the outbox.')
  })
})
