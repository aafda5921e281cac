/** Every command that shows a person or changes something records who did it: the system user, or --by. */
import { expect, test } from 'vitest'
import { insertLeads, rowsOf, someLead } from '../tests/support/lead-fixtures.ts'
import { leads } from '../tests/support/leads-command.ts'
import { storePerTest } from '../tests/support/store-engines.ts'
import { systemUser } from './options.ts'

const store = storePerTest()

test.each([
  ['do-not-call', {}, (_: string, phone: string) => ['do-not-call', '--phone', phone], null],
  ['erase', {}, (id: string) => ['erase', '--id', id, '--yes', '--under-five-years'], 'erased'],
] as const)('%s records who did it', async (_, lead, command, event) => {
  const recorded = () =>
    event === null
      ? rowsOf(store.file, 'SELECT done_by FROM do_not_call_history ORDER BY at').map(({ done_by }) => done_by)
      : rowsOf(store.file, 'SELECT detail FROM history WHERE event = ? ORDER BY rowid', event).map(
          ({ detail }) => JSON.parse(String(detail)).by,
        )
  const [id = ''] = insertLeads(store.file, [lead])
  expect(await leads(command(id, someLead.phone), store)).toMatchObject({ code: 0 })
  expect(recorded()).toEqual([systemUser()])
  const [other = ''] = insertLeads(store.file, [{ ...lead, email: 'bob@example.org', phone: '(555) 010-2099' }])
  const byMaria = command(other, '(555) 010-2099')
  expect(await leads([...byMaria, '--by', ' Maria '], store)).toMatchObject({ code: 0 })
  expect(recorded()).toContain('Maria')
  expect((await leads([...byMaria, '--by', ' '], store)).err).toBe('--by needs a name.\n')
})

const exports = () => rowsOf(store.file, 'SELECT exported_by, format, filter, leads FROM exports')

test('export is recorded with its filter but without personal data', async () => {
  const [id = ''] = insertLeads(store.file, [
    {},
    { state: 'held', heldReason: 'many from one address', delivery: null },
  ])
  await leads(['export'], store)
  expect(exports()).toEqual([{ exported_by: systemUser(), format: 'csv', filter: '{}', leads: 2 }])
  for (const chosen of [
    ['--state', 'held'],
    ['--email', someLead.email],
    ['--phone', someLead.phone],
    ['--id', id],
  ])
    await leads(['export', '--format', 'jsonl', ...chosen, '--by', 'Maria'], store)
  expect(exports().slice(1)).toEqual(
    [
      { filter: '{"state":"held"}', leads: 1 },
      { filter: '{"email":"(hidden)"}', leads: 2 },
      { filter: '{"phone":"(hidden)"}', leads: 2 },
      { filter: JSON.stringify({ id }), leads: 1 },
    ].map(each => ({ exported_by: 'Maria', format: 'jsonl', ...each })),
  )
})
