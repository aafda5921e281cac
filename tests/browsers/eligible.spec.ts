/** Path: / or /advertorial → six required answers → contact form → the lead is stored → /thank-you. */
import { thankYou } from '../../content/thank-you.ts'
import { expect, ruth, SUBMIT, storedLeads, test } from './visitor.ts'

for (const path of ['/', '/advertorial']) {
  test(`${path}: an eligible visitor leaves a lead, stored as typed, and is thanked`, async ({ visitor, site }) => {
    await visitor.reachContact(`${path}?utm_source=ad`)
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
        campaign: '{"utm_source":"ad"}',
      },
    ])
  })
}
