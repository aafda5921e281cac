import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { contactFields } from '../../domain/contact-fields.ts'
import { insertLeads, someLead } from '../../tests/support/lead-fixtures.ts'
import { leads } from '../../tests/support/leads-command.ts'
import { storePerTest } from '../../tests/support/store-engines.ts'

const store = storePerTest()

test('CSV has a byte order mark, a header, and one line per lead, oldest first', async () => {
  const ids = insertLeads(
    store.file,
    Array.from({ length: 2100 }, (_, index) => ({ receivedAt: someLead.receivedAt + index })),
  )
  const { code, out, err } = await leads(['export'], store)
  expect({ code, err }).toEqual({ code: 0, err: '' })
  const [head, ...lines] = out.trimEnd().split('\r\n')
  expect(head).toMatch(
    /^\ufeffid,receivedAt,state,.*,delivery,deliveryAttempts,deliveryFinishedAt,campaign\.utm_source,.*$/,
  )
  expect(head?.split(',')).toEqual(expect.arrayContaining([...contactFields]))
  expect(lines.map(line => line.slice(0, 36))).toEqual(ids)
  expect(new Set(lines.map(line => line.split(',').length))).toEqual(new Set([head?.split(',').length]))
})

test('CSV ends with a column for each campaign parameter, the usual ones and those in the settings', async () => {
  const campaign = { gclid: 'abc', 'sub-id': '=7', utm_other: 'y', campaign: 'spring' }
  insertLeads(store.file, [{ campaign }, { campaign: {} }])
  const env = { CAMPAIGN_PARAMETERS: 'sub-id gclid constructor' }
  const { out } = await leads(['export'], { ...store, env })
  const [head = [], ...lines] = out
    .replace('\ufeff', '')
    .trimEnd()
    .split('\r\n')
    .map(line => line.split(','))
  expect(head.slice(head.indexOf('deliveryFinishedAt') + 1)).toEqual(
    [
      ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'],
      ...['gclid', 'gbraid', 'wbraid', 'dclid', 'fbclid', 'msclkid', 'ttclid', 'ref', 'source', 'campaign'],
      ...['sub-id', 'constructor'],
    ].map(name => `campaign.${name}`),
  )
  const cells = (column: string) => lines.map(line => line[head.indexOf(column)])
  expect(cells('campaign')).toEqual(['gclid=abc&sub-id=%3D7&utm_other=y&campaign=spring', ''])
  expect(cells('campaign.gclid')).toEqual(['abc', ''])
  expect(cells('campaign.campaign')).toEqual(['spring', ''])
  expect(cells('campaign.sub-id')).toEqual(["'=7", ''])
  expect(cells('campaign.constructor')).toEqual(['', ''])
})

test('JSON lines have each lead with all its fields', async () => {
  const [id] = insertLeads(store.file, [{ firstName: '=1+1' }])
  const { out } = await leads(['export', '--format', 'jsonl'], store)
  expect(out.endsWith('}\n')).toBe(true)
  expect(JSON.parse(out)).toMatchObject({
    id,
    contact: { firstName: '=1+1', email: someLead.email },
    delivery: { state: 'pending' },
  })
})

test('both formats say whether a certificate has a known format, and whether it was asked for', async () => {
  insertLeads(store.file, [{ certificateOther: 'https://cert.trustedform.com/new', trustedForm: 'off' }])
  const { out } = await leads(['export', '--format', 'jsonl'], store)
  const [url, formKnown, trustedForm] = ['https://cert.trustedform.com/new', false, 'off']
  expect(JSON.parse(out)).toMatchObject({ certificate: { url, formKnown, trustedForm } })
  const facts = { certificateUrl: url, certificateFormKnown: formKnown, trustedForm }
  const [head = '', line = ''] = (await leads(['export'], store)).out.split('\r\n')
  const cells = line.split(',')
  const cell = (column: string) => cells[head.split(',').indexOf(column)]
  expect(Object.keys(facts).map(cell)).toEqual(Object.values(facts).map(String))
})

describe('to a file', () => {
  test('only its owner can read it, and it gets its name when it’s complete', async () => {
    insertLeads(store.file, [{}])
    const file = join(store.dataDir, 'leads.csv')
    const { code, out, err } = await leads(['export', '--out', file], store)
    expect({ code, out, err }).toEqual({ code: 0, out: '', err: `1 lead exported to ${file}.\n` })
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(readFileSync(file, 'utf8')).toContain(someLead.email)
    expect(existsSync(`${file}.part`)).toBe(false)
  })

  test('an existing file is not overwritten', async () => {
    const file = join(store.dataDir, 'leads.csv')
    writeFileSync(file, 'precious')
    const { code, err } = await leads(['export', '--out', file], store)
    expect({ code, err }).toEqual({ code: 1, err: `${file} already exists. Remove it or choose another name.\n` })
    expect(readFileSync(file, 'utf8')).toBe('precious')
  })

  test('a missing folder is one clear line', async () => {
    const file = join(store.dataDir, 'no/leads.csv')
    const { code, err } = await leads(['export', '--out', file], store)
    expect({ code, err }).toEqual({ code: 1, err: `Can’t write ${file}: there is no such folder.\n` })
  })
})

test('CSV times are in the operator’s zone, JSON times in UTC', async () => {
  insertLeads(store.file, [{ delivery: 'delivered' }])
  const env = { TIME_ZONE: 'America/New_York' }
  const csv = (await leads(['export'], { ...store, env })).out
  expect(csv).toContain(',2030-01-15T07:00:00.000-05:00,')
  expect(csv).toContain(',2030-01-15T07:00:00.300-05:00')
  expect((await leads(['export', '--format', 'jsonl'], { ...store, env })).out).toContain('"2030-01-15T12:00:00.000Z"')
})
