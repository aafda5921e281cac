/** Path: a site built with SITE_LEAD_ENDPOINT → the lead goes straight to the webhook, whatever that answers. */
import { DIRECT_DIST, DIRECT_PORT } from '../support/other-sites.ts'
import { listen, Receiver } from '../support/receiver.ts'
import { startSite } from '../support/site-server.ts'
import { expect, margaret, test, Visitor } from './visitor.ts'

test.describe.configure({ mode: 'serial' })

for (const status of [200, 500]) {
  test(`the webhook gets the lead, and its status ${status} is not looked at`, async ({ page, watched }) => {
    const webhook = new Receiver()
    webhook.answer = status
    const listening = await listen(webhook.handle, DIRECT_PORT)
    const site = await startSite({ dist: DIRECT_DIST })
    const visitor = new Visitor(page, site)
    await visitor.reachContact('/advertorial')
    await visitor.fillIn()
    await visitor.submit()
    await page.waitForURL('**/thank-you')
    expect(webhook.leads).toHaveLength(1)
    expect(webhook.leads[0]).toMatchObject({ method: 'GET', path: '/hook', query: { ...margaret, source: 'site' } })
    expect(webhook.leads[0]?.headers.accept).toBe('application/json')
    expect(webhook.leads[0]?.headers.referer).toBeUndefined()
    expect(site.receiver.leads).toHaveLength(0)
    expect(watched.foreignRequests.every(url => [site.url, listening.url].some(own => url.startsWith(own)))).toBe(true)
    watched.foreignRequests.length = 0
    // The browser itself notes a failed request, whoever looks at it.
    watched.consoleMessages.length = 0
    await site.close()
    await listening.close()
  })
}

test('a webhook that cannot be reached is a Submission Error', async ({ page, watched }) => {
  const site = await startSite({ dist: DIRECT_DIST })
  const visitor = new Visitor(page, site)
  await visitor.reachContact()
  await visitor.fillIn()
  await visitor.submit()
  await expect(visitor.panel.getByRole('alert').getByText('Submission Error')).toBeVisible()
  watched.foreignRequests.length = 0
  watched.consoleMessages.length = 0
  await site.close()
})
