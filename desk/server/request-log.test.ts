import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { beforeEach, expect, test, vi } from 'vitest'
import type { Detail } from '../../server/log.ts'
import type { Store } from '../../server/store/store.ts'
import { type DeskOptions, deskOver } from '../../tests/support/desk.ts'
import { deskPerTest } from '../../tests/support/desk-scene.ts'

const scene = deskPerTest()
let lines: [string, Detail | undefined][]
beforeEach(() => {
  lines = []
})

/** A desk whose log is `lines`, over a store that fails on one call. */
function loggingDesk(failure: Partial<Store> = {}, options: DeskOptions = {}) {
  const store: Store = Object.assign(Object.create(scene.store), failure)
  return deskOver(store, { ...options, log: (code, detail) => void lines.push([code, detail]) })
}

test('requests are logged by method, route, status, and duration, without personal data or ids', async () => {
  const ann = await loggingDesk().signedIn('Ann Advisor', 'editor')
  const id = await scene.capture('Zebulon')
  await ann.ask(`/api/leads/${id}/record?name=Zebulon`)
  await ann.ask('/api/leads/search', { body: { filter: { search: 'Zebulon' } } })
  await ann.ask('/api/leads/Zebulon/Lovelace/5552100199')
  await ann.ask('/Zebulon?phone=5552100199')
  await ann.ask('/api/session/invitation', { body: { token: 'Zebulon' } })
  await ann.ask('/api/session', { headers: { host: 'Zebulon' } })
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

test('an unexpected error is logged only by its type and location', async () => {
  const desk = loggingDesk({ backlog: () => Promise.reject(new TypeError('Zebulon is not a number')) })
  const answer = await (await desk.signedIn('Ann Advisor')).ask('/api/health')
  expect([answer.status, await answer.json()]).toMatchObject([500, { error: 'failed' }])
  expect(lines).toContainEqual(['request_failed', { error: 'TypeError', place: expect.any(String) }])
  expect(JSON.stringify(lines)).not.toContain('Zebulon')
})

test('an export that fails halfway is cut off, and none of its rows are logged', async () => {
  const written = vi.spyOn(console, 'error').mockImplementation(() => {})
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, 'localhost', resolve))
  const origin = `http://localhost:${(server.address() as AddressInfo).port}`
  const page = () => Promise.reject(new Error('Failing row contains (Zebulon, Lovelace)'))
  const desk = loggingDesk({ page }, { origin })
  server.on('request', getRequestListener(desk.app.fetch))
  await scene.capture('Zebulon')
  const { cookie } = await desk.signedIn('Ann Advisor', 'editor')
  const headers = { cookie, origin, 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: JSON.stringify({ filter: {} }) }
  await expect(fetch(`${origin}/api/leads/export`, request).then(answer => answer.text())).rejects.toThrow()
  await new Promise<void>(resolve => server.close(() => resolve()))
  expect(written).not.toHaveBeenCalled()
  expect(lines.map(([code]) => code)).toContain('request_failed')
  expect(JSON.stringify(lines)).not.toMatch(/Zebulon|Lovelace/)
  written.mockRestore()
})
