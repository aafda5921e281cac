/** Every command that shows a person or changes something records who did it: the system user, or --by. */
import { expect, test } from 'vitest'
import { insertLeads, rowsOf, someLead } from '../tests/support/lead-fixtures.ts'
import { leads } from '../tests/support/leads-command.ts'
import { storePerTest } from '../tests/support/store-engines.ts'
import { systemUser } from './options.ts'

const store = storePerTest()

const held = { state: 'held', heldReason: 'many from one address', delivery: null } as const

test.each([
  ['show', {}, (id: string) => ['show', id], 'looked'],
  ['consent', {}, () => ['consent', '--phone', someLead.phone], 'looked'],
  ['approve', held, (id: string) => ['approve', id], 'released'],
  ['approve --all', held, () => ['approve', '--all', '--yes'], 'released'],
  ['reject', held, (id: string) => ['reject', id, '--reason', 'a joke'], 'rejected'],
  ['resend', { delivery: 'dead' }, (id: string) => ['resend', id], 'put into the outbox again'],
  ['resend --failed', { delivery: 'dead' }, () => ['resend', '--failed', '--yes'], 'put into the outbox again'],
  ['do-not-call', {}, () => ['do-not-call', '--phone', someLead.phone], 'delivery stopped'],
  ['erase', {}, (id: string) => ['erase', '--id', id, '--yes', '--under-five-years'], 'erased'],
] as const)('%s records who did it', async (_, lead, command, event) => {
  const recorded = () =>
    rowsOf(store.file, 'SELECT detail FROM history WHERE event = ? ORDER BY rowid', event).map(
      ({ detail }) => JSON.parse(String(detail)).by,
    )
  const [id = ''] = insertLeads(store.file, [lead])
  expect(await leads(command(id), store)).toMatchObject({ code: 0 })
  expect(recorded()).toEqual([systemUser()])
  const [other = ''] = insertLeads(store.file, [{ ...lead, email: 'bob@example.org' }])
  await leads(['allow-calls', '--phone', someLead.phone, '--asked-by', 'person'], store)
  expect(await leads([...command(other), '--by', ' Maria '], store)).toMatchObject({ code: 0 })
  expect(recorded()).toContain('Maria')
  expect((await leads([...command(other), '--by', ' '], store)).err).toBe('--by needs a name.\n')
})

const exports = () => rowsOf(store.file, 'SELECT exported_by, format, filter, leads FROM exports')

test('list is recorded once a day, without the search terms', async () => {
  insertLeads(store.file, [{}, held])
  await leads(['list', '--name', someLead.lastName, '--state', 'held'], store)
  expect(exports()).toEqual([{ exported_by: systemUser(), format: 'list', filter: '{}', leads: 1 }])
  await leads(['list', '--summary'], store)
  await leads(['list', '--json'], store)
  expect(exports()).toMatchObject([{ leads: 3 }])
  await leads(['list', '--by', 'Maria'], store)
  expect(exports()[1]).toMatchObject({ exported_by: 'Maria', leads: 2 })
})

test('export is recorded with its filter but without personal data', async () => {
  insertLeads(store.file, [{}, held])
  await leads(['export'], store)
  expect(exports()).toEqual([{ exported_by: systemUser(), format: 'csv', filter: '{}', leads: 2 }])
  const terms = ['--state', 'held', '--email', someLead.email, '--phone', someLead.phone, '--name', someLead.lastName]
  await leads(['export', '--format', 'jsonl', ...terms, '--by', 'Maria'], store)
  const filter = '{"state":"held","email":"(hidden)","phone":"(hidden)","search":"(hidden)"}'
  expect(exports()[1]).toEqual({ exported_by: 'Maria', format: 'jsonl', filter, leads: 1 })
})
