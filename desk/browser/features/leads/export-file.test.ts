import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listen } from '../../../../tests/support/receiver.ts'
import { exportLeads } from './export-file.ts'

let respond: (response: ServerResponse) => void
let server: Awaited<ReturnType<typeof listen>>

beforeEach(async () => {
  server = await listen((_: IncomingMessage, response: ServerResponse) => respond(response))
  const { fetch } = globalThis
  // In a browser, fetch resolves relative URLs against the page.
  vi.stubGlobal('fetch', (path: string, request: RequestInit) => fetch(server.url + path, request))
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await server.close()
})

const startExport = (
  onProgress: (leads: number, total: number | null) => void = () => {},
  stop = new AbortController(),
) => exportLeads({}, { signal: stop.signal, onProgress })

test('reports progress and returns the complete file', async () => {
  const progress: (readonly [leads: number, total: number | null])[] = []
  const rest = Promise.withResolvers<void>()
  respond = response => {
    response.writeHead(200, { 'content-type': 'text/csv', 'x-leads-total': '3' })
    response.write('id,name\r\n1,Ada\r\n2,Gr')
    rest.promise.then(() => response.end('ace\r\n3,Edith\r\n'))
  }
  const file = await startExport((leads, total) => {
    progress.push([leads, total])
    rest.resolve()
  })
  expect(progress[0]).toEqual([1, 3])
  expect(progress.at(-1)).toEqual([3, 3])
  expect([file.type, await file.text()]).toEqual(['text/csv', 'id,name\r\n1,Ada\r\n2,Grace\r\n3,Edith\r\n'])
})

test('an interrupted or aborted export produces no file', async () => {
  respond = response => {
    response.writeHead(200, { 'content-type': 'text/csv' })
    response.write('id,name\r\n', () => response.destroy())
  }
  await expect(startExport()).rejects.toThrow(TypeError)
  const stop = new AbortController()
  respond = response => response.writeHead(200).write('id,name\r\n')
  const aborted = expect.objectContaining({ name: 'AbortError' })
  await expect(startExport(() => stop.abort(), stop)).rejects.toThrow(aborted)
})

test('a rejected export reports the reason', async () => {
  const message = 'You have view-only access.'
  respond = response => response.writeHead(403).end(JSON.stringify({ error: 'editors only', message }))
  await expect(startExport()).rejects.toMatchObject({ code: 'editors only', message })
})
