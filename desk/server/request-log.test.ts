import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Detail } from '../../server/process/log.ts'
import type { Store } from '../../server/store/store.ts'
import { createTestDesk, type DeskOptions, sessionHeaders } from '../../tests/support/desk.ts'
import { deskPerTest } from '../../tests/support/desk-harness.ts'

const harness = deskPerTest()
let lines: [string, Detail | undefined][]
beforeEach(() => {
  lines = []
})

/** A desk that logs to `lines`. `failure` overrides store methods with failing ones. */
function loggingDesk(failure: Partial<Store> = {}, options: DeskOptions = {}) {
  const store: Store = Object.assign(Object.create(harness.store), failure)
  return createTestDesk(store, { ...options, log: (code, detail) => void lines.push([code, detail]) })
}

test('requests are logged with method, route, status, and duration, but no personal data or IDs', async () => {
  const ann = await loggingDesk().signedIn('Ann Advisor', 'editor')
  const id = await harness.capture('Zebulon')
  await ann.fetch(`/api/leads/${id}/record?name=Zebulon`)
  await ann.fetch('/api/leads/search', { body: { filter: { search: 'Zebulon' } } })
  await ann.fetch('/api/leads/Zebulon/Lovelace/5552100199')
  await ann.fetch('/Zebulon?phone=5552100199')
  await ann.fetch('/api/session/invitation', { body: { token: 'Zebulon' } })
  await ann.fetch('/api/session', { headers: { host: 'Zebulon' } })
  expect(lines).toContainEqual([
    'request',
    { method: 'GET', route: '/api/leads/:id/record', status: 200, durationMs: expect.any(Number) },
  ])
  const secrets = ['Zebulon', 'Lovelace', '210-0199', '5552100199', 'Ann', 'Advisor', '192.0.2.1', id, ann.cookie]
  for (const part of secrets) expect(JSON.stringify(lines)).not.toContain(part)
  for (const [, detail] of lines.filter(([code]) => code === 'request')) {
    expect(Object.keys(detail ?? {})).toEqual(['method', 'route', 'status', 'durationMs'])
  }
})

test('an unexpected error is logged with only its type and location', async () => {
  const desk = loggingDesk({ backlog: () => Promise.reject(new TypeError('Zebulon is not a number')) })
  const response = await (await desk.signedIn('Ann Advisor')).fetch('/api/health')
  expect([response.status, await response.json()]).toMatchObject([500, { error: 'failed' }])
  expect(lines).toContainEqual(['request_failed', { error: 'TypeError', place: expect.any(String) }])
  expect(JSON.stringify(lines)).not.toContain('Zebulon')
})

test('an export that fails partway through is cut off, and none of its rows are logged', async () => {
  const consoleError = vi.spyOn(console, 'error').mockImplementation(() => {})
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const page = () => Promise.reject(new Error('Failing row contains (Zebulon, Lovelace)'))
  const desk = loggingDesk({ page }, { origin })
  server.on('request', getRequestListener(desk.app.fetch))
  await harness.capture('Zebulon')
  const session = sessionHeaders(await desk.signedIn('Ann Advisor', 'editor'))
  const headers = { ...session, origin, 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify({ filter: {} }) }
  await expect(fetch(`${origin}/api/leads/export`, request).then(response => response.text())).rejects.toThrow()
  await new Promise<void>(resolve => server.close(() => resolve()))
  expect(consoleError).not.toHaveBeenCalled()
  expect(lines.map(([code]) => code)).toContain('request_failed')
  expect(JSON.stringify(lines)).not.toMatch(/Zebulon|Lovelace/)
  consoleError.mockRestore()
})
