/** Working at the desk, with a month of demo data: undo, filters, the way back, export, bulk changes, and what viewers see. */
import { readFile } from 'node:fs/promises'
import { expect, firstId, settled, test } from './desk-fixture.ts'

test.describe.configure({ mode: 'default' })

test.beforeEach(({ view }) => view.setViewportSize({ width: 1280, height: 800 }))

test('undo works for the do-not-call list, a deleted note, and a pause', async ({ view: page, desk }) => {
  const id = await firstId(desk, { delivery: 'delivered' })
  await page.goto(`${desk.url}/leads/${id}`)
  await expect(page.getByText('Ready to call')).toBeVisible()
  await page.getByRole('button', { name: 'Do not call' }).click()
  await page.getByRole('button', { name: 'Add to list' }).click()
  const listed = page.getByText('this phone number is on the do-not-call list')
  await expect(listed).toBeVisible()
  await expect(page.getByText('Ready to call')).toHaveCount(0)
  for (const contact of ['Phone number', 'Email']) {
    const entry = page.getByRole('listitem').filter({ hasText: `${contact} added to the do-not-call list` })
    await expect(entry.locator('[data-icon=phone-off]')).toBeVisible()
  }
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(listed).toHaveCount(0)

  await page.getByLabel('New note').fill('Called, no answer.')
  await page.getByRole('button', { name: 'Add note' }).click()
  await page.getByRole('button', { name: /^Delete the note by Maria Lopez/ }).click()
  await expect(page.getByRole('listitem').getByText('Called, no answer.')).toHaveCount(0)
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('listitem').getByText('Called, no answer.')).toBeVisible()

  await page.getByRole('link', { name: 'Health' }).click()
  await page.getByRole('button', { name: 'Pause deliveries' }).click()
  await page.getByRole('button', { name: 'Pause', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Resume deliveries' })).toBeVisible()
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect(page.getByRole('button', { name: 'Pause deliveries' })).toBeVisible()
  expect(await desk.store.deliveryPause()).toBeNull()
})

test('filters: a bookmark restores them, and clearing them keeps the search, the order, and focus', async ({
  view: page,
  desk,
}) => {
  const query = () => new URL(page.url()).search
  await page.goto(`${desk.url}/leads?state=held&period=30d&sort=oldest`)
  await settled(page)
  await expect(page.getByLabel('Status')).toHaveValue('=held')
  await expect(page.getByLabel('Received')).toHaveValue('30d')
  await expect(page.getByLabel('Sort by')).toHaveValue('oldest')
  await expect(page.getByText(/^6 leads$/)).toBeVisible()
  const lists = page.getByRole('navigation', { name: 'Lists' })
  await expect(lists.locator('[aria-current]')).toHaveText('On hold')
  await page.getByRole('searchbox').fill('example')
  await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
  await expect(page.locator('summary')).toBeFocused()
  await expect(page.getByRole('searchbox')).toHaveValue('example')
  await expect(page.getByLabel('Status')).toHaveValue('')
  await expect(lists.locator('[aria-current]')).toHaveText('All')
  expect(query()).toBe('?sort=oldest')

  // A date range starts from the current period.
  const [from, to] = [page.getByLabel('From', { exact: true }), page.getByLabel('To', { exact: true })]
  await page.getByLabel('Received').selectOption('yesterday')
  await page.getByLabel('Received').selectOption('dates')
  await expect(to).toHaveValue(await from.inputValue())
  expect(query()).toBe(`?from=${await from.inputValue()}&to=${await to.inputValue()}&sort=oldest`)
  await expect(lists.locator('[aria-current]')).toHaveCount(0)
  await to.fill('2026-10-19')
  await expect(page.getByText('This is before the start date')).toBeVisible()
  await to.fill('')
  await from.fill('')
  await expect.poll(query).toBe('?sort=oldest')
  // While a year is typed, its first digits are the years 2, 20, and 202.
  const asked: string[] = []
  page.on('request', request => {
    if (request.url().endsWith('/api/leads/search')) asked.push(request.postDataJSON().filter.from)
  })
  await from.focus()
  await page.keyboard.type('01312020')
  await expect.poll(() => asked).toContain('2020-01-31')
  expect(asked.filter(date => date !== undefined && date !== '2020-01-31')).toEqual([])
})

test('a lead links back to its position in the list', async ({ view: page, desk }) => {
  await page.goto(`${desk.url}/leads?period=30d`)
  await settled(page)
  const leads = page.locator('[data-lead]')
  // Scrolling down loads more.
  await leads.nth(49).scrollIntoViewIfNeeded()
  await expect.poll(() => leads.count()).toBeGreaterThan(50)
  const next = await leads.nth(61).getAttribute('data-lead')
  await leads.nth(60).click()
  await page.getByRole('link', { name: 'Back to list' }).click()
  await expect(leads.nth(60)).toBeInViewport()
  await page.keyboard.press('j')
  await expect(page.locator(`[data-lead="${next}"]`)).toBeFocused()
  const { email } = (await desk.store.find(await firstId(desk, { state: 'held' }))) ?? {}
  await page.getByRole('searchbox').fill(`${email}`)
  await expect(page.getByText(/^1 lead$/)).toBeVisible()
  await leads.click()
  await page.getByRole('link', { name: 'Back to list' }).click()
  await expect(page.getByRole('searchbox')).toHaveValue(`${email}`)
  await expect(leads).toHaveCount(1)
})

test('an export contains the filtered leads, and Health lists it', async ({ view: page, desk }) => {
  await page.goto(`${desk.url}/leads?state=held`)
  await page.getByRole('button', { name: 'Bulk actions (6)' }).click()
  await page.getByRole('button', { name: 'Export…' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'Export 6 leads' }).click()
  const file = await (await downloading).path()
  await expect(page.getByText('Saved to your downloads: 6 leads.')).toBeVisible()
  expect((await readFile(file, 'utf8')).trimEnd().split('\r\n')).toHaveLength(7)
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByRole('button', { name: 'Bulk actions (6)' })).toBeFocused()
  await page.getByRole('link', { name: 'Health' }).click()
  await expect(page.getByText(/Maria Lopez exported 6 leads as CSV \(On hold\)/)).toBeVisible()
  await page.getByText('Leads viewed in lists').click()
  await expect(page.getByText(/Maria Lopez viewed 6 leads/)).toBeVisible()
})

