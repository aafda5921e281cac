/** Path: contact form → a phone number is typed, pasted, filled in and corrected → what is sent is what was meant. */
import { keys } from './browser.ts'
import { eventually, expect, field, ruth, SUBMIT, storedLeads, test, type Visitor } from './visitor.ts'

const phone = field('phone')

async function clear(visitor: Visitor) {
  await visitor.press(phone)
  await visitor.chord(keys.control, 'a')
  await visitor.type(keys.backspace)
  await eventually(() => visitor.value(phone)).toBe('')
}

const typed = [
  ['5552345678', '(555) 234-5678'],
  ['555-234-5678', '(555) 234-5678'],
  ['15552345678', '(555) 234-5678'],
  ['+1 (555) 234-5678', '(555) 234-5678'],
  ['1-555-234-5678', '(555) 234-5678'],
  ['55523456789', '(555) 234-5678'],
  ['5a5', '(55'],
  ['5552', '(555) 2'],
] as const

test('numbers as people type them', async ({ visitor }) => {
  await visitor.reachContact()
  for (const [text, value] of typed) {
    await clear(visitor)
    await visitor.type(text)
    await eventually(() => visitor.value(phone), `typed ${text}`).toBe(value)
  }
})

test('a number typed with its country code is stored without it', async ({ visitor, site }) => {
  await visitor.reachContact()
  await visitor.fillIn({ ...ruth, phone: '+1 (555) 234-5678' })
  await visitor.press(SUBMIT)
  await visitor.arrivesAt('/thank-you')
  expect(await storedLeads(site)).toMatchObject([{ phone: '(555) 234-5678' }])
})

test('a number is corrected in the middle', async ({ visitor }) => {
  await visitor.reachContact()
  await visitor.press(phone)
  await visitor.type('5552345678')
  await visitor.type(keys.left.repeat(5))
  await visitor.type(keys.backspace)
  await eventually(() => visitor.value(phone)).toBe('(555) 235-678')
  await visitor.type('9')
  await eventually(() => visitor.value(phone)).toBe('(555) 239-5678')
  await visitor.type(keys.home + keys.delete)
  await eventually(() => visitor.value(phone), 'Delete in front of the first digit').toBe('(552) 395-678')
})

test('numbers as people paste them', async ({ visitor }) => {
  await visitor.reachContact()
  for (const text of ['+1 (555) 234-5678', '1-555-234-5678', 'Tel: 555.234.5678 ext 9']) {
    // Copied from a field of the page itself, with the keys that people use for it.
    await visitor.press(field('firstName'))
    await visitor.chord(keys.control, 'a')
    await visitor.type(text)
    await visitor.chord(keys.control, 'a')
    await visitor.chord(keys.control, 'c')
    await clear(visitor)
    await visitor.chord(keys.control, 'v')
    await eventually(() => visitor.value(phone), `pasted ${text}`).toBe('(555) 234-5678')
  }
})

test('a number that the keyboard suggests, put in at once', async ({ visitor }) => {
  await visitor.reachContact()
  await visitor.press(phone)
  await visitor.look(() => document.execCommand('insertText', false, '+1 (555) 234-5678'))
  await eventually(() => visitor.value(phone)).toBe('(555) 234-5678')
})

test('a number filled in by the browser with its country code', async ({ visitor }) => {
  await visitor.reachContact()
  // Browsers put a stored number in past the keyboard and past maxlength, and tell the page of it afterwards.
  await visitor.look(selector => {
    const input = document.querySelector<HTMLInputElement>(selector)
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(input, '+15552345678')
    input?.dispatchEvent(new Event('input', { bubbles: true }))
    input?.dispatchEvent(new Event('change', { bubbles: true }))
  }, phone)
  await eventually(() => visitor.value(phone)).toBe('(555) 234-5678')
})
