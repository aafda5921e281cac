/** Path: contact form → the phone number is typed, pasted and corrected. */
import { contactForm } from '../../content/panel/contact-form.ts'
import { expect, test, type Visitor } from './visitor.ts'

async function phoneField(visitor: Visitor) {
  await visitor.reachContact()
  return visitor.field('phone')
}

test('digits are formatted as they are typed; everything else is left out', async ({ visitor }) => {
  const phone = await phoneField(visitor)
  await expect(phone).toHaveAttribute('placeholder', contactForm.fields.phone.placeholder)
  await expect(phone).toHaveAttribute('maxlength', '14')
  for (const [key, value] of [
    ['5', '(5'],
    ['5', '(55'],
    ['a', '(55'],
    ['5', '(555'],
    ['2', '(555) 2'],
  ] as const) {
    await phone.press(key)
    await expect(phone).toHaveValue(value)
  }
  await phone.pressSequentially('345678999')
  await expect(phone).toHaveValue('(555) 234-5678')
})

test('a digit deleted in the middle leaves the caret where it was', async ({ visitor, page }) => {
  const phone = await phoneField(visitor)
  await phone.pressSequentially('5552345678')
  for (let step = 0; step < 5; step++) await phone.press('ArrowLeft')
  await phone.press('Backspace')
  await expect(phone).toHaveValue('(555) 235-678')
  await phone.press('9')
  await expect(phone).toHaveValue('(555) 239-5678')
  expect(await phone.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe(9)
  await page.keyboard.press('Control+a')
  await page.keyboard.press('Backspace')
  await expect(phone).toHaveValue('')
})

test('Delete in front of a separator removes the digit behind it', async ({ visitor }) => {
  const phone = await phoneField(visitor)
  await phone.pressSequentially('5552345678')
  await phone.evaluate((input: HTMLInputElement) => input.setSelectionRange(4, 4))
  await phone.press('Delete')
  await expect(phone).toHaveValue('(555) 345-678')
})

for (const pasted of [
  '+1 (555) 234-5678',
  '1-555-234-5678',
  '555.234.5678',
  '  5552345678  ',
  'Tel: (555) 234-5678 ext 9',
]) {
  test(`pasting ${pasted}`, async ({ visitor, page, context }) => {
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    const phone = await phoneField(visitor)
    await page.evaluate(text => navigator.clipboard.writeText(text), pasted)
    await phone.press('Control+v')
    await expect(phone).toHaveValue('(555) 234-5678')
  })
}

test('a country code typed first is dropped with the eleventh digit', async ({ visitor }) => {
  const phone = await phoneField(visitor)
  await phone.pressSequentially('15552345678')
  await expect(phone).toHaveValue('(555) 234-5678')
})
