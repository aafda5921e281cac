import type { IncomingMessage, ServerResponse } from 'node:http'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { listen } from '../../../../tests/support/receiver.ts'
import { exportLeads } from './export-file.ts'

let answer: (response: ServerResponse) => void
let server: Awaited<ReturnType<typeof listen>>

beforeEach(async () => {
  server = await listen((_: IncomingMessage, response: ServerResponse) => answer(response))
  const { fetch } = globalThis
  // In a browser, fetch resolves relative URLs against the page.
  vi.stubGlobal('fetch', (path: string, request: RequestInit) => fetch(server.url + path, request))
})
afterEach(async () => {
  vi.unstubAllGlobals()
  await server.close()
})

const exporting = (
  onProgress: (leads: number, total: number | null) => void = () => {},
  stop = new AbortController(),
) => exportLeads({}, { signal: stop.signal, onProgress })

test('reports progress, and returns the file when it is complete', async () => {
  const seen: (readonly [leads: number, total: number | null])[] = []
  const rest = Promise.withResolvers<void>()
  answer = response => {
    response.writeHead(200, { 'content-type': 'text/csv', 'x-leads-total': '3' })
    response.write('id,name\r\n1,Ada\r\n2,Gr')
    rest.promise.then(() => response.end('ace\r\n3,Edith\r\n'))
  }
  const file = await exporting((leads, total) => {
    seen.push([leads, total])
    rest.resolve()
  })
  expect(seen[0]).toEqual([1, 3])
  expect(seen.at(-1)).toEqual([3, 3])
  expect([file.type, await file.text()]).toEqual(['text/csv', 'id,name\r\n1,Ada\r\n2,Grace\r\n3,Edith\r\n'])
})

test('an interrupted or aborted export produces no file', async () => {
  answer = response => {
    response.writeHead(200, { 'content-type': 'text/csv' })
    response.write('id,name\r\n', () => response.destroy())
  }
  await expect(exporting()).rejects.toThrow(TypeError)
  const stop = new AbortController()
  answer = response => response.writeHead(200).write('id,name\r\n')
  const aborted = expect.objectContaining({ name: 'AbortError' })
  await expect(exporting(() => stop.abort(), stop)).rejects.toThrow(aborted)
})

test('a refused export reports the reason', async () => {
  const message = 'You can only view.'
  answer = response => response.writeHead(403).end(JSON.stringify({ error: 'editors only', message }))
  await expect(exporting()).rejects.toMatchObject({ code: 'editors only', message })
})
