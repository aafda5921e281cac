/** Path: a site built with TRUSTEDFORM → the contact form loads the witness → its certificate travels with the lead. */
import { organization } from '../../content/organization.ts'
import { consent } from '../../content/panel/contact-form.ts'
import { TRUSTED_FORM_SITE } from '../support/other-sites.ts'
import { startSite } from '../support/site-server.ts'
import { test as base, expect, FAILED_REQUEST, margaret } from './visitor.ts'

const CERTIFICATE = `https://cert.trustedform.com/${'ab12'.repeat(10)}`

const test = base.extend({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures' names from the pattern
  site: async ({}, use) => {
    const site = await startSite({ built: TRUSTED_FORM_SITE })
    await use(site)
    await site.close()
  },
})

test('the script is asked for only with the contact form, and its certificate is sent', async ({
  visitor,
  page,
  site,
  watched,
}) => {
  // The service is outside; what its script does to the page is done here instead.
  await page.route('https://api.trustedform.com/**', route =>
    route.fulfill({
      contentType: 'text/javascript',
      body: `const field = Object.assign(document.createElement('input'), { type: 'hidden', name: 'xxTrustedFormCertUrl', value: '${CERTIFICATE}' })
             document.querySelector('[data-tf-element-role="submit"]').form.append(field)`,
    }),
  )
  await visitor.open('/')
  await visitor.ready()
  expect(watched.foreignRequests).toEqual([])
  await visitor.reachContact()
  await expect.poll(() => watched.foreignRequests.length).toBe(1)
  const asked = new URL(watched.foreignRequests[0] ?? '')
  expect(asked.origin + asked.pathname).toBe('https://api.trustedform.com/trustedform.js')
  expect(Object.fromEntries(asked.searchParams)).toMatchObject({
    field: 'xxTrustedFormCertUrl',
    use_tagged_consent: 'true',
    sandbox: 'true',
  })
  await expect(page.locator('[data-tf-element-role="consent-language"]')).toHaveText(consent.text)
  await expect(page.locator('[data-tf-element-role="consent-advertiser-name"]')).toHaveText(organization.name)
  await visitor.fillIn()
  await visitor.submit()
  await expect.poll(() => site.receiver.leads[0]?.query).toEqual({ ...margaret, xxTrustedFormCertUrl: CERTIFICATE })
  watched.allow({ request: /^https:\/\/api\.trustedform\.com\// })
})

test('a witness that cannot be reached does not keep a lead from being sent', async ({
  visitor,
  page,
  site,
  watched,
}) => {
  await page.route('https://api.trustedform.com/**', route => route.abort())
  await visitor.reachContact()
  await visitor.fillIn()
  await visitor.submit()
  await expect.poll(() => site.receiver.leads[0]?.query).toEqual(margaret)
  watched.allow({ request: /^https:\/\/api\.trustedform\.com\//, console: FAILED_REQUEST })
})

test('the policy is opened for the service on pages with the questionnaire, and on no other', async ({
  page,
  site,
}) => {
  const policyOf = async (path: string) =>
    (await page.request.get(site.url + path)).headers()['content-security-policy']
  for (const directive of ['script-src', 'img-src', 'connect-src']) {
    expect(await policyOf('/')).toMatch(
      new RegExp(`${directive} [^;]*https://api\\.trustedform\\.com https://cdn\\.trustedform\\.com`),
    )
  }
  expect(await policyOf('/thank-you')).not.toContain('trustedform')
  const shipped = await startSite()
  expect((await page.request.get(shipped.url)).headers()['content-security-policy']).not.toContain('trustedform')
  await shipped.close()
})
