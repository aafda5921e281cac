/** Path: contact form → empty or wrong → the visitor is told beside the field → corrected → stored. */
import { contactMessages, toasts } from '../../content/panel/contact-form.ts'
import { eventually, expect, field, ruth, SUBMIT, storedLeads, test } from './visitor.ts'

test('errors stand beside their fields, and a corrected form is stored', async ({ visitor, site }) => {
  await visitor.reachContact()
  await visitor.press(SUBMIT)
  await visitor.sees(toasts.incomplete.title)
  const expected = {
    firstName: contactMessages.firstNameRequired,
    lastName: contactMessages.lastNameRequired,
    dateOfBirth: contactMessages.dateOfBirthRequired,
    email: contactMessages.emailRequired,
    phone: contactMessages.phoneRequired,
  } as const
  for (const [name, message] of Object.entries(expected) as [keyof typeof ruth, string][])
    expect(await visitor.message(name)).toContain(message)
  expect(await visitor.isFocused(field('firstName'))).toBe(true)
  await visitor.type('R')
  await eventually(() => visitor.message('firstName')).not.toContain('required')
  expect(await visitor.message('lastName')).toContain(contactMessages.lastNameRequired)

  await visitor.fillIn({ ...ruth, firstName: 'uth', email: 'ruth@', phone: '555234567', dateOfBirth: '2015-01-01' })
  await visitor.press(SUBMIT)
  await eventually(() => visitor.message('email')).toContain(contactMessages.emailInvalid)
  expect(await visitor.message('phone')).toContain(contactMessages.phoneInvalid)
  expect(await visitor.message('dateOfBirth')).toContain(contactMessages.ageOutOfBounds)
  expect(await visitor.isFocused(field('dateOfBirth'))).toBe(true)
  await visitor.fillIn({ dateOfBirth: ruth.dateOfBirth, email: 'example.org', phone: '8' })

  await visitor.press(SUBMIT)
  await visitor.arrivesAt('/thank-you')
  expect(await storedLeads(site)).toMatchObject([{ email: ruth.email, phone: ruth.phone }])
})
