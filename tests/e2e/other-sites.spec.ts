/** Sites built with other settings: leads sent straight to a webhook, a static host, TrustedForm. */

import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import sirv from 'sirv'
import { words } from '../../site-folder/site.ts'
import { DIRECT_ENDPOINT, DIRECT_SITE } from '../support/build-sites.ts'
import { FILLED_IN } from '../support/filled-in.ts'
import { listen } from '../support/receiver.ts'
import { type SiteServer, startSite } from '../support/site-server.ts'
import { MisbehavingWebhook } from '../support/webhook.ts'
import { expect, FAILED_REQUEST, margaret, NOT_FOUND, test } from './visitor.ts'

const { toasts, questionnaire } = words.en

const HOOK = /^http:\/\/webhook\.example\/hook\?source=site&/

const DIST = join(dirname(DIRECT_SITE), 'dist')

/** Reads `_headers` the way static hosts do: a path, which may end in `*`, followed by its headers. */
function headersFor(path: string): [name: string, value: string][] {
  const rules = readFileSync(join(DIST, '_headers'), 'utf8').trim().split('\n\n')
  return rules.flatMap(rule => {
    const [pattern = '', ...headers] = rule.split('\n')
    const applies = pattern.endsWith('*') ? path.startsWith(pattern.slice(0, -1)) : path === pattern
    return applies ? headers.map(line => line.trim().split(/: (.*)/s) as [string, string]) : []
  })
}

/** The webhook's hostname is built into the pages; a proxy forwards requests to a local port. */
const testStatic = test.extend<{ webhook: MisbehavingWebhook }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
  webhook: async ({}, use) => use(new MisbehavingWebhook()),
  proxy: async ({ webhook }, use) => {
    const { url, close } = await listen(webhook.handle)
    await use({ server: url, bypass: '127.0.0.1' })
    await close()
  },
  // biome-ignore lint/correctness/noEmptyPattern: see above
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
    await use({ url } as SiteServer)
    await close()
  },
})

testStatic(
  'SITE_LEAD_ENDPOINT on a static host: the webhook gets the lead, any response counts as success, and only published files are served',
  async ({ visitor, page, request, site, webhook, watched }) => {
    watched.allow(HOOK, FAILED_REQUEST, NOT_FOUND)
    webhook.behave = () => 'resets'
    await visitor.reachContact('/advertorial/')
    await visitor.fillIn()
    await visitor.submit()
    await expect(visitor.panel.getByRole('alert').getByText(toasts.submissionFailed.title)).toBeVisible()
    webhook.reset()
    webhook.behave = () => ({ status: 500 })
    await visitor.submit()
    await visitor.waitForRedirect('/thank-you')
    const [lead, ...others] = webhook.deliveries
    expect(others).toEqual([])
    expect(lead).toMatchObject({ method: 'GET', path: '/hook', query: { ...margaret, source: 'site' } })
    expect(lead?.headers).toMatchObject({ host: new URL(DIRECT_ENDPOINT).host, accept: 'application/json' })
    expect(lead?.headers.referer).toBeUndefined()
    // Our own server allows the same endpoint.
    const served = await startSite({ built: DIRECT_SITE })
    const { headers } = await fetch(`${served.url}/advertorial`)
    expect(headers.get('content-security-policy')).toContain(`connect-src 'self' ${new URL(DIRECT_ENDPOINT).origin};`)
    expect(headers.get('referrer-policy')).toBe('same-origin')
    await served.close()

    const response = await page.goto(`${site.url}/nowhere`)
    expect(response?.status()).toBe(404)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
    expect(await page.locator('meta[http-equiv="Content-Security-Policy"]').getAttribute('content')).toContain(
      "default-src 'none'",
    )
    const statusOf = async (path: string) => (await request.get(site.url + path)).status()
    for (const name of ['manifest.json', 'plain-form.html', 'error.html', 'submission-error.html', 'index.html.br'])
      expect(await statusOf(`/${name}`), name).toBe(404)
    for (const path of ['/', '/advertorial/', '/thank-you/', '/decline/', '/robots.txt', '/favicon.ico'])
      expect(await statusOf(path), path).toBe(200)
  },
)

