/** Path: contact form → a phone number is typed, pasted, autofilled, and corrected → the number that was meant is sent. */
import { eventually, expect, field, ruth, SUBMIT, storedLeads, test, type Visitor } from './visitor.ts'

const phone = field('phone')

async function clear(visitor: Visitor) {
  await visitor.press(phone)
  await visitor.pressWithControl('a')
  await visitor.pressKeys('Backspace')
  await eventually(() => visitor.value(phone)).toBe('')
}

const typed = [
  ['5a5', '(55'],
  ['5552', '(555) 2'],
  ['555-234-5678', '(555) 234-5678'],
  ['15552345678', '(555) 234-5678'],
  ['55523456789', '(555) 234-5678'],
  ['+1 (555) 234-5678', '(555) 234-5678'],
] as const

test('a number is formatted however it is entered, and stored without its country code', async ({ visitor, site }) => {
  await visitor.reachContact()
  for (const [text, value] of typed) {
    await clear(visitor)
    await visitor.type(text)
    await eventually(() => visitor.value(phone), `typed ${text}`).toBe(value)
  }

  for (const text of ['+1 (555) 234-5678', 'Tel: 555.234.5678 ext 9']) {
    // Copied from another field, with the keys that people use.
    await visitor.press(field('firstName'))
    await visitor.pressWithControl('a')
    await visitor.type(text)
    await visitor.pressWithControl('a')
    await visitor.pressWithControl('c')
    await clear(visitor)
    await visitor.pressWithControl('v')
    await eventually(() => visitor.value(phone), `pasted ${text}`).toBe('(555) 234-5678')
  }
  await visitor.press(field('firstName'))
  await visitor.pressWithControl('a')
  await visitor.type(ruth.firstName)

  await clear(visitor)
  await visitor.look(() => document.execCommand('insertText', false, '+1 (555) 234-5678'))
  await eventually(() => visitor.value(phone), 'suggested by the keyboard').toBe('(555) 234-5678')

  await clear(visitor)
  await visitor.type('5552345678')
  await visitor.pressKeys('ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'Backspace')
  await eventually(() => visitor.value(phone)).toBe('(555) 235-678')
  await visitor.type('9')
  await eventually(() => visitor.value(phone)).toBe('(555) 239-5678')
  await visitor.pressKeys('Home', 'Delete')
  await eventually(() => visitor.value(phone), 'Delete before the first digit').toBe('(552) 395-678')

  // Browsers autofill past maxlength.
  await visitor.setValue(phone, '+15552345678')
  await eventually(() => visitor.value(phone), 'autofilled').toBe('(555) 234-5678')
  const { firstName, phone: number, ...others } = ruth
  await visitor.fillIn(others)
  await visitor.press(SUBMIT)
  await visitor.arrivesAt('/thank-you')
  expect(await storedLeads(site)).toMatchObject([{ firstName, phone: number }])
})
