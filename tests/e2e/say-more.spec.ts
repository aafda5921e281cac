/** The end of the thank-you page: the tab that sent a lead can correct its number once, and say when to call. */

import { fill } from '../../domain/text/fill.ts'
import { words } from '../../site-folder/site.ts'
import { expect, FAILED_REQUEST, SUBMIT, test } from './visitor.ts'

const { contactMessages, thankYou } = words.en

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

  await expect(page.getByText(fill(sayMore.willCall, { number: wrongPhone }))).toBeVisible()
  // Right under the headline: before the first step.
  const top = async (text: string) => (await page.getByText(text, { exact: true }).boundingBox())?.y ?? Number.NaN
  expect(await top(fill(sayMore.willCall, { number: wrongPhone }))).toBeLessThan(await top(thankYou.callLabel))
  // Browsers copy what a tab keeps to a duplicate.
  const duplicate = await context.newPage()
  await duplicate.addInitScript(kept => sessionStorage.setItem('questionnaire-draft', kept), await visitor.draft())
  await duplicate.goto(`${site.url}/thank-you`)
  await duplicate.getByText(sayMore.wrong, { exact: true }).click()
  await page.getByText(sayMore.wrong, { exact: true }).click()
  const field = page.getByRole('textbox', { name: sayMore.label })
  await field.fill('212')
  await page.getByRole('button', { name: SUBMIT }).click()
  await expect(page.getByText(contactMessages.phoneInvalid)).toBeVisible()
  await expect(field).toBeFocused()
  await expect(field).toHaveAccessibleDescription(contactMessages.phoneInvalid)
  await expect(page.locator('#consent')).toBeHidden()
  await page.getByText(sayMore.consent).click()
  await expect(page.locator('#consent')).toContainText('express written consent')
  await field.fill('212.555.0199')
  await page.getByRole('button', { name: SUBMIT }).click()
  await expect(page.getByText(fill(sayMore.corrected, { number: rightPhone }))).toBeFocused()
  expect(site.storedLeads().map(({ state, phone, page, campaign }) => [state, phone, page, campaign])).toEqual([
    ['repeat', wrongPhone, '/', '{"utm_source":"tv"}'],
    ['accepted', rightPhone, '/', '{"utm_source":"tv"}'],
  ])

  const time = page.getByRole('heading', { name: sayMore.timeHeading }).locator('..').getByRole('button').first()
  await time.click()
  await expect(time).toHaveAttribute('aria-pressed', 'true')
  const chosen = page.getByText(fill(sayMore.saved, { time: ((await time.textContent()) ?? '').replace('\n', ', ') }))
  await expect(chosen).toBeVisible()

  await page.reload()
  await expect(page.getByText(fill(sayMore.willCall, { number: rightPhone }))).toBeVisible()
  await expect(page.getByText(sayMore.wrong, { exact: true })).toBeHidden()
  await expect(chosen).toBeVisible()
  await expect(time).toHaveAttribute('aria-pressed', 'true')
  expect(urls.filter(url => /0187|0199/.test(url))).toEqual([])
  expect(await context.cookies()).toEqual([])

  await duplicate.getByRole('textbox', { name: sayMore.label }).fill('212.555.0123')
  await duplicate.getByRole('button', { name: SUBMIT }).click()
  await expect(duplicate.getByText(sayMore.refused)).toBeFocused()
  await expect(duplicate.getByText(wrongPhone)).toBeHidden()

  const other = await context.newPage()
  await other.goto(`${site.url}/thank-you`)
  await expect(other.getByRole('link', { name: thankYou.callLabel })).toBeVisible()
  await expect(other.getByText(fill(sayMore.willCall, { number: rightPhone }))).toBeHidden()

  // For half an hour, even if the page stays open.
  await page.clock.fastForward('30:01')
  await expect(page.getByText(thankYou.lead)).toBeVisible()
  await expect(page.getByText(rightPhone)).toBeHidden()
  expect(await visitor.draft()).toBe('')
})
