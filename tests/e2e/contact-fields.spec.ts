/** Path: contact form → date of birth pasted or typed, a misspelled email → what is sent is what was meant. */
import type { Locator } from '@playwright/test'
import { contactForm } from '../../content/panel/contact-form.ts'
import { expect, margaret, test } from './visitor.ts'

async function paste(into: Locator, text: string) {
  await into.evaluate((input, text) => {
    const clipboardData = new DataTransfer()
    clipboardData.setData('text', text)
    input.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }))
  }, text)
}

test('the date of birth is one group of three boxes with numeric keyboards that browsers can fill in', async ({
  visitor,
}) => {
  await visitor.reachContact()
  const { label, parts } = contactForm.fields.dateOfBirth
  await expect(visitor.field('dateOfBirth')).toMatchAriaSnapshot(`
    - group ${JSON.stringify(label)}:
      - textbox ${JSON.stringify(parts.month)}
      - textbox ${JSON.stringify(parts.day)}
      - textbox ${JSON.stringify(parts.year)}
  `)
  for (const part of ['month', 'day', 'year'] as const) {
    await expect(visitor.dateBox(part)).toHaveAttribute('inputmode', 'numeric')
    await expect(visitor.dateBox(part)).toHaveAttribute('autocomplete', `bday-${part}`)
  }
  // A full box keeps focus.
  await visitor.dateBox('month').pressSequentially('04')
  await expect(visitor.dateBox('month')).toBeFocused()
})

for (const [text, into] of [
  ['04/12/1966', 'month'],
  ['1966-04-12', 'day'],
  ['4-12-66', 'year'],
] as const) {
  test(`${text} pasted into the box for the ${into} fills all three`, async ({ visitor, site }) => {
    await visitor.reachContact()
    await visitor.fillIn({ dateOfBirth: '' })
    await paste(visitor.dateBox(into), text)
    await expect(visitor.dateBox('day')).toHaveValue('12')
    await visitor.submit()
    await expect.poll(() => site.receiver.leads[0]?.query).toEqual(margaret)
  })
}

test('a misspelled provider is offered to be corrected with one press, without moving anything', async ({
  visitor,
  site,
}) => {
  await visitor.reachContact()
  await visitor.fillIn({ email: 'margaret@gmial.com' })
  const suggestion = visitor.button(contactForm.didYouMean('gmail.com'))
  const before = await visitor.field('phone').boundingBox()
  await expect(suggestion).toBeVisible()
  await visitor.field('phone').focus()
  expect((await suggestion.boundingBox())?.height).toBeGreaterThanOrEqual(48)
  await suggestion.click()
  await expect(suggestion).toHaveCount(0)
  await expect(visitor.field('email')).toHaveValue('margaret@gmail.com')
  await expect(visitor.field('email')).toBeFocused()
  expect(await visitor.field('phone').boundingBox()).toEqual(before)
  await visitor.submit()
  await expect.poll(() => site.receiver.leads[0]?.query).toEqual({ ...margaret, email: 'margaret@gmail.com' })
})

test('a suggestion never blocks: the address is sent as typed', async ({ visitor, site }) => {
  await visitor.reachContact()
  await visitor.fillIn({ email: 'margaret@gmial.com' })
  await visitor.submit()
  await expect.poll(() => site.receiver.leads[0]?.query).toEqual({ ...margaret, email: 'margaret@gmial.com' })
})
