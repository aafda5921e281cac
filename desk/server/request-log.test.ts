import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { Detail } from '../../server/log.ts'
import type { Store } from '../../server/store/store.ts'
import { deskOver } from '../../tests/support/desk.ts'
import { submissionOf } from '../../tests/support/lead-store.ts'
import { engines, type OpenEngine } from '../../tests/support/store-engines.ts'

let open: OpenEngine
beforeEach(async () => {
  open = await (engines[0] as (typeof engines)[0]).open()
})
afterEach(() => open.remove())

test('requests are logged by method, route, status, and duration, without personal data or ids', async () => {
  const lines: [string, Detail | undefined][] = []
  const desk = deskOver(open.store, { log: (code, detail) => void lines.push([code, detail]) })
  const consent = await open.store.saveConsentText(JSON.stringify({ text: 'I agree', button: 'Call me' }))
  const { id } = await open.store.capture(submissionOf('Zebulon', consent))
  const maria = await desk.signedIn('Maria Lopez', 'editor')
  await maria.ask(`/api/leads/${id}/record?name=Zebulon`)
  await maria.ask('/api/leads/search', { body: { filter: { search: 'Zebulon' } } })
  await maria.ask('/api/leads/Zebulon/Lovelace/5552100199')
  await maria.ask('/Zebulon?phone=5552100199')
  await maria.ask('/api/session/invitation', { body: { token: 'Zebulon' } })
  await maria.ask('/api/session', { headers: { host: 'Zebulon' } })
  expect(lines).toContainEqual([
    'request',
    { method: 'GET', route: '/api/leads/:id/record', status: 200, durationMs: expect.any(Number) },
  ])
  const text = JSON.stringify(lines)
  for (const part of [
    'Zebulon',
    'Lovelace',
    '210-0199',
    '5552100199',
    'Maria',
    'Lopez',
    id,
    '192.0.2.1',
    maria.cookie,
  ]) {
    expect(text).not.toContain(part)
  }
  for (const [, detail] of lines.filter(([code]) => code === 'request')) {
    expect(Object.keys(detail ?? {})).toEqual(['method', 'route', 'status', 'durationMs'])
  }
})

test('an unexpected error is logged only by its type and location', async () => {
  const lines: [string, Detail | undefined][] = []
  const store = new Proxy(open.store, {
    get: (target, name) =>
      name === 'backlog'
        ? () => Promise.reject(new TypeError('Zebulon is not a number'))
        : Reflect.get(target, name, target),
  })
  const desk = deskOver(store, { log: (code, detail) => void lines.push([code, detail]) })
  const answer = await (await desk.signedIn('Maria Lopez')).ask('/api/health')
  expect([answer.status, await answer.json()]).toMatchObject([500, { error: 'failed' }])
  expect(lines).toContainEqual(['request_failed', { error: 'TypeError', place: expect.any(String) }])
  expect(JSON.stringify(lines)).not.toContain('Zebulon')
})

test('an export that fails halfway is cut off, and none of its rows are logged', async () => {
  const lines: [string, Detail | undefined][] = []
  const written = vi.spyOn(console, 'error').mockImplementation(() => {})
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const fails = { page: () => Promise.reject(new Error('Failing row contains (Zebulon, Lovelace)')) }
  const store: Store = Object.assign(Object.create(open.store), fails)
  const desk = deskOver(store, { origin, log: (code, detail) => void lines.push([code, detail]) })
  server.on('request', getRequestListener(desk.app.fetch))
  const consent = await store.saveConsentText(JSON.stringify({ text: 'I agree', button: 'Call me' }))
  await store.capture(submissionOf('Zebulon', consent))
  const { cookie } = await desk.signedIn('Maria Lopez', 'editor')
  const request = {
    method: 'POST',
    headers: { cookie, origin, 'content-type': 'application/json' },
    body: JSON.stringify({ filter: {} }),
  }
  const file = fetch(`${origin}/api/leads/export`, request).then(answer => answer.text())
  await expect(file).rejects.toThrow()
  await new Promise<void>(resolve => server.close(() => resolve()))
  expect(written).not.toHaveBeenCalled()
  expect(lines.map(([code]) => code)).toContain('request_failed')
  expect(JSON.stringify(lines)).not.toMatch(/Zebulon|Lovelace/)
  written.mockRestore()
})
