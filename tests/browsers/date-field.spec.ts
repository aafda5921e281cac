/** Path: contact form → the date of birth: empty it looks empty, and however it is typed the same date is stored. */
import { eventually, expect, field, ruth, SUBMIT, storedLeads, test } from './visitor.ts'

const date = field('dateOfBirth')

for (const typed of ['03151965', '03/15/1965']) {
  test(`a date typed as ${typed} is stored`, async ({ visitor, site }) => {
    await visitor.reachContact()
    const { dateOfBirth, ...others } = ruth
    await visitor.fillIn(others)
    await visitor.look(selector => document.querySelector<HTMLElement>(selector)?.focus(), date)
    await visitor.type(typed)
    await eventually(() => visitor.value(date)).toBe(dateOfBirth)
    await visitor.press(SUBMIT)
    await visitor.arrivesAt('/thank-you')
    expect(await storedLeads(site)).toMatchObject([{ dateOfBirth: dateOfBirth }])
  })
}

test('an empty date shows how to write one, and nothing else; one that was begun stays', async ({ visitor }) => {
  await visitor.reachContact()
  const look = () =>
    visitor.look(selector => {
      const input = document.querySelector(selector) as HTMLInputElement
      const hint = input.nextElementSibling as HTMLElement
      return {
        hint: hint.checkVisibility({ visibilityProperty: true }) ? hint.textContent : '',
        own: getComputedStyle(input).webkitTextFillColor !== 'rgba(0, 0, 0, 0)',
      }
    }, date)
  await eventually(look).toEqual({ hint: 'MM/DD/YYYY', own: false })
  await visitor.look(selector => document.querySelector<HTMLElement>(selector)?.focus(), date)
  await eventually(look).toEqual({ hint: '', own: true })
  await visitor.press(field('email'))
  await eventually(look).toEqual({ hint: 'MM/DD/YYYY', own: false })
  await visitor.look(selector => document.querySelector<HTMLElement>(selector)?.focus(), date)
  await visitor.type('03/15')
  await visitor.press(field('email'))
  await eventually(look).toEqual({ hint: '', own: true })
  await visitor.enterDate('2015-01-01')
  await visitor.press(field('email'))
  await eventually(look).toEqual({ hint: '', own: true })
})
