/** Path: contact form → the date of birth, typed box by box → the same date is stored. */
import { expect, ruth, SUBMIT, storedLeads, test } from './visitor.ts'

test('a date typed without leading zeros and with a short year is stored', async ({ visitor, site }) => {
  await visitor.reachContact()
  const { dateOfBirth, ...others } = ruth
  await visitor.fillIn(others)
  await visitor.enterDate('65-3-15')
  await visitor.press(SUBMIT)
  await visitor.arrivesAt('/thank-you')
  expect(await storedLeads(site)).toMatchObject([{ dateOfBirth: dateOfBirth }])
})
