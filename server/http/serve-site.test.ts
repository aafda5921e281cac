import { expect, test } from 'vitest'
import { BUILT } from '../../build/build.ts'
import { loadSite } from './load-site.ts'
import { createServeFile, createServeSite } from './serve-site.ts'

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
function shortestMs(work: () => unknown): number {
  const times = Array.from({ length: 7 }, () => {
    const started = performance.now()
    work()
    return performance.now() - started
  })
  return Math.min(...times)
}

test('a path of nothing but slashes costs about what it costs to go through it once', () => {
  const path = `/${'/'.repeat(15_500)}x`
  // A search that starts again at every slash takes thousands of times as long.
  expect(shortestMs(() => ask(path)) / shortestMs(() => path.split('/'))).toBeLessThan(100)
})

test('any number of slashes at the end leads to the page', async () => {
  for (const slashes of ['/', '//', '/'.repeat(15_000)]) {
    expect(await ask(`/advertorial${slashes}`)).toMatchObject({ status: 308, headers: { location: '/advertorial' } })
  }
  expect(await ask('//')).toMatchObject({ status: 404 })
})
