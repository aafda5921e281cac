import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { organization, words } from '../site-folder/site.ts'
import { newFolder } from '../tests/support/after-test.ts'
import { BUILT } from '../tests/support/built-site.ts'
import { requestRaw } from '../tests/support/receiver.ts'
import { type SiteServer, startSite } from '../tests/support/site-server.ts'
import { securityHeaders } from './http/security-headers.ts'
import { loadSite } from './http/site.ts'
import { SiteUnusable } from './http/site-files.ts'
import { MANIFEST_FILE } from './http/site-manifest.ts'
import { readConfig } from './settings/config.ts'
import { storeFile } from './store/sqlite/files.ts'

const { applicationError, notFound } = words.en

let server: SiteServer
beforeAll(async () => {
  server = await startSite({ ownStore: true })
})
afterAll(() => server.close())

const request = (path: string, headers: Record<string, string> = {}, method = 'GET', { url } = server) =>
  requestRaw(url, { path, headers, method })

const hashedScript = () => [...server.site.byPath.keys()].find(path => /browser.*\.js$/.test(path)) ?? ''

describe('files', () => {
  test('are served in the smallest encoding the browser accepts', async () => {
    const plain = (await request('/')).body.toString()
    expect(plain).toContain('<!doctype html>')
    for (const [accept, encoding, decode] of [
      ['gzip, deflate, br', 'br', brotliDecompressSync],
      ['gzip', 'gzip', gunzipSync],
      ['br;q=0, gzip;q=0.5', 'gzip', gunzipSync],
    ] as const) {
      const { headers, body } = await request('/', { 'accept-encoding': accept })
      expect(headers['content-encoding']).toBe(encoding)
      expect(headers['vary']).toBe('accept-encoding')
      expect(headers['content-length']).toBe(String(body.length))
      expect(decode(body).toString()).toBe(plain)
    }
    expect((await request('/', { 'accept-encoding': 'identity' })).headers['content-encoding']).toBeUndefined()
  })

  test('are cached forever if hashed; pages are revalidated each time', async () => {
    expect((await request(hashedScript())).headers['cache-control']).toBe('public, max-age=31536000, immutable')
    for (const path of ['/', '/advertorial', '/thank-you', '/decline', '/robots.txt', '/favicon.ico']) {
      const { status, headers } = await request(path)
      // If the operator is testing headlines, the page varies by visitor.
      const caching = server.site.variants.has(path) ? 'private, no-cache' : 'no-cache'
      expect([path, status, headers['cache-control']]).toEqual([path, 200, caching])
    }
  })

  test('return a 304 without a body if unchanged', async () => {
    const { headers } = await request('/', { 'accept-encoding': 'br' })
    const etag = String(headers['etag'])
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const again = await request('/', { 'accept-encoding': 'br', 'if-none-match': tag })
      expect([tag, again.status, again.body.length]).toEqual([tag, 304, 0])
      expect(again.headers['etag']).toBe(etag)
    }
    // A different encoding is a different representation, so its tag must not match.
    expect((await request('/', { 'accept-encoding': 'gzip', 'if-none-match': etag })).status).toBe(200)
    expect((await request('/', { 'if-none-match': '"other"' })).status).toBe(200)
  })

  test('respond to HEAD like GET, without the body', async () => {
    const [head, get] = await Promise.all([request('/', {}, 'HEAD'), request('/')])
    expect([head.status, head.body.length]).toEqual([200, 0])
    for (const name of ['content-length', 'etag']) expect(head.headers[name]).toBe(get.headers[name])
  })

  test('aren’t served from outside the site folder', async () => {
    const outside = ['/../package.json', '/%2e%2e/package.json', '/assets/..%2f..%2fpackage.json']
    for (const path of [...outside, '/manifest.json', '/index.html.br', '/error.html']) {
      expect([path, (await request(path)).status]).toEqual([path, 404])
    }
  })
})

