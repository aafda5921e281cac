import { expect, inject, test } from 'vitest'
import { submissionOf } from '../../../tests/support/lead-store.ts'
import { createDatabase, runOn } from '../../../tests/support/postgres-server.ts'
import { inspectPostgresStore } from './health.ts'
import { SEARCH_INDEX } from './migrate.ts'
import { openPostgresStore } from './postgres-store.ts'

test('search works for a role that may not create pg_trgm, and doctor learns what to run', async () => {
  const database = await createDatabase(inject('postgresUrl'))
  const role = `limited_${process.pid}`
  await runOn(
    database.url,
    `CREATE ROLE ${role} LOGIN PASSWORD 'for-tests-only'; GRANT CREATE ON SCHEMA public TO ${role}`,
  )
  const url = new URL(database.url)
  url.username = role
  url.password = 'for-tests-only'
  const store = await openPostgresStore(url.href)
  const consentVersion = await store.rememberConsent('I agree')
  const { id } = await store.capture(submissionOf('ada', consentVersion))
  const request = { filter: { search: 'lovelace' }, order: 'newest first', limit: 9, after: null } as const
  expect(await store.page(request)).toMatchObject([{ id }])
  const searchHealth = async () => ((await inspectPostgresStore(url.href)).standing as { search?: unknown }).search
  expect(await searchHealth()).toEqual({ indexed: false, create: SEARCH_INDEX.join('; ') })
  for (const statement of SEARCH_INDEX) await runOn(database.url, statement)
  expect(await searchHealth()).toEqual({ indexed: true })
  expect(await store.page(request)).toMatchObject([{ id }])
  await store.close()
  await database.remove()
  await runOn(inject('postgresUrl'), `DROP ROLE ${role}`)
})
