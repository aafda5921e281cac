/** Density, print, folding, and what each role sees in the desk. */
import { expect, firstId, openPage, test } from './desk-fixture.ts'

test.describe.configure({ mode: 'default' })

test('at 1920 px, the list uses the width with one line per lead; at 360 px, four leads fit on the first screen', async ({
  view: page,
  open,
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 })
  await open('/leads')
  const table = page.getByRole('table', { name: 'Leads' })
  expect((await table.boundingBox())?.width).toBeGreaterThan(1800)
  const heights = await page.locator('tbody tr').evaluateAll(rows => rows.map(row => row.clientHeight))
  expect(Math.max(...heights)).toBeLessThan(45)
  await page.setViewportSize({ width: 360, height: 740 })
  await expect
    .poll(() =>
      page.locator('tbody tr').evaluateAll(rows => rows.filter(row => row.getBoundingClientRect().bottom < 740).length),
    )
    .toBeGreaterThanOrEqual(4)
})

test('printed lists have the filters and whole times, but no checkboxes or buttons', async ({ view: page, open }) => {
  await open('/leads?state=held&period=30d')
  await page.emulateMedia({ media: 'print' })
  await expect(page.getByText('On hold · Last 30 days').last()).toBeVisible()
  await expect(page.getByRole('checkbox').first()).toBeHidden()
  await expect(page.getByRole('button').first()).toBeHidden()
  const time = page.locator('tbody time').first()
  expect(await time.evaluate(element => element.getClientRects().length)).toBe(1)
  await expect(time).toContainText(/\d:\d\d [AP]M/)
})

test('consent is one line until opened, views are hidden until asked for, and Erase is in a menu', async ({
  view: page,
  open,
  desk,
}) => {
  await page.setViewportSize({ width: 360, height: 740 })
  await open(`/leads/${await firstId(desk, { delivery: 'delivered' })}`)
  const record = page.getByRole('link', { name: 'Print contact record' })
  await expect(record).toBeHidden()
  await page.getByRole('heading', { name: 'Consent' }).click()
  await expect(record).toBeVisible()
  const viewed = page.getByText('Viewed by Maria Lopez')
  await expect(viewed).toHaveCount(0)
  await page.getByRole('button', { name: /^Show views/ }).click()
  await expect(viewed.first()).toBeVisible()
  const erase = page.getByRole('button', { name: 'Erase…' })
  await expect(erase).toBeHidden()
  await page.getByRole('button', { name: 'More' }).click()
  await erase.click()
  await expect(page.getByRole('dialog', { name: 'Erase this person’s data' })).toBeVisible()
})

test('quick lists show counts', async ({ view: page, open }) => {
  await open('/leads')
  const lists = page.getByRole('navigation', { name: 'Lists' }).getByRole('listitem')
  await expect(lists).toHaveText(['All', 'On hold6', 'Delivery failed3', /^Queued\d+$/])
})

test('only editors have Setup, with the launch checklist and the settings', async ({
  view: page,
  open,
  browser,
  desk,
}) => {
  await open('/')
  await page.getByRole('link', { name: 'Setup' }).click()
  await expect(page.getByRole('heading', { name: 'Launch checklist' })).toBeVisible()
  await expect(page.getByText('TIME_ZONE')).toBeVisible()
  const context = await browser.newContext({ baseURL: desk.url })
  await context.addCookies([await desk.signIn('Cal Caller', 'caller')])
  const caller = await context.newPage()
  await openPage(caller, '/health')
  await expect(caller.getByRole('link', { name: 'Setup' })).toHaveCount(0)
  await caller.goto('/setup')
  await expect(caller.getByText('Ask your administrator for editor access.')).toBeVisible()
  await context.close()
})

test('with the call list off, nothing about calls is visible', async ({ view: page, open, desk }) => {
  await open('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Today')
  await page.keyboard.press('c')
  await expect(page.getByRole('link', { name: 'Calls' })).toHaveCount(0)
  await open(`/leads/${await firstId(desk, { delivery: 'delivered' })}`)
  await expect(page.getByText('Sent to your CRM')).toBeVisible()
  for (const name of ['Call', 'What happened?', 'What they answered']) {
    await expect(page.getByRole('heading', { name, exact: true })).toHaveCount(0)
  }
  await open('/you')
  await expect(page.getByRole('heading', { name: 'I speak' })).toHaveCount(0)
  await open('/calls')
  await expect(page.getByText('There’s no page at this address.')).toBeVisible()
})
