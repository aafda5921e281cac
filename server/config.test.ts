import { describe, expect, test } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

const faultsOf = (env: Record<string, string>) => {
  try {
    readConfig(env)
  } catch (error) {
    if (error instanceof ConfigError) return error.message
    throw error
  }
  return null
}

test('without any variable, everything has a default', () => {
  expect(readConfig({})).toEqual({
    host: '127.0.0.1',
    port: 3000,
    siteUrl: 'http://127.0.0.1:3000',
    leadEndpoint: '/api/leads',
  })
})

test('an empty variable counts as not set', () => {
  expect(readConfig({ PORT: '', HOST: ' ', SITE_URL: '', SITE_LEAD_ENDPOINT: '' })).toEqual(readConfig({}))
})

test('the public address loses its slash, and an IPv6 host gets its brackets', () => {
  expect(readConfig({ SITE_URL: 'https://www.example.org/' }).siteUrl).toBe('https://www.example.org')
  expect(readConfig({ HOST: '::1', PORT: '80' }).siteUrl).toBe('http://[::1]:80')
})

describe('faults', () => {
  test.each([
    ['PORT', '80a'],
    ['PORT', '-1'],
    ['PORT', '65536'],
    ['PORT', '1e3'],
    ['SITE_URL', 'www.example.org'],
    ['SITE_URL', 'ftp://example.org'],
    ['SITE_URL', 'https://example.org/path'],
    ['SITE_LEAD_ENDPOINT', '/other'],
    ['SITE_LEAD_ENDPOINT', 'javascript:alert(1)'],
    ['SITE_LEAD_ENDPOINT', 'https://user:secret@example.org/'],
  ])('%s=%s is explained', (name, value) => expect(faultsOf({ [name]: value })).toContain(`${name} is "${value}"`))

  test('are reported all at once', () => {
    const message = faultsOf({ PORT: 'x', SITE_URL: 'x', SITE_LEAD_ENDPOINT: 'x' })
    for (const name of ['PORT', 'SITE_URL', 'SITE_LEAD_ENDPOINT']) expect(message).toContain(`- ${name} is`)
  })
})
