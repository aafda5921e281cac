/** Path: / or /advertorial → six required answers → contact form → the lead is stored → /thank-you. */
import { consent } from '../../content/panel/contact-form.ts'
import { thankYou } from '../../content/thank-you.ts'
import { consentAsPresented } from '../../domain/as-presented.ts'
import { versionOf } from '../../server/store/presented.ts'
import { expect, ruth, SUBMIT, storedLeads, test } from './visitor.ts'

for (const path of ['/', '/advertorial']) {
  test(`${path}: an eligible visitor leaves a lead, stored as typed, and is thanked`, async ({ visitor, site }) => {
    await visitor.reachContact(`${path}?utm_source=ad&utm_campaign=spring&name=ruth`)
    await visitor.fillIn()
    await visitor.press(SUBMIT)
    await visitor.arrivesAt('/thank-you')
    await visitor.sees(thankYou.headline)
    expect(await storedLeads(site)).toMatchObject([
      {
        state: 'accepted',
        firstName: ruth.firstName,
        lastName: ruth.lastName,
        dateOfBirth: ruth.dateOfBirth,
        email: ruth.email,
        phone: ruth.phone,
        page: path,
        campaign: '{"utm_source":"ad","utm_campaign":"spring"}',
        consent_version: versionOf(consentAsPresented(consent)),
        client_address: '127.0.0.1',
        user_agent: await visitor.look(() => navigator.userAgent),
      },
    ])
  })
}
