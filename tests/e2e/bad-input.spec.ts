/** Path: contact form → hostile or clumsy input → a clear message, or the same text at the receiver; never a broken page. */
import { contactMessages } from '../../content/panel/contact-form.ts'
import { expect, startingWith, test } from './visitor.ts'

test('hostile names arrive as typed', async ({ visitor, site }) => {
  const names = { firstName: '🙂👩‍👩‍👧 שלום עולם a&b=c#d+e%20', lastName: '"><script>alert(1)</script>' }
  await visitor.reachContact()
  await visitor.fillIn(names)
  await visitor.submit()
  await expect.poll(() => site.receiver.leads[0]?.query).toMatchObject(names)
})

test('10,000 characters get a clear message', async ({ visitor, page, site }) => {
  await visitor.reachContact()
  await visitor.fillIn({ firstName: 'x'.repeat(10_000), email: `${'x'.repeat(10_000)}@example.org` })
  await visitor.submit()
  await expect(visitor.field('firstName')).toHaveAccessibleDescription(startingWith(contactMessages.nameTooLong))
  await expect(visitor.field('email')).toHaveAccessibleDescription(startingWith(contactMessages.emailTooLong))
  expect(site.receiver.leads).toHaveLength(0)
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
})
