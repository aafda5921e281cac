import { afterEach, beforeEach, expect, test } from 'vitest'
import { captureLead, type LeadStore, openLeadStore } from '../../tests/faults/lead-store.ts'
import { columnsAfterErasure } from './erase.ts'

let leads: LeadStore
beforeEach(() => {
  leads = openLeadStore()
})
afterEach(() => leads.remove())

test('erasing knows every column of every table: a new one must be listed as erased or as kept', () => {
  const columns = leads.rows(`SELECT tables.name AS "table", columns.name AS "column"
    FROM pragma_table_list AS tables JOIN pragma_table_info(tables.name) AS columns
    WHERE tables.schema = 'main' AND tables.name NOT LIKE 'sqlite%'`)
  const listed = Object.entries(columnsAfterErasure).flatMap(([table, fates]) =>
    Object.keys(fates).map(column => `${table}.${column}`),
  )
  expect(columns.map(({ table, column }) => `${table}.${column}`).toSorted()).toEqual(listed.toSorted())
})

test('of a lead with something in every column, only what is listed as kept stays', async () => {
  const { store } = leads
  const id = await captureLead(store, { name: 'ada', certificateId: 'c'.repeat(40) })
  // A lead has a certificate of the one form or of another, never both, and few are rejected.
  leads.exec(`UPDATE leads SET certificate_other = 'https://cert.trustedform.com/new', rejected_reason = 'a joke'`)
  const before = leads.rows('SELECT * FROM leads')[0] ?? {}
  expect(await store.erase([id])).toEqual({ leads: 1, traces: 'none' })
  const after = leads.rows('SELECT * FROM leads')[0] ?? {}
  for (const [column, fate] of Object.entries(columnsAfterErasure.leads)) {
    const expected = { kept: before[column], erased: null, emptied: '{}' }[fate]
    expect([column, after[column]]).toEqual([column, column === 'state' ? 'erased' : expected])
    if (fate === 'erased') expect([column, before[column]]).not.toEqual([column, null])
  }
})
