/** Path: / or /advertorial → contact form → our own receiver → the store: what arrives there is what the visitor gave. */
import { consent } from '../../content/panel/contact-form.ts'
import { consentAsPresented } from '../../domain/consent.ts'
import { versionOf } from '../../server/presented-version.ts'
import { expect, homes, margaret, storedLeads, testWithStore as test } from './visitor.ts'

for (const { name, path } of homes) {
  test(`${name}: the lead is in the store, with its page, its campaign and its consent`, async ({
    visitor,
    page,
    site,
  }) => {
    await visitor.reachContact(`${path}?utm_source=ad&utm_campaign=spring&name=margaret`)
    await visitor.fillIn()
    await visitor.submit()
    await visitor.leftFor('/thank-you')
    expect(await storedLeads(site)).toEqual([
      expect.objectContaining({
        state: 'accepted',
        firstName: margaret.firstName,
        lastName: margaret.lastName,
        dateOfBirth: margaret.dateOfBirth,
        email: margaret.email,
        phone: margaret.phone,
        page: path,
        campaign: '{"utm_source":"ad","utm_campaign":"spring"}',
        consent_version: versionOf(consentAsPresented(consent)),
        client_address: '127.0.0.1',
        user_agent: await page.evaluate(() => navigator.userAgent),
      }),
    ])
  })
}
