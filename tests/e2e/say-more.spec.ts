/** The end of the thank-you page: the tab that sent a lead can correct its number once, and say when to call. */
import { contactMessages } from '../../content/en/contact-form.ts'
import { thankYou } from '../../content/en/thank-you.ts'
import { expect, FAILED_REQUEST, SUBMIT, test } from './visitor.ts'

test.use({ ownStore: true })

const { sayMore } = thankYou
const [wrongPhone, rightPhone] = ['(212) 555-0187', '(212) 555-0199']

test('a wrong number is corrected once, with the same consent, and a good time is kept, in this tab only', async ({
  visitor,
  page,
  context,
  site,
  watched,
}) => {
  // A number that isn't valid gets a 422.
  watched.allow(FAILED_REQUEST)
  const urls: string[] = []
  await visitor.reachContact('/?utm_source=tv')
  await visitor.fillIn({ phone: wrongPhone })
  await visitor.submit()
  await visitor.waitForRedirect('/thank-you')
  page.on('request', request => void urls.push(request.url()))

  await expect(page.getByText(sayMore.willCall(wrongPhone))).toBeVisible()
  await expect(page.getByText(sayMore.call, { exact: true })).toBeHidden()
  await page.getByText(sayMore.wrong, { exact: true }).last().click()
  const field = page.getByLabel(sayMore.label)
  await field.fill('212')
  await page.getByRole('button', { name: SUBMIT }).click()
  await expect(page.getByText(contactMessages.phoneInvalid)).toBeVisible()
  await expect(field).toBeFocused()
  await expect(page.locator('#consent')).toContainText('express written consent')
  await field.fill('212.555.0199')
  await page.getByRole('button', { name: SUBMIT }).click()
  await expect(page.getByText(sayMore.corrected(rightPhone))).toBeFocused()
  expect(site.storedLeads().map(({ state, phone, campaign }) => [state, phone, campaign])).toEqual([
    ['repeat', wrongPhone, '{"utm_source":"tv"}'],
    ['accepted', rightPhone, '{"utm_source":"tv"}'],
  ])

  const time = page.getByRole('heading', { name: sayMore.timeHeading }).locator('..').getByRole('button').first()
  await time.click()
  await expect(time).toHaveAttribute('aria-pressed', 'true')
  await expect(page.getByText(sayMore.saved((await time.textContent()) ?? ''))).toBeVisible()

  await page.reload()
  await expect(page.getByText(sayMore.willCall(rightPhone))).toBeVisible()
  await expect(page.locator('details').last()).toBeHidden()
  expect(urls.filter(url => /0187|0199/.test(url))).toEqual([])
  expect(await context.cookies()).toEqual([])

  const other = await context.newPage()
  await other.goto(`${site.url}/thank-you`)
  await expect(other.getByRole('link', { name: sayMore.call })).toBeVisible()
  await expect(other.getByText(sayMore.willCall(rightPhone))).toBeHidden()
})
