import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { checkExternalLinks } from './external-links.ts'

/** Answers with the status in the path; a path with "get" in it answers to GET only. */
const site = createServer((request, response) => {
  const status = Number(/\d{3}/.exec(request.url ?? '')?.[0])
  response.statusCode = request.url?.includes('get') && request.method === 'HEAD' ? 404 : status
  if (status === 302) response.setHeader('location', '/404')
  response.end()
})
/** Nothing listens there: the port was another server's, which is gone. */
let closedPort = 0
let url = ''

beforeAll(async () => {
  await new Promise<void>(resolve => site.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(site.address() as AddressInfo).port}`
  const gone = createServer()
  await new Promise<void>(resolve => gone.listen(0, '127.0.0.1', resolve))
  closedPort = (gone.address() as AddressInfo).port
  await new Promise(resolve => gone.close(resolve))
})

afterAll(() => site.close())

const standings = async (...urls: string[]) => (await checkExternalLinks(urls)).map(({ standing }) => standing)

test('a page that answers is alive, also one that answers only to a browser’s kind of request', async () => {
  expect(await standings(`${url}/200`, `${url}/get-200`)).toEqual(['alive', 'alive'])
})

test('a page that is gone is dead, also behind a redirect', async () => {
  expect(await standings(`${url}/404`, `${url}/410`, `${url}/500`, `${url}/302`)).toEqual(Array(4).fill('dead'))
})

test('a site that keeps programs out is not judged', async () => {
  expect(await standings(`${url}/403`, `${url}/429`)).toEqual(['unchecked', 'unchecked'])
})

test('a site that cannot be reached is dead if others can be, and is not judged if none can', async () => {
  const gone = `http://127.0.0.1:${closedPort}/`
  expect(await standings(gone, `${url}/200`)).toEqual(['dead', 'alive'])
  expect(await standings(gone)).toEqual(['unchecked'])
})
