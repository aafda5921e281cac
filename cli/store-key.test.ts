import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { keyIdOf } from '../server/store/facts/leads/hashes.ts'
import { insertLeads } from '../tests/support/lead-fixtures.ts'
import { ERASURE_KEY } from '../tests/support/lead-store.ts'
import { leads } from '../tests/support/leads-command.ts'
import { storePerTest } from '../tests/support/store-engines.ts'

const store = storePerTest()
const withoutSetting = () => ({ ...store, env: { ERASURE_KEY: '' } })

test('creates the key once, and says where it is without showing it', async () => {
  const file = join(store.dataDir, 'erasure.key')
  const { code, out } = await leads(['key'], withoutSetting())
  const key = readFileSync(file, 'utf8').trim()
  expect({ code, out }).toEqual({
    code: 0,
    out: `The key is in ${file} (key ID ${keyIdOf(key)}). Keep a copy with your passwords.\n`,
  })
  expect(out).not.toContain(key)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  await leads(['key'], withoutSetting())
  const [id = ''] = insertLeads(store.file, [{}])
  const erase = ['erase', '--id', id, '--yes', '--under-five-years']
  expect(await leads(erase, withoutSetting())).toMatchObject({ code: 0 })
  expect(readFileSync(file, 'utf8').trim()).toBe(key)
})

test('uses ERASURE_KEY if it’s set', async () => {
  expect((await leads(['key'], store)).out).toContain(`The key is in ERASURE_KEY (key ID ${keyIdOf(ERASURE_KEY)})`)
  expect(existsSync(join(store.dataDir, 'erasure.key'))).toBe(false)
})

test('doesn’t create a second key for a store that has one', async () => {
  await leads(['key'], store)
  const { code, err } = await leads(['key'], withoutSetting())
  expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining('doesn’t have the store’s key') })
  expect(existsSync(join(store.dataDir, 'erasure.key'))).toBe(false)
})
