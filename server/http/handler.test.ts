/** How requests reach handlers, over a real connection. */
import { request as sendRequest } from 'node:http'
import { connect } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { listen } from '../../tests/support/receiver.ts'
import { createListener, type HttpRequest, text } from './handler.ts'

let close = async () => {}
afterEach(() => close())

const options = { headers: {}, failed: () => text(500, 'failed'), isKnownPath: () => true, log: () => {} }

async function capture(target: string, headers: Record<string, string>): Promise<HttpRequest> {
  const requests: HttpRequest[] = []
  const server = await listen(createListener(request => text(200, String(requests.push(request))), options))
  close = server.close
  await new Promise(resolve =>
    sendRequest(`${server.url}${target}`, { headers }, response => response.resume().on('end', resolve)).end(),
  )
  return requests[0] as HttpRequest
}

test('queries and headers are truncated to 2 KB before parsing; X-Forwarded-For is cut at the front, because proxies append to it', async () => {
  const bomb = '%41&'.repeat(1000)
  const proxies = `${'10.0.0.1, '.repeat(500)}192.0.2.7`
  const request = await capture(`/?${bomb}`, { referer: `http://localhost/?${bomb}`, 'x-forwarded-for': proxies })
  expect([request.query, request.isQueryTruncated]).toEqual([bomb.slice(0, 2048), true])
  expect(request.header('referer')).toHaveLength(2048)
  expect(request.header('x-forwarded-for')).toBe(proxies.slice(-2048))
})

test('when unread responses exceed the budget, the client that has gone longest without reading is cut off', async () => {
  const lines: unknown[] = []
  // Larger than a connection's buffers.
  const page = 'x'.repeat(8 * 1024 * 1024)
  const listener = createListener(() => text(200, page), {
    ...options,
    log: (code, detail) => code === 'request' || lines.push({ code, ...detail }),
    maxUnreadBytes: 2.5 * page.length,
  })
  const server = await listen(listener)
  close = server.close
  const requestPage = async () => {
    const client = connect(Number(new URL(server.url).port), '127.0.0.1').pause()
    client.on('error', () => {})
    client.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n')
    await new Promise(resolve => client.once('readable', resolve))
    return client
  }
  const clients = [await requestPage(), await requestPage()]
  expect(lines).toEqual([])
  clients.push(await requestPage())
  await expect
    .poll(() => lines)
    .toEqual([{ code: 'connections_cut_off', reason: 'too many unread responses', times: 1 }])
  const [oldest, ...others] = clients.map(
    client =>
      new Promise<number>(resolve => {
        let read = 0
        client.on('data', chunk => {
          read += chunk.length
          if (read > page.length) resolve(read)
        })
        client.on('close', () => resolve(read))
        client.resume()
      }),
  )
  expect(await oldest).toBeLessThan(page.length)
  for (const read of await Promise.all(others)) expect(read).toBeGreaterThan(page.length)
  for (const client of clients) client.destroy()
})
