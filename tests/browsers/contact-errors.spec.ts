/** Path: contact form → empty, wrong, refused → told beside the field → corrected → stored. */

import { renameSync } from 'node:fs'
import { contactMessages, toasts } from '../../content/panel/contact-form.ts'
import { storeFile } from '../../server/store/sqlite/files.ts'
import { eventually, expect, field, ruth, SUBMIT, storedLeads, test } from './visitor.ts'

test('an empty form names every field and puts the cursor into the first', async ({ visitor }) => {
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
})

test('what is wrong is named, and stored once it is right', async ({ visitor, site }) => {
  await visitor.reachContact()
  await visitor.fillIn({ ...ruth, email: 'ruth@', phone: '555234567', dateOfBirth: '2015-01-01' })
  await visitor.press(SUBMIT)
  await eventually(() => visitor.message('email')).toContain(contactMessages.emailInvalid)
  expect(await visitor.message('phone')).toContain(contactMessages.phoneInvalid)
  expect(await visitor.message('dateOfBirth')).toContain(contactMessages.ageOutOfBounds)
  expect(await visitor.isFocused(field('dateOfBirth'))).toBe(true)
  await visitor.enterDate(ruth.dateOfBirth)
  await visitor.fillIn({ email: 'example.org', phone: '8' })
  for (const name of ['email', 'phone'] as const) await eventually(() => visitor.value(field(name))).toBe(ruth[name])
  await visitor.press(SUBMIT)
  await visitor.arrivesAt('/thank-you')
  expect(await storedLeads(site)).toMatchObject([{ email: ruth.email, phone: ruth.phone }])
})

test('a lead that cannot be stored is told as such, and can be sent again', async ({ visitor, site }) => {
  await visitor.reachContact()
  await visitor.fillIn()
  const store = storeFile(site.dataDir)
  renameSync(store, `${store}.aside`)
  await visitor.press(SUBMIT)
  await visitor.sees(toasts.submissionFailed.text)
  renameSync(`${store}.aside`, store)
  await visitor.press(SUBMIT)
  await visitor.arrivesAt('/thank-you')
  expect(await storedLeads(site)).toHaveLength(1)
})
