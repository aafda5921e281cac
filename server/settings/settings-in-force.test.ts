import { expect, test } from 'vitest'
import { readConfig } from '../config.ts'
import { settingsInForce } from './settings-in-force.ts'

test('every setting is told of, and no secret is shown', () => {
  const shown = settingsInForce(
    readConfig({
      DATABASE_URL: 'postgres://leads:hunter2@db.example.org/leads',
      LEAD_WEBHOOK_URL: 'https://hooks.example.org/s3cret-path',
      LEAD_WEBHOOK_SECRET: `whsec_${'c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0'}`,
      ALERT_WEBHOOK_URL: 'https://alerts.example.org/an0ther-path',
      SITE_LEAD_ENDPOINT: 'https://elsewhere.example.org/th1rd-path',
      ERASURE_KEY: 'e'.repeat(40),
    }),
  )
  const text = JSON.stringify(shown)
  for (const secret of ['hunter2', 's3cret', 'c2VjcmV0', 'an0ther', 'th1rd', 'eeee']) expect(text).not.toContain(secret)
  const value = (name: string) => shown.find(each => each.name === name)?.value
  expect(value('LEAD_WEBHOOK_URL')).toBe('https://hooks.example.org/… (path not shown)')
  expect(value('LEAD_WEBHOOK_SECRET')).toBe('set, not shown')
  expect(value('ERASURE_KEY')).toBe('set, not shown')
  expect(value('DATABASE_URL')).toBe('set, not shown')
})

test('what is not set is said to be so', () => {
  const values = Object.fromEntries(settingsInForce(readConfig({})).map(({ name, value }) => [name, value]))
  expect(values).toMatchObject({
    LEAD_WEBHOOK_URL: 'not set',
    ERASURE_KEY: 'not set',
    LEAD_RETENTION_DAYS: 'never',
    TRUST_PROXY: 'none',
    DESK_URL: 'http://localhost:3001',
  })
})
