/** Path: / → answers and details → reload → everything is still there → sent → nothing is left behind. */
import { contactForm } from '../../content/panel/contact-form.ts'
import { eventually, expect, field, ruth, SUBMIT, storedLeads, test } from './visitor.ts'

test('a reload loses neither answers nor details, and a sent lead leaves nothing behind', async ({ visitor, site }) => {
  await visitor.reachContact()
  await visitor.fillIn()
  await visitor.reload()
  await visitor.sees(contactForm.lead)
  for (const name of ['firstName', 'lastName', 'email', 'phone'] as const)
    await eventually(() => visitor.value(field(name))).toBe(ruth[name])
  await visitor.enterDate(ruth.dateOfBirth)
  await visitor.press(SUBMIT)
  await visitor.arrivesAt('/thank-you')
  expect(await storedLeads(site)).toMatchObject([{ email: ruth.email, dateOfBirth: ruth.dateOfBirth }])
  expect(await visitor.look(() => sessionStorage.length)).toBe(0)
})
