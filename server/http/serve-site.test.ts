import { expect, test } from 'vitest'
import { BUILT } from '../../build/site-build.ts'
import { loadSite } from './load-site.ts'
import { createServeFile } from './serve-file.ts'
import { createServeSite } from './serve-site.ts'

const site = loadSite(BUILT)
const serveSite = createServeSite(site, createServeFile(site))
const ask = (path: string) =>
  serveSite({
    method: 'GET',
    path,
    query: '',
    header: () => undefined,
    socketAddress: undefined,
    body: undefined as never,
  })

/** The best of several runs: what the machine does beside only ever adds to it. */
function shortestMs(path: string): number {
  const times = Array.from({ length: 7 }, () => {
    const started = performance.now()
    ask(path)
    return performance.now() - started
  })
  return Math.min(...times)
}

test('a path of nothing but slashes costs about what any other path of its length costs', () => {
  const length = 15_500
  const letters = shortestMs(`/${'a'.repeat(length)}x`)
  // A search that starts again at every slash takes thousands of times as long.
  expect(shortestMs(`/${'/'.repeat(length)}x`) / letters).toBeLessThan(100)
})

test('any number of slashes at the end leads to the page', async () => {
  for (const slashes of ['/', '//', '/'.repeat(15_000)]) {
    expect(await ask(`/advertorial${slashes}`)).toMatchObject({ status: 308, headers: { location: '/advertorial' } })
  }
  expect(await ask('//')).toMatchObject({ status: 404 })
})
