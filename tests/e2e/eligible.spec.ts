/** Path: / or /advertorial → six required answers → contact form → lead sent → /thank-you. */
import { contactForm } from '../../content/panel/contact-form.ts'
import { questionnaire } from '../../content/panel/questionnaire.ts'
import { thankYou } from '../../content/thank-you.ts'
import { expect, homes, margaret, SUBMIT, test } from './visitor.ts'

for (const { name, path } of homes) {
  test(`an eligible visitor of the ${name} page leaves a lead and is thanked`, async ({ visitor, page, site }) => {
    await visitor.reachContact(`${path}?utm_campaign=spring`)
    await expect(visitor.panel.getByText(contactForm.heading)).toBeVisible()
    await expect(visitor.panel.getByText(contactForm.lead)).toBeVisible()
    await expect(visitor.panel.getByText('100% complete')).toBeVisible()
    await visitor.fillIn()
    await visitor.submit()
    await visitor.leftFor('/thank-you')
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(thankYou.headline)
    expect(site.receiver.leads).toHaveLength(1)
    const [lead] = site.receiver.leads
    expect(lead).toMatchObject({ method: 'GET', path: '/api/leads', query: margaret })
    expect(lead?.headers).toMatchObject({ accept: 'application/json', 'sec-fetch-site': 'same-origin' })
    expect(lead?.headers['x-consent-version']).toMatch(/^[0-9a-f]{64}$/)
    expect(lead?.headers.referer).toBe(`${site.url}${path}?utm_campaign=spring`)
    expect(page.url()).not.toContain('?')
  })
}

test('landing: the button stays Processing... and disabled, and /thank-you comes 2000 ms after the answer', async ({
  visitor,
  page,
  site,
}) => {
  await visitor.reachContact()
  await visitor.fillIn()
  await visitor.stopTime()
  site.receiver.answer = 'wait'
  await visitor.submit()
  await expect(visitor.submitButton).toHaveText(contactForm.submitting)
  await expect(visitor.submitButton).toBeDisabled()
  site.receiver.release()
  await visitor.leadHandled()
  await page.clock.runFor(1990)
  await expect(visitor.submitButton).toHaveText(contactForm.submitting)
  await expect(visitor.submitButton).toBeDisabled()
  await page.clock.runFor(20)
  await page.waitForURL('**/thank-you')
})

test('advertorial: the loading view is shown for 2000 ms, then /thank-you', async ({ visitor, page }) => {
  await visitor.reachContact('/advertorial')
  await visitor.fillIn()
  await visitor.stopTime()
  await visitor.submit()
  await visitor.leadHandled()
  const loading = visitor.panel.getByText(questionnaire.loading)
  await expect(loading).toBeVisible()
  await expect(loading).toBeFocused()
  await expect(loading).toBeInViewport()
  await expect(visitor.button(SUBMIT)).toBeHidden()
  await page.clock.runFor(1990)
  await expect(loading).toBeVisible()
  await page.clock.runFor(20)
  await page.waitForURL('**/thank-you')
})

test('one lead is sent however often and however fast the button is pressed', async ({ visitor, page, site }) => {
  await visitor.reachContact()
  await visitor.fillIn()
  site.receiver.answer = 'wait'
  await page.evaluate(() => {
    const button = document.querySelector<HTMLButtonElement>('button[type=submit]')
    for (let press = 0; press < 20; press++) button?.click()
    button?.form?.requestSubmit()
  })
  await expect(visitor.submitButton).toHaveText(contactForm.submitting)
  await visitor.field('email').press('Enter')
  site.receiver.release()
  await visitor.leftFor('/thank-you')
  expect(site.receiver.leads).toHaveLength(1)
})

test('a certificate is sent when its field is filled, whoever put the field there', async ({ visitor, page, site }) => {
  await visitor.reachContact()
  await visitor.fillIn()
  await page.evaluate(() => {
    const field = Object.assign(document.createElement('input'), {
      type: 'hidden',
      name: 'xxTrustedFormCertUrl',
      value: 'https://cert.trustedform.com/abc',
    })
    document.querySelector('form')?.append(field)
  })
  await visitor.submit()
  await visitor.leftFor('/thank-you')
  expect(site.receiver.leads[0]?.query).toEqual({
    ...margaret,
    xxTrustedFormCertUrl: 'https://cert.trustedform.com/abc',
  })
})

test('a certificate in the form’s own field is sent, too', async ({ visitor, page, site }) => {
  await visitor.reachContact()
  await visitor.fillIn()
  await page.evaluate(() => {
    const field = document.querySelector<HTMLInputElement>('[name=xxTrustedFormCertUrl]')
    if (field) field.value = 'https://cert.trustedform.com/def'
  })
  await visitor.submit()
  await expect
    .poll(() => site.receiver.leads[0]?.query)
    .toMatchObject({
      xxTrustedFormCertUrl: 'https://cert.trustedform.com/def',
    })
})
