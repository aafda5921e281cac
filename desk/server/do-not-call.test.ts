import { expect, test } from 'vitest'
import { withChangeLog } from '../../server/store/carry-over.ts'
import { createTestDesk } from '../../tests/support/desk.ts'
import { bodyOf, deskPerTest } from '../../tests/support/desk-harness.ts'
import { deliverAll } from '../../tests/support/store-engines.ts'

const harness = deskPerTest()
const post = <T>(path: string, body: object, client = harness.maria) => bodyOf<T>(client.fetch(path, { body }))
const found = async (search: string) =>
  (await post<{ entries: { shown: string }[] }>('/api/do-not-call/search', { search })).entries.map(
    ({ shown }) => shown,
  )

test('lists and searches entries, and adds a phone number or an email that has no lead', async () => {
  const joe = await harness.desk.signedIn('Joe', 'caller')
  expect(await post('/api/do-not-call', { contact: '917-555-0199' }, joe)).toEqual({ isNew: true, delivered: 0 })
  expect(await post('/api/do-not-call', { contact: ' Bob_1@Example.org ' })).toEqual({ isNew: true, delivered: 0 })
  expect(await post('/api/do-not-call', { contact: '+1 (917) 555-0199' })).toEqual({ isNew: false, delivered: 0 })
  expect(await found('')).toEqual(['(917) 555-0199', 'bob_1@example.org'])
  expect(await found('(917) 555')).toEqual(['(917) 555-0199'])
  expect(await found('+1 917 555')).toEqual(['(917) 555-0199'])
  expect(await found('+91 75550199')).toEqual([])
  expect(await found('BOB_')).toEqual(['bob_1@example.org'])
  expect(await found('bobx')).toEqual([])
  for (const contact of ['', '917', 'Zelda', 'call 9175550199', '+91 7555 0199', '+47 22 12 34 56']) {
    expect((await harness.maria.fetch('/api/do-not-call', { body: { contact } })).status).toBe(400)
  }
  const lou = await harness.desk.signedIn('Lou', 'viewer')
  expect((await lou.fetch('/api/do-not-call', { body: { contact: '9175550198' } })).status).toBe(403)
})

test('says if a request was stored, but can’t be logged for a restore', async () => {
  const desk = createTestDesk(withChangeLog(harness.store, '/dev/null/erasures.txt'))
  const joe = await desk.signedIn('Joe', 'caller')
  const response = await joe.fetch('/api/do-not-call', { body: { contact: '9175550199' } })
  expect(response.status).toBe(409)
  expect(await response.text()).toContain('The change was made, but restoring a backup would undo it')
  expect(await found('')).toEqual(['(917) 555-0199'])
})

test('says if the CRM already has the person’s lead', async () => {
  await harness.capture('ada')
  await deliverAll(harness.store)
  expect(await post('/api/do-not-call', { contact: 'ada@example.org' })).toEqual({ isNew: true, delivered: 1 })
})