test('a bulk approval is counted before and after', async ({ view: page, desk }) => {
  await page.goto(`${desk.url}/leads?state=rejected`)
  await page.getByRole('button', { name: 'Bulk actions (2)' }).click()
  await page.getByRole('button', { name: 'Approve…' }).click()
  await expect(page.getByText('2 leads will be sent to your CRM.')).toBeVisible()
  await page.getByRole('button', { name: 'Approve 2' }).click()
  await expect(page.getByText('2 leads approved.')).toBeVisible()
  await page.getByRole('button', { name: 'Done' }).click()
  await expect(page.getByText(/^0 leads$/)).toBeVisible()
  expect(await desk.store.count({ state: 'rejected' })).toBe(0)
})

test('viewers see the lead, but no actions', async ({ browser, desk }) => {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } })
  await context.addCookies([await desk.signIn('Lou Looker', 'viewer')])
  const page = await context.newPage()
  await page.goto(`${desk.url}/leads?state=held`)
  await settled(page)
  await expect(page.getByRole('checkbox')).toHaveCount(0)
  await expect(page.getByRole('button', { name: /^Bulk actions/ })).toHaveCount(0)
  await page.locator('[data-lead]').first().click()
  await expect(page.locator('a[href^="tel:"]')).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Actions' })).toHaveCount(0)
  await expect(page.getByText('An editor needs to review it.')).toBeVisible()
  await expect(page.getByRole('textbox')).toHaveCount(0)
  await page.getByRole('link', { name: 'Health' }).click()
  await expect(page.getByRole('heading', { name: 'Deliveries' })).toBeVisible()
  await expect(page.getByRole('main').getByRole('button')).toHaveCount(0)
  await context.close()
})
