/** Path: dist/ on a static host that knows nothing of us but its `_headers` file → the questionnaire → the webhook. */
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sirv from 'sirv'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { DIRECT_SITE } from '../support/other-sites.ts'
import { listen, Receiver } from '../support/receiver.ts'
import { test as base, expect, FAILED_REQUEST, margaret } from './visitor.ts'

const DIST = join(dirname(DIRECT_SITE), 'dist')

/** As such hosts read it: a path, which may end in a star, and below it the headers. */
function headersFor(path: string): [name: string, value: string][] {
  const rules = readFileSync(join(DIST, '_headers'), 'utf8').trim().split('\n\n')
  return rules.flatMap(rule => {
    const [pattern = '', ...headers] = rule.split('\n')
    const applies = pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
    return applies ? headers.map(line => line.trim().split(/: (.*)/s) as [string, string]) : []
  })
}

const test = base.extend<{ webhook: Receiver }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
  webhook: async ({}, use) => use(new Receiver()),
  proxy: async ({ webhook }, use) => {
    const { url, close } = await listen(webhook.handle)
    await use({ server: url, bypass: '127.0.0.1' })
    await close()
  },
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
  site: async ({}, use) => {
    const files = sirv(DIST, {
      onNoMatch(_, response) {
        response.writeHead(404, { 'content-type': 'text/html; charset=utf-8' })
        response.end(readFileSync(join(DIST, '404.html')))
      },
    })
    const { url, close } = await listen((request, response) => {
      for (const [name, value] of headersFor(request.url?.split('?')[0] ?? '/')) response.setHeader(name, value)
      files(request, response)
    })
    const receiver = new Receiver()
    await use({ url, dataDir: '', receiver, holdScripts: () => () => {}, failScripts: () => [], close })
    await close()
  },
})

test('a visitor who qualifies gets through, and the webhook gets the lead', async ({ visitor, webhook, watched }) => {
  watched.allow({ request: /^http:\/\/webhook\.example\/hook\?source=site&/ })
  await visitor.reachContact('/advertorial/')
  await visitor.fillIn()
  await visitor.submit()
  await visitor.leftFor('/thank-you')
  expect(webhook.leads).toHaveLength(1)
  expect(webhook.leads[0]).toMatchObject({ query: { ...margaret, source: 'site' } })
  watched.allow({ console: FAILED_REQUEST })
})

test('an unknown address shows the page for it, under a policy of its own', async ({ page, site, watched }) => {
  watched.allow({ console: FAILED_REQUEST })
  // The spec has the page say so.
  watched.allow({ console: /^Page not found: / })
  const answer = await page.goto(`${site.url}/nowhere`)
  expect(answer?.status()).toBe(404)
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  expect(await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content')).toContain(
    "default-src 'none'",
  )
})

test('nothing that only our server needs is published', async ({ request, site }) => {
  for (const path of [
    '/manifest.json',
    '/plain-form.html',
    '/error.html',
    '/submission-error.html',
    '/index.html.br',
  ]) {
    expect((await request.get(site.url + path)).status(), path).toBe(404)
  }
  for (const path of ['/', '/advertorial/', '/thank-you/', '/decline/', '/robots.txt', '/favicon.ico']) {
    expect((await request.get(site.url + path)).status(), path).toBe(200)
  }
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('visitors are asked to call, since nobody would take a form', async ({ page, site }) => {
    await page.goto(site.url)
    const said = page.locator('main noscript p')
    await expect(said).toBeVisible()
    expect(await said.textContent()).toBe(questionnaire.scriptMissing.withoutForm)
    await expect(page.locator('main noscript a[href^="tel:"]')).toBeVisible()
    await expect(page.locator('form')).toHaveCount(0)
  })
})
