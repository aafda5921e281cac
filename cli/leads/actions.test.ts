import { expect, test } from 'vitest'
import { DAY } from '../../domain/durations.ts'
import { openSqliteStore } from '../../server/store/sqlite/sqlite-store.ts'
import { insertLeads, rowsOf, someLead } from '../../tests/support/lead-fixtures.ts'
import { leads, NOW } from '../../tests/support/leads-command.ts'
import { storePerTest } from '../../tests/support/store-engines.ts'

const held = { state: 'held', heldReason: 'many from one address', delivery: null } as const

const store = storePerTest()

const idsIn = (state: string) =>
  rowsOf(store.file, 'SELECT id FROM leads WHERE state = ? ORDER BY id', state).map(({ id }) => id)
const pendingIds = () =>
  rowsOf(
    store.file,
    `SELECT lead_id FROM outbox WHERE state = 'pending' UNION SELECT lead_id FROM unqueued_leads ORDER BY lead_id`,
  ).map(({ lead_id }) => lead_id)

test.each([
  ['approve', held, [], '1 lead approved. LEAD_WEBHOOK_URL is not set; leads stay queued until you set it.\n'],
  ['reject', held, ['--reason', 'a joke'], '1 lead rejected.\n'],
  ['resend', { delivery: 'dead' }, [], '1 lead queued to be sent again. LEAD_WEBHOOK_URL is not set'],
  ['resend', { delivery: 'delivered' }, [], '1 lead queued to be sent again.'],
  ['resend', { nextAt: NOW + DAY }, [], '1 lead queued to be sent again.'],
] as const)('%s changes only the named lead: %j', async (command, lead, options, result) => {
  const [id = ''] = insertLeads(store.file, [lead, { ...lead, receivedAt: NOW - 1 }])
  // Listed twice, but changed once.
  const { code, out, err } = await leads([command, id.slice(0, 8), id, ...options], store)
  expect({ code, out, err }).toEqual({ code: 0, out: '', err: expect.stringContaining(result) })
  const changed = rowsOf(store.file, `SELECT lead_id FROM history WHERE event <> 'received'`)
  expect(changed).toEqual([{ lead_id: id }])
})

test.each([
  ['approve', {}, 'Only a lead that is on hold or rejected can be approved.'],
  ['reject', {}, 'Only a lead on hold can be rejected.'],
  ['resend', held, 'Approve this lead first.'],
  ['resend', { state: 'repeat', delivery: null }, 'This lead is a repeat of an earlier one'],
  ['resend', { state: 'erased', delivery: 'delivered' }, 'This person’s data was erased, so'],
  ['resend', { nextAt: NOW + 30_000 }, 'This lead will be sent within a minute.'],
] as const)('if %s does not apply to one of several leads, none are changed: %j', async (command, lead, why) => {
  const eligible = command === 'resend' ? ({ delivery: 'dead' } as const) : held
  const [one = '', two = ''] = insertLeads(store.file, [eligible, lead])
  const reason = command === 'reject' ? ['--reason', 'a joke'] : []
  const { code, err } = await leads([command, one, two, ...reason], store)
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(`Lead ${two}: ${why}`) })
  expect(rowsOf(store.file, `SELECT * FROM history WHERE event <> 'received'`)).toEqual([])
})

test('approve --all approves every lead it asked about, in batches, but skips rejected leads and the do-not-call list', async () => {
  const other = { ...held, email: 'bob@example.org', phone: '(555) 234-5678' }
  insertLeads(store.file, [held, { ...other, heldReason: 'on the do-not-call list' }])
  insertLeads(
    store.file,
    Array.from({ length: 601 }, () => other),
  )
  const [rejected = ''] = insertLeads(store.file, [other])
  await leads(['reject', rejected, '--reason', 'a joke'], store)
  await leads(['do-not-call', '--phone', '5550102030'], store)
  const { code, err } = await leads(['approve', '--all'], { ...store, typed: 'yes\n' })
  expect(code).toBe(0)
  // The other one is closed.
  const skipped = 'Skipping 1 lead on the do-not-call list.'
  const effect = '601 leads will be approved, so your team can call them. This can’t be undone.'
  expect(err).toContain(`${effect} ${skipped} Type yes to continue: `)
  expect(err).toContain(`601 leads approved. ${skipped}`)
  expect([idsIn('held').length, idsIn('rejected'), pendingIds().length]).toEqual([2, [rejected], 601])
})

