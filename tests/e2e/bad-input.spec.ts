/** Path: contact form → hostile or clumsy input → a clear message, or the same text at the receiver; never a broken page. */
import { contactMessages } from '../../content/panel/contact-form.ts'
import { expect, margaret, startingWith, test } from './visitor.ts'

const intact = ['🙂👩‍👩‍👧', 'שלום עולם', '<script>alert(1)</script>', '"><img src=x onerror=alert(1)>', 'a&b=c#d+e%20']
for (const name of intact) {
  test(`the name ${name} arrives as it was typed`, async ({ visitor, site }) => {
    await visitor.reachContact()
    await visitor.fillIn({ lastName: name })
    await visitor.submit()
    await expect.poll(() => site.receiver.leads[0]?.query['lastName']).toBe(name)
  })
}

test('10,000 characters get a clear message', async ({ visitor, page, site }) => {
  await visitor.reachContact()
  await visitor.fillIn({ firstName: 'x'.repeat(10_000), email: `${'x'.repeat(10_000)}@example.org` })
  await visitor.submit()
  await expect(visitor.field('firstName')).toHaveAccessibleDescription(startingWith(contactMessages.nameTooLong))
  await expect(visitor.field('email')).toHaveAccessibleDescription(startingWith(contactMessages.emailTooLong))
  expect(site.receiver.leads).toHaveLength(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})

for (const dateOfBirth of ['0001-01-01', '9999-12-31', '2009-01-01', '1905-12-31']) {
  test(`the birth date ${dateOfBirth} gets the message about age`, async ({ visitor, page }) => {
    await page.clock.install({ time: new Date('2026-11-15T12:00:00Z') })
    await visitor.reachContact()
    await visitor.fillIn({ dateOfBirth })
    await visitor.submit()
    await expect(visitor.field('dateOfBirth')).toHaveAccessibleDescription(startingWith(contactMessages.ageOutOfBounds))
  })
}

test('spaces around pasted values are dropped', async ({ visitor, site }) => {
  await visitor.reachContact()
  await visitor.fillIn({ firstName: '  Margaret  ', email: ' margaret@example.org ' })
  await visitor.submit()
  await expect.poll(() => site.receiver.leads[0]?.query).toEqual(margaret)
})

test('only spaces count as nothing', async ({ visitor }) => {
  await visitor.reachContact()
  await visitor.fillIn({ firstName: '   ' })
  await visitor.submit()
  await expect(visitor.field('firstName')).toHaveAccessibleDescription(startingWith(contactMessages.firstNameRequired))
})
