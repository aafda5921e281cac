import { mkdirSync, readdirSync, readFileSync, rmdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { insertLeads, rowsOf, someLead } from '../../tests/support/lead-fixtures.ts'
import { leads } from '../../tests/support/leads-command.ts'
import { storePerTest } from '../../tests/support/store-engines.ts'

const store = storePerTest()
const folder = () => join(store.dataDir, 'records')
const day = 24 * 60 * 60 * 1000
const erase = (id: string) => leads(['erase', '--id', id, '--yes', '--under-five-years'], store)
const january = ['--since', '2030-01-01', '--until', '2030-02-01']

test('a period’s records are saved as signed pages, one for each number, even erased ones, and nothing else', async () => {
  const at = someLead.receivedAt
  const [before = '', first = '', second = ''] = insertLeads(store.file, [
    { receivedAt: at - 30 * day },
    { receivedAt: at - day },
    { firstName: 'Bob', email: 'bob@example.org', phone: '(555) 010-9999' },
    // Arrives after the export has started.
    { receivedAt: at + 2 * day, email: 'cal@example.org', phone: '(555) 010-8888' },
  ])
  await erase(first)
  const { code, err } = await leads(['consent', ...january, '--to', folder()], store)
  expect({ code, err }).toEqual({
    code: 0,
    err: `2 contact records saved in ${folder()}, one for each phone number. To check one: npm run leads -- verify FILE\n`,
  })
  const names = [first, second].map(id => `contact-record-${id}.html`)
  expect(readdirSync(folder()).toSorted()).toEqual(names.toSorted())
  expect(before).not.toBe('')
  for (const name of names) {
    const file = join(folder(), name)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect((await leads(['verify', file], store)).out).toMatch(/^Genuine/)
  }
  expect(statSync(folder()).mode & 0o777).toBe(0o700)
  expect(readFileSync(join(folder(), names[0] ?? ''), 'utf8')).not.toContain('Ada')
  expect(readFileSync(join(folder(), names[1] ?? ''), 'utf8')).toContain('Bob')
  expect(rowsOf(store.file, 'SELECT format, leads FROM exports')).toEqual([{ format: 'contact records', leads: 2 }])
})

test('leads with the same number are in one record, also from before the period; beyond 100, there are more records', async () => {
  const at = someLead.receivedAt
  const [before = '', first = '', again = ''] = insertLeads(store.file, [
    { receivedAt: at - 30 * day },
    { receivedAt: at - day },
    { firstName: 'Adele' },
  ])
  await leads(['consent', ...january, '--to', folder()], store)
  expect(readdirSync(folder())).toEqual([`contact-record-${first}.html`])
  const page = readFileSync(join(folder(), `contact-record-${first}.html`), 'utf8')
  for (const id of [before, first, again]) expect(page).toContain(`<code>${id}</code>`)
  const many = insertLeads(
    store.file,
    Array.from({ length: 150 }, (_, index) => ({ firstName: `Bob ${index}`, phone: '(555) 010-9999' })),
  )
  const more = join(store.dataDir, 'more')
  await leads(['consent', ...january, '--to', more], store)
  const pages = readdirSync(more).map(name => readFileSync(join(more, name), 'utf8'))
  expect(pages).toHaveLength(3)
  const all = pages.join('')
  for (const id of many) expect(all.split(`<code>${id}</code>`)).toHaveLength(2)
  expect(all).toContain('150; 50 aren’t shown here')
})

test('records don’t replace a folder, and an empty period creates none', async () => {
  insertLeads(store.file, [{}])
  mkdirSync(folder())
  const existing = await leads(['consent', ...january, '--to', folder()], store)
  expect(existing).toMatchObject({ code: 1, err: expect.stringContaining('already exists') })
  rmdirSync(folder())
  const empty = await leads(['consent', '--since', '2029-01-01', '--until', '2029-02-01', '--to', folder()], store)
  expect(empty).toMatchObject({ code: 1, err: 'No leads in this period.\n' })
  expect(readdirSync(store.dataDir).filter(name => name.startsWith('records'))).toEqual([])
})