test('leads that someone else changed after the prompt, or whose people asked not to be called, are skipped', async () => {
  const [rejected = '', stopped = '', other = ''] = insertLeads(store.file, [
    held,
    { ...held, email: 'bob@example.org', phone: '(555) 234-5678' },
    { ...held, email: 'eve@example.org', phone: '(555) 234-5679' },
  ])
  const server = openSqliteStore(store.file)
  const onPrompt = async () => {
    await server.reject({ ids: [rejected], reason: 'a joke', by: 'Maria' })
    await server.addToDoNotCall({ contacts: [{ email: 'bob@example.org' }], by: 'Maria' })
  }
  const { err } = await leads(['approve', '--all'], { ...store, typed: 'yes\n', onPrompt })
  await server.close()
  expect(err).toContain('1 lead approved. 2 skipped because someone else changed them.')
  expect([idsIn('rejected'), pendingIds()]).toEqual([[rejected], [other]])
  expect((await leads(['approve', stopped], store)).err).toContain('This person is on the do-not-call list.')
})

test('a rejection’s reason is shown without control characters; approving anyway says who rejected it and asks', async () => {
  const [id = ''] = insertLeads(store.file, [held])
  await leads(['reject', id, '--reason', 'Mickey\u001b[2J Mouse', '--by', 'Maria Lopez'], store)
  expect((await leads(['show', id], store)).out).toMatch(/Rejected +Mickey \[2J Mouse/)
  expect((await leads(['export'], store)).out).toContain('rejected,many from one address,Mickey [2J Mouse,')
  const { err } = await leads(['approve', id], { ...store, typed: 'no\n' })
  expect(err).toMatch(/^Maria Lopez rejected this at \d+:\d\d [AP]M\. Approve anyway\?/)
  expect(pendingIds()).toEqual([])
  expect((await leads(['approve', id, '--yes'], store)).code).toBe(0)
  expect(pendingIds()).toEqual([id])
})

test('resend accepts a time range, with or without --failed', async () => {
  const on = (day: number) => someLead.receivedAt - day * DAY
  const [first, second, delivered, , , last] = insertLeads(store.file, [
    { receivedAt: on(3), delivery: 'dead' },
    { receivedAt: on(2), delivery: 'dead' },
    { receivedAt: on(2), delivery: 'delivered' },
    { receivedAt: on(2), delivery: 'delivered', state: 'erased' },
    { receivedAt: on(2), ...held },
    { receivedAt: on(1), delivery: 'dead' },
  ])
  const range = ['--since', '2030-01-13', '--until', '2030-01-14']
  expect((await leads(['resend', '--failed', ...range], store)).err).toContain('1 lead queued')
  expect(pendingIds()).toEqual([second])
  // The option's name through 0.5.3.
  expect((await leads(['resend', '--dead'], { ...store, typed: 'y\n' })).err).toContain('2 leads will be sent')
  expect(pendingIds()).toEqual([first, second, last].toSorted())
  expect((await leads(['resend', ...range], store)).err).toContain('1 lead queued')
  expect(pendingIds()).toContain(delivered)
})

test('changing multiple leads requires confirmation, or --yes without a terminal; changing none isn’t an error', async () => {
  insertLeads(store.file, [held, held])
  for (const typed of ['no\n', '\n', '']) {
    const { code, err } = await leads(['approve', '--all'], { ...store, typed })
    expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('Nothing was changed.\n') })
  }
  const { code, err } = await leads(['approve', '--all'], store)
  expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining('To confirm in a script, add --yes.') })
  const env = { LEAD_WEBHOOK_URL: 'https://crm.example.org/leads' }
  const sent = await leads(['approve', '--all'], { ...store, env, typed: 'no\n' })
  expect(sent.err).toContain('2 leads will be sent to your CRM.')
  expect(idsIn('held')).toHaveLength(2)
  expect((await leads(['approve', '--all', '--yes'], store)).code).toBe(0)
  expect((await leads(['approve', '--all'], store)).err).toBe('0 leads approved.\n')
})
