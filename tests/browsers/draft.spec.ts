/** Path: / → answers and details → the page is loaded anew → everything is where it was → sent → nothing is left. */
import { contactForm } from '../../content/panel/contact-form.ts'
import { expect, field, ruth, SUBMIT, storedLeads, test } from './visitor.ts'

test('a reload loses neither answers nor details, and a sent lead leaves nothing behind', async ({ visitor, site }) => {
  await visitor.open('/')
  await visitor.answerAll()
  await visitor.sees(contactForm.lead)
  await visitor.fillIn()
  await visitor.browser.reload()
  await visitor.sees(contactForm.lead)
  for (const name of ['firstName', 'lastName', 'email', 'phone'] as const)
    expect(await visitor.value(field(name))).toBe(ruth[name])
  await visitor.enterDate(ruth.dateOfBirth)
  await visitor.press(SUBMIT)
  await visitor.arrivesAt('/thank-you')
  expect(await storedLeads(site)).toMatchObject([{ email: ruth.email, dateOfBirth: ruth.dateOfBirth }])
  expect(await visitor.look(() => sessionStorage.length)).toBe(0)
})
