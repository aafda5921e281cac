import { closeSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { rowsOf } from '../../../tests/support/lead-fixtures.ts'
import { submissionOf } from '../../../tests/support/lead-store.ts'
import { StoreUnavailable } from '../store-errors.ts'
import { openSqliteStore } from './sqlite-store.ts'

const PAGE_BYTES = 4096

test('a store that got damaged takes no leads for now, and says what to do', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'damaged-'))
  const file = join(folder, 'leads.sqlite')
  const whole = openSqliteStore(file)
  const version = await whole.rememberConsent('I agree')
  await whole.close()
  const descriptor = openSync(file, 'r+')
  for (const { rootpage } of rowsOf(
    file,
    `SELECT rootpage FROM sqlite_schema WHERE rootpage > 0 AND tbl_name IN ('leads', 'deliveries')`,
  )) {
    writeSync(descriptor, Buffer.alloc(PAGE_BYTES, 0xff), 0, PAGE_BYTES, (Number(rootpage) - 1) * PAGE_BYTES)
  }
  closeSync(descriptor)
  const damaged = openSqliteStore(file, { access: 'write' })
  const reason = new StoreUnavailable('the store is damaged or not a database. Restore a backup.')
  await expect(damaged.capture(submissionOf('ada', version))).rejects.toEqual(reason)
  await expect(damaged.backlog()).rejects.toEqual(reason)
  await damaged.close()
  rmSync(folder, { recursive: true })
})