test('an unknown path returns the 404 page, never a 304', async () => {
  const { status, headers, body } = await request('/nowhere', { 'if-none-match': '*' })
  expect([status, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
  expect(body.toString()).toContain(notFound.text)
})

test('a path with trailing slashes or capital letters redirects to the page and keeps the campaign', async () => {
  for (const path of [
    '/advertorial/',
    '/advertorial//',
    `/advertorial${'/'.repeat(7000)}`,
    '/Advertorial',
    '/ADVERTORIAL/',
  ]) {
    const { status, headers } = await request(`${path}?utm_source=ad`)
    expect([status, headers['location']]).toEqual([308, '/advertorial?utm_source=ad'])
  }
  expect((await request('//')).status).toBe(404)
})

test('/readyz says that the store has failed, but only to this machine why', async () => {
  const { url, dataDir, close } = await startSite({ ownStore: true })
  renameSync(storeFile(dataDir), join(dataDir, 'aside'))
  const ask = async (headers = {}) => {
    const { status, body } = await requestRaw(url, { path: '/readyz', headers })
    return [status, JSON.parse(body.toString())]
  }
  expect(await ask()).toEqual([503, { status: 'failed', reason: expect.any(String) }])
  expect(await ask({ 'x-forwarded-for': '127.0.0.1' })).toEqual([503, { status: 'failed' }])
  await close()
})

test('other methods get a 405 that lists the allowed ones', async () => {
  for (const path of ['/', '/nowhere', '/healthz', '/readyz']) {
    for (const method of ['POST', 'PUT', 'DELETE', 'OPTIONS']) {
      const { status, headers } = await request(path, {}, method)
      expect([path, method, status, headers['allow']]).toEqual([path, method, 405, 'GET, HEAD'])
    }
  }
})

test('absolute request URLs from a proxy work; malformed URLs and Host headers don’t cause a 5xx', async () => {
  const pages = ['http://www.example.org/advertorial?a=1', 'HTTPS://other.example/advertorial', 'http://example.org']
  const unknown = ['*', '/%', '/%ff%fe', '/%00', `/${'x'.repeat(8000)}`, '//evil.example', '/advertorial%2f']
  for (const target of [...pages, '/?%']) expect([target, (await request(target)).status]).toEqual([target, 200])
  for (const target of unknown) expect([target, (await request(target)).status]).toEqual([target, 404])
  for (const path of ['/', '/advertorial/?a=1', '/nowhere', '/api/leads']) {
    expect([path, (await request(path, { host: '99999999999999999999' })).status < 500]).toEqual([path, true])
  }
})

test('the receiver’s pages have a content security policy', async () => {
  const { status, headers } = await request('/api/leads', {}, 'POST')
  expect([status, headers['content-type']]).toEqual([403, 'text/html; charset=utf-8'])
  expect(headers['content-security-policy']).toContain("default-src 'none'")
})

test('/healthz reports on the server, and /readyz on the store', async () => {
  expect((await request('/healthz')).body.toString()).toBe('{"status":"alive"}')
  expect((await request('/readyz')).body.toString()).toBe('{"status":"ready"}')
})

test('each request is logged as one line, without the query or an unknown path', async () => {
  const lines: unknown[][] = []
  const logging = await startSite({ log: (...line) => lines.push(line) })
  await request('/advertorial?email=margaret@example.org', {}, 'GET', logging)
  await request('/margaret@example.org', {}, 'GET', logging)
  expect(lines).toEqual([
    ['request', { method: 'GET', path: '/advertorial', status: 200, durationMs: expect.any(Number) }],
    ['request', { method: 'GET', path: '(unknown)', status: 404, durationMs: expect.any(Number) }],
  ])
  await logging.close()
})

describe('security headers', () => {
  test('are on every response', async () => {
    for (const path of ['/', '/nowhere', '/api/leads', '/healthz', hashedScript()]) {
      expect((await request(path)).headers).toMatchObject({
        'x-content-type-options': 'nosniff',
        'referrer-policy': 'same-origin',
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-resource-policy': 'same-origin',
      })
    }
  })

  test('allow only what a page needs, and no unsafe sources', async () => {
    for (const path of ['/', '/advertorial', '/thank-you', '/decline', '/nowhere']) {
      const policy = String((await request(path)).headers['content-security-policy'])
      expect(policy).not.toContain('unsafe')
      expect(policy).toMatch(/^default-src 'none'; script-src 'self'( 'sha256-[\w+/=]+')*; style-src 'sha256-/)
      for (const rest of ["frame-ancestors 'none'", "base-uri 'none'", "form-action 'self'", "connect-src 'self';"]) {
        expect(policy).toContain(rest)
      }
    }
  })

  test('include strict transport security over https', () => {
    const transport = (env: Record<string, string>) => securityHeaders(readConfig(env))['strict-transport-security']
    const SITE_URL = 'https://www.example.org'
    expect(transport({})).toBeUndefined()
    expect(transport({ SITE_URL })).toBe('max-age=31536000')
    expect(transport({ SITE_URL, HSTS_SUBDOMAINS: 'on' })).toBe('max-age=31536000; includeSubDomains')
  })
})

test('when a request fails, the visitor sees the error page with the number to call, in the page’s language', async () => {
  const failing = await startSite({
    change: site => ({
      ...site,
      byPath: new Map([...site.byPath].map(([path, file]) => [path, { ...file, representations: [] }])),
    }),
  })
  const { status, body, headers } = await request('/', {}, 'GET', failing)
  expect([status, headers['x-content-type-options']]).toEqual([500, 'nosniff'])
  expect(body.toString()).toContain(applicationError.heading)
  expect(body.toString()).toContain(organization.phone)
  const spanish = await request('/es/decline', {}, 'GET', failing)
  expect([spanish.status, spanish.body.toString()]).toEqual([500, expect.stringContaining('<html lang="es"')])
  await failing.close()
})

test('an older or unfinished build is rejected with a message that says what to do', () => {
  const folder = newFolder()
  const { copy, ...rest } = JSON.parse(readFileSync(join(BUILT, MANIFEST_FILE), 'utf8'))
  const older = [rest, { ...rest, copy: { ...copy, calls: undefined } }].map(manifest => JSON.stringify(manifest))
  for (const [manifest, message] of [
    ...older.map(text => [text, 'built by an older version'] as const),
    ['{"fingerprint": "ab', 'is not built. Run `npm run build` first.'] as const,
  ]) {
    writeFileSync(join(folder, MANIFEST_FILE), manifest)
    expect(() => loadSite(folder)).toThrow(SiteUnusable)
    expect(() => loadSite(folder)).toThrow(message)
  }
})
