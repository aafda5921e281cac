/**
 * The contact records and exports of a store that 0.7.0 made. Evidence reads the same in every later version, except for words that
 * the changelog lists: check each difference, then accept it with `npx vitest run server/record -u`.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { expect, onTestFinished, test } from 'vitest'
import { callFormats } from '../export/call-formats.ts'
import { forScripts } from '../export/formats.ts'
import { csvFormat } from '../export/lead-formats.ts'
import { createCalendar } from '../settings/calendar.ts'
import { openSqliteStore } from '../store/sqlite/sqlite-store.ts'
import { contactRecordOf, leadsInRecord } from './contact-record.ts'
import { recordPage } from './record-page.ts'

const FIXTURES = new URL('../../tests/fixtures/', import.meta.url)
const KEY = 'k'.repeat(64)
const calendar = createCalendar('America/New_York')

function upgradedStore() {
  const folder = mkdtempSync(join(tmpdir(), 'evidence-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'leads.sqlite')
  writeFileSync(file, gunzipSync(readFileSync(new URL('store-0.7.0.sqlite.gz', FIXTURES))))
  const store = openSqliteStore(file)
  onTestFinished(() => store.close())
  return store
}

/** As it reads, without the style and the signature. */
const readable = (html: string) =>
  html
    .replace(/<style>.*?<\/style>/s, '')
    .replaceAll(/<!--.*?-->/g, '')
    .replaceAll(/<\/(?:p|h\d|tr|dd|blockquote)>/g, '\n')
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll(/[ \t]+/g, ' ')
    .replaceAll(/\s*\n\s*/g, '\n')

test('the records and exports of a store from 0.7.0 read as before', async () => {
  const store = upgradedStore()
  const leads = await store.page({ filter: {}, order: 'oldest first', limit: 1000, after: null })
  const at = Date.parse('2026-12-01T12:00:00Z')
  const records = new Set<string>()
  for (const { id } of leads) {
    const ids = await leadsInRecord(store, id, KEY)
    const request = { ...ids, at, by: 'Dana Fox', calendar, withDevices: true }
    records.add(readable(recordPage(await contactRecordOf(store, request), KEY)))
  }
  const csv = csvFormat(forScripts(calendar), ['utm_source'])
  const calls = callFormats.csv(calendar)
  const period = { since: 0, until: Number.MAX_SAFE_INTEGER, after: null, limit: 1000 }
  const savedCalls = (await store.savedCalls(period)).calls
  const evidence = [
    ...records,
    csv.head + (await csv.lines(store, leads)),
    calls.head + savedCalls.map(calls.line).join(''),
  ]
  await expect(evidence.join('\n').replaceAll('\r', '')).toMatchFileSnapshot(
    new URL('evidence-0.7.0.txt', FIXTURES).pathname,
  )
})