testStatic.describe('static host without JavaScript', () => {
  testStatic.use({ javaScriptEnabled: false })
  testStatic('visitors are asked to call, because no server could receive a form', async ({ page, site }) => {
    await page.goto(site.url)
    await expect(page.locator('main noscript p')).toHaveText(questionnaire.scriptMissing.withoutForm)
    await expect(page.locator('main noscript a[href^="tel:"]')).toBeVisible()
    await expect(page.locator('form')).toHaveCount(0)
  })
})

const CERTIFICATE = `https://cert.trustedform.com/${'ab12'.repeat(10)}`
const TRUSTED_FORM = /^https:\/\/api\.trustedform\.com\//
const testFilledIn = test.extend({ built: `${FILLED_IN}/built` })

testFilledIn(
  'TrustedForm: its script loads with the contact form, and its certificate is sent',
  async ({ visitor, page, site, watched }) => {
    watched.allow(TRUSTED_FORM)
    // Does what the service's real script does.
    await page.route('https://api.trustedform.com/**', route =>
      route.fulfill({
        contentType: 'text/javascript',
        body: `const field = Object.assign(document.createElement('input'), { type: 'hidden', name: 'xxTrustedFormCertUrl', value: '${CERTIFICATE}' })
             document.querySelector('[data-tf-element-role="submit"]').form.append(field)`,
      }),
    )
    await visitor.start()
    expect(watched.seen).toEqual([])
    await visitor.answerAll()
    await expect.poll(() => watched.seen.length).toBe(1)
    const { origin, pathname, searchParams } = new URL(watched.seen[0] ?? '')
    expect(origin + pathname).toBe('https://api.trustedform.com/trustedform.js')
    const { l: unique, ...query } = Object.fromEntries(searchParams)
    expect(unique).toMatch(/^\d/)
    expect(query).toEqual({ field: 'xxTrustedFormCertUrl', use_tagged_consent: 'true' })
    await expect(page.locator('[data-tf-element-role="consent-language"]')).toContainText('Harbor Light Advocates')
    await expect(page.locator('[data-tf-element-role="consent-advertiser-name"]')).toHaveText('Harbor Light Advocates')
    await visitor.fillIn()
    await visitor.submit()
    await expect
      .poll(() => site.webhook.deliveries[0]?.query)
      .toEqual({ ...margaret, xxTrustedFormCertUrl: CERTIFICATE })

    const policyOf = async (path: string) =>
      (await page.request.get(site.url + path)).headers()['content-security-policy']
    for (const directive of ['script-src', 'img-src', 'connect-src']) {
      expect(await policyOf('/')).toMatch(
        new RegExp(`${directive} [^;]*https://api\\.trustedform\\.com https://cdn\\.trustedform\\.com`),
      )
    }
    expect(await policyOf('/thank-you')).not.toContain('trustedform')
  },
)

testFilledIn(
  'TrustedForm: an unreachable service does not block the lead',
  async ({ visitor, page, site, watched }) => {
    watched.allow(TRUSTED_FORM, FAILED_REQUEST)
    await page.route('https://api.trustedform.com/**', route => route.abort())
    // The same site in sandbox mode.
    await page.route(`${site.url}/`, async route => {
      const response = await route.fetch()
      const body = (await response.text()).replace('trustedForm&quot;:&quot;on', 'trustedForm&quot;:&quot;sandbox')
      await route.fulfill({ response, body })
    })
    await visitor.reachContact()
    await visitor.fillIn()
    await visitor.submit()
    await expect.poll(() => site.webhook.deliveries[0]?.query).toEqual(margaret)
    expect(new URL(watched.seen[0] ?? '').searchParams.get('sandbox')).toBe('true')
  },
)
