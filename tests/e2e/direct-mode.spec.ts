/** Path: a site built with SITE_LEAD_ENDPOINT → the lead goes straight to the webhook, whatever that answers. */
import { toasts } from '../../content/panel/contact-form.ts'
import { DIRECT_ENDPOINT, DIRECT_SITE } from '../support/other-sites.ts'
import { listen, Receiver } from '../support/receiver.ts'
import { startSite } from '../support/site-server.ts'
import { test as base, expect, FAILED_REQUEST, margaret } from './visitor.ts'

/** The webhook is another machine's: its name is built into the pages, and a proxy leads from there to a port of ours. */
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
    const site = await startSite({ built: DIRECT_SITE })
    await use(site)
    await site.close()
  },
})

test.beforeEach(({ watched }) => {
  watched.allow({ request: /^http:\/\/webhook\.example\/hook\?source=site&/ })
})

for (const status of [200, 500]) {
  test(`the webhook gets the lead, and its status ${status} is not looked at`, async ({
    visitor,
    webhook,
    site,
    watched,
  }) => {
    webhook.answer = status
    await visitor.reachContact('/advertorial')
    await visitor.fillIn()
    await visitor.submit()
    await visitor.leftFor('/thank-you')
    expect(webhook.leads).toHaveLength(1)
    expect(webhook.leads[0]).toMatchObject({ method: 'GET', path: '/hook', query: { ...margaret, source: 'site' } })
    expect(webhook.leads[0]?.headers).toMatchObject({ host: new URL(DIRECT_ENDPOINT).host, accept: 'application/json' })
    expect(webhook.leads[0]?.headers.referer).toBeUndefined()
    expect(site.receiver.leads).toHaveLength(0)
    // The browser itself notes a failed request, whoever looks at it; without CORS headers, every one is to it.
    watched.allow({ console: FAILED_REQUEST })
  })
}

test('a webhook that cannot be reached is a Submission Error', async ({ visitor, webhook, watched }) => {
  webhook.answer = 'hang up'
  await visitor.reachContact()
  await visitor.fillIn()
  await visitor.submit()
  await expect(visitor.panel.getByRole('alert').getByText(toasts.submissionFailed.title)).toBeVisible()
  watched.allow({ console: FAILED_REQUEST })
})
